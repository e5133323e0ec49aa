/** The retained copies of erased data, when the process ends before it has recorded the result. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3-multiple-ciphers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failed } from '#contract/failures/failures.ts'
import { erasedListPath, readErased } from '#wire/files/erased-list.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { contentsOf, hexKeyOf, tracesIn } from './support/traces.ts'
import {
  check,
  code,
  erase,
  openWorkspace,
  person,
  store,
  url,
  value,
  type Workspace
} from './support/erasure-workspace.ts'

let dataFolder: string
let open: Workspace[] = []
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-copies-'))
})
afterEach(async () => {
  for (const { current } of open) await current.close()
  open = []
  for (const path of [dataFolder, `${dataFolder}-receipt.json`]) rmSync(path, { recursive: true, force: true })
})
async function workspace(entries?: Map<string, string>): Promise<Workspace> {
  const opened = await openWorkspace(dataFolder, entries)
  open.push(opened)
  return opened
}

test('copies that were rewritten before a crash are counted on the receipt that is written after it', async () => {
  const one = await workspace()
  await check(one, { applicant: person, url })
  for (let n = 0; n < 2; n += 1) await value(one.backups.make())
  one.cleared = async () => failed('disk-full')
  expect(await code(erase(one))).toBe('erasure-unfinished')
  await one.current.close()

  const two = await workspace(one.secrets.entries)
  await two.retention.resume()
  const [receipt] = await value(two.retention.receipts())
  expect(receipt).toMatchObject({ backupsRewritten: 2, copiesNotReached: [] })
  expect(receipt?.copiesPending).toBeUndefined()
  expect(
    (await value(store(two).audit.page({ limit: 20 }))).events.filter(({ kind }) => kind === 'copies.cleared')
  ).toHaveLength(1)
})

const victim = fileURLToPath(new URL('./support/erasure-victim.ts', import.meta.url))

/** A workspace whose erasure was killed at a statement, with a backup from before it. */
async function cutOff(
  file: string,
  statement: string,
  nth: number
): Promise<{
  readonly entries: Map<string, string>
  readonly gone: string
  readonly backup: string
  readonly masterKey: string
}> {
  const one = await workspace()
  const gone = await check(one, { applicant: person, url })
  const { id: backup } = await value(one.backups.make())
  const { entries } = one.secrets
  const masterKey = entries.get(masterKeyAccount)!
  await one.current.close()
  const { signal, stderr } = spawnSync(
    process.execPath,
    [victim, join(dataFolder, 'history'), masterKey, person, file, statement, String(nth), erasedListPath(dataFolder)],
    { encoding: 'utf8' }
  )
  expect(signal, stderr).toBe('SIGKILL')
  return { entries, gone, backup, masterKey }
}

test('a restore that replaces a history with an interrupted erasure brings nobody back, and its copies are cleared', async () => {
  // The keys are destroyed; outside the history only the listed intention shows it.
  const { entries, gone, backup, masterKey } = await cutOff('history.db', 'COMMIT', 2)
  writeFileSync(join(dataFolder, 'history', 'history.db'), Buffer.alloc(8192, 7))
  const two = await workspace(entries)
  expect(two.current.state()).toMatchObject({ state: 'failed' })
  expect(await value(two.backups.restore(backup))).toMatchObject({ erasedAgain: 2, history: { state: 'ready' } })
  expect(await value(store(two).record(gone))).toMatchObject({ erased: true })
  expect(tracesIn(contentsOf(dataFolder, masterKey), [person])).not.toEqual([])
  await two.retention.resume()
  expect(tracesIn(contentsOf(dataFolder, masterKey), [person])).toEqual([])
  const list = await readErased(dataFolder)
  expect([list.digests.length, list.begun]).toEqual([2, []])
})

test('an erasure interrupted before it destroyed anything is not reported as done', async () => {
  const { entries, gone, backup } = await cutOff('subjects.db', 'COMMIT', 2)
  expect((await readErased(dataFolder)).begun).toHaveLength(1)
  const two = await workspace(entries)
  await value(two.retention.hold(person, true, 'Case 12/2026'))
  // Neither before the next start resumes it nor afterwards.
  for (let nth = 0; nth < 2; nth += 1) {
    expect(await value(two.backups.restore(backup))).toMatchObject({ erasedAgain: 0 })
    expect(await value(store(two).record(gone))).not.toMatchObject({ erased: true })
    await two.retention.resume()
    expect(await readErased(dataFolder)).toMatchObject({ digests: [], begun: [] })
  }
})

test('a hold placed before an interrupted erasure is resumed removes it from the list', async () => {
  const { entries, gone } = await cutOff('subjects.db', 'COMMIT', 2)
  const two = await workspace(entries)
  await value(two.retention.hold(person, true, 'Case 12/2026'))
  await two.retention.resume()
  expect(await readErased(dataFolder)).toMatchObject({ digests: [], begun: [] })
  expect(await value(store(two).record(gone))).not.toMatchObject({ erased: true })
  await value(two.retention.hold(person, false, 'closed'))
  await value(erase(two))
  expect(await readErased(dataFolder)).toMatchObject({ begun: [] })
})

test('the receipt of an erasure survives a restore of an earlier backup, and names nobody', async () => {
  const one = await workspace()
  await check(one, { applicant: person, url })
  const { id: backup } = await value(one.backups.make())
  const receipt = await value(erase(one))
  await value(one.backups.restore(backup))
  await one.retention.resume()
  const { by: _by, ...rest } = receipt
  const kept = [{ ...rest, subjects: [], replaced: true }]
  expect(await value(one.retention.receipts())).toEqual(kept)
  one.saved = `${dataFolder}-receipt.json`
  await value(one.retention.saveReceipt(receipt.id))
  expect(JSON.parse(readFileSync(one.saved, 'utf8'))).toMatchObject({
    format: 'veridesk-erasure-receipt',
    event: receipt.event,
    head: receipt.head,
    replaced: true
  })
  const list = readFileSync(erasedListPath(dataFolder), 'utf8')
  for (const name of [person, 'tester', 'asked for']) expect(list).not.toContain(name)
  // Once per state, however often it is read.
  expect(list.match(/^receipt /gm)).toHaveLength(2)
})

test('a restored history does not count an applicant who was erased since its backup', async () => {
  const one = await workspace()
  await check(one, { applicant: person, url })
  await check(one, { applicant: 'APP-OTHER' })
  const { id: backup } = await value(one.backups.make())
  await value(erase(one))
  await value(one.backups.restore(backup))
  const { items, counts } = await value(store(one).queue.page({ limit: 10 }, 1_760_000_100_000))
  expect(items.map((item) => item.kind === 'open' && item.applicant.id)).toEqual(['APP-OTHER'])
  expect(counts).toMatchObject({ open: 1 })
})

test('a message that no one else received leaves no digest in a copy', async () => {
  const one = await workspace()
  await check(one, { applicant: person, url })
  const { id: backup } = await value(one.backups.make())
  const digests = (): number => {
    const db = new Database(join(dataFolder, 'backups', backup, 'subjects.db'), { readonly: true })
    db.pragma(`cipher='sqlcipher'`)
    db.pragma(`key="x'${hexKeyOf(one.secrets.entries.get(masterKeyAccount)!, 'subjects.db')}'"`)
    const count = db.prepare('SELECT count(*) FROM message').pluck().get() as number
    db.close()
    return count
  }
  expect(digests()).toBe(1)
  await value(erase(one))
  expect(digests()).toBe(0)
})
