/** Erasure: erased data is gone from files, logs, index, copies and lists, and the chain still verifies. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3-multiple-ciphers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { erasedListPath } from '#wire/files/erased-list.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { derivedKey, keyedDigest } from '#kit/sealing/seal.ts'
import { contentsOf, hexKeyOf, tracesIn } from './support/traces.ts'
import { clock, connectionNamed, intentOf } from './history-fixtures.ts'
import {
  check,
  code,
  erase,
  filesBelow,
  message,
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
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-erasure-'))
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

describe('erasure of one applicant', () => {
  test('leaves the chain valid, the record in place without its data, and a receipt without a name', async () => {
    const one = await workspace()
    const gone = await check(one, { applicant: person, url })
    const stays = await check(one, { applicant: 'APP-OTHER' })
    expect(await value(one.retention.preview(person))).toMatchObject({ records: 1, linked: 0, backups: 0 })
    const receipt = await value(erase(one))
    expect(receipt).toMatchObject({ cause: 'request', records: 1, copiesNotReached: [] })
    expect(JSON.stringify(receipt)).not.toContain(person)

    expect(await value(store(one).verifyChain())).toMatchObject({
      intact: true,
      events: receipt.event,
      head: receipt.head
    })
    // The full verification as well: every payload that can be opened, and every list compared with the events.
    const auditTrail = createAuditTrail({
      clock,
      operator: 'tester',
      history: () => one.current.store(),
      onFailure: () => undefined
    })
    expect(await value(auditTrail.verify(() => undefined))).toMatchObject({
      intact: true,
      events: receipt.event,
      erased: 2
    })
    const record = await value(store(one).record(gone))
    expect(record).toMatchObject({ erased: true, state: 'answered', status: 200, input: {} })
    expect(record.message ?? record.fullMessage).toBeUndefined()
    expect(record.reply?.body).toBe('')
    expect((await value(store(one).record(stays))).erased).toBeUndefined()
    for (const search of [person, 'VANISHING', url, message.slice(0, 9)]) {
      const found = await value(store(one).page({ filter: { search }, limit: 10 }))
      expect(found.records.filter(({ id }) => id === gone)).toEqual([])
    }
    expect(await code(one.retention.preview(person))).toBe('applicant-missing')
    expect(await value(one.retention.receipts())).toEqual([receipt])
    one.saved = `${dataFolder}-receipt.json`
    await value(one.retention.saveReceipt(receipt.id))
    expect(JSON.parse(readFileSync(one.saved, 'utf8'))).toMatchObject({
      format: 'veridesk-erasure-receipt',
      id: receipt.id
    })
    // The applicant may return as a new subject, without the old texts.
    const again = await check(one, { applicant: person, url }, 'Answered anew')
    expect(
      (await value(store(one).page({ filter: { search: person }, limit: 10 }))).records.map(({ id }) => id)
    ).toEqual([again])
  })

  test('leaves an unknown outcome to be resolved, without a note about the person', async () => {
    const one = await workspace()
    const begun = await value(store(one).begin(intentOf({ applicant: person })))
    await value(store(one).finish(begun.id, { outcome: 'unknown', endedAt: 2 }))
    await value(erase(one))
    expect(await value(store(one).counts({}))).toMatchObject({ unresolved: 1 })
    await value(store(one).resolve(begun.id, 'undetermined', `asked ${person}`, { at: 3, operator: 'tester' }))
    expect(await value(store(one).counts({}))).toMatchObject({ unresolved: 0 })
    expect(await value(store(one).record(begun.id))).toMatchObject({
      erased: true,
      resolved: { as: 'undetermined', note: '' }
    })
    const auditTrail = createAuditTrail({
      clock,
      operator: 'tester',
      history: () => one.current.store(),
      onFailure: () => undefined
    })
    expect(await value(auditTrail.verify(() => undefined))).toMatchObject({ intact: true })
  })

  test('leaves no trace in any file, page, log, copy or set-aside history', async () => {
    const one = await workspace()
    for (let n = 0; n < 30; n += 1)
      await check(one, { applicant: `APP-${n}`, url: `https://files.example.com/${n}.jpg` }, 'Accepted')
    const gone = await check(one, { applicant: person, url })
    await store(one).page({ filter: { search: person }, limit: 10 })
    const first = await value(one.backups.make())
    await value(one.backups.make())
    // A restore sets the current history aside, including its key.
    await value(one.backups.restore(first.id))
    const masterKey = one.secrets.entries.get(masterKeyAccount)!
    const key = await keyOfPerson(masterKey)
    const digest = keyedDigest(
      derivedKey(Buffer.from(masterKey, 'hex'), 'digest'),
      JSON.stringify([
        'validate-applicant-id-document',
        connectionNamed('x').id,
        [
          ['applicant_id', person],
          ['document_url', url]
        ]
      ])
    )
    // The search can fail: before the erasure it finds the traces.
    const before = traces(masterKey, [person, key])
    expect(before.length).toBeGreaterThan(3)
    expect(traces(masterKey, [digest]).some((path) => /search\.db.*decrypted/.test(path))).toBe(true)

    const receipt = await value(erase(one))
    expect(receipt).toMatchObject({ copiesNotReached: [], backupsRewritten: 3 })
    expect(traces(masterKey, [person, key, url, message, digest])).toEqual([])
    const logs = ['history', 'subjects', 'search'].map((name) => join(dataFolder, 'history', `${name}.db-wal`))
    // At most what the index wrote since; the log itself was searched above.
    for (const log of logs) expect(statSync(log).size).toBeLessThanOrEqual(2 * 4152)
    // No index term of the applicant remains, deleted or not, according to SQLite itself.
    await one.current.close()
    const search = new Database(join(dataFolder, 'history', 'search.db'))
    search.pragma(`cipher='aegis'`)
    search.pragma(`key="x'${hexKeyOf(masterKey, 'search.db')}'"`)
    search.exec(`CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, trigram, row)`)
    const terms = new Set(search.prepare('SELECT term FROM temp.terms').pluck().all() as string[])
    // Letters beyond f, so that no other record's id contains them by chance.
    for (const term of ['van', 'nob']) expect(terms).not.toContain(term)
    expect(
      search.prepare(`INSERT INTO trigram(trigram) VALUES ('integrity-check')`).run().changes
    ).toBeGreaterThanOrEqual(0)
    search.close()
    // And no backup restores the applicant.
    const two = await workspace(one.secrets.entries)
    await value(two.backups.restore((await value(two.backups.list())).backups[0]!.id))
    expect(await value(store(two).record(gone))).toMatchObject({ erased: true })
    expect((await value(store(two).page({ filter: { search: person }, limit: 10 }))).records).toEqual([])
  })

  test('reaches a backup from elsewhere when it is restored', async () => {
    const one = await workspace()
    const gone = await check(one, { applicant: person, url })
    const { id } = await value(one.backups.make())
    renameSync(join(dataFolder, 'backups', id), join(dataFolder, 'on-another-disk'))
    await value(erase(one))
    renameSync(join(dataFolder, 'on-another-disk'), join(dataFolder, 'backups', id))
    expect(await value(one.backups.restore(id))).toMatchObject({ erasedAgain: 2 })
    expect(await value(store(one).record(gone))).toMatchObject({ erased: true })
    expect(readFileSync(erasedListPath(dataFolder), 'utf8')).not.toContain(person)
    // The restored audit trail has lost the erasure, and records that the keys are gone.
    const { events } = await value(store(one).audit.page({ limit: 20 }))
    const whole = await value(store(one).audit.walk({ until: events[0]!.seq, known: [], slice: 1e9 }))
    expect(whole).toMatchObject({ kind: 'whole', state: { seq: events[0]!.seq } })
    expect(whole.kind === 'whole' && whole.state.erased).toBeGreaterThan(0)
  })

  test('interrupted by a crash before the copies is completed at the next start, once', async () => {
    const one = await workspace()
    const gone = await check(one, { applicant: person, url })
    const { id: backup } = await value(one.backups.make())
    const scope = await value(store(one).erasure.scope(person))
    const decided = {
      cause: 'request',
      reason: 'asked for by letter',
      at: Date.now(),
      operator: 'tester',
      subjects: scope.people
    } as const
    const id = await value(store(one).erasure.intend(decided))
    // Partial folders of a backup and a restore contain keys as well.
    for (const left of [join('backups', '.unfinished-x'), 'history-restored.unfinished']) {
      mkdirSync(join(dataFolder, left), { recursive: true })
      copyFileSync(join(dataFolder, 'backups', backup, 'subjects.db'), join(dataFolder, left, 'subjects.db'))
    }
    await one.current.close()

    const two = await workspace(one.secrets.entries)
    expect(await value(store(two).record(gone))).not.toMatchObject({ erased: true })
    const masterKey = two.secrets.entries.get(masterKeyAccount)!
    expect(traces(masterKey, [person])).not.toEqual([])
    for (let start = 0; start < 2; start += 1) await two.retention.resume()
    expect(await value(two.retention.receipts())).toMatchObject([
      { id, cause: 'request', records: 1, backupsRewritten: 1 }
    ])
    expect(await value(store(two).record(gone))).toMatchObject({ erased: true })
    expect(traces(masterKey, [person])).toEqual([])
    expect(await value(store(two).verifyChain())).toMatchObject({ intact: true })
  })

  test('that was refused half-way leaves no intent behind', async () => {
    const one = await workspace()
    const stays = await check(one, { applicant: person, url })
    mkdirSync(erasedListPath(dataFolder))
    expect(await code(erase(one))).toBe('erasure-copies')
    expect(await value(store(one).record(stays))).not.toMatchObject({ erased: true })
    expect(await value(store(one).erasure.intended())).toEqual([])
    rmSync(erasedListPath(dataFolder), { recursive: true })
    expect(await value(erase(one))).toMatchObject({ records: 1 })
  })

  test('cannot be reconstructed by guessing from the chain', async () => {
    const one = await workspace()
    await check(one, { applicant: person, url })
    await value(erase(one))
    const masterKey = one.secrets.entries.get(masterKeyAccount)!
    await one.current.close()
    const history = new Database(join(dataFolder, 'history', 'history.db'), { readonly: true })
    history.pragma(`cipher='sqlcipher'`)
    history.pragma(`key="x'${hexKeyOf(masterKey, 'history.db')}'"`)
    const recorded = history.prepare('SELECT hex(hash || digests) FROM event').pluck().all() as string[]
    history.close()
    const payload = JSON.stringify({ input: { applicant_id: person, document_url: url }, applicantId: person })
    for (const guess of [person, payload]) {
      const digests = [
        createHmac('sha256', Buffer.from(masterKey, 'hex')).update(guess),
        createHmac('sha256', '').update(guess)
      ]
      for (const hash of digests) expect(recorded.join('\n')).not.toContain(hash.digest('hex').toUpperCase())
    }
  })

  test('is refused under a legal hold, without the typed ID, and while a verification is in progress', async () => {
    const one = await workspace()
    await check(one, { applicant: person })
    expect(await code(one.retention.erase(person, 'APP', 'x'))).toBe('erasure-unconfirmed')
    expect(await code(one.retention.erase('NOBODY', 'NOBODY', 'x'))).toBe('applicant-missing')
    const [hold] = await value(one.retention.hold(person, true, 'Case 12/2026'))
    expect(hold).toMatchObject({ applicantId: person, reason: 'Case 12/2026', by: 'tester' })
    expect(await code(erase(one))).toBe('erasure-held')
    expect((await value(one.retention.preview(person))).hold).toEqual(hold)
    // Another order takes the place of the first; the same again is no event.
    const later = { until: isoDue(today(Date.now())), reference: '7 C 99/26' }
    const changed = await value(one.retention.hold(person, true, 'Case 12/2026', later))
    expect(changed).toMatchObject([{ applicantId: person, reason: 'Case 12/2026', ...later }])
    const { seq } = await value(store(one).audit.head())
    expect(await value(one.retention.hold(person, true, 'Case 12/2026', later))).toEqual(changed)
    expect((await value(store(one).audit.head())).seq).toBe(seq)
    expect(await value(one.retention.hold(person, false, 'closed'))).toEqual([])
    await store(one).begin(intentOf({ applicant: person }))
    expect(await code(erase(one))).toBe('erasure-open-check')
    expect(await value(one.retention.receipts())).toEqual([])
  })
})

/** Everything outside the current history, byte for byte, except empty files. */
const outside = (): Map<string, string> => {
  const files = filesBelow(dataFolder).filter(
    (path) => !path.startsWith(join(dataFolder, 'history/')) && statSync(path).size > 0
  )
  return new Map(files.map((path) => [path, readFileSync(path, 'base64')]))
}
const kinds = async (one: Workspace, kind: string): Promise<number> =>
  (await value(store(one).audit.page({ limit: 100 }))).events.filter((event) => event.kind === kind).length

