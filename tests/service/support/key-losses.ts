/**
 * Loses the keychain repeatedly: the recovery key must open the history, and no new history may be created in its
 * place.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { historyFolder } from '#wire/sqlite/files.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { startTestConsole, type TestConsole } from './console.ts'
import { besideKeyring, checkOf, loseKey, masterKeyOf } from './console-workspace.ts'

const losses = [
  'keychain wiped',
  'another key in the keychain',
  'keychain wiped, key typed badly',
  'keychain wiped and history folder lost, backup left'
] as const
type Loss = (typeof losses)[number]

/** As people type: lower case, spaces instead of dashes, letters that look like digits. */
const typed = (key: string): string =>
  `  ${key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `

const digests = (folder: string): string =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`
    )
    .join('\n')

async function lose(loss: Loss, keychain: SecretStore, { dataFolder }: TestConsole): Promise<void> {
  await loseKey(keychain, dataFolder, loss === 'another key in the keychain' ? 'a'.repeat(64) : undefined)
  if (loss.includes('folder lost')) rmSync(historyFolder(dataFolder), { recursive: true })
}

/** One cycle: two verifications, a recovery key, the loss, the recovery. Returns the wrong results. */
async function tryLoss(loss: Loss, keychain: SecretStore): Promise<string[]> {
  const faults: string[] = []
  const expect = (holds: boolean, words: string): void => void (holds || faults.push(`${loss}: ${words}`))
  const first = await startTestConsole()
  const { id: connectionId } = await first.get('practice.start')
  const records = [await checkOf(first, connectionId, 'APP-1'), await checkOf(first, connectionId, 'APP-2')]
  const { key } = await first.get('recovery.create')
  const backup = loss.includes('backup') ? (await first.get('backups.create')).id : undefined
  await first.close()
  const masterKey = await masterKeyOf(keychain, first.dataFolder)
  const folder = historyFolder(first.dataFolder)
  const before = digests(folder)
  await lose(loss, keychain, first)

  const second = await startTestConsole(first)
  if (backup === undefined) {
    const { history } = await second.get('app.state')
    const code = loss.includes('another key') ? 'history-key-wrong' : 'history-key-missing'
    expect(
      history.state === 'failed' && history.failure.code === code,
      `the history is ${history.state} instead of ${code}`
    )
    expect(digests(folder) === before, 'a file was changed or made while the key was missing')
  }
  const mistaken = await second.ask('recovery.open', { key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` })
  expect(!mistaken.ok && mistaken.failure.code === 'recovery-key-wrong', 'a mistaken key was not refused')
  const opened = await second.ask('recovery.open', { key: loss.includes('typed') ? typed(key) : key })
  expect(
    opened.ok && opened.value.state === 'ready',
    `the recovery key did not open it${opened.ok ? '' : `: ${opened.failure.code}`}`
  )
  if (backup !== undefined)
    expect((await second.ask('backups.restore', { id: backup })).ok, 'the backup was not restored')
  for (const id of records) expect((await second.ask('history.record', { id })).ok, 'a record is missing')
  const verdict = await second.ask('audit.verify')
  expect(verdict.ok && verdict.value.intact, 'the audit trail does not verify')
  expect((await masterKeyOf(keychain, first.dataFolder)) === masterKey, 'the keychain does not hold the key again')
  await second.close()

  const third = await startTestConsole(first)
  expect((await third.get('app.state')).history.state === 'ready', 'the next start does not open it')
  await third.close()
  await loseKey(keychain, first.dataFolder)
  await third.dispose()
  return faults
}

/** Loses the keys this many times, alternating between the kinds of loss. */
export function loseKeys(
  times: number
): Promise<{ readonly loss: Loss; readonly tries: number; readonly faults: readonly string[] }[]> {
  return besideKeyring(async (keychain) => {
    const lots = losses.map((loss) => ({ loss, tries: 0, faults: [] as string[] }))
    for (let n = 0; n < times; n += 1) {
      const lot = lots[n % lots.length]
      if (!lot) continue
      lot.tries += 1
      lot.faults.push(...(await tryLoss(lot.loss, keychain)))
    }
    return lots
  })
}
