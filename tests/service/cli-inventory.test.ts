/** The exit codes that a script of an inventory meets, by the state of a user's data. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes, type ExitName } from '../../electron/hosts/cli/exit.ts'
import { checked } from './support/acts.ts'
import { runCommand } from './support/cli.ts'
import { startTestConsole } from './support/console.ts'

/** Of each command: with a history, with a damaged one, and with a folder that a passphrase protects. */
const expected: readonly (readonly [words: string, whole: ExitName, damaged: ExitName, locked: ExitName])[] = [
  ['version', 'done', 'done', 'done'],
  ['policies', 'done', 'done', 'locked'],
  ['updates', 'done', 'done', 'locked'],
  ['updates check', 'failed', 'failed', 'locked'],
  ['connection list', 'done', 'done', 'locked'],
  ['backup --list', 'done', 'done', 'locked'],
  ['reviews list', 'done', 'unavailable', 'locked'],
  ['batch list', 'done', 'unavailable', 'locked'],
  ['retention --dry-run', 'done', 'unavailable', 'locked'],
  ['audit verify', 'done', 'unavailable', 'locked']
]

test('an inventory learns the truth by exit codes: of whole, damaged and locked data', async ({ skip }) => {
  let console = await startTestConsole()
  const { history } = await console.get('app.state')
  const isLasting = history.state === 'ready' && history.kept === 'file'
  const { dataFolder: data } = console
  const codes = async (): Promise<readonly string[]> => {
    const found: string[] = []
    for (const [words] of expected) {
      const { code } = await runCommand(words.split(' '), { data })
      found.push(Object.entries(exitCodes).find(([, each]) => each.code === code)?.[0] ?? String(code))
    }
    return found
  }
  try {
    skip(!isLasting, 'no keychain here')
    await checked(console)
    await console.close()
    const whole = await codes()
    const file = join(data, 'history', 'history.db')
    const bytes = await readFile(file)
    await writeFile(file, Buffer.from(bytes).fill(7, 0, 4096))
    const damaged = await codes()
    await writeFile(file, bytes)
    console = await startTestConsole(console)
    await console.get('passphrase.change', { next: 'Correct horse 7 battery' })
    await console.close()
    const locked = await codes()
    expect(expected.map(([words], index) => [words, whole[index], damaged[index], locked[index]])).toEqual(expected)
  } finally {
    await console.dispose()
  }
}, 240_000)
