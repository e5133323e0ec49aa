/** The work queue of an open team: what waits at colleagues, and who claimed what, with what the history here knows. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { StandingDecision } from '#contract/team/activity.ts'
import type {
  EntryClaim,
  LostClaim,
  TeamClaims,
  TeamClaimsQuery,
  TeamQueue,
  TeamQueueQuery
} from '#contract/team/queue.ts'
import type { OwnClaim } from '#wire/history/exchange.ts'
import type { ClaimedEntry, ClaimStates } from '../activity/claims.ts'
import type { TeamReading } from '../activity/reading.ts'
import type { KnownOf } from '../activity/team-queue.ts'
import type { OpenApprovals } from './approvals.ts'
import type { KnownMember } from '../log/known-members.ts'
import { onReceived, onReceivedWhile } from '#team/storage/on-received.ts'
import type { TeamHost } from '#team/thread/thread.ts'

type Answer<T> = Promise<Result<T, Failure>>

interface WorkParts {
  readonly decided: OpenApprovals['decided']
  readonly installation: string
  readonly reading: TeamReading
  readonly members: () => readonly KnownMember[]
  readonly host: Pick<TeamHost, 'claims' | 'subjects' | 'present' | 'records' | 'decisions'>
}

export interface TeamWork {
  /** Something that claims depend on has changed. */
  changed(): void
  /** Failures: `team-store-unusable`, those of the history. */
  queue(query: TeamQueueQuery): Answer<NonNullable<TeamQueue>>
  /** Likewise. */
  claims(query: TeamClaimsQuery): Answer<NonNullable<TeamClaims>>
}

/** Lost claims that are named at once. */
const mostLost = 20

/** Claims that were lost, by what the window knows of them. */
async function lostOf({ installation, host }: WorkParts, found: ClaimStates): Answer<readonly LostClaim[]> {
  const lost = found.lost(mostLost)
  const ownRecord = (entry: ClaimedEntry): number | undefined =>
    'kind' in entry && entry.kind === 'record' && entry.installation === installation ? entry.number : undefined
  const numbers = lost.flatMap(({ entry }) => ownRecord(entry) ?? [])
  const records = numbers.length === 0 ? ok([]) : await host.records({ numbers })
  if (!records.ok) return records
  const ids = new Map(records.value.map(({ id, number }) => [number, id]))
  return ok(
    lost.flatMap(({ entry, ...rest }): readonly LostClaim[] => {
      if ('applicantId' in entry) return [{ ...rest, applicantId: entry.applicantId }]
      const number = ownRecord(entry)
      if (number === undefined) return [{ ...rest, of: entry }]
      const recordId = ids.get(number)
      return recordId === undefined ? [] : [{ ...rest, recordId }]
    })
  )
}

const namesOf = ({ members }: WorkParts): ReadonlyMap<string, string> =>
  new Map(members().map(({ installation: id, name }) => [id, name]))

/** Colleagues' decisions about applicants of this installation, by applicant. */
async function decisionsAbout(
  parts: WorkParts,
  applicantIds: readonly string[]
): Answer<ReadonlyMap<string, StandingDecision>> {
  const { installation, reading, host } = parts
  const decided = onReceived(() => reading.decided(applicantIds))
  if (!decided.ok) return decided
  const ours = decided.value.length === 0 ? ok([]) : await host.decisions(decided.value)
  if (!ours.ok) return ours
  const proposed = onReceived(() => reading.proposed(decided.value, ours.value))
  if (!proposed.ok) return proposed
  const answers = await parts.decided(proposed.value)
  if (!answers.ok) return answers
  return onReceived(
    () =>
      new Map(
        decided.value.flatMap((applicantId, index) => {
          const found = reading.colleagueDecision(applicantId, namesOf(parts), {
            own: { installation, decisions: ours.value[index] ?? [] },
            answers: answers.value
          })
          return found ? [[applicantId, found] as const] : []
        })
      )
  )
}

export function createTeamWork(parts: WorkParts): TeamWork {
  const { installation, reading, members, host } = parts
  let version = 0
  let known: { readonly version: number; readonly own: number; readonly states: ClaimStates } | undefined
  /** Of this installation, in order; they only grow until what is shared changes. */
  let own: { readonly version: number; readonly claims: readonly OwnClaim[] } = { version: 0, claims: [] }

  async function ownClaims(): Answer<readonly OwnClaim[]> {
    const at = version
    let claims = own.version === at ? own.claims : []
    for (;;) {
      const more = await host.claims(claims.at(-1)?.seq ?? 0)
      if (!more.ok) return more
      if (more.value.length === 0) break
      claims = [...claims, ...more.value]
    }
    if (at === version && (own.version !== at || claims.length > own.claims.length)) own = { version: at, claims }
    return ok(claims)
  }

  async function states(): Answer<ClaimStates> {
    const at = version
    const claims = await ownClaims()
    if (!claims.ok) return claims
    if (known?.version === at && known.own === claims.value.length) return ok(known.states)
    const numbers = onReceived(() => reading.claimedHere(installation))
    if (!numbers.ok) return numbers
    const subjects = numbers.value.length === 0 ? ok([]) : await host.subjects(numbers.value)
    if (!subjects.ok) return subjects
    const applicants = new Map(
      subjects.value.flatMap(({ number, applicantId }) =>
        applicantId === undefined ? [] : [[number, applicantId] as const]
      )
    )
    const read = onReceived(() =>
      reading.claimStates({ installation, own: claims.value, applicants, members: members() })
    )
    if (read.ok) known = { version: at, own: claims.value.length, states: read.value }
    return read
  }

  return {
    changed() {
      version += 1
    },
    async queue(query) {
      const claims = await states()
      if (!claims.ok) return claims
      let failed: Result<never, Failure> | undefined
      const known: KnownOf = async (applicantIds) => {
        const present = applicantIds.length === 0 ? ok([]) : await host.present(applicantIds)
        if (!present.ok) failed = present
        const here = new Set(present.ok ? present.value : applicantIds)
        const others = onReceived(() =>
          reading.proposed(
            applicantIds.filter((id) => !here.has(id)),
            []
          )
        )
        const answers = others.ok ? await parts.decided(others.value) : others
        if (!answers.ok) failed ??= answers
        return { here, answers: answers.ok ? answers.value : new Map() }
      }
      const page = await onReceivedWhile(() =>
        reading.queue(query, { names: namesOf(parts), claims: claims.value }, known)
      )
      return failed ?? page
    },
    async claims({ applicantIds, recordIds }) {
      const [found, records] = [
        await states(),
        recordIds.length === 0 ? ok([]) : await host.records({ ids: recordIds })
      ]
      if (!found.ok) return found
      if (!records.ok) return records
      const lost = await lostOf(parts, found.value)
      if (!lost.ok) return lost
      const decisions = await decisionsAbout(parts, applicantIds)
      if (!decisions.ok) return decisions
      const about = (applicantId: string): EntryClaim => {
        const decision = decisions.value.get(applicantId)
        return { ...found.value.of({ applicantId }), ...(decision && { decision }) }
      }
      return onReceived(() => ({
        applicants: Object.fromEntries(applicantIds.map((applicantId) => [applicantId, about(applicantId)])),
        records: Object.fromEntries(
          records.value.map(({ id, number }) => [id, found.value.of({ installation, kind: 'record', number })])
        ),
        lost: lost.value,
        name: found.value.name,
        handles: found.value.handles,
        supervises: found.value.supervises
      }))
    }
  }
}
