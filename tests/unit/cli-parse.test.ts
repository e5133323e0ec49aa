import { expect, it } from 'vitest'
import { helpText } from '../../electron/hosts/cli/commands.ts'
import { parseCommandLine } from '../../electron/hosts/cli/parse.ts'

it.each([
  [
    ['batch', 'settle', 'ID', '--as', 'sent'],
    ['batch', 'resolve', 'ID', '--as', 'sent']
  ],
  [
    ['--data', 'settle', 'batch', 'settle', 'ID'],
    ['--data', 'settle', 'batch', 'resolve', 'ID']
  ],
  [
    ['batch', 'save', 'ID', '--file', 'faulty'],
    ['batch', 'save', 'ID', '--file', 'invalid']
  ],
  [
    ['batch', 'save', 'ID', '--file=faulty'],
    ['batch', 'save', 'ID', '--file=invalid']
  ],
  [
    ['batch', 'run', 'rows.csv', '--at-once', '4', '--pace=600'],
    ['batch', 'run', 'rows.csv', '--concurrency', '4', '--rate-limit=600']
  ]
])('takes the words and options of version 0.1: %j', (before, today) => {
  const parsed = parseCommandLine(today)
  expect(parsed).toMatchObject({ ok: true })
  expect(parseCommandLine(before)).toEqual(parsed)
})

it('shows no retired option in the help', () => {
  expect(helpText()).not.toMatch(/--(?:at-once|pace)\b/)
})

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
