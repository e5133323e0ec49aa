/** Retention: the preview shows exactly what a run then erases. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { RelationshipState } from '#contract/applicants/relationships.ts'
import type { BatchDraft } from '#wire/history/batches.ts'
import type { Engine } from '#store/engine/engine.ts'
import { retentionDue, retentionPlan } from '#store/erasure/retention-plan.ts'
import { add, connectionNamed, opened } from '../service/history-fixtures.ts'

const day = 86_400_000
const now = 1_800_000_000_000
const old = now - 400 * day
const sandbox = connectionNamed('Sandbox', '00000000-0000-4000-8000-00000000000a')
const live = connectionNamed('Live', '00000000-0000-4000-8000-00000000000b')

let engine: Engine
beforeEach(() => {
  engine = opened()
})
afterEach(() => engine.close())

const order = { cause: 'retention', reason: 'its days are over', operator: 'tester', at: now } as const

describe('the plan', () => {
  test('names applicants whose every record is past the days of its connection', () => {
    add(engine, { applicant: 'OLD', startedAt: old, connection: sandbox })
    add(engine, { applicant: 'MIXED', startedAt: old, connection: sandbox })
    add(engine, { applicant: 'MIXED', startedAt: now - 10 * day, connection: sandbox })
    add(engine, { applicant: 'ELSEWHERE', startedAt: old, connection: sandbox })
    add(engine, { applicant: 'ELSEWHERE', startedAt: old, connection: live })
    const plan = retentionPlan(engine, { days: { [sandbox.id]: 365 } }, now)
    expect(plan.lines).toEqual([
      { applicantId: 'OLD', records: 1, oldest: old, newest: old, connections: [sandbox.id], held: false }
    ])
    expect(plan).toMatchObject({ subjects: 1, records: 1, heldSubjects: 0 })
    expect(retentionPlan(engine, { days: { [sandbox.id]: 365, [live.id]: 365 } }, now).subjects).toBe(2)
    expect(retentionPlan(engine, { days: {} }, now).subjects).toBe(0)
  })

  test('keeps to the millisecond of the last day', () => {
    add(engine, { applicant: 'EDGE', startedAt: now - 30 * day, connection: sandbox })
    expect(retentionPlan(engine, { days: { [sandbox.id]: 30 } }, now).subjects).toBe(1)
    expect(retentionPlan(engine, { days: { [sandbox.id]: 30 } }, now - 1).subjects).toBe(0)
  })

  test('names checks without an applicant, and lets a linked one go and stay with its applicant', () => {
    add(engine, { operation: 'validate-passport', startedAt: old, connection: sandbox })
    const linked = add(engine, { operation: 'validate-passport', startedAt: old, connection: sandbox })
    add(engine, { applicant: 'YOUNG', startedAt: now - day, connection: sandbox })
    const seq = engine.dbs.history.prepare('SELECT max(seq) - 1 FROM record').pluck().get()
    const young = engine.dbs.subjects.prepare(`SELECT ref FROM subject WHERE applicant = 'YOUNG'`).pluck().get()
    engine.dbs.history.prepare('INSERT INTO applicant_link VALUES (?, ?, 1)').run(seq, young)
    expect(linked).toBeTruthy()
    expect(retentionPlan(engine, { days: { [sandbox.id]: 365 } }, now)).toMatchObject({
      subjects: 1,
      lines: [{ records: 1 }]
    })
    expect(retentionPlan(engine, { days: { [sandbox.id]: 365 } }, now + 400 * day).subjects).toBe(3)
  })

  /** A verification that names nobody, linked to an applicant. */
  function link(applicant: string, startedAt: number): void {
    const recordId = add(engine, { operation: 'validate-passport', startedAt, connection: sandbox })
    engine.commit([
      (writer) => engine.applicants.link(writer, recordId, applicant, { at: startedAt, operator: 'tester' })
    ])
  }

  test('keeps an applicant and all verifications linked to them until the newest of these is past', () => {
    add(engine, { applicant: 'LINKED', startedAt: old, connection: sandbox })
    link('LINKED', old)
    link('LINKED', now - 10 * day)
    const plan = (at: number) => retentionPlan(engine, { days: { [sandbox.id]: 365 } }, at)
    expect(plan(now)).toMatchObject({ subjects: 0, records: 0 })
    expect(plan(now + 354 * day)).toMatchObject({ subjects: 0, records: 0 })
    expect(plan(now + 355 * day)).toMatchObject({ subjects: 3, records: 3 })
  })

  test('names an applicant who is known by linked verifications only, with these', () => {
    link('BY LINK', old)
    const rules = { days: { [sandbox.id]: 365 } }
    const { lines, going } = retentionPlan(engine, rules, now)
    expect(lines.map(({ applicantId, records, newest }) => [applicantId, records, newest])).toEqual(
      expect.arrayContaining([
        [undefined, 1, old],
        ['BY LINK', 0, old]
      ])
    )
    expect(engine.erasure.erase({ ...order, subjects: going })).toMatchObject({ ok: true })
    expect(engine.applicants.read.find('BY LINK')).toBeUndefined()
    expect(engine.verify()).toMatchObject({ intact: true })
  })

  test('counts rows of batches that never became a record', () => {
    const draft = {
      name: 'B',
      fileName: 'b.csv',
      sha256: '',
      operation: 'get-applicant-details',
      connection: sandbox,
      createdAt: old,
      operator: 'tester',
      atOnce: 1,
      pace: 0
    } as unknown as BatchDraft
    const [made] = engine.commit([(writer) => engine.batches.create(writer, draft)])
    if (!made?.ok) throw new Error('no batch')
    engine.commit([
      (writer) =>
        engine.batches.add(writer, made.value.id, [
          { row: 1, state: 'invalid', cells: ['ROW'], applicantId: 'ROW' }
        ] as never)
    ])
    expect(retentionPlan(engine, { days: { [sandbox.id]: 365 } }, now)).toMatchObject({
      subjects: 1,
      records: 0,
      lines: [{ applicantId: 'ROW' }]
    })
  })

  test('names applicants without a record by the days of everybody else, from what was last recorded about them', () => {
    const event = ['00000000-0000-4000-8000-00000000000c', 7, 'ab'.repeat(32)] as const
    const words = { scope: 'file', asked: event, agrees: true, salt: '5a'.repeat(16), signer: '', signature: '' }
    const answer = (applicantId: string, at: number): void =>
      void engine.commit([
        (writer) =>
          engine.approvals.answer(writer, { ...words, applicantId, note: 'Same face' }, { at, operator: 'tester' })
      ])
    answer('REVIEWED', old)
    answer('AGAIN', old)
    answer('AGAIN', now - 30 * day)
    answer('CHECKED', now)
    add(engine, { applicant: 'CHECKED', startedAt: old, connection: sandbox })
    const ids = (days: Readonly<Record<string, number>>): (string | undefined)[] =>
      retentionPlan(engine, { days }, now).lines.map(({ applicantId }) => applicantId)
    expect(ids({ [sandbox.id]: 365 })).toEqual(['CHECKED'])
    expect(ids({ [sandbox.id]: 1000, '*': 31 })).toEqual(['REVIEWED'])
    expect(ids({ [sandbox.id]: 1000, '*': 30 })).toEqual(['REVIEWED', 'AGAIN'])
    // By the relationship, nobody is due without one.
    expect(retentionPlan(engine, { days: { '*': 1 }, years: 1 }, now)).toMatchObject({ subjects: 0, undated: 3 })
    const plan = retentionPlan(engine, { days: { '*': 31, [sandbox.id]: 1000 } }, now)
    expect(plan.lines).toEqual([
      { applicantId: 'REVIEWED', records: 0, oldest: old, newest: old, connections: [], held: false }
    ])
    const done = engine.erasure.erase({ ...order, subjects: plan.going })
    expect(done.ok && done.value).toMatchObject({ cause: 'retention', records: 0 })
    expect(ids({ [sandbox.id]: 1000, '*': 31 })).toEqual([])
    expect(engine.verify()).toMatchObject({ intact: true })
  })

  test('lists what a legal hold protects separately from what is erased', () => {
    add(engine, { applicant: 'HELD', startedAt: old, connection: sandbox })
    add(engine, { applicant: 'GOES', startedAt: old, connection: sandbox })
    engine.commit([(writer) => engine.erasure.holds.set('HELD', true, { ...order, reason: 'a case' }, writer)])
    const plan = retentionPlan(engine, { days: { [sandbox.id]: 365 } }, now)
    expect(plan).toMatchObject({ subjects: 1, records: 1, heldSubjects: 1, heldRecords: 1 })
    const done = engine.erasure.erase({ ...order, subjects: plan.going })
    expect(done.ok && done.value).toMatchObject({ cause: 'retention', records: 1 })
    expect(retentionPlan(engine, { days: { [sandbox.id]: 365 } }, now)).toMatchObject({ subjects: 0, heldSubjects: 1 })
    expect(engine.verify()).toMatchObject({ intact: true })
  })
})

