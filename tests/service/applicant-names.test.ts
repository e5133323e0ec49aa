/** Names of applicants from their newest details: in lists and found by them, and gone with the applicant's key. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { NameFields } from '#contract/applicants/names.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { applicantDetails } from '../../practice/applicants.ts'
import { startTestConsole } from './support/console.ts'
import { erase, openWorkspace, person, store, value, type Workspace } from './support/erasure-workspace.ts'
import { contentsOf, tracesIn } from './support/traces.ts'
import { answer, intentOf, lost } from './history-fixtures.ts'

const guessed: NameFields = { name: [], birthDate: [], country: [] }
const details = 'get-applicant-details'

let folder: string
let one: Workspace
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-names-'))
  one = await openWorkspace(folder)
})
afterEach(async () => {
  await one.current.close()
  rmSync(folder, { recursive: true, force: true })
})

let clock = 1_760_000_000_000
async function answered(applicant: string, body: object | string, status = 200): Promise<void> {
  const begun = await value(store(one).begin(intentOf({ operation: details, applicant, startedAt: clock++ })))
  const text = typeof body === 'string' ? body : JSON.stringify({ message: 'Found', ...body })
  await value(store(one).finish(begun.id, answer('Found', status, text)))
}
const listed = async (search?: string) => (await value(store(one).applicants.list({ search, limit: 50 }))).applicants
const ids = async (search: string) => (await listed(search)).map(({ id }) => id).sort()
const queued = async (search: string) =>
  (await value(store(one).queue.page({ filter: { search }, limit: 50 }, clock))).items.map((item) =>
    item.kind === 'unresolved' ? item.applicantId : item.applicant.id
  )
/** What waits, as the list behind a figure names it. */
async function waiting(): Promise<readonly (string | undefined)[]> {
  for (;;) {
    const list = await value(store(one).overview.decisionList({ of: { what: 'waiting' }, offset: 0, limit: 50 }, clock))
    if (list.kind === 'counted') return list.rows.map(({ name }) => name)
  }
}

describe('a name', () => {
  it('is that of the newest answer with details, and of no other answer', async () => {
    await answered('APP-1', { name: 'Old Name', date_of_birth: '1980-01-02', nationality: 'AT' })
    await answered('APP-1', { name: 'Zoë Müller', date_of_birth: '1980-01-03' })
    // Neither a refusal nor what is no JSON says anything about the person.
    await answered('APP-1', { name: 'Bad Gateway' }, 502)
    await answered('APP-2', 'not JSON')
    const begun = await value(store(one).begin(intentOf({ applicant: 'APP-3', startedAt: clock++ })))
    await value(store(one).finish(begun.id, answer('Ok', 200, JSON.stringify({ message: 'Ok', name: 'Nobody' }))))
    const [third, second, first] = await listed()
    expect(first).toMatchObject({ id: 'APP-1', name: 'Zoë Müller', birthDate: '1980-01-03', details: true })
    expect(first?.country).toBeUndefined()
    expect(second).toMatchObject({ id: 'APP-2', details: true })
    expect(second?.name).toBeUndefined()
    expect(third).toMatchObject({ id: 'APP-3' })
    expect(third?.details).toBeUndefined()
    expect(await value(store(one).applicants.show('APP-1'))).toMatchObject({ name: 'Zoë Müller' })
  })

  it('is that of an unknown outcome of the applicant in the queue, too', async () => {
    await answered('APP-1', { name: 'Zoë Müller' })
    const begun = await value(store(one).begin(intentOf({ applicant: 'APP-1', startedAt: clock++ })))
    await value(store(one).finish(begun.id, lost))
    const { items } = await value(store(one).queue.page({ filter: { kinds: ['unresolved'] }, limit: 5 }, clock))
    expect(items).toMatchObject([{ kind: 'unresolved', applicantId: 'APP-1', name: 'Zoë Müller' }])
  })

  it('is found in the list and the queue however it is written, and no longer once it is another', async () => {
    await answered('APP-1', { name: 'Zoë Müller', date_of_birth: '1980-01-03' })
    await answered('APP-2', { name: 'Zoe Mueller' })
    await answered('APP-3', { name: '王小明' })
    for (const search of ['Müller', 'mueller', 'MULLER', 'zoe m']) {
      expect(await ids(search)).toEqual(['APP-1', 'APP-2'])
      expect((await queued(search)).sort()).toEqual(['APP-1', 'APP-2'])
    }
    expect(await ids('1980-01')).toEqual(['APP-1'])
    expect(await ids('小明')).toEqual(['APP-3'])
    expect(await ids('app-2')).toEqual(['APP-2'])
    expect(await value(store(one).applicants.matching({ search: 'muller' }))).toEqual({
      ids: ['APP-2', 'APP-1'],
      more: false
    })
    await answered('APP-2', { name: 'Zoe Schmidt' })
    expect(await ids('mueller')).toEqual(['APP-1'])
    expect(await queued('schmidt')).toEqual(['APP-2'])
  })

  it('survives a restart, and is read anew from the fields that are mapped', async () => {
    for (let n = 0; n < 30; n += 1)
      await answered(`APP-${n}`, { name: `Alias ${n}`, holder: { first: 'Ann', last: `Lee${n}` }, born: '1980' })
    await one.current.close()
    one = await openWorkspace(folder, one.secrets.entries)
    expect(await ids('alias 7')).toEqual(['APP-7'])
    const fields = { ...guessed, name: ['holder.first', 'holder.last'], birthDate: ['born'] }
    expect(await value(store(one).applicants.mapNames(fields))).toBe(true)
    expect(await value(store(one).applicants.mapNames(fields))).toBe(false)
    expect(await ids('alias')).toEqual([])
    expect(await queued('alias')).toEqual([])
    expect(await ids('ann lee7')).toEqual(['APP-7'])
    expect((await listed('lee12'))[0]).toMatchObject({ name: 'Ann Lee12', birthDate: '1980' })
    await answered('APP-NEW', { name: 'Alias', holder: { first: 'Bo' } })
    expect((await listed('app-new'))[0]).toMatchObject({ name: 'Bo' })
    await one.current.close()
    one = await openWorkspace(folder, one.secrets.entries)
    expect(await value(store(one).applicants.mapNames(fields))).toBe(false)
    expect(await value(store(one).applicants.mapNames(guessed))).toBe(true)
    expect((await listed('app-12'))[0]).toMatchObject({ name: 'Alias 12' })
  })
})

