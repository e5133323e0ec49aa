/** What a restore must not lose: legal holds are carried over, also for the history that is set aside, and the rest is named. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3-multiple-ciphers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import type { Checklists } from '#contract/applicants/checklists.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { answeredChecklist } from '#core/applicants/rules.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { hexKeyOf } from './support/traces.ts'
import { check, code, erase, openWorkspace, person, store, value, type Workspace } from './support/erasure-workspace.ts'

const by = { at: Date.now(), operator: 'tester' }
let dataFolder: string
let one: Workspace
beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-restore-duties-'))
  one = await openWorkspace(dataFolder)
})
afterEach(async () => {
  await one.current.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** An answered checklist of one item. */
function listed(item: string, kind: keyof Checklists = 'decision') {
  const listed = { code: item, label: item, required: true, answer: 'tick', decisions: ['approve', 'decline'] } as const
  const checklists = { decision: [], review: [], [kind]: [listed] }
  return answeredChecklist({ checklists }, kind === 'review' ? 'review' : 'approve', { [item]: 'yes' })
}
/** Of an order; carried over with the hold. */
const limits = { until: isoDue(today(Date.now()) + 30 * 86_400_000), reference: '7 C 12/26' }
const hold = (held: boolean, reason = 'a case', applicant = person) =>
  value(one.retention.hold(applicant, held, reason, held ? limits : {}))
const backup = async (): Promise<string> => (await value(one.backups.make())).id
const restore = async (id: string) => value(one.backups.restore(id))

describe('a legal hold that was placed after the backup', () => {
  test('is carried over with its person, reason and time, and nobody can erase the applicant', async () => {
    await check(one, { applicant: person })
    const id = await backup()
    const [placed] = await hold(true)
    expect(await restore(id)).toMatchObject({ history: { state: 'ready' }, since: { holds: 1 } })
    expect(await value(one.retention.holds())).toEqual([placed])
    expect(await code(erase(one))).toBe('erasure-held')
    expect(await value(store(one).verifyChain())).toMatchObject({ intact: true })
    // Again, over a restart, and where what is set aside knows it, too.
    await one.current.close()
    one = await openWorkspace(dataFolder, one.secrets.entries)
    await restore(id)
    expect(await value(one.retention.holds())).toEqual([placed])
    // Retention keeps the applicant as well.
    one.settings = { ...one.settings, retentionDays: { '*': 1 } }
    expect(await value(one.retention.plan())).toMatchObject({ subjects: 0, heldSubjects: 1 })
  })

  test('protects an applicant whom the backup does not know, and an erasure after its end reaches what was set aside', async () => {
    await check(one, { applicant: 'APP-EARLIER' })
    const id = await backup()
    await check(one, { applicant: person })
    await hold(true)
    await restore(id)
    expect(await code(erase(one))).toBe('erasure-held')
    await check(one, { applicant: person })
    expect(await code(erase(one))).toBe('erasure-held')
    await hold(false, 'closed')
    expect(await value(erase(one))).toMatchObject({ records: 1, backupsRewritten: 1, copiesNotReached: [] })
  })

  test('protects what was linked to the applicant after the backup', async () => {
    const linked = await check(one, { operation: 'validate-passport' })
    await check(one, { applicant: person })
    await hold(true)
    const id = await backup()
    await value(store(one).applicants.link(linked, person, by))
    await restore(id)
    one.settings = { ...one.settings, retentionDays: { '*': 1 } }
    expect(await value(one.retention.plan())).toMatchObject({ subjects: 0, heldSubjects: 2 })
    expect(await value(one.retention.preview(person))).toMatchObject({ records: 2, linked: 1 })
  })

  test('and lifted is not there, nor is the applicant if they were erased then', async () => {
    await check(one, { applicant: person })
    await hold(true)
    const id = await backup()
    await hold(false, 'closed')
    expect(await restore(id)).toMatchObject({ since: { holds: 1 } })
    expect(await value(one.retention.holds())).toEqual([])
    await hold(true, 'another case')
    await restore(id)
    expect(await value(one.retention.holds())).toMatchObject([{ reason: 'another case' }])
    await hold(false, 'closed, too')
    await value(erase(one))
    await restore(id)
    expect(await value(one.retention.holds())).toEqual([])
    expect(await code(erase(one))).toBe('applicant-missing')
  })

  test('cannot be known where the history that is set aside does not open, and that is said', async () => {
    await check(one, { applicant: person })
    const id = await backup()
    await hold(true)
    await one.current.close()
    writeFileSync(join(dataFolder, 'history', 'history.db'), Buffer.alloc(8192, 1))
    one = await openWorkspace(dataFolder, one.secrets.entries)
    expect(await value(one.backups.since(id))).toBeNull()
    const restored = await restore(id)
    expect(restored).toMatchObject({ held: { known: false } })
    expect(restored.since).toBeUndefined()
  })
})

