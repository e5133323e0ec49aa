/** Claims and entries of colleagues, from events with real histories: who has what, what waits, and what hostile events change. */
import { describe, expect, it } from 'vitest'
import type { TeamRole } from '#contract/team/team.ts'
import type { ColleagueEntry, TeamQueue, TeamQueueQuery } from '#contract/team/queue.ts'
import type { OwnClaim } from '#wire/history/exchange.ts'
import { waitingStatements } from '#exchange/activity/team-queue.ts'
import { by, colleague, here, hostile, type Colleague, type Here } from './support/team-activity.ts'
import { answer } from '../service/history-fixtures.ts'

const self = 'ee'.repeat(16)
type Given = {
  readonly own?: readonly OwnClaim[]
  readonly roles?: Readonly<Record<string, TeamRole | 'removed'>>
  readonly applicants?: ReadonlyMap<number, string>
}
function statesOf(ours: Here, { own = [], roles = {}, applicants = new Map() }: Given = {}) {
  const names = new Map([...ours.names, [self, 'Anna']])
  const members = [...names].map(([installation, name]) => ({
    installation,
    name,
    role: roles[installation] ?? ('reviewer' as const)
  }))
  return ours.reading.claimStates({ installation: self, own, applicants, members })
}
const queue = async (
  ours: Here,
  query: Partial<TeamQueueQuery> = {},
  present: readonly string[] = [],
  given: Given = {}
): Promise<NonNullable<TeamQueue>> =>
  ours.reading.queue({ limit: 50, ...query }, { names: ours.names, claims: statesOf(ours, given) }, async () => ({
    here: new Set(present),
    answers: new Map()
  }))
const kinds = async (ours: Here, present: readonly string[] = []): Promise<unknown[]> =>
  (await queue(ours, {}, present)).entries.map(({ applicantId, kind }) => [applicantId, kind])
const number = (ours: Here, n: number, one: { readonly installation: string }, seq: number): void =>
  void ours.store.claims.put([{ n, installation: one.installation, seq }])
const assign = (one: Colleague, applicantId: string, assignee: string | null, at = 5000): unknown =>
  one.write((writer) => one.engine.applicants.assign(writer, { applicantId, assignee }, by(at, assignee ?? 'x')))
const lastOf = (one: Colleague): number => one.engine.last.seq
const decide = (one: Colleague, applicantId: string, decision: 'approve' | 'escalate'): unknown =>
  one.write((writer) => {
    const shown = one.engine.applicants.read.show(applicantId)
    return one.engine.applicants.decide(
      writer,
      { applicantId, decision, reasons: [], note: '', evidence: shown.ok ? shown.value.evidence : 0 },
      by(4000)
    )
  })
const unknown = { ...answer(), outcome: 'unknown' as const, reply: undefined, message: undefined }

