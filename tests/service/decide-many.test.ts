/** One decision about many applicants: whom it leaves out, the sample that is reviewed first, and an event for each. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { DecidedSet, Decision } from '#contract/applicants/applicants.ts'
import type { LeftOut, SetApplicant } from '#contract/applicants/decide-many.ts'
import type { DecidingHand, HeldRule, ManyMade } from '#wire/history/applicants.ts'
import { drawSample } from '#core/applicants/rules.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { seedWith } from '../../scripts/seed.ts'
import { add, answer, inFolder, intentOf, lost, opened, unsent } from './history-fixtures.ts'
import { checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }
const reasons = ['documents-in-order']
const note = 'sample reviewed'
function write<T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): Result<T, Failure> {
  return engine.commit([job])[0] as Result<T, Failure>
}
function value<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(result.failure.code)
  return result.value
}
const tagsAlone = ['PEP', 'Sanctions']
const weigh = (engine: Engine, ids: readonly string[], decision: Decision = 'approve') =>
  value(engine.applicants.weigh(ids, decision, by, tagsAlone))
const evidenceOf = (engine: Engine, id: string): number => value(engine.applicants.read.show(id)).evidence
const decideOne = (
  engine: Engine,
  applicantId: string,
  set: DecidedSet,
  decision: Decision = 'approve',
  hand: DecidingHand = by
) =>
  write(engine, (writer) =>
    engine.applicants.decide(
      writer,
      { applicantId, decision, reasons, note, evidence: evidenceOf(engine, applicantId), set },
      hand
    )
  )
const setOf = (size: number, seed = 'ab'.repeat(16), share = 10): DecidedSet => ({
  id: randomUUID(),
  size,
  seed,
  share
})
const decideMany = (
  engine: Engine,
  set: DecidedSet,
  applicants: readonly SetApplicant[],
  ofColleagues: readonly LeftOut[] = []
): Result<ManyMade, Failure> => {
  const sample = drawSample(
    applicants.map(({ applicantId }) => applicantId),
    set.seed,
    set.share
  )
  return write(engine, (writer) =>
    engine.applicants.decideMany(
      writer,
      { set, sample, applicants: [...applicants], ofColleagues, tagsAlone, decision: 'approve', reasons, note },
      by
    )
  )
}
function interpret(engine: Engine, message: string, means: 'good' | 'bad' | 'unclear'): void {
  const { messages } = engine.catalogue.page({ limit: 50 }) as unknown as {
    messages: readonly { id: number; message: string }[]
  }
  for (const { id } of messages.filter((each) => each.message === message))
    value(write(engine, (writer) => writer.catalogue.read(writer, engine.catalogue, { id, means, note: '' }, by)))
}
const eventsOf = (engine: Engine) =>
  (
    engine.dbs.history.prepare("SELECT subject, plain FROM event WHERE kind = 'decision.made'").all() as {
      readonly subject: number
      readonly plain: string
    }[]
  ).map(({ subject, plain }) => ({ subject, ...(JSON.parse(plain) as { decision: Decision; set?: DecidedSet }) }))

/** A set of twelve favourable applicants, and its sample of five. */
function ofTwelve() {
  const engine = opened()
  const ids = Array.from({ length: 12 }, (_, at) => `APP-${at + 1}`)
  for (const applicant of ids) add(engine, { applicant }, answer('Fine'))
  interpret(engine, 'Fine', 'good')
  const set = setOf(12)
  return { engine, ids, applicants: weigh(engine, ids).applicants, set, sample: drawSample(ids, set.seed, set.share) }
}

