/** What a team is doing: counted from what arrived, whatever members put into their events. */
import { describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import type { TeamMemberStatus } from '#contract/team/activity.ts'
import { overviewOf, type OverviewParts } from '#exchange/activity/overview.ts'
import { workStatements } from '#exchange/activity/work.ts'
import { answer, lost } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile } from './support/team-activity.ts'

const start = 1_760_000_000_000
const day = 24 * 60 * 60_000
const week = { from: start, until: start + 7 * day }
const [anna, ben, carla] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string]

describe('what colleagues did', () => {
  it('is counted by installation and person, in a period', () => {
    const [ours, one, two] = [here(), colleague('Ben Okoro'), colleague('Carla Diaz')]
    one.check({ applicant: 'APP-1', startedAt: start })
    one.check({ applicant: 'APP-2', startedAt: start + day })
    one.check({ applicant: 'APP-3', startedAt: start + 7 * day })
    two.check({ applicant: 'APP-9', startedAt: start - 1 })
    one.write((writer) =>
      one.engine.applicants.decide(
        writer,
        { applicantId: 'APP-1', decision: 'approve', reasons: ['reviewed-by-hand'], note: '', evidence: 4 },
        by(start + 5, 'bo')
      )
    )
    for (const each of [one, two]) each.share(ours)
    expect(ours.reading.work.counts('check', week)).toEqual(new Map([[one.installation, 2]]))
    expect(ours.reading.work.counts('decision', week)).toEqual(new Map([[one.installation, 1]]))
    expect(ours.reading.work.people(week)).toEqual({
      people: [
        { installation: one.installation, person: 'tester', checks: 2, decisions: 0 },
        { installation: one.installation, person: 'bo', checks: 0, decisions: 1 }
      ],
      more: false
    })
  })

  it('includes unknown outcomes until somebody resolves them, also one that was never unknown', () => {
    const [ours, one] = [here(), colleague('Ben Okoro')]
    const id = one.check({ applicant: 'APP-1', startedAt: start }, lost)
    one.check({ applicant: 'APP-2', startedAt: start + 1 }, lost)
    one.check({ applicant: 'APP-3', startedAt: start + 2 }, answer())
    one.share(ours)
    expect(ours.reading.work.unknown()).toEqual(new Map([[one.installation, 2]]))
    expect(ours.reading.work.unknowns(ours.names).map(({ applicantId }) => applicantId)).toEqual(['APP-2', 'APP-1'])
    one.write((writer) => writer.resolve(id, 'processed', 'Asked them', by(start + 9)))
    one.share(ours)
    expect(ours.reading.work.unknown()).toEqual(new Map([[one.installation, 1]]))
  })

  it('names who waits, with whom they are assigned to, until anybody in the team decides', () => {
    const [ours, one, two] = [here(), colleague('Ben Okoro'), colleague('Carla Diaz')]
    for (const applicant of ['APP-1', 'APP-2', 'APP-3']) one.check({ applicant, startedAt: start })
    two.check({ applicant: 'APP-3', startedAt: start })
    const { applicants } = one.engine
    one.write((writer) => applicants.assign(writer, { applicantId: 'APP-1', assignee: 'Ada' }, by(start + 1)))
    one.write((writer) => applicants.assign(writer, { applicantId: 'APP-2', assignee: 'Ada' }, by(start + 1)))
    one.write((writer) => applicants.assign(writer, { applicantId: 'APP-2', assignee: null }, by(start + 2)))
    for (const each of [one, two]) each.share(ours)
    const waiting = (): unknown =>
      ours.reading.work
        .waiting()
        .applicants.map(({ applicantId, assignee }) => `${applicantId} ${assignee}`.trim())
        .sort()
    expect(waiting()).toEqual(['APP-1 Ada', 'APP-2', 'APP-3', 'APP-3'])
    two.write((writer) =>
      two.engine.applicants.decide(
        writer,
        { applicantId: 'APP-3', decision: 'decline', reasons: ['reviewed-by-hand'], note: '', evidence: 4 },
        by(start + 5)
      )
    )
    two.share(ours)
    expect(waiting()).toEqual(['APP-1 Ada', 'APP-2'])
  })

  it('names decisions that differ, until somebody who knows them decides', () => {
    const [ours, one, two] = [here(), colleague('Ben Okoro'), colleague('Carla Diaz')]
    for (const [each, decision] of [
      [one, 'approve'],
      [two, 'decline']
    ] as const) {
      each.check({ applicant: 'APP-1', startedAt: start })
      each.write((writer) =>
        each.engine.applicants.decide(
          writer,
          { applicantId: 'APP-1', decision, reasons: ['reviewed-by-hand'], note: '', evidence: 4 },
          by(start + 5)
        )
      )
      each.share(ours)
    }
    expect(ours.reading.work.decided()).toEqual({ applicants: ['APP-1'], more: false })
    const conflict = ours.reading.conflict('APP-1', ours.names, { own: { installation: anna, decisions: [] } })
    expect(conflict?.decisions.map(({ decision, member }) => [decision, member])).toEqual([
      ['decline', 'Carla Diaz'],
      ['approve', 'Ben Okoro']
    ])
    const known = ours.reading.superseded('APP-1', { own: { installation: anna, decisions: [] } })
    const own = {
      installation: anna,
      decisions: [
        { seq: 1, hash: 'ab'.repeat(32), at: start, operator: 'anna', decision: 'approve' as const, supersedes: known }
      ]
    }
    expect(ours.reading.conflict('APP-1', ours.names, { own })).toBeUndefined()
  })

  it('is not what a member makes up: values of another type, ends without a beginning, two ends of one check', () => {
    const ours = here()
    const mallory = hostile(ours, [
      { kind: 'record.ended', record: 3, plain: { outcome: 'unknown' } },
      {
        kind: 'record.begun',
        record: 4,
        plain: { operator: { name: 'x' }, operation: 'validate-kyc-photo' },
        sealed: { input: {} }
      },
      { kind: 'record.ended', record: 4, plain: { outcome: 'answered' } },
      { kind: 'record.ended', record: 4, plain: { outcome: 'unknown' } },
      { kind: 'record.resolved', record: 99, plain: { as: 'processed' } },
      { kind: 'decision.made', plain: { operator: 'A'.repeat(5000), decision: 'approve' } }
    ])
    const { work } = ours.reading
    expect(work.unknown()).toEqual(new Map())
    expect(work.people({ from: 0, until: 8e15 }).people).toEqual([
      { installation: mallory.installation, person: 'A'.repeat(250), checks: 0, decisions: 1 }
    ])
    expect(work.unknowns(ours.names)).toEqual([])
  })

  it.each(Object.entries(workStatements).filter(([name]) => name === 'inPeriod' || name === 'assignee'))(
    'uses an index for %s',
    (_name, sql) => {
      const { db } = here()
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1)) as { readonly detail: string }[]
      expect(plan.every(({ detail }) => !/^SCAN/.test(detail))).toBe(true)
    }
  )
})

