/** The overview of an open team: what is here of colleagues, beside what its host knows of this installation. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { TeamExchange } from '#contract/team/activity.ts'
import { teamOverviewRows, type TeamOverview, type TeamPeriod } from '#contract/team/overview.ts'
import type { OwnDecision } from '#wire/history/applicants.ts'
import { decisionName } from '../activity/standing.ts'
import { overviewOf } from '../activity/overview.ts'
import type { OpenApprovals } from './approvals.ts'
import type { TeamReading } from '../activity/reading.ts'
import type { MemberNames } from '../activity/shown.ts'
import type { Received } from '../log/received.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { TeamHost } from '#team/thread/thread.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface OverviewSources {
  readonly store: Received
  readonly reading: TeamReading
  readonly names: MemberNames
  /** Number of this installation. */
  readonly own: string
  readonly host: Pick<TeamHost, 'own' | 'decisions'>
  readonly status: () => Answer<TeamExchange>
  /** What second persons said of decisions about some applicants. */
  readonly answersTo: OpenApprovals['decided']
  /** The current one; undefined before the list of members was read. */
  readonly epoch: number | undefined
}

/** Failures: `team-store-unusable`. Without the history of this installation, the figures of the others are shown. */
export async function teamOverview(
  { store, reading, names, own, host, status, answersTo, epoch }: OverviewSources,
  period: TeamPeriod
): Answer<TeamOverview> {
  const { work } = reading
  const exchange = await status()
  if (!exchange.ok) return exchange
  const mine = await host.own(period)
  const found = onReceived(() => ({
    waiting: work.waiting(),
    decided: work.decided(),
    proposals: work.proposals(period)
  }))
  if (!found.ok) return found
  const { waiting, decided, proposals } = found.value
  const ids = [...new Set([...decided.applicants, ...waiting.applicants.map(({ applicantId }) => applicantId)])]
  const asked = await host.decisions(ids)
  const decisions = new Map<string, readonly OwnDecision[]>(
    asked.ok ? ids.map((id, index) => [id, asked.value[index] ?? []]) : []
  )
  const decisionsOf = (id: string): readonly OwnDecision[] => decisions.get(id) ?? []
  const proposed = onReceived(() => reading.proposed(decided.applicants, decided.applicants.map(decisionsOf)))
  if (!proposed.ok) return proposed
  const second = await answersTo([
    ...new Set([...proposals.flatMap(({ applicantId }) => applicantId ?? []), ...proposed.value])
  ])
  if (!second.ok) return second
  const open = proposals.filter(
    ({ installation, seq }) => second.value.get(decisionName(installation, seq))?.agrees !== true
  )
  return onReceived(() => {
    const conflicts = decided.applicants.flatMap(
      (id) =>
        reading.conflict(id, names, {
          own: { installation: own, decisions: decisionsOf(id) },
          answers: second.value
        }) ?? []
    )
    const people = work.people(period, new Set(open.map(({ place }) => place)))
    const counts = new Map(work.counts('decision', period))
    for (const { installation } of open) counts.set(installation, (counts.get(installation) ?? 0) - 1)
    return overviewOf({
      exchange: exchange.value,
      own: mine.ok ? { installation: own, overview: mine.value } : { installation: own, failure: mine.failure },
      checks: work.counts('check', period),
      decisions: counts,
      unknown: work.unknown(),
      people: people.people,
      waiting: waiting.applicants.filter(({ applicantId }) => decisionsOf(applicantId).length === 0),
      confirmed: work.confirmed(),
      erasuresAt: (installation) => ({
        erasures: store.erasures.pendingAt(installation, own),
        kept: installation === own ? store.subjects.erasuresPending().length : store.erasures.keptAt(installation)
      }),
      keysDueSince: epoch === undefined ? undefined : store.erasures.uncoveredSince(epoch),
      unknowns: work.unknowns(names),
      conflicts: conflicts.slice(0, teamOverviewRows.conflicts),
      unanchored: store.unanchored().events,
      more: waiting.more || decided.more || people.more || conflicts.length > teamOverviewRows.conflicts
    })
  })
}
