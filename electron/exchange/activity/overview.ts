/** The overview of a team, put together from what was counted. Pure. */
import type { OwnOverview } from '#team/thread/asked.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { TeamExchange, TeamMemberStatus } from '#contract/team/activity.ts'
import type { TeamConflict, TeamInstallation, TeamOverview, TeamPerson } from '#contract/team/overview.ts'
import type { PersonWork, TeamWorkReading, WaitingApplicant } from './work.ts'

/** What is known of erasures at an installation. */
export interface ErasuresAt {
  readonly erasures: number
  readonly kept: number
}

export interface OverviewParts {
  readonly exchange: Pick<TeamExchange, 'state' | 'at' | 'members'>
  readonly own:
    | { readonly installation: string; readonly overview: OwnOverview }
    | { readonly installation: string; readonly failure: Failure }
  readonly checks: ReadonlyMap<string, number>
  readonly decisions: ReadonlyMap<string, number>
  readonly unknown: ReadonlyMap<string, number>
  readonly people: readonly PersonWork[]
  /** Without those that this installation has decided about. */
  readonly waiting: readonly WaitingApplicant[]
  readonly confirmed: ReturnType<TeamWorkReading['confirmed']>
  readonly erasuresAt: (installation: string) => ErasuresAt
  readonly keysDueSince: number | undefined
  readonly unknowns: TeamOverview['unknowns']
  readonly conflicts: readonly TeamConflict[]
  /** Events of others since the last anchor of this installation. */
  readonly unanchored: number
  readonly more: boolean
}

const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((sum, row) => sum + of(row), 0)

export function overviewOf(parts: OverviewParts): TeamOverview {
  const { exchange, own, keysDueSince, unknowns, conflicts, more } = parts
  return {
    state: exchange.state,
    ...(exchange.at !== undefined && { at: exchange.at }),
    ...(keysDueSince !== undefined && { keysDueSince }),
    ...('failure' in own && { ownFailure: own.failure }),
    installations: exchange.members.map((member) => installationOf(parts, member)),
    people: peopleOf(parts),
    queue: queueOf(parts),
    unknowns,
    conflicts,
    more
  }
}

function installationOf(
  parts: OverviewParts,
  { installation, name, role, own: isOwn, events, lastAt, findings }: TeamMemberStatus
): TeamInstallation {
  const own = isOwn && 'overview' in parts.own ? parts.own.overview : undefined
  const { unconfirmed, confirmedAt } = isOwn
    ? { unconfirmed: parts.unanchored, confirmedAt: undefined }
    : confirmationOf(parts, installation)
  // Nothing is expected of a removed installation any more.
  const owed =
    role === 'removed' ? { unconfirmed: 0, erasures: 0, kept: 0 } : { unconfirmed, ...parts.erasuresAt(installation) }
  return {
    installation,
    name,
    role,
    own: isOwn,
    events,
    ...(lastAt !== undefined && { lastAt }),
    ...(confirmedAt !== undefined && { confirmedAt }),
    checks: own ? sumOf(own.people, ({ checks }) => checks) : (parts.checks.get(installation) ?? 0),
    decisions: own ? sumOf(own.people, ({ decisions }) => decisions) : (parts.decisions.get(installation) ?? 0),
    unknown: own ? own.unknown : (parts.unknown.get(installation) ?? 0),
    waiting: own ? own.waiting : parts.waiting.filter((each) => each.installation === installation).length,
    ...owed,
    findings
  }
}

/** How much of what is here an installation has not confirmed. It need not confirm its own events. */
function confirmationOf(
  { exchange, confirmed }: OverviewParts,
  by: string
): { readonly unconfirmed: number; readonly confirmedAt: number | undefined } {
  const seen = new Map(confirmed.filter(({ installation }) => installation === by).map((each) => [each.of, each]))
  const times = [...seen.values()].map(({ at }) => at)
  return {
    unconfirmed: sumOf(exchange.members, ({ installation, events }) =>
      installation === by ? 0 : Math.max(0, events - (seen.get(installation)?.seq ?? 0))
    ),
    confirmedAt: times.length > 0 ? Math.max(...times) : undefined
  }
}

/** Those who did most first. */
function peopleOf({ exchange, own, people }: OverviewParts): readonly TeamPerson[] {
  const names = new Map(exchange.members.map(({ installation, name }) => [installation, name]))
  const mine = 'overview' in own ? own.overview.people.map((each) => ({ ...each, installation: own.installation })) : []
  return [...mine, ...people]
    .map((each) => ({ ...each, member: names.get(each.installation) ?? each.installation }))
    .sort((a, b) => b.checks + b.decisions - a.checks - a.decisions || (a.person < b.person ? -1 : 1))
}

/** The unassigned first, then those who have most. */
function queueOf({ own, waiting }: OverviewParts): TeamOverview['queue'] {
  const counts = new Map<string, number>()
  const add = (person: string, count: number): void => void counts.set(person, (counts.get(person) ?? 0) + count)
  if ('overview' in own) for (const { person, count } of own.overview.queue) add(person, count)
  for (const { assignee } of waiting) add(assignee, 1)
  return [...counts]
    .map(([person, count]) => ({ person, count }))
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) => Number(a.person !== '') - Number(b.person !== '') || b.count - a.count || (a.person < b.person ? -1 : 1)
    )
}
