/**
 * What an ending says about a person, and that a technical failure decides nothing: states, queue, catalogue, cases.
 */
import { dayLength } from '#contract/applicants/due-dates.ts'
import { describe, expect, it } from 'vitest'
import type { DecisionDraft } from '#contract/applicants/applicants.ts'
import { failure } from '#contract/failures/failures.ts'
import type { RecordEnding, Resolution } from '#contract/history/records.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, answer, lost, opened, unsent } from './history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }
const person = 'APP-1'
const invalidResponse: RecordEnding = {
  ...answer('', 200, '<html>a gateway</html>'),
  outcome: 'invalid-response',
  message: undefined,
  failure: failure('reply-not-json', { reason: 'web-page' })
}
/** Endings that say nothing about a person. */
const failures: readonly (readonly [string, RecordEnding])[] = [
  ...[301, 302, 307, 401, 402, 403, 405, 407, 408, 413, 415, 425, 429, 431, 500, 502, 503, 504, 599].map(
    (status) => [`status ${status}`, answer('Try again later', status)] as const
  ),
  ['not sent', unsent],
  ['invalid-response', invalidResponse],
  ['unknown', lost]
]
const answers = [200, 201, 204, 299, 400, 404, 409, 410, 422, 451]

const show = (engine: Engine, id = person) => {
  const shown = engine.applicants.read.show(id)
  if (!shown.ok) throw new Error(shown.failure.code)
  return shown.value
}
const decide = (engine: Engine, decision: DecisionDraft['decision'], applicantId = person) => {
  const { evidence } = show(engine, applicantId)
  const [made] = engine.commit([
    (writer: Writer) => engine.applicants.decide(writer, { applicantId, decision, reasons: [], note: '', evidence }, by)
  ])
  if (!made?.ok) throw new Error(made?.failure.code)
}
const link = (engine: Engine, record: string) =>
  engine.commit([(writer: Writer) => engine.applicants.link(writer, record, person, by)])
const unlink = (engine: Engine, record: string) =>
  engine.commit([(writer: Writer) => engine.applicants.unlink(writer, record, by)])
const resolve = (engine: Engine, record: string, as: Resolution) =>
  engine.commit([(writer: Writer) => writer.resolve(record, as, '', { at: 10, operator: 'tester' })])
const waiting = (engine: Engine) => {
  const { items, counts } = engine.queue.page({ limit: 50 }, 1)
  return { kinds: items.map(({ kind }) => kind), counts }
}

describe('a decision', () => {
  it.each(failures)('stands after %s', (_name, ending) => {
    const engine = opened()
    add(engine, { applicant: person })
    decide(engine, 'approve')
    add(engine, { applicant: person }, ending)
    expect(show(engine)).toMatchObject({ state: 'approve', checks: 2, decision: { outdated: false } })
    engine.close()
  })

  it.each(answers)('is outdated by an answer of status %i', (status) => {
    const engine = opened()
    add(engine, { applicant: person })
    decide(engine, 'approve')
    add(engine, { applicant: person }, answer('An answer', status))
    expect(show(engine)).toMatchObject({ state: 'outdated', decision: { outdated: true } })
    engine.close()
  })

  it('stays valid while a verification is in progress, until it is answered', () => {
    const engine = opened()
    add(engine, { applicant: person })
    decide(engine, 'approve')
    const open = add(engine, { applicant: person }, null)
    expect(show(engine).state).toBe('approve')
    engine.commit([(writer: Writer) => writer.finish(open, answer())])
    expect(show(engine).state).toBe('outdated')
    engine.close()
  })

  it.each([
    ['processed', 'outdated'],
    ['not-processed', 'approve'],
    ['undetermined', 'approve']
  ] as const)('after an unknown outcome that was resolved as %s is %s', (as, state) => {
    const engine = opened()
    add(engine, { applicant: person })
    decide(engine, 'approve')
    const unknown = add(engine, { applicant: person }, lost)
    expect(waiting(engine).kinds).toEqual(['unresolved'])
    resolve(engine, unknown, as)
    expect(show(engine).state).toBe(state)
    engine.close()
  })

  it('becomes outdated by linking or unlinking an answer, but not a failure', () => {
    const engine = opened()
    add(engine, { applicant: person })
    decide(engine, 'approve')
    const failed = add(engine, { operation: 'validate-passport' }, answer('Busy', 503))
    link(engine, failed)
    expect(show(engine)).toMatchObject({ state: 'approve', checks: 2 })
    unlink(engine, failed)
    expect(show(engine)).toMatchObject({ state: 'approve', checks: 1 })
    const answered = add(engine, { operation: 'validate-passport' })
    link(engine, answered)
    expect(show(engine).state).toBe('outdated')
    decide(engine, 'approve')
    unlink(engine, answered)
    expect(show(engine).state).toBe('outdated')
    engine.close()
  })
})