test('an erasure takes the name from the lists, the files and every restore', async () => {
  const name = 'Quirinius Vanishingly'
  await answered(person, { name, date_of_birth: '1911-11-11' })
  await answered('APP-STAYS', { name: 'Quirin Staying' })
  expect(await ids('quirin')).toEqual(['APP-STAYS', person])
  expect(await queued('vanishingly')).toEqual([person])
  expect((await waiting()).filter(Boolean)).toEqual([name, 'Quirin Staying'])
  const backup = await value(one.backups.make())
  await value(erase(one))
  expect(await ids('quirin')).toEqual(['APP-STAYS'])
  expect(await queued('quirin')).toEqual(['APP-STAYS'])
  expect((await waiting()).filter(Boolean)).toEqual(['Quirin Staying'])
  const masterKey = one.secrets.entries.get(masterKeyAccount)!
  expect(tracesIn(contentsOf(folder, masterKey), ['APP-STAYS'])).not.toEqual([])
  expect(tracesIn(contentsOf(folder, masterKey), [name, 'quirinius', '1911-11-11'])).toEqual([])
  await value(one.backups.restore(backup.id))
  expect(await ids('quirin')).toEqual(['APP-STAYS'])
  // Whoever comes back is somebody new.
  await answered(person, 'not JSON')
  expect((await listed(person))[0]?.name).toBeUndefined()
  expect(await value(store(one).applicants.mapNames({ ...guessed, country: ['nowhere'] }))).toBe(true)
  expect(await ids('quirin')).toEqual(['APP-STAYS'])
})

test('the setting changes what is shown, and nothing of a name is in the audit trail or the log', async () => {
  const console = await startTestConsole()
  try {
    const connection = await console.get('practice.start')
    const applicantId = 'PRACTICE-pass'
    const ran = await console.ask('verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: details,
      input: { applicant_id: applicantId }
    })
    expect(ran).toMatchObject({ ok: true, value: { kind: 'recorded' } })
    const { name, address } = applicantDetails(applicantId, '') as { name: string; address: { town: string } }
    const shown = async () => (await console.get('applicants.list', { search: applicantId, limit: 5 })).applicants[0]
    expect(await shown()).toMatchObject({ name })
    await console.get('settings.change', { nameFields: { ...guessed, name: ['address.town'] } })
    await expect.poll(async () => (await shown())?.name).toBe(address.town)
    const events = JSON.stringify(await console.get('audit.page', { limit: 100 }))
    expect(events).toContain('name: address.town')
    expect(events).not.toContain(name)
    expect(events).not.toContain(address.town)
  } finally {
    await console.dispose()
  }
})