describe('many decisions', () => {
  it('leave out, by themselves and with the reason, whom one decision must not take', () => {
    const engine = opened()
    const messages = { GOOD: 'Fine', BAD: 'No match', UNCLEAR: 'Low light', NEW: 'Never seen' }
    for (const [name, message] of Object.entries(messages)) add(engine, { applicant: `APP-${name}` }, answer(message))
    interpret(engine, 'Fine', 'good')
    interpret(engine, 'No match', 'bad')
    interpret(engine, 'Low light', 'unclear')
    // An older bad answer of the same operation is history; one of another operation counts.
    add(engine, { applicant: 'APP-BETTER' }, answer('No match'))
    add(engine, { applicant: 'APP-BETTER' }, answer('Fine'))
    add(engine, { applicant: 'APP-MIXED', operation: 'get-applicant-details' }, answer('No match'))
    add(engine, { applicant: 'APP-MIXED' }, answer('Fine'))
    interpret(engine, 'No match', 'bad')
    add(engine, { applicant: 'APP-LOST' }, answer('Fine'))
    add(engine, { applicant: 'APP-LOST' }, lost)
    // Something else was asked and not answered, or answered later.
    add(engine, { applicant: 'APP-DOWN' }, answer('Fine'))
    add(engine, { applicant: 'APP-DOWN', operation: 'get-applicant-details' }, answer('Down', 503))
    add(engine, { applicant: 'APP-AGAIN' }, answer('Down', 503))
    add(engine, { applicant: 'APP-AGAIN' }, unsent)
    add(engine, { applicant: 'APP-AGAIN' }, answer('Fine'))
    add(engine, { applicant: 'APP-LINKED' }, answer('Fine'))
    const passport = add(engine, { operation: 'validate-passport' }, unsent)
    write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-LINKED', by))
    add(engine, { applicant: 'APP-HELD' }, answer('Fine'))
    value(
      write(engine, (writer) =>
        engine.erasure.holds.set('APP-HELD', true, { ...by, reason: 'Case 1' } as never, writer)
      )
    )
    add(engine, { applicant: 'APP-DONE' }, answer('Fine'))
    decideOne(engine, 'APP-DONE', setOf(1))
    const names = [
      'GOOD',
      'BAD',
      'UNCLEAR',
      'NEW',
      'BETTER',
      'MIXED',
      'LOST',
      'HELD',
      'DONE',
      'GONE',
      'DOWN',
      'AGAIN',
      'LINKED'
    ]
    const ids = names.map((name) => `APP-${name}`)
    const approval = weigh(engine, ids)
    expect(approval.applicants.map(({ applicantId }) => applicantId)).toEqual(['APP-GOOD', 'APP-BETTER', 'APP-AGAIN'])
    expect(Object.fromEntries(approval.leftOut.map(({ applicantId, why }) => [applicantId, why]))).toEqual({
      'APP-BAD': 'unfavourable',
      'APP-UNCLEAR': 'unclear',
      'APP-NEW': 'unreviewed',
      'APP-MIXED': 'unfavourable',
      'APP-LOST': 'unresolved',
      'APP-HELD': 'held',
      'APP-DONE': 'decided',
      'APP-GONE': 'missing',
      'APP-DOWN': 'unanswered',
      'APP-LINKED': 'unanswered'
    })
    expect(approval.messages).toEqual([
      { operation: 'validate-applicant-id-document', message: 'Fine', reading: 'good', count: 3 }
    ])
    // What a message means does not keep anybody from being declined.
    expect(weigh(engine, ids, 'decline').leftOut.map(({ why }) => why)).toEqual([
      'unresolved',
      'held',
      'decided',
      'missing'
    ])
    engine.close()
  })

  it('go by every operation’s newest answer since an approval, whatever was answered last', () => {
    const engine = opened()
    for (const [message, means] of [
      ['Fine', 'good'],
      ['No match', 'bad']
    ] as const) {
      add(engine, { applicant: `APP-${means}` }, answer(message))
      interpret(engine, message, means)
    }
    const details = (applicant: string, body: object = {}): void =>
      void add(
        engine,
        { applicant, operation: 'get-applicant-details' },
        answer('Found', 200, JSON.stringify({ message: 'Found', ...body }))
      )
    details('APP-good')
    interpret(engine, 'Found', 'good')
    // The document check failed, and the details came after it.
    details('APP-bad')
    // The document check was not interpreted, and the details came after it.
    add(engine, { applicant: 'APP-NEW' }, answer('Never seen'))
    details('APP-NEW')
    // A person approved in spite of it; what came since is favourable.
    for (const [name, decision] of [
      ['APPROVED', 'approve'],
      ['DECLINED', 'decline'],
      ['ESCALATED', 'escalate']
    ] as const) {
      add(engine, { applicant: `APP-${name}` }, answer('No match'))
      decideOne(engine, `APP-${name}`, setOf(1), decision)
      details(`APP-${name}`)
    }
    // After the approval, only a photo whose outcome nobody knows.
    add(engine, { applicant: 'APP-NOTHING' }, answer('Fine'))
    decideOne(engine, 'APP-NOTHING', setOf(1))
    const photo = add(engine, { applicant: 'APP-NOTHING' }, lost)
    value(engine.commit([(writer) => writer.resolve(photo, 'processed', '', by)])[0] as Result<unknown, Failure>)
    details('APP-PAST', { documents: [{ type: 'passport', expires_on: '2020-05-03' }] })
    details('APP-VALID', { documents: [{ type: 'passport', expires_on: '2099-05-03' }] })
    const names = ['good', 'bad', 'NEW', 'APPROVED', 'DECLINED', 'ESCALATED', 'NOTHING', 'PAST', 'VALID']
    const ids = names.map((name) => `APP-${name}`)
    const { applicants, leftOut } = weigh(engine, ids)
    expect(applicants.map(({ applicantId }) => applicantId)).toEqual(['APP-good', 'APP-APPROVED', 'APP-VALID'])
    expect(Object.fromEntries(leftOut.map(({ applicantId, why }) => [applicantId, why]))).toEqual({
      'APP-bad': 'unfavourable',
      'APP-NEW': 'unreviewed',
      'APP-DECLINED': 'unfavourable',
      'APP-ESCALATED': 'unfavourable',
      'APP-NOTHING': 'no-evidence',
      'APP-PAST': 'expired'
    })
    expect(weigh(engine, ids, 'decline').leftOut).toEqual([])
    // The queue says the same, whatever its message is.
    const { items } = engine.queue.page({ limit: 50, order: { by: 'applicant' } }, by.at)
    const read = (id: string) => {
      const item = items.find((each) => each.kind !== 'unresolved' && each.applicant.id === id)
      return [item?.check?.message, item?.meaning, item?.meaningOf]
    }
    expect(read('APP-good')).toEqual(['Found', 'good', undefined])
    expect(read('APP-bad')).toEqual(['Found', 'bad', 'validate-applicant-id-document'])
    expect(read('APP-NEW')).toEqual(['Found', 'unreviewed', 'validate-applicant-id-document'])
    expect(read('APP-APPROVED')).toEqual(['Found', 'good', undefined])
    expect(read('APP-NOTHING').slice(1)).toEqual([undefined, undefined])
    engine.close()
  })

  it('take nobody whose values differ from earlier details, as the case shows them, or who has a listed tag', () => {
    const engine = opened()
    const details = (applicant: string, ...bodies: readonly object[]): void => {
      for (const body of bodies)
        add(
          engine,
          { applicant, operation: 'get-applicant-details' },
          answer('Found', 200, JSON.stringify({ message: 'Found', id: applicant, ...body }))
        )
    }
    details('APP-ALONE', { name: 'Avery Specimen' })
    details('APP-SAME', { name: 'Avery Specimen' }, { name: 'Avery Specimen' })
    details('APP-WRITTEN', { name: 'Ávery SPECIMEN' }, { name: 'Avery Specimen' })
    details('APP-OTHER', { name: 'Avery Specimen' }, { name: 'Avery Muster' }, { name: 'Avery Muster' })
    const tagged = { 'APP-PEP': ['vip', 'pep'], 'APP-BOTH': ['Sanctions', 'PEP'], 'APP-VIP': ['vip'] }
    for (const [applicant, tags] of Object.entries(tagged)) {
      details(applicant, { name: 'Avery Specimen' })
      value(write(engine, (writer) => engine.applicants.tag(writer, applicant, tags, by)))
    }
    interpret(engine, 'Found', 'good')
    const ids = ['APP-ALONE', 'APP-SAME', 'APP-WRITTEN', 'APP-OTHER', ...Object.keys(tagged)]
    for (const decision of ['approve', 'decline', 'escalate'] as const) {
      const { applicants, leftOut } = weigh(engine, ids, decision)
      expect(applicants.map(({ applicantId }) => applicantId)).toEqual([
        'APP-ALONE',
        'APP-SAME',
        'APP-WRITTEN',
        'APP-VIP'
      ])
      expect(leftOut).toEqual([
        { applicantId: 'APP-OTHER', why: 'differs' },
        { applicantId: 'APP-PEP', why: 'tagged', tag: 'PEP' },
        { applicantId: 'APP-BOTH', why: 'tagged', tag: 'PEP' }
      ])
    }
    // What comes between the sample and the others counts as well.
    const { applicants } = weigh(engine, ['APP-ALONE', 'APP-SAME'], 'approve')
    value(write(engine, (writer) => engine.applicants.tag(writer, 'APP-SAME', ['PEP'], by)))
    expect(value(decideMany(engine, setOf(2, 'ab'.repeat(16), 0), applicants))).toEqual({
      decided: 1,
      proposals: [],
      leftOut: [{ applicantId: 'APP-SAME', why: 'tagged', tag: 'PEP' }]
    })
    engine.close()
  })

  it('point out a colleague’s note that is newer than the newest answer, and nobody’s own', () => {
    const engine = opened()
    const note = (id: string, operator: string) =>
      value(write(engine, (writer) => engine.applicants.note(writer, id, 'Called.', { at: by.at, operator })))
    for (const id of ['APP-OWN', 'APP-OLD', 'APP-NOTED']) add(engine, { applicant: id }, answer('Fine'))
    interpret(engine, 'Fine', 'good')
    note('APP-OWN', by.operator)
    note('APP-OWN', `Mira Rahn (${by.operator})`)
    note('APP-OLD', 'Jonas Berg (jberg)')
    add(engine, { applicant: 'APP-OLD' }, answer('Fine'))
    note('APP-NOTED', 'Jonas Berg (jberg)')
    const ids = ['APP-OWN', 'APP-OLD', 'APP-NOTED']
    for (const decision of ['approve', 'decline'] as const) {
      const { applicants, noted } = weigh(engine, ids, decision)
      expect([applicants.length, noted]).toEqual([3, ['APP-NOTED']])
    }
    engine.close()
  })

  it('approve 195 of 1,226, each with an event of its own, once all of the sample are approved, over a restart', () =>
    inFolder((folder) => {
      let engine = opened(folder)
      seedWith(
        engine,
        Array.from({ length: 1226 }, (_, at) => ({
          intent: intentOf({ applicant: `APP-${at + 1}` }),
          ending: answer(at < 195 ? 'Fine' : 'No match')
        }))
      )
      interpret(engine, 'Fine', 'good')
      interpret(engine, 'No match', 'bad')
      const all = Array.from({ length: 1226 }, (_, at) => `APP-${at + 1}`)
      const { applicants, leftOut } = weigh(engine, all)
      expect([applicants.length, leftOut.length]).toEqual([195, 1031])
      const set = setOf(195)
      const ids = applicants.map(({ applicantId }) => applicantId)
      const sample = drawSample(ids, set.seed, set.share)
      expect(sample).toHaveLength(20)
      expect(drawSample([...ids].reverse(), set.seed, set.share), 'the seed alone decides').toEqual(sample)
      expect(drawSample(ids, 'cd'.repeat(16), set.share)).not.toEqual(sample)

      for (const id of sample.slice(0, 12)) value(decideOne(engine, id, set))
      expect(decideMany(engine, set, applicants)).toMatchObject({
        ok: false,
        failure: { code: 'sample-open', details: { count: 8 } }
      })
      engine.close()
      engine = opened(folder)
      for (const id of sample.slice(12)) value(decideOne(engine, id, set))
      // Meanwhile one got new evidence, a colleague took another one, and decided a third.
      const [changed = '', taken = '', other = ''] = ids.filter((id) => !sample.includes(id))
      add(engine, { applicant: changed }, answer('Fine'))
      const before = eventsOf(engine).length
      const ofColleagues: readonly LeftOut[] = [
        { applicantId: taken, why: 'claimed' },
        { applicantId: other, why: 'colleague-decided' }
      ]
      expect(value(decideMany(engine, set, applicants, ofColleagues))).toEqual({
        decided: 172,
        proposals: [],
        leftOut: [{ applicantId: changed, why: 'changed' }, ...ofColleagues]
      })
      const made = eventsOf(engine)
      expect([before, made.length, new Set(made.map(({ subject }) => subject)).size]).toEqual([20, 192, 192])
      expect(made.every((event) => JSON.stringify(event.set) === JSON.stringify(set))).toBe(true)
      expect(value(engine.applicants.read.show(changed)).state).toBe('none')
      // A second time, nobody is left to decide but those that colleagues gave back.
      expect(value(decideMany(engine, set, applicants)).decided).toBe(2)
      engine.close()
    }))

  it('wait if one of the sample was decided otherwise', () => {
    const { engine, applicants, set, sample } = ofTwelve()
    expect(sample).toHaveLength(5)
    for (const [at, id] of sample.entries()) value(decideOne(engine, id, set, at === 2 ? 'decline' : 'approve'))
    expect(decideMany(engine, set, applicants)).toMatchObject({
      ok: false,
      failure: { code: 'sample-open', details: { count: 1 } }
    })
    // Another set's decision is none of this one.
    expect(decideMany(engine, { ...setOf(12), seed: set.seed }, applicants)).toMatchObject({ ok: false })
    expect(eventsOf(engine)).toHaveLength(5)
    engine.close()
  })
})

