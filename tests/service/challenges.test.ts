/** A challenge of the standing decision: it makes it outdated, voids approvals, returns the case, and is about a person. */
import { describe, expect, it } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, opened } from './history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'first.person' }
const installation = '0'.repeat(32)

function value<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}
const write = <T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): Result<T, Failure> =>
  engine.commit([job])[0] as Result<T, Failure>
const shown = (engine: Engine, applicantId = 'APP-1') => value(engine.applicants.read.show(applicantId))
function decide(engine: Engine, decision: Decision = 'approve', applicantId = 'APP-1') {
  const { evidence } = shown(engine, applicantId)
  const draft = { applicantId, decision, reasons: ['reviewed-by-hand'], note: 'Seen', evidence }
  return value(write(engine, (writer) => engine.applicants.decide(writer, draft, by)))
}
const challenge = (engine: Engine, text = 'That is not my photo', applicantId = 'APP-1') =>
  write(engine, (writer) => engine.applicants.challenge(writer, { applicantId, text }, by))
const queued = (engine: Engine) => engine.queue.page({ limit: 50 }, by.at).items

describe('a challenge', () => {
  it('makes the decision outdated with its cause, returns the case to the queue, and a later decision answers it', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    decide(engine, 'decline')
    expect(queued(engine)).toEqual([])
    expect(value(challenge(engine))).toMatchObject({
      state: 'outdated',
      challenged: true,
      decision: { decision: 'decline', outdated: true, challenged: true }
    })
    expect(queued(engine)).toMatchObject([{ kind: 'outdated', since: by.at, applicant: { challenged: true } }])
    add(engine, { applicant: 'APP-1' })
    expect(shown(engine)).toMatchObject({ state: 'outdated', challenged: true })
    decide(engine, 'approve')
    expect(shown(engine)).toMatchObject({ state: 'approve', decision: { outdated: false } })
    expect(shown(engine).challenged).toBeUndefined()
    expect(shown(engine).decision?.challenged).toBeUndefined()
    expect(queued(engine)).toEqual([])
    // Newer evidence alone is another cause.
    add(engine, { applicant: 'APP-1' })
    expect(shown(engine)).toMatchObject({ state: 'outdated' })
    expect(shown(engine).challenged).toBeUndefined()
    const { entries } = value(engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 50 }))
    expect(entries.map(({ kind }) => kind)).toEqual(['check', 'decision', 'check', 'challenge', 'decision', 'check'])
    expect(entries[3]).toMatchObject({ operator: 'first.person', text: 'That is not my photo' })
    expect(entries[4]).toMatchObject({ decision: { decision: 'decline', challenged: true } })
    engine.close()
  })

  it('is refused without a decision, and leaves nothing behind', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    const before = engine.writer.head.seq
    expect(challenge(engine)).toMatchObject({ ok: false, failure: { code: 'challenge-without-decision' } })
    expect(challenge(engine, 'Nobody', 'APP-9')).toMatchObject({ ok: false, failure: { code: 'applicant-missing' } })
    expect(engine.writer.head.seq).toBe(before)
    engine.close()
  })

  it('refuses a decision whose author has not seen it', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    decide(engine, 'decline')
    const { evidence } = shown(engine)
    challenge(engine)
    const draft = { applicantId: 'APP-1', decision: 'decline' as const, reasons: [], note: 'Seen', evidence }
    expect(write(engine, (writer) => engine.applicants.decide(writer, draft, by))).toMatchObject({
      ok: false,
      failure: { code: 'decision-outdated' }
    })
    engine.close()
  })

  it('voids a request for approval that waits, and an answer that arrives later', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    const decision = decide(engine).decision?.seq ?? 0
    const request = () =>
      write(engine, (writer) =>
        engine.approvals.ask(
          writer,
          { applicantId: 'APP-1', decision, installation, scope: 'team', evidence: [], note: '' },
          by
        )
      )
    const asked = value(request()).seq
    challenge(engine)
    expect(request()).toMatchObject({ ok: false, failure: { details: { reason: 'outdated' } } })
    const { entries } = value(engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 50 }))
    expect(entries.find(({ kind }) => kind === 'approval')).toMatchObject({ void: true })
    const answer = {
      applicantId: 'APP-1',
      note: '',
      answer: ['1'.repeat(32), 9, 'a'.repeat(64)] as const,
      asked: [installation, asked, 'b'.repeat(64)] as const,
      agrees: true,
      scope: 'team',
      at: by.at,
      by: 'Second Person',
      salt: '00'.repeat(16),
      signer: 'cc'.repeat(32),
      signature: 'dd'.repeat(64)
    }
    expect(value(write(engine, (writer) => engine.approvals.receive(writer, [answer], by)))).toEqual({
      kept: 1,
      void: 1
    })
    expect(shown(engine).state).toBe('outdated')
    engine.close()
  })

  it('is left out of a decision about many', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    decide(engine, 'decline')
    challenge(engine)
    expect(value(engine.applicants.weigh(['APP-1'], 'decline', by, []))).toMatchObject({
      applicants: [],
      leftOut: [{ applicantId: 'APP-1', why: 'challenged' }]
    })
    engine.close()
  })

  it('is no plain text, is found by a search, and goes with the person', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    decide(engine, 'decline')
    challenge(engine, 'Kanari complains')
    const plain = engine.dbs.history.prepare('SELECT group_concat(plain) FROM event').pluck().get() as string
    expect(plain).not.toContain('Kanari')
    const { people } = value(engine.erasure.scope('APP-1'))
    value(
      engine.erasure.erase({
        subjects: people,
        reason: 'asked for by letter',
        cause: 'request',
        operator: 'tester',
        at: by.at
      })
    )
    expect(engine.applicants.read.show('APP-1')).toMatchObject({ ok: false })
    const seq = engine.dbs.history
      .prepare(`SELECT seq FROM event WHERE kind = 'challenge.recorded'`)
      .pluck()
      .get() as number
    expect(engine.events.get<object, object>(seq).sealed).toBeUndefined()
    engine.close()
  })
})
