/** Applicants, links, decisions and the work queue with a real store. */
import { describe, expect, it } from 'vitest'
import type {
  ApplicantDetail,
  ApplicantListQuery,
  DecisionDraft,
  TimelineEntry
} from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, answer, inFolder, intentOf, opened, unsent } from './history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }

/** Commits one write and returns its value. */
function write<T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): T {
  const [result] = engine.commit([job])
  if (!result?.ok) throw new Error(result?.failure.code)
  return result.value
}
const refused = (engine: Engine, job: (writer: Writer) => Result<unknown, Failure>): string => {
  const [result] = engine.commit([job])
  return result?.ok === false ? result.failure.code : 'done'
}
const show = (engine: Engine, id: string): ApplicantDetail => {
  const shown = engine.applicants.read.show(id)
  if (!shown.ok) throw new Error(shown.failure.code)
  return shown.value
}
const timeline = (engine: Engine, applicantId: string, limit = 1000, before?: number): readonly TimelineEntry[] => {
  const page = engine.applicants.read.timeline({ applicantId, limit, before })
  if (!page.ok) throw new Error(page.failure.code)
  return page.value.entries
}
const decide = (
  engine: Engine,
  id: string,
  decision: DecisionDraft['decision'],
  more: Partial<DecisionDraft> = {}
): ApplicantDetail =>
  write(engine, (writer) =>
    engine.applicants.decide(
      writer,
      {
        applicantId: id,
        decision,
        reasons: ['second-opinion'],
        note: 'seen',
        evidence: show(engine, id).evidence,
        ...more
      },
      by
    )
  )
const ids = (engine: Engine, query: Partial<ApplicantListQuery> = {}): string[] =>
  engine.applicants.read.list({ limit: 50, ...query }).applicants.map(({ id }) => id)

