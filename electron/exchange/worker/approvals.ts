/** Approvals in an open team: what was received, joined with what the history of this installation has. */
import type { Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { ApprovalsQuery, TeamApprovals } from '#contract/team/approvals.ts'
import type { OwnApprovals } from '#wire/history/approvals.ts'
import type { TeamEntry } from '#contract/team/activity.ts'
import {
  askFault,
  type AnsweredDecisions,
  type ApprovalPlace,
  type ApprovalReading,
  type WantedApprovals
} from '../approvals/approvals.ts'
import { answered } from '../activity/standing.ts'
import type { KnownMembers } from '../log/known-members.ts'
import type { Received } from '../log/received.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { Served } from '#wire/rpc.ts'
import type { TeamHost, TeamOpening, TeamWorker } from '#team/thread/thread.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface OpenApprovals extends Served<TeamWorker['approvals']> {
  /** The decisions about some applicants that second persons have answered. Failures: those of the file and of the history. */
  decided(applicantIds: readonly string[]): Answer<AnsweredDecisions>
  /** Some entries, with what became of decisions among them. */
  inEntries(entries: readonly TeamEntry[]): Answer<readonly TeamEntry[]>
  /** What `decided` finds of one applicant at a time, with what the history has now; undefined if no colleague has asked. */
  reader(): Answer<DecidedReader | undefined>
  /** Keeps colleagues' answers that count and are new: they are evidence of this installation, also once it has left. */
  keep(): Promise<void>
}

/** Finds what second persons said of decisions about an applicant, whatever evidence is newer. */
export interface DecidedReader {
  /** Changes with what this installation answered and with the members: what was found before may differ. */
  readonly stamp: string
  of(applicantId: string): AnsweredDecisions
}

/** An entry with what a decision came to by itself, whatever has arrived since. */
function answeredEntry(entry: TeamEntry, found: AnsweredDecisions): TeamEntry {
  if (entry.what.kind !== 'decision') return entry
  const { outdated: _, ...what } = answered(entry.what, [entry.installation, entry.seq], found)
  return { ...entry, what }
}

/** Applicants about whom colleagues see nothing of this installation, because one of them erased them. */
const unseenOf = ({ store, opening }: ApprovalParts, { newest }: OwnApprovals): ReadonlySet<string> =>
  new Set(
    newest.flatMap(({ applicantId, subject }) =>
      store.subjects.isErased(opening.installation, subject) ? [applicantId] : []
    )
  )

/** A list that says which of the requests of this installation nobody sees. */
const withUnseen = (
  found: NonNullable<TeamApprovals>,
  unseen: ReadonlySet<string>,
  about: string | undefined
): NonNullable<TeamApprovals> => ({
  ...found,
  approvals: found.approvals.map((each) =>
    each.member === undefined && unseen.has(each.applicantId) ? { ...each, unseen: true } : each
  ),
  ...(about !== undefined && unseen.has(about) && { unseen: true as const })
})

interface ApprovalParts {
  readonly reading: ApprovalReading
  readonly store: Received
  readonly names: KnownMembers
  readonly host: Pick<TeamHost, 'approvals' | 'keepAnswers'>
  readonly opening: Pick<TeamOpening, 'team' | 'installation' | 'operator'>
}

/** What this installation knows now. */
const placeNow = ({ store, names, opening: { team, installation, operator } }: ApprovalParts): ApprovalPlace => ({
  team,
  installation,
  operator,
  shared: store.shared?.seq,
  members: new Map(
    names.all().map(({ installation: id, name, role, lastRole, identity, admittedBy, roleBy, approving }) => [
      id,
      {
        name,
        lastRole,
        identity,
        ...(admittedBy !== undefined && { admittedBy }),
        ...(roleBy !== undefined && { roleBy }),
        ...(approving && { approving }),
        ...(role === 'removed' && { removed: true as const })
      }
    ])
  )
})