describe('a sample that somebody doubts', () => {
  const fourEyes: HeldRule = { from: { approve: 'low' }, classes: ['low'], hash: 'f'.repeat(64) }
  const returned = (engine: Engine, applicantId: string): void => {
    const { seq = 0 } = value(engine.applicants.read.show(applicantId)).decision ?? {}
    const installation = '0'.repeat(32)
    const request = { applicantId, decision: seq, installation, scope: 'team', evidence: [], note: '' }
    const asked = value(write(engine, (writer) => engine.approvals.ask(writer, request, by))).seq
    const answer = {
      ...{ applicantId, scope: 'team', salt: '', signer: 'a'.repeat(64), signature: '' },
      asked: [installation, asked, ''] as const,
      answer: ['a'.repeat(32), 1, ''] as const,
      ...{ agrees: false, at: by.at, by: 'second.person', note: 'Another face' }
    }
    value(write(engine, (writer) => engine.approvals.receive(writer, [answer], by)))
  }
  const challenged = (engine: Engine, applicantId: string): void =>
    void value(
      write(engine, (writer) => engine.applicants.challenge(writer, { applicantId, text: 'Not my photo' }, by))
    )

  it.each([
    ['a second person returned its proposal', returned, { ...by, fourEyes }],
    ['the applicant challenged the decision', challenged, by]
  ])('decides about nobody else where %s', (_, doubt, hand) => {
    const { engine, applicants, set, sample } = ofTwelve()
    for (const id of sample) value(decideOne(engine, id, set, 'approve', hand))
    doubt(engine, sample[1] ?? '')
    expect(decideMany(engine, set, applicants)).toMatchObject({
      ok: false,
      failure: { code: 'sample-open', details: { count: 1 } }
    })
    expect(eventsOf(engine)).toHaveLength(sample.length)
    engine.close()
  })
})