describe('an applicant', () => {
  it('exists from the first verification on, and counts its verifications', () => {
    const engine = opened()
    expect(engine.applicants.read.show('APP-1')).toMatchObject({ ok: false, failure: { code: 'applicant-missing' } })
    add(engine, { applicant: 'APP-1', startedAt: 1000 })
    add(engine, { applicant: 'APP-1', startedAt: 3000 })
    add(engine, { operation: 'validate-passport' })
    expect(show(engine, 'APP-1')).toMatchObject({
      checks: 2,
      firstAt: 1000,
      lastAt: 3000,
      state: 'none',
      local: 0,
      tags: [],
      unread: 1
    })
    expect(ids(engine)).toEqual(['APP-1'])
    engine.close()
  })

  it('says in the list who handles it, and what was last sent about it through which connection', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1', startedAt: 1000 })
    const passport = add(engine, { operation: 'validate-passport', startedAt: 4000 })
    const listed = () => engine.applicants.read.list({ limit: 5 }).applicants[0]
    expect(listed()).toMatchObject({ last: { operation: 'validate-applicant-id-document', at: 1000 } })
    expect(listed()?.assignee).toBeUndefined()
    write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-1', by))
    write(engine, (writer) => engine.applicants.assign(writer, { applicantId: 'APP-1', assignee: 'Ben Okoro' }, by))
    expect(listed()).toMatchObject({
      assignee: 'Ben Okoro',
      last: { operation: 'validate-passport', at: 4000, connection: 'Sandbox' }
    })
    engine.close()
  })

  it('has a timeline of everything, newest first and paged without gap or repetition', () => {
    const engine = opened()
    const passport = add(engine, { operation: 'validate-passport' })
    for (let n = 0; n < 7; n += 1) add(engine, { applicant: 'APP-1' }, answer(`Reply ${n}`))
    write(engine, (writer) => engine.applicants.note(writer, 'APP-1', 'Called back', by))
    write(engine, (writer) => engine.applicants.tag(writer, 'APP-1', ['pep', 'vip', 'pep'], by))
    write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-1', by))
    decide(engine, 'APP-1', 'approve')
    const all = timeline(engine, 'APP-1')
    expect(all.map(({ kind }) => kind)).toEqual([
      'decision',
      'link',
      'tags',
      'note',
      ...Array.from({ length: 8 }, () => 'check')
    ])
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => b - a))
    expect(all[2]).toMatchObject({ tags: ['pep', 'vip'] })
    expect(all[3]).toMatchObject({ text: 'Called back', operator: 'tester' })
    expect(all.at(-1)).toMatchObject({ kind: 'check', local: true, linked: true, record: { id: passport } })
    expect(all.at(-2)).toMatchObject({ kind: 'check', local: false, linked: false })
    const paged: TimelineEntry[] = []
    for (let before: number | undefined; ; before = paged.at(-1)?.seq) {
      const page = engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 3, before })
      if (!page.ok) throw new Error(page.failure.code)
      paged.push(...page.value.entries)
      if (!page.value.older) break
    }
    expect(paged).toEqual(all)
    engine.close()
  })

  it('has the newest answer of each operation, linked ones included, and the answer before if it was different', () => {
    const engine = opened()
    const details = { applicant: 'APP-1', operation: 'get-applicant-details' } as const
    add(engine, details, answer('Found', 200, '{"message":"Found","town":"X"}'))
    add(engine, details, answer('Gone', 404, '{"message":"Gone"}'))
    add(engine, details, unsent)
    add(engine, { applicant: 'APP-2', operation: 'get-applicant-details' }, answer('Other'))
    const passport = add(engine, { operation: 'validate-passport', url: 'https://files.example.com/p.jpg' })
    write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-1', by))
    const found = engine.applicants.read.answers('APP-1')
    if (!found.ok) throw new Error(found.failure.code)
    const { newest, details: all, inputs } = found.value
    expect(
      newest.map(({ record, local, before }) => [record.operation, record.message, local, before?.message])
    ).toEqual([
      ['get-applicant-details', 'Gone', false, 'Found'],
      ['validate-passport', 'Document accepted', true, undefined]
    ])
    expect(all.map(({ fields }) => fields)).toEqual([
      [{ name: 'message', value: 'Gone' }],
      [
        { name: 'message', value: 'Found' },
        { name: 'town', value: 'X' }
      ]
    ])
    expect(inputs, 'newest first').toEqual([
      { operation: 'validate-passport', input: { id_url: 'https://files.example.com/p.jpg' } },
      { operation: 'get-applicant-details', input: { applicant_id: 'APP-1' } }
    ])
    expect(engine.applicants.read.answers('APP-3')).toMatchObject({ ok: false, failure: { code: 'applicant-missing' } })
    engine.close()
  })

  it('has the message of each evidence in the catalogue by its record, and no technical one', () => {
    const engine = opened()
    const one = add(engine, { applicant: 'APP-1' }, answer('Twice'))
    add(engine, { applicant: 'APP-2' }, answer('Twice'))
    const failed = add(engine, { applicant: 'APP-1' }, answer('Down', 503))
    expect(engine.catalogue.ofRecord(one)).toMatchObject({ ok: true, value: { message: 'Twice', count: 2 } })
    expect(engine.catalogue.ofRecord(failed)).toEqual({ ok: true, value: null })
    expect(engine.catalogue.ofRecord('00000000-0000-7000-8000-000000000000')).toMatchObject({
      ok: false,
      failure: { code: 'record-missing' }
    })
    engine.close()
  })

  it('keeps everything after a restart', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      const passport = add(engine, { operation: 'validate-passport' })
      add(engine, { applicant: 'APP-1' })
      write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-1', by))
      decide(engine, 'APP-1', 'escalate', { due: 5 })
      const before = [show(engine, 'APP-1'), timeline(engine, 'APP-1')]
      engine.close()
      const again = opened(folder)
      expect([show(again, 'APP-1'), timeline(again, 'APP-1')]).toEqual(before)
      again.close()
    }))

  it('with 1,000 checks opens with all of them', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      for (let n = 0; n < 1000; n += 20) {
        const begun = engine.commit(
          Array.from({ length: 20 }, () => (writer: Writer) => writer.begin(intentOf({ applicant: 'APP-1' })))
        )
        engine.commit(
          begun.map(
            (one, m) => (writer: Writer) =>
              writer.finish(one.ok ? one.value.id : '', answer(`Reply number ${n + m} of this applicant`))
          )
        )
      }
      engine.close()
      const again = opened(folder)
      const detail = show(again, 'APP-1')
      const entries = timeline(again, 'APP-1', 1000)
      expect([detail.checks, entries.length]).toEqual([1000, 1000])
      again.close()
    }))
})