describe('a legal hold placed during an erasure', () => {
  test('before the keys are destroyed, wins: nothing is changed, in the history or outside it', async () => {
    const one = await workspace()
    const stays = await check(one, { applicant: person, url })
    await value(one.backups.make())
    const before = outside()
    one.before = () => one.retention.hold(person, true, 'Case 12/2026')
    expect(await code(erase(one))).toBe('erasure-held')
    expect(outside()).toEqual(before)
    expect(await value(store(one).erasure.intended())).toEqual([])
    expect((await value(store(one).page({ filter: { search: url }, limit: 10 }))).records.map(({ id }) => id)).toEqual([
      stays
    ])
    expect((await value(store(one).record(stays))).fullMessage).toBe(message)
    expect(await value(one.retention.receipts())).toEqual([])
  })

  test('after that, has nothing to protect', async () => {
    const one = await workspace()
    await check(one, { applicant: person, url })
    await value(one.backups.make())
    let held: string | undefined
    one.after = async () => (held = await code(one.retention.hold(person, true, 'Case 12/2026')))
    expect(await value(erase(one))).toMatchObject({ records: 1, backupsRewritten: 1 })
    expect(held).toBe('applicant-missing')
  })

  test('after a crash, before the erasure is resumed, wins permanently', async () => {
    const one = await workspace()
    const stays = await check(one, { applicant: person, url })
    await value(one.backups.make())
    const { people: subjects } = await value(store(one).erasure.scope(person))
    await value(
      store(one).erasure.intend({
        cause: 'request',
        reason: 'asked for by letter',
        at: Date.now(),
        operator: 'tester',
        subjects
      })
    )
    await one.current.close()
    const before = outside()

    const two = await workspace(one.secrets.entries)
    await value(two.retention.hold(person, true, 'Case 12/2026'))
    await two.retention.resume()
    await value(two.retention.hold(person, false, 'closed'))
    // Lifting the hold does not erase; that needs a new decision.
    await two.retention.resume()
    expect(await value(store(two).record(stays))).not.toMatchObject({ erased: true })
    expect(outside()).toEqual(before)
    expect(await value(erase(two))).toMatchObject({ backupsRewritten: 1 })
  })
})