describe('the queue', () => {
  it.each(failures)('does not take an applicant of whom it only has %s', (name, ending) => {
    const engine = opened()
    add(engine, { applicant: person }, ending)
    expect(waiting(engine)).toEqual({
      kinds: name === 'unknown' ? ['unresolved'] : [],
      counts: { open: 0, escalated: 0, outdated: 0, unresolved: name === 'unknown' ? 1 : 0, review: 0, returned: 0 }
    })
    expect(show(engine)).toMatchObject({ state: 'no-evidence', checks: 1 })
    expect(engine.applicants.read.list({ limit: 5, states: ['no-evidence'] }).applicants.map(({ id }) => id)).toEqual([
      person
    ])
    expect(engine.applicants.read.list({ limit: 5, states: ['none'] }).applicants).toEqual([])
    engine.close()
  })

  it('lists the applicant from the first answer on, and removes one whose only answer was unlinked', () => {
    const engine = opened()
    add(engine, { applicant: person }, answer('Busy', 503))
    const passport = add(engine, { operation: 'validate-passport' })
    link(engine, passport)
    expect(waiting(engine)).toMatchObject({ kinds: ['open'], counts: { open: 1 } })
    unlink(engine, passport)
    expect(waiting(engine)).toMatchObject({ kinds: [], counts: { open: 0 } })
    add(engine, { applicant: person }, answer('No face was found', 422))
    expect(waiting(engine)).toMatchObject({ kinds: ['open'], counts: { open: 1 } })
    engine.close()
  })

  it('keeps an applicant with a due date or a decision, whatever was answered', () => {
    const engine = opened()
    add(engine, { applicant: person }, answer('Busy', 503))
    engine.commit([(writer: Writer) => engine.applicants.due(writer, { applicantId: person, due: dayLength }, by)])
    expect(engine.queue.page({ limit: 5 }, 3 * dayLength)).toMatchObject({
      items: [{ kind: 'open', due: dayLength }],
      counts: { open: 1 },
      overdue: 1
    })
    decide(engine, 'escalate')
    expect(waiting(engine)).toMatchObject({ kinds: ['escalated'], counts: { open: 0, escalated: 1 } })
    add(engine, { applicant: person })
    expect(waiting(engine)).toMatchObject({ kinds: ['outdated'] })
    engine.close()
  })
})

describe('the catalogue', () => {
  it('lists the messages of answers, and none of failures', () => {
    const engine = opened()
    for (const [, ending] of failures) add(engine, { applicant: person }, ending)
    expect(engine.catalogue.page({ limit: 50 })).toMatchObject({ messages: [], total: 0, unread: 0, beyond: 0 })
    expect(show(engine).unread).toBe(0)
    add(engine, { applicant: person }, answer('No face was found', 422))
    expect(engine.catalogue.page({ limit: 50 })).toMatchObject({ messages: [{ status: 422 }], unread: 1 })
    expect(show(engine).unread).toBe(1)
    engine.close()
  })
})