describe('the queue of colleagues', () => {
  it('has applicants without a decision, escalated and outdated ones, and unknown outcomes', async () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'A-1', startedAt: 1000 })
    ben.check({ applicant: 'A-2', startedAt: 2000 })
    decide(ben, 'A-2', 'escalate')
    ben.check({ applicant: 'A-3', startedAt: 3000 })
    decide(ben, 'A-3', 'approve')
    ben.check({ applicant: 'A-4', startedAt: 3500 })
    decide(ben, 'A-4', 'approve')
    ben.check({ applicant: 'A-4', startedAt: 6000 })
    ben.check({ applicant: 'A-5', startedAt: 7000 }, unknown)
    ben.share(ours)
    expect(await kinds(ours)).toEqual([
      ['A-1', 'open'],
      ['A-2', 'escalated'],
      ['A-4', 'outdated'],
      ['A-5', 'unresolved']
    ])
    // What waits in the own queue is not listed again; an unknown outcome is its colleague's.
    expect(await kinds(ours, ['A-1', 'A-5'])).toEqual([
      ['A-2', 'escalated'],
      ['A-4', 'outdated'],
      ['A-5', 'unresolved']
    ])
    const [first] = (await queue(ours)).entries
    expect(first).toMatchObject({ member: 'Ben', since: 1000, check: { kind: 'check', outcome: 'answered' } })
  })

  it('has an applicant of several colleagues once, and none that one of them decided', async () => {
    const [ours, ben, carla] = [here(), colleague('Ben'), colleague('Carla')]
    for (const one of [ben, carla]) {
      one.check({ applicant: 'A-1' })
      one.check({ applicant: 'A-2' })
    }
    decide(carla, 'A-2', 'approve')
    ben.share(ours)
    carla.share(ours)
    expect(await kinds(ours)).toEqual([['A-1', 'open']])
  })

  it('shows nothing without the key of its applicant, and comes in pages', async () => {
    const [ours, ben] = [here(), colleague('Ben')]
    for (let n = 1; n <= 9; n += 1) ben.check({ applicant: `A-${n}`, startedAt: 1000 * n })
    ben.share(ours, false)
    expect((await queue(ours)).entries).toEqual([])
    ben.share(ours)
    const found: unknown[] = []
    for (let after: TeamQueueQuery['after']; ;) {
      const { entries, next } = await queue(ours, { limit: 2, ...(after && { after }) })
      found.push(...entries.map(({ applicantId }) => applicantId))
      if (!next) break
      after = next
    }
    expect(found).toEqual(Array.from({ length: 9 }, (_, index) => `A-${index + 1}`))
  })

  it('reads an index, however many events there are', () => {
    const ours = here()
    const plan = (sql: string, count: number): string =>
      JSON.stringify(ours.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array<number>(count).fill(0)))
    expect(plan(waitingStatements.page, 5)).toContain('waiting_since')
    expect(plan(waitingStatements.page, 5)).not.toContain('TEMP B-TREE')
    expect(plan(waitingStatements.lastCheck, 2)).toContain('entry_subject')
    expect(plan(waitingStatements.lastCheck, 2)).not.toContain('TEMP B-TREE')
  })
})