describe('the overview of a team', () => {
  const member = (installation: string, name: string, like: Partial<TeamMemberStatus> = {}): TeamMemberStatus => ({
    installation,
    name,
    role: 'analyst',
    own: false,
    events: 10,
    confirmedBy: 0,
    findings: [],
    ...like
  })
  const parts = (like: Partial<OverviewParts> = {}): OverviewParts => ({
    exchange: {
      state: 'connected',
      at: 5,
      members: [
        member(anna, 'Anna', { own: true, role: 'supervisor', events: 7 }),
        member(ben, 'Ben'),
        member(carla, 'Carla', { role: 'removed', events: 0 })
      ]
    },
    own: {
      installation: anna,
      overview: {
        people: [{ person: 'anna', checks: 3, decisions: 1 }],
        unknown: 1,
        waiting: 2,
        queue: [
          { person: '', count: 2 },
          { person: 'Ada', count: 1 }
        ]
      }
    },
    checks: new Map([[ben, 5]]),
    decisions: new Map(),
    unknown: new Map([[ben, 4]]),
    people: [{ installation: ben, person: 'ben', checks: 5, decisions: 0 }],
    waiting: [
      { installation: ben, applicantId: 'APP-1', assignee: 'Ada' },
      { installation: ben, applicantId: 'APP-2', assignee: '' }
    ],
    confirmed: [{ installation: ben, of: anna, seq: 4, at: 99 }],
    erasuresAt: (installation) => ({ erasures: installation === anna ? 0 : 2, kept: installation === anna ? 0 : 1 }),
    keysDueSince: undefined,
    unknowns: [],
    conflicts: [],
    unanchored: 6,
    more: false,
    ...like
  })

  it('puts together what each installation did, and what it has confirmed', () => {
    const { installations, people, queue } = overviewOf(parts())
    expect(
      installations.map(({ name, checks, decisions, unknown, waiting, unconfirmed, confirmedAt, erasures, kept }) => [
        name,
        checks,
        decisions,
        unknown,
        waiting,
        unconfirmed,
        confirmedAt,
        erasures,
        kept
      ])
    ).toEqual([
      // Nothing is expected of Carla, who was removed.
      ['Anna', 3, 1, 1, 2, 6, undefined, 0, 0],
      ['Ben', 5, 0, 4, 2, 3, 99, 2, 1],
      ['Carla', 0, 0, 0, 0, 0, undefined, 0, 0]
    ])
    expect(people.map(({ person, member: at }) => [person, at])).toEqual([
      ['ben', 'Ben'],
      ['anna', 'Anna']
    ])
    expect(queue).toEqual([
      { person: '', count: 3 },
      { person: 'Ada', count: 2 }
    ])
  })

  it('is there without the history of this installation, and says so', () => {
    const why = failure('history-unavailable', { reason: 'opening' })
    const { installations, ownFailure, queue } = overviewOf(parts({ own: { installation: anna, failure: why } }))
    expect(ownFailure).toEqual(why)
    expect(installations.map(({ checks }) => checks)).toEqual([0, 5, 0])
    expect(queue).toEqual([
      { person: '', count: 1 },
      { person: 'Ada', count: 1 }
    ])
  })

  it('of a team that has done nothing is empty', () => {
    const nothing = parts({
      exchange: { state: 'starting', members: [] },
      own: { installation: anna, overview: { people: [], unknown: 0, waiting: 0, queue: [] } },
      people: [],
      waiting: [],
      confirmed: []
    })
    expect(overviewOf(nothing)).toEqual({
      state: 'starting',
      installations: [],
      people: [],
      queue: [],
      unknowns: [],
      conflicts: [],
      more: false
    })
  })
})
