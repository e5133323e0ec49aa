/** An installation that was removed and is admitted again: its history arrives twice, and is shown once. */
import { describe, expect, it } from 'vitest'
import { lost } from '../service/history-fixtures.ts'
import { by, colleague, here, type Colleague, type Here } from './support/team-activity.ts'
import { copyOf, installed, valueOf } from './support/team-log.ts'

const start = 1_760_000_000_000
/** The same history under a new number. */
const again = (one: Colleague): Colleague => {
  const { installation, signingKey, publicKey } = installed()
  const events = installed().events
  return {
    ...one,
    installation,
    signingKey,
    publicKey,
    events,
    share: (to, keys) => shareOf({ ...one, installation, signingKey, publicKey, events }, to, keys)
  }
}
function shareOf(one: Colleague, to: Here, withKeys = true): void {
  one.events.all.push(
    ...one.engine.outgoing.page({ after: one.events.head.seq, events: 1e6, bytes: 1e9, kept: [] }, one.engine.last)
      .events
  )
  to.names.set(one.installation, one.name)
  to.take(one)
  const subjects = one.engine.dbs.subjects.prepare('SELECT ref, key, applicant FROM subject').all() as {
    readonly ref: number
    readonly key: Buffer
    readonly applicant: string | null
  }[]
  if (withKeys) for (const { ref, key, applicant } of subjects) to.subject(one, ref, { key, applicant })
}
const member = (to: Here, one: Colleague, removed: 0 | 1): void =>
  void to.db
    .prepare('INSERT OR REPLACE INTO member VALUES (?, ?, ?, ?, ?)')
    .run(one.installation, one.name, 'analyst', removed, one.publicKey)

const waiting = (to: Here): unknown =>
  to.db.prepare('SELECT DISTINCT i.id FROM waiting JOIN installation i USING (ref) WHERE state > 0').pluck().all()
const evidence = (to: Here) =>
  to.db
    .prepare(
      'SELECT i.id, subject, n.seq FROM newest_evidence n JOIN installation i USING (ref) ORDER BY i.id, subject'
    )
    .all() as { readonly id: string; readonly subject: number; readonly seq: number }[]

describe('an installation that was removed and is admitted again', () => {
  const made = (ours: Here) => {
    const one = colleague('Ben Okoro')
    const unknown = one.check({ applicant: 'APP-1', startedAt: start }, lost)
    one.check({ applicant: 'APP-2', startedAt: start + 1 })
    one.share(ours)
    member(ours, one, 1)
    const next = again(one)
    member(ours, next, 0)
    return { one, next, unknown }
  }
  const shown = (ours: Here): readonly string[] => ours.walk().map(({ installation, seq }) => `${installation} ${seq}`)

  it('is shown once, and goes on', () => {
    const ours = here()
    const { one, next, unknown } = made(ours)
    const before = shown(ours)
    expect(ours.reading.work.unknown()).toEqual(new Map([[one.installation, 1]]))
    next.share(ours)
    expect(shown(ours)).toEqual(before.map((each) => each.replace(one.installation, next.installation)))
    expect(ours.reading.work.unknown()).toEqual(new Map([[next.installation, 1]]))
    expect(waiting(ours)).toEqual([next.installation])
    next.write((writer) => writer.resolve(unknown, 'processed', 'Asked them', by(start + 9)))
    next.share(ours)
    expect(ours.reading.work.unknown()).toEqual(new Map())
  })

  it('is the same in whatever order both arrive', () => {
    const [first, second] = [here(), here()]
    const { one, next } = made(first)
    next.share(first)
    member(second, one, 1)
    member(second, next, 0)
    for (const each of [next, one]) {
      second.names.set(each.installation, each.name)
      second.take(each)
    }
    expect(
      second.db
        .prepare('SELECT i.id, e.at, e.kind FROM entry e JOIN installation i USING (ref) ORDER BY e.at, e.kind')
        .all()
    ).toEqual(
      first.db
        .prepare('SELECT i.id, e.at, e.kind FROM entry e JOIN installation i USING (ref) ORDER BY e.at, e.kind')
        .all()
    )
    expect(waiting(second)).toEqual(waiting(first))
    expect(evidence(second)).toEqual(evidence(first))
  })

  it('adds nothing to the evidence that an approval rests on, until it goes on', () => {
    const ours = here()
    const { one, next } = made(ours)
    const before = evidence(ours)
    expect(before.map(({ id }) => id)).toContain(one.installation)
    next.share(ours)
    expect(evidence(ours)).toEqual(before)
    next.check({ applicant: 'APP-2', startedAt: start + 20 })
    next.share(ours)
    expect(evidence(ours)).toHaveLength(before.length + 1)
  })

  it('keeps a decision under the number that colleagues named', () => {
    const ours = here()
    const { one, next } = made(ours)
    one.write((writer) =>
      one.engine.applicants.decide(
        writer,
        {
          applicantId: 'APP-2',
          decision: 'approve',
          reasons: ['reviewed-by-hand'],
          note: '',
          evidence: valueOf(one.engine.applicants.read.show('APP-2')).evidence
        },
        by(start + 5, 'bo')
      )
    )
    one.share(ours)
    next.share(ours)
    expect(ours.walk({ kinds: ['decision'] }).map(({ installation }) => installation)).toEqual([one.installation])
  })

  it('shares no batch twice, and answers for the rows that it sends', () => {
    const ours = here()
    const id = '01234567-89ab-4cde-8f01-23456789abcd'
    const one = installed()
    one.events.append({ kind: 'batch.shared', plain: { operator: 'bo', id, row: 1 } })
    one.events.append({ kind: 'batch.shared', plain: { operator: 'bo', id } })
    one.events.append({ kind: 'record.begun', record: 3, plain: { operator: 'bo', batchId: id, batchRow: 1 } })
    const next = installed(0, { events: copyOf(one, 3).events })
    for (const [each, removed] of [
      [one, 1],
      [next, 0]
    ] as const) {
      ours.db
        .prepare('INSERT INTO member VALUES (?, ?, ?, ?, ?)')
        .run(each.installation, 'Ben', 'analyst', removed, each.publicKey)
      ours.take(each)
    }
    const found = ours.db
      .prepare('SELECT i.id, row, kind FROM batch_event JOIN installation i USING (ref) ORDER BY kind')
      .raw()
      .all()
    expect(found).toEqual([
      [one.installation, 0, 0],
      [one.installation, 1, 1],
      [next.installation, 1, 2]
    ])
  })

  it('is not taken for a copy that is a member at the same time', () => {
    const ours = here()
    const { one, next } = made(ours)
    member(ours, one, 0)
    const before = shown(ours)
    next.share(ours)
    expect(shown(ours)).toHaveLength(before.length * 2)
  })
})