describe('copies that cannot be cleared at once', () => {
  test('are cleared at the next start, with a separate event; the erasure stays valid in the meantime', async () => {
    const one = await workspace()
    const gone = await check(one, { applicant: person, url })
    await value(one.backups.make())
    const masterKey = one.secrets.entries.get(masterKeyAccount)!
    one.after = async () => {
      rmSync(erasedListPath(dataFolder))
      mkdirSync(erasedListPath(dataFolder))
    }
    expect(await code(erase(one))).toBe('erasure-unfinished')
    expect(await value(store(one).record(gone))).toMatchObject({ erased: true })
    expect(await value(one.retention.receipts())).toMatchObject([
      { records: 1, backupsRewritten: 0, copiesPending: true }
    ])
    expect(await kinds(one, 'copies.cleared')).toBe(0)
    expect(traces(masterKey, [person])).not.toEqual([])
    await one.current.close()

    const two = await workspace(one.secrets.entries)
    await two.retention.resume()
    expect(await value(two.retention.receipts()), 'still in the way').toMatchObject([{ copiesPending: true }])
    rmSync(erasedListPath(dataFolder), { recursive: true })
    for (let start = 0; start < 2; start += 1) await two.retention.resume()
    const [receipt] = await value(two.retention.receipts())
    expect(receipt).toMatchObject({ records: 1, backupsRewritten: 1, copiesNotReached: [] })
    expect(receipt?.copiesPending).toBeUndefined()
    expect([await kinds(two, 'subject.erased'), await kinds(two, 'copies.cleared')]).toEqual([1, 1])
    expect(traces(masterKey, [person])).toEqual([])
    expect(await value(store(two).verifyChain())).toMatchObject({ intact: true })
  })
})

/** The applicant's key in the current subjects.db, read from a copy. */
async function keyOfPerson(masterKey: string): Promise<Buffer> {
  const [copy] = filesBelow(join(dataFolder, 'backups')).filter((path) => path.endsWith('subjects.db'))
  const db = new Database(copy!, { readonly: true })
  db.pragma(`cipher='sqlcipher'`)
  db.pragma(`key="x'${hexKeyOf(masterKey, 'subjects.db')}'"`)
  const key = db.prepare('SELECT key FROM subject WHERE applicant = ?').pluck().get(person) as Buffer
  db.close()
  return key
}

/** Where any of these occurs: in raw bytes, and in every page of every database and log in the folder, decrypted. */
const traces = (masterKey: string, needles: readonly (string | Buffer)[]): string[] =>
  tracesIn(contentsOf(dataFolder, masterKey), needles)