test('an erasure reaches what was recorded after the backup, in the files that are set aside and in other backups', async () => {
  await check(one, { applicant: 'APP-EARLIER' })
  const id = await backup()
  await check(one, { applicant: person })
  await check(one, { applicant: 'APP-LATER' })
  await backup()
  await restore(id)
  // Who was verified again, and who was not.
  await check(one, { applicant: person })
  expect(await value(erase(one))).toMatchObject({ records: 1, backupsRewritten: 2, copiesNotReached: [] })
  expect(await value(one.retention.erase('APP-LATER', 'APP-LATER', 'asked for'))).toMatchObject({
    records: 0,
    backupsRewritten: 2,
    copiesNotReached: []
  })
  await restore((await value(one.backups.list())).backups[0]!.id)
  expect(await value(store(one).applicants.list({ limit: 10 }))).toMatchObject({
    applicants: [{ id: 'APP-EARLIER' }]
  })
})

test('what stays in the files that are set aside is named before and after', async () => {
  await check(one, { applicant: person })
  const id = await backup()
  expect(await value(one.backups.since(id))).toEqual({ holds: 0, left: {} })
  await check(one, { applicant: 'APP-LATER' })
  await value(store(one).applicants.note(person, 'Called them', by))
  await hold(true)
  const before = await value(one.backups.since(id))
  expect(before).toMatchObject({ holds: 1, left: { verifications: 1, notes: 1 } })
  expect((await restore(id)).since).toEqual(before)
})

test('the review, class, relationship and expiry are as of the backup, and what was recorded since is named', async () => {
  await check(one, { applicant: person })
  const { applicants, approvals } = store(one)
  const decide = async (decision: Decision) => {
    const { evidence } = await value(applicants.show(person))
    const draft = { applicantId: person, decision, reasons: ['reviewed-by-hand'], note: 'Seen', evidence }
    return (await value(applicants.decide(draft, { ...by, checklist: listed('photo-matches') }))).decision?.seq ?? 0
  }
  const rate = (risk: string, months: number) =>
    value(applicants.rate({ applicantId: person, risk, months, note: '' }, by))
  const relate = (state: 'active' | 'ended', on: string) =>
    value(applicants.relate({ applicantId: person, state, on, note: '' }, by))
  const expires = (document: string, on: string) =>
    value(applicants.expiry({ applicantId: person, document, expires: on }, by))
  const dates = async () => {
    const { risk, relationship, review, state, decision } = await value(store(one).applicants.show(person))
    const { entries } = await value(store(one).applicants.timeline({ applicantId: person, limit: 50 }))
    const expiries = entries.flatMap((entry) => (entry.kind === 'expiry' ? [entry.expires] : []))
    return { risk, relationship, review, expiries, state, decision: decision?.decision }
  }
  await decide('approve')
  await relate('active', '2026-01-31')
  await rate('low', 60)
  await expires('Passport', '2031-03-01')
  const then = await dates()
  expect(then).toMatchObject({
    ...{ risk: 'low', relationship: { state: 'active', on: '2026-01-31' }, state: 'approve' },
    expiries: ['2031-03-01']
  })
  expect(then.review).toBeDefined()
  const id = await backup()

  await rate('high', 12)
  await relate('ended', '2026-05-31')
  await expires('Residence permit', '2027-04-01')
  await value(
    applicants.review(
      { applicantId: person, outcome: 'unchanged', note: '' },
      { ...by, reviewChecklist: listed('values-match', 'review') }
    )
  )
  await value(applicants.challenge({ applicantId: person, text: 'Not my photo' }, by))
  const installation = '0'.repeat(32)
  const ask = { applicantId: person, decision: await decide('decline'), installation, scope: 'team', note: '' }
  const { seq } = await value(approvals.ask({ ...ask, evidence: [] }, by))
  const answer = {
    ...{ applicantId: person, scope: 'team', salt: '', agrees: true, at: by.at, by: 'second.person', note: '' },
    ...{ asked: [installation, seq, ''] as const, answer: ['a'.repeat(32), 1, ''] as const },
    ...{ signer: 'a'.repeat(64), signature: '1' }
  }
  await value(approvals.receive([answer], by))
  expect(await dates()).not.toEqual(then)
  // The checklist goes with the decision and the review that answer it, and has no number of its own.
  const since = {
    holds: 0,
    left: { decisions: 1, approvals: 2, relationships: 1, ratings: 1, reviews: 2, challenges: 1 }
  }
  expect(await value(one.backups.since(id))).toEqual(since)
  expect((await restore(id)).since).toEqual(since)
  expect(await dates()).toEqual(then)
  expect(await value(store(one).verifyChain())).toMatchObject({ intact: true })
})

