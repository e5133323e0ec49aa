/** What a restore must not lose: legal holds are carried over, also for the history that is set aside, and the rest is named. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
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