describe('an erasure in the middle of a sample', () => {
  const begin = () => {
    const { engine, ids, applicants, set, sample } = ofTwelve()
    const erase = (id: string): boolean =>
      engine.erasure.erase({
        subjects: [engine.subjectOf(id) ?? 0],
        ...{ cause: 'request', reason: 'asked', at: by.at, operator: by.operator }
      }).ok
    return { engine, set, applicants, sample, erase, rest: ids.filter((id) => !sample.includes(id)) }
  }
  it('leaves the others of the sample to be reviewed, and whoever is gone is not waited for', () => {
    const { engine, set, applicants, sample, erase } = begin()
    const [first, second, ...others] = sample
    value(decideOne(engine, first ?? '', set))
    expect(erase(second ?? '')).toBe(true)
    expect(decideMany(engine, set, applicants)).toMatchObject({
      ok: false,
      failure: { code: 'sample-open', details: { count: 3 } }
    })
    for (const id of others) value(decideOne(engine, id, set))
    expect(value(decideMany(engine, set, applicants))).toEqual({ decided: 7, proposals: [], leftOut: [] })
    expect(eventsOf(engine)).toHaveLength(11)
    engine.close()
  })
  it('names who of the others is gone, and decides about the rest', () => {
    const { engine, set, applicants, sample, erase, rest } = begin()
    for (const id of sample) value(decideOne(engine, id, set))
    expect(erase(rest[0] ?? '')).toBe(true)
    expect(value(decideMany(engine, set, applicants))).toEqual({
      decided: 6,
      proposals: [],
      leftOut: [{ applicantId: rest[0], why: 'missing' }]
    })
    engine.close()
  })
})