export function openApprovals(parts: ApprovalParts): OpenApprovals {
  const { reading, host } = parts
  const { installation } = parts.opening
  const place = (): ApprovalPlace => placeNow(parts)
  /** Asks the history for what the question needs, then answers it from both. */
  async function joined<T>(
    query: Pick<ApprovalsQuery, 'applicantId'>,
    work: (theirs: WantedApprovals, place: ApprovalPlace, own: OwnApprovals) => T
  ): Answer<T> {
    const wanted = onReceived(() => reading.wanted(query, installation))
    if (!wanted.ok) return wanted
    const { evidenceOf, hashesOf } = wanted.value
    const own = await host.approvals({
      evidenceOf,
      hashesOf,
      ...(query.applicantId === undefined && { others: 'newest' as const })
    })
    return own.ok ? onReceived(() => work(wanted.value, place(), own.value)) : own
  }
  async function decided(applicantIds: readonly string[]): Answer<AnsweredDecisions> {
    if (applicantIds.length === 0) return ok(new Map())
    const wanted = onReceived(() => reading.wantedOf(applicantIds, installation))
    if (!wanted.ok) return wanted
    const { evidenceOf, hashesOf } = wanted.value
    const own = await host.approvals({ evidenceOf, hashesOf })
    return own.ok ? onReceived(() => reading.decided(wanted.value, place(), own.value)) : own
  }
  async function inEntries(entries: readonly TeamEntry[]): Answer<readonly TeamEntry[]> {
    const proposals = entries.flatMap(({ applicantId, what }) =>
      what.kind === 'decision' && what.proposed && applicantId !== undefined ? [applicantId] : []
    )
    const found = await decided([...new Set(proposals)])
    return found.ok ? ok(entries.map((entry) => answeredEntry(entry, found.value))) : found
  }
  async function reader(): Answer<DecidedReader | undefined> {
    const asked = onReceived(() => reading.hasAsks())
    if (!asked.ok) return asked
    if (!asked.value) return ok(undefined)
    const own = await host.approvals({ evidenceOf: [], hashesOf: [], others: 'answers' })
    if (!own.ok) return own
    return onReceived(() => {
      const here = place()
      const answers = Map.groupBy(own.value.answers, ({ applicantId }) => applicantId)
      const members = [...here.members].map(([id, { lastRole, approving, name }]) => [id, lastRole, approving, name])
      return {
        stamp: JSON.stringify([own.value.answers.length, own.value.answers[0]?.seq ?? 0, members]),
        of: (applicantId) =>
          reading.decided(reading.wantedOf([applicantId], installation), here, {
            ...own.value,
            answers: answers.get(applicantId) ?? []
          })
      }
    })
  }
  let turn: Promise<void> = Promise.resolve()
  async function keepNew(): Promise<void> {
    // Of all requests: an answer to an old one, or another answer of the same person, counts as well.
    const own = await host.approvals({ evidenceOf: [], hashesOf: [], others: 'asks' })
    if (!own.ok || own.value.asks.length === 0) return
    const found = onReceived(() => reading.arrived(place(), own.value))
    if (found.ok && found.value.length > 0) await host.keepAnswers(found.value)
  }
  return {
    // What fails is found again with the next ones.
    keep: () => (turn = turn.then(keepNew, keepNew)),
    decided,
    inEntries,
    reader,
    list: ({ applicantId, ...query }) =>
      joined({ applicantId }, (theirs, here, own) =>
        withUnseen(reading.list({ applicantId, ...query }, theirs, here, own), unseenOf(parts, own), applicantId)
      ),
    async basis(applicantId) {
      const found = await joined({ applicantId }, (_, here, own) => ({
        fault: askFault(here, unseenOf(parts, own).has(applicantId)),
        evidence: reading.evidence(applicantId)
      }))
      if (!found.ok) return found
      return found.value.fault ? fail(found.value.fault) : ok(found.value.evidence)
    },
    async answerable(order) {
      const found = await joined({ applicantId: order.applicantId }, (_, here, own) => ({
        asked: reading.answerable(order, here, own),
        identity: here.members.get(installation)?.identity ?? ''
      }))
      if (!found.ok) return found
      const { asked, identity } = found.value
      return asked.ok ? ok({ asked: asked.value, identity }) : asked
    }
  }
}