describe('a manual link', () => {
  it('is counted, labelled as known in Veridesk only, and can be removed', () => {
    const engine = opened()
    const passport = add(engine, { operation: 'validate-passport' })
    const photo = add(engine, { operation: 'validate-kyc-photo' })
    write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-NEW', by))
    const linked = write(engine, (writer) => engine.applicants.link(writer, photo, 'APP-NEW', by))
    expect(linked).toMatchObject({ id: 'APP-NEW', checks: 2, local: 2 })
    expect(engine.applicants.read.ofRecord(photo)).toEqual({ id: 'APP-NEW', local: true, linked: true })
    expect(engine.applicants.read.ofRecord(add(engine, { applicant: 'APP-1' }))).toEqual({
      id: 'APP-1',
      local: false,
      linked: false
    })
    expect(engine.applicants.read.ofRecord(add(engine, { operation: 'validate-passport' }))).toBeUndefined()
    expect(write(engine, (writer) => engine.applicants.unlink(writer, photo, by))).toMatchObject({
      checks: 1,
      local: 1
    })
    expect(timeline(engine, 'APP-NEW').map(({ kind }) => kind)).toEqual(['unlink', 'link', 'link', 'check'])
    engine.close()
  })

  it('is refused for a check that names its applicant, for one that is linked, and for one that is not there', () => {
    const engine = opened()
    const named = add(engine, { applicant: 'APP-1' })
    const passport = add(engine, { operation: 'validate-passport' })
    expect(refused(engine, (writer) => engine.applicants.link(writer, named, 'APP-2', by))).toBe('link-refused')
    expect(refused(engine, (writer) => engine.applicants.unlink(writer, passport, by))).toBe('link-refused')
    write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-1', by))
    expect(refused(engine, (writer) => engine.applicants.link(writer, passport, 'APP-2', by))).toBe('link-refused')
    expect(
      refused(engine, (writer) => engine.applicants.link(writer, '0190a000-0000-7000-8000-000000000000', 'APP-2', by))
    ).toBe('record-missing')
    expect(ids(engine)).toEqual(['APP-1'])
    engine.close()
  })
})

describe('the list', () => {
  it('is in the order of activity, paged, and narrowed by id, state and tag', () => {
    const engine = opened()
    for (let n = 0; n < 60; n += 1) add(engine, { applicant: `APP-${String(n).padStart(3, '0')}`, startedAt: 1000 + n })
    add(engine, { applicant: 'app-003', startedAt: 5000 })
    decide(engine, 'APP-010', 'decline')
    decide(engine, 'APP-020', 'approve')
    write(engine, (writer) => engine.applicants.tag(writer, 'APP-030', ['pep'], by))
    write(engine, (writer) => engine.applicants.tag(writer, 'APP-031', ['other'], by))
    const all: string[] = []
    for (let after: ApplicantListQuery['after']; ;) {
      const page = engine.applicants.read.list({ limit: 7, after })
      all.push(...page.applicants.map(({ id }) => id))
      if (!(after = page.next)) break
    }
    expect(new Set(all).size).toBe(61)
    expect(all.slice(0, 6)).toEqual(['APP-031', 'APP-030', 'APP-020', 'APP-010', 'app-003', 'APP-059'])
    expect(ids(engine, { search: 'pp-003' })).toEqual(['app-003', 'APP-003'])
    expect(ids(engine, { search: 'APP-01' })).toHaveLength(10)
    expect(ids(engine, { search: 'nobody' })).toEqual([])
    expect(ids(engine, { states: ['approve', 'decline'] })).toEqual(['APP-020', 'APP-010'])
    expect(ids(engine, { states: ['outdated'] })).toEqual([])
    expect(ids(engine, { tags: ['pep'] })).toEqual(['APP-030'])
    expect(ids(engine, { tags: ['pep'], search: '031' })).toEqual([])
    add(engine, { applicant: 'APP-061', startedAt: 9000 })
    expect(ids(engine, { search: '061' })).toEqual(['APP-061'])
    engine.close()
  })

  it('finds every ID that contains a text among many, in any block', () => {
    const engine = opened()
    const jobs = Array.from(
      { length: 9000 },
      (_, n) => (writer: Writer) => writer.begin(intentOf({ applicant: `K${n * 7}Z`, startedAt: 1000 + n }))
    )
    engine.commit(jobs)
    for (const text of ['k7z', '2999', 'Z', '0Z', '62993']) {
      const expected = Array.from({ length: 9000 }, (_, n) => `K${n * 7}Z`)
        .filter((id) => id.toLowerCase().includes(text.toLowerCase()))
        .reverse()
      expect(ids(engine, { search: text, limit: 200 }), text).toEqual(expected.slice(0, 200))
    }
    engine.close()
  })
})