describe('through the console', () => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startTestConsole()
  }, 60_000)
  afterAll(() => console.dispose())

  it('the sample is drawn by core, no smaller than the organisation allows, and the same rules hold as for one', async () => {
    for (const id of ['PRACTICE-pass', 'PRACTICE-2']) await checked(console, id)
    const query = {
      applicantIds: ['PRACTICE-pass', 'PRACTICE-2'],
      decision: 'decline' as const,
      visit: randomUUID()
    }
    expect(await console.ask('decisions.prepare', { ...query, share: 5 })).toMatchObject({
      ok: false,
      failure: { code: 'sample-too-small', details: { least: '10' } }
    })
    const prepared = await console.get('decisions.prepare', { ...query, share: 10 })
    expect(prepared.seed).toMatch(/^[0-9a-f]{32}$/)
    expect([...prepared.sample].sort()).toEqual(['PRACTICE-2', 'PRACTICE-pass'])
    expect((await console.get('decisions.prepare', { ...query, share: 10 })).seed).not.toBe(prepared.seed)
    await console.get('settings.change', { sampleMinimumShare: 0 })
    const { applicants, seed, sample } = await console.get('decisions.prepare', { ...query, share: 0 })
    expect(sample).toEqual([])
    const draft = {
      set: { id: randomUUID(), seed, share: 0 },
      applicants: [...applicants],
      decision: 'decline' as const
    }
    expect(
      await console.ask('decisions.makeMany', { ...draft, reasons: ['reviewed-by-hand'], note: '' })
    ).toMatchObject({ ok: false, failure: { code: 'decision-invalid' } })
    await console.get('screenShare.switch', { on: true })
    expect(await console.get('decisions.makeMany', { ...draft, reasons: ['reviewed-by-hand'], note: 'both' })).toEqual({
      decided: 2,
      proposed: 0,
      leftOut: []
    })
    const { events } = await console.get('audit.page', { groups: ['decisions'], limit: 10 })
    expect(events.filter(({ kind }) => kind === 'decision.made').map(({ words }) => words)).toEqual([
      'Declined, based on 1 record, in a set of 2 with a sample of 0 %.',
      'Declined, based on 1 record, in a set of 2 with a sample of 0 %.'
    ])
  })
})
