import { expect, it } from 'vitest'
import { parseCommandLine } from '../../electron/hosts/cli/parse.ts'

it('names the commands that begin as what was typed', () => {
  expect(parseCommandLine(['batch', 'start'])).toMatchObject({
    ok: false,
    failure: expect.stringMatching(
      /^There is no command “batch start”\. “help” describes “batch [a-z-]+”, .*“batch run”.*\.$/
    )
  })
  expect(parseCommandLine(['team', '--help'])).toMatchObject({
    ok: false,
    failure: expect.stringContaining('“team exchange”')
  })
  expect(parseCommandLine(['fetch'])).toEqual({ ok: false, failure: 'There is no command “fetch”. “help” lists them.' })
})