test('after an erasure no table has a date or class of the applicant, and what the audit trail keeps names nobody', async () => {
  await check(one, { applicant: person })
  await check(one, { applicant: 'APP-OTHER' })
  const { applicants } = store(one)
  for (const [applicantId, risk, on, expires] of [
    [person, 'vanishing-class', '2019-02-17', '2031-03-19'],
    ['APP-OTHER', 'other-class', '2018-04-11', '2032-05-23']
  ] as const) {
    const { evidence } = await value(applicants.show(applicantId))
    await value(applicants.decide({ applicantId, decision: 'approve', reasons: [], note: '', evidence }, by))
    await value(applicants.relate({ applicantId, state: 'active', on, note: '' }, by))
    await value(applicants.rate({ applicantId, risk, months: 36, note: '' }, by))
    await value(applicants.expiry({ applicantId, document: 'Passport', expires }, by))
  }
  const review = (await value(applicants.show(person))).review?.at ?? ''
  expect(review).toBe('2022-02-17')
  const canaries = ['vanishing-class', '2019-02-17', '2031-03-19', review]
  // The same search finds them before, so that it proves something.
  const place = 'history.db: applicant'
  await one.current.close()
  expect(placesOf(canaries)).toMatchObject({ 'vanishing-class': [place, events], '2031-03-19': [place] })
  expect(placesOf([person])).not.toEqual({ [person]: [] })
  one = await openWorkspace(dataFolder, one.secrets.entries)
  await value(erase(one))
  await one.current.close()
  // Plain values of events stay, for nobody that a table names: without them the chain could not be verified.
  expect(placesOf(canaries)).toEqual({
    'vanishing-class': [events],
    '2019-02-17': [events],
    '2031-03-19': [],
    '2022-02-17': []
  })
  expect(placesOf([person])).toEqual({ [person]: [] })
  expect(placesOf(['other-class', '2032-05-23'])).toEqual({ 'other-class': [place, events], '2032-05-23': [place] })
  one = await openWorkspace(dataFolder, one.secrets.entries)
})

const events = 'history.db: event'
/** With the history closed: in which tables a value of any row has one of these texts. */
function placesOf(texts: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = Object.fromEntries(texts.map((text) => [text, []]))
  for (const name of ['history.db', 'subjects.db', 'search.db']) {
    const db = new Database(join(dataFolder, 'history', name), { readonly: true })
    db.pragma(`cipher='${name === 'search.db' ? 'aegis' : 'sqlcipher'}'`)
    db.pragma(`key="x'${hexKeyOf(one.secrets.entries.get(masterKeyAccount) ?? '', name)}'"`)
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[]
    // Of the index of texts its own tables of bytes are read.
    for (const table of tables.filter((each) => !['trigram', 'pair'].includes(each))) {
      const rows = db.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]
      const values = rows.flatMap((row) => Object.values(row))
      const all = values.map((each) => (Buffer.isBuffer(each) ? each.toString('latin1') : String(each))).join('\n')
      for (const text of texts) if (all.includes(text)) found[text]?.push(`${name}: ${table}`)
    }
    db.close()
  }
  return found
}