describe('claims of colleagues', () => {
  it('name the first one, by applicant, whoever has which number for it', async () => {
    const [ours, ben, carla] = [here(), colleague('Ben'), colleague('Carla')]
    for (const one of [ben, carla]) one.check({ applicant: 'A-1' })
    assign(ben, 'A-1', 'Ben')
    assign(carla, 'A-1', 'Carla’s trainee', 4000)
    ben.share(ours)
    carla.share(ours)
    number(ours, 1, carla, lastOf(carla))
    number(ours, 2, ben, lastOf(ben))
    expect(statesOf(ours).of({ applicantId: 'A-1' })).toEqual({
      claim: { installation: carla.installation, member: 'Carla', own: false, person: 'Carla’s trainee', since: 4000 }
    })
    // Removed, what she had is free for the next one.
    expect(
      statesOf(ours, { roles: { [carla.installation]: 'removed' } }).of({ applicantId: 'A-1' }).claim
    ).toMatchObject({ member: 'Ben' })
    expect(
      statesOf(ours, { roles: { [carla.installation]: 'removed', [ben.installation]: 'auditor' } }).of({
        applicantId: 'A-1'
      }).claim
    ).toBeUndefined()
  })

  it('say to who lost that they did', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'A-1' })
    assign(ben, 'A-1', 'Ben')
    ben.share(ours)
    const own = [{ seq: 3, at: 9000, operator: 'anna', assigned: true, applicantId: 'A-1', assignee: 'Anna' }]
    // Nobody has a number: the colleague's is committed at least.
    expect(statesOf(ours, { own }).of({ applicantId: 'A-1' })).toMatchObject({
      claim: { member: 'Ben', tentative: true },
      lostAt: 9000
    })
    number(ours, 1, ben, lastOf(ben))
    number(ours, 2, { installation: self }, 3)
    expect(statesOf(ours, { own }).lost(5)).toMatchObject([
      { entry: { applicantId: 'A-1' }, at: 9000, holder: { member: 'Ben' } }
    ])
  })

  it('made here are tentative until they have a number', () => {
    const ours = here()
    const own = [{ seq: 3, at: 9000, operator: 'anna', assigned: true, applicantId: 'A-1', assignee: 'Anna' }]
    expect(statesOf(ours, { own }).of({ applicantId: 'A-1' })).toEqual({
      claim: { installation: self, member: 'Anna', own: true, since: 9000, tentative: true }
    })
    number(ours, 1, { installation: self }, 3)
    expect(statesOf(ours, { own }).of({ applicantId: 'A-1' })).toEqual({
      claim: { installation: self, member: 'Anna', own: true, since: 9000 }
    })
    expect(statesOf(ours, { own }).handles).toBe(true)
    // An auditor has nothing, and is offered nothing.
    const auditor = statesOf(ours, { own, roles: { [self]: 'auditor' } })
    expect([auditor.handles, auditor.of({ applicantId: 'A-1' }).claim]).toEqual([false, undefined])
  })

  it('of an entry elsewhere need no applicant here, and meet those of its own installation', async () => {
    const [ours, ben, carla] = [here(), colleague('Ben'), colleague('Carla')]
    ben.check({ applicant: 'A-1' })
    ben.check({ applicant: 'A-2' }, unknown)
    ben.share(ours)
    const [applicant, record] = (await queue(ours)).entries.map(({ entry }) => entry) as [
      ColleagueEntry,
      ColleagueEntry
    ]
    for (const of of [applicant, record])
      carla.write((writer) => carla.engine.applicants.assign(writer, { of, assignee: 'Carla' }, by(4000, 'Carla')))
    carla.share(ours)
    for (const n of [1, 2]) number(ours, n, carla, lastOf(carla) - 2 + n)
    expect((await queue(ours)).entries.map(({ claim }) => claim?.member)).toEqual(['Carla', 'Carla'])
    expect(statesOf(ours).of({ applicantId: 'A-1' }).claim?.member).toBe('Carla')
    expect((await queue(ours, { claimed: 'free' })).entries).toEqual([])
    expect((await queue(ours, { claimed: 'others' })).entries).toHaveLength(2)
    // Of an applicant of this installation: its number says who it is.
    const dora = colleague('Dora')
    dora.write((writer) =>
      dora.engine.applicants.assign(
        writer,
        { of: { installation: self, kind: 'applicant', number: 4 }, assignee: 'Dora' },
        by(4000, 'Dora')
      )
    )
    dora.share(ours)
    expect(ours.reading.claimedHere(self)).toEqual([4])
    expect(statesOf(ours, { applicants: new Map([[4, 'A-9']]) }).of({ applicantId: 'A-9' }).claim?.member).toBe('Dora')
  })

  it('of any form change nothing', async () => {
    const ours = here()
    const of = { installation: self, kind: 'record', number: 1 }
    const one = hostile(ours, [
      { kind: 'assignee.changed', plain: { assigned: 'yes' } },
      { kind: 'assignee.changed', plain: { assigned: true, of: { ...of, kind: '__proto__' } } },
      { kind: 'assignee.changed', plain: { assigned: true, of: { ...of, number: -1 } } },
      { kind: 'assignee.changed', plain: {} },
      { kind: 'assignee.changed', subject: null, plain: { assigned: true } },
      { kind: 'assignee.changed', plain: { assigned: true, of: null } },
      { kind: 'record.ended', record: 1, plain: { outcome: 'unknown' } },
      { kind: 'decision.made', plain: { decision: 'escalate' } }
    ])
    for (let seq = 1; seq <= 8; seq += 1) number(ours, seq, one, seq)
    // Numbers of events that do not exist, and of installations that nobody knows.
    number(ours, 9, { installation: 'ab'.repeat(16) }, 1)
    expect(statesOf(ours).lost(5)).toEqual([])
    expect(statesOf(ours).of({ installation: self, kind: 'record', number: 1 })).toEqual({})
    await queue(ours)
  })

  it('wait for an event that a member has and that has not arrived', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'A-1' })
    ben.share(ours)
    number(ours, 1, ben, lastOf(ben) + 1)
    number(ours, 2, { installation: self }, 3)
    const own = [{ seq: 3, at: 9000, operator: 'anna', assigned: true, applicantId: 'A-1', assignee: 'Anna' }]
    expect(statesOf(ours, { own }).of({ applicantId: 'A-1' }).claim).toMatchObject({ own: true, tentative: true })
    assign(ben, 'A-1', 'Ben')
    ben.share(ours)
    expect(statesOf(ours, { own }).of({ applicantId: 'A-1' })).toMatchObject({ claim: { member: 'Ben' }, lostAt: 9000 })
  })
})
