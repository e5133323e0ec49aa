import { expect, it } from 'vitest'
import { parseCommandLine } from '../../electron/cli/parse.ts'

it.each([
  [['batch', 'settle', 'ID', '--as', 'sent'], ['batch', 'resolve', 'ID', '--as', 'sent']],
  [['--data', 'settle', 'batch', 'settle', 'ID'], ['--data', 'settle', 'batch', 'resolve', 'ID']],
  [['batch', 'save', 'ID', '--file', 'faulty'], ['batch', 'save', 'ID', '--file', 'invalid']],
  [['batch', 'save', 'ID', '--file=faulty'], ['batch', 'save', 'ID', '--file=invalid']]
])('takes the words of version 0.1: %j', (before, today) => {
  const parsed = parseCommandLine(today)
  expect(parsed).toMatchObject({ ok: true })
  expect(parseCommandLine(before)).toEqual(parsed)
})