describe('the plan by the relationship', () => {
  const by = { at: old, operator: 'tester' }
  const at = Date.parse('2026-02-28T12:00:00')
  const relate = (applicantId: string, state: RelationshipState, on: string): void => {
    engine.commit([(writer) => engine.applicants.relate(writer, { applicantId, state, on, note: '' }, by)])
  }
  const ids = (years: number, days = {}): (string | undefined)[] =>
    retentionPlan(engine, { days, years }, at).lines.map(({ applicantId }) => applicantId)
  const refOf = (applicant: string): number =>
    engine.dbs.subjects.prepare('SELECT ref FROM subject WHERE applicant = ?').pluck().get(applicant) as number

  test('names whose relationship is over for the years, to the day, and nobody without one', () => {
    for (const applicant of ['ENDED', 'REFUSED', 'ONCE', 'ACTIVE', 'LATER', 'NONE'])
      add(engine, { applicant, startedAt: old, connection: sandbox })
    relate('ENDED', 'ended', '2021-02-27')
    relate('REFUSED', 'refused', '2021-02-28')
    relate('ONCE', 'occasional', '2020-12-31')
    relate('ACTIVE', 'active', '2001-01-01')
    relate('LATER', 'ended', '2021-03-01')
    // Days decide nothing about applicants.
    expect(ids(5, { '*': 1 })).toEqual(['ONCE', 'ENDED', 'REFUSED'])
    const plan = retentionPlan(engine, { days: {}, years: 5 }, at)
    expect(plan).toMatchObject({ subjects: 3, records: 3, undated: 1 })
    expect(plan.lines[0]).toMatchObject({ relationship: { state: 'occasional', on: '2020-12-31' } })
    expect(retentionPlan(engine, { days: {} }, at).undated).toBeUndefined()
    expect(retentionDue(engine, 5, at)).toEqual({ overdue: 3, undated: 1, passed: 0 })
    engine.commit([(writer) => engine.erasure.holds.set('ONCE', true, { ...order, at, until: '2026-02-28' }, writer)])
    expect(retentionDue(engine, 5, at)).toEqual({ overdue: 2, undated: 1, passed: 0 })
    expect(retentionDue(engine, 5, at + day)).toEqual({ overdue: 3, undated: 1, passed: 1 })
    // A relationship that begins again has no end.
    relate('ENDED', 'active', '2022-01-01')
    expect(ids(5)).toEqual(['ONCE', 'REFUSED'])
  })

  test('a leap day is over on 28 February, or on 29 February of a leap year', () => {
    add(engine, { applicant: 'LEAP', startedAt: old, connection: sandbox })
    relate('LEAP', 'ended', '2024-02-29')
    expect(ids(2)).toEqual(['LEAP'])
    const on = (day: string): number =>
      retentionPlan(engine, { days: {}, years: 4 }, Date.parse(`${day}T00:00:00`)).subjects
    expect([on('2028-02-28'), on('2028-02-29')]).toEqual([0, 1])
  })

  test('linked records go and stay with their applicant, others without an applicant by days', () => {
    const link = (applicant: string): void => {
      const id = add(engine, { operation: 'validate-passport', startedAt: old, connection: sandbox })
      engine.commit([(writer) => engine.applicants.link(writer, id, applicant, by)])
    }
    // No record of its own.
    link('GOES')
    link('STAYS')
    add(engine, { operation: 'validate-passport', startedAt: old, connection: sandbox })
    relate('GOES', 'ended', '2020-01-01')
    const plan = retentionPlan(engine, { days: {}, years: 5 }, at)
    expect(plan).toMatchObject({ subjects: 2, records: 1 })
    expect(plan.going).toContain(refOf('GOES'))
    expect(plan.going).not.toContain(refOf('STAYS'))
    expect(retentionPlan(engine, { days: { '*': 365 }, years: 5 }, now)).toMatchObject({ subjects: 3, records: 2 })
    const done = engine.erasure.erase({ ...order, subjects: plan.going })
    expect(done.ok && done.value).toMatchObject({ cause: 'retention', records: 1 })
    expect(ids(5)).toEqual([])
  })
})

test('a message that others received stays in the catalogue; one that only the person received is removed', () => {
  const messages = (): unknown[] =>
    engine.dbs.subjects.prepare('SELECT subject FROM message ORDER BY subject').pluck().all()
  add(engine, { applicant: 'A' })
  add(engine, { applicant: 'B' })
  expect(messages()).toHaveLength(1)
  const scope = engine.erasure.scope('A')
  if (!scope.ok) throw new Error(sentencesOf(scope.failure).what)
  expect(scope.value.subjects).toEqual(scope.value.people)
  engine.erasure.erase({ ...order, subjects: scope.value.people })
  expect(messages()).toHaveLength(1)
  const last = engine.erasure.scope('B')
  if (!last.ok) throw new Error(sentencesOf(last.failure).what)
  expect(last.value.subjects).toHaveLength(2)
  engine.erasure.erase({ ...order, subjects: last.value.people })
  expect(messages()).toEqual([])
})
