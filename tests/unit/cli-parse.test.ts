import { expect, it } from 'vitest'
import { commands, type Command } from '../../electron/hosts/cli/commands.ts'
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

it('refuses an option that is given twice and has one value, of every command, and takes those that have many', () => {
  const refused = { ok: false, failure: '--data was given twice, and only one value of it can apply.' }
  expect(parseCommandLine(['connection', 'list', '--data', '/a', '--data=/b'])).toEqual(refused)
  for (const command of Object.values<Command>(commands)) {
    for (const [name, { type, multiple }] of Object.entries(command.options)) {
      const once = type === 'boolean' ? [`--${name}`] : [`--${name}`, 'x']
      expect(parseCommandLine([...command.words, ...once, ...once]).ok, `${command.words.join(' ')} --${name}`).toBe(
        multiple === true
      )
    }
  }
})
