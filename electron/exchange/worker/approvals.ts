/** Approvals in an open team: what was received, joined with what the history of this installation has. */
import type { Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { ApprovalsQuery } from '#contract/team/approvals.ts'
import type { OwnApprovals } from '#wire/history/approvals.ts'
import { askFault, type ApprovalPlace, type ApprovalReading, type WantedApprovals } from '../approvals/approvals.ts'
import type { KnownMembers } from '../log/known-members.ts'
import type { Received } from '../log/received.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { Served } from '#wire/rpc.ts'
import type { TeamHost, TeamOpening, TeamWorker } from '#team/thread/thread.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface OpenApprovals extends Served<TeamWorker['approvals']> {
  /** Keeps colleagues' answers that count and are new: they are evidence of this installation, also once it has left. */
  keep(): Promise<void>
}

interface ApprovalParts {
  readonly reading: ApprovalReading
  readonly store: Received
  readonly names: KnownMembers
  readonly host: Pick<TeamHost, 'approvals' | 'keepAnswers'>
  readonly opening: Pick<TeamOpening, 'team' | 'installation' | 'operator'>
}

export function openApprovals({
  reading,
  store,
  names,
  host,
  opening: { team, installation, operator }
}: ApprovalParts): OpenApprovals {
  const place = (): ApprovalPlace => ({
    team,
    installation,
    operator,
    shared: store.shared?.seq,
    members: new Map(
      names.all().map(({ installation: id, name, role, lastRole, identity, admittedBy, roleBy }) => [
        id,
        {
          name,
          lastRole,
          identity,
          ...(admittedBy !== undefined && { admittedBy }),
          ...(roleBy !== undefined && { roleBy }),
          ...(role === 'removed' && { removed: true as const })
        }
      ])
    )
  })
  /** Asks the history for what the question needs, then answers it from both. */
  async function joined<T>(
    query: Pick<ApprovalsQuery, 'applicantId'>,
    work: (theirs: WantedApprovals, place: ApprovalPlace, own: OwnApprovals) => T
  ): Answer<T> {
    const wanted = onReceived(() => reading.wanted(query, installation))
    if (!wanted.ok) return wanted
    const { evidenceOf, hashesOf } = wanted.value
    const own = await host.approvals({ ...query, evidenceOf, hashesOf })
    return own.ok ? onReceived(() => work(wanted.value, place(), own.value)) : own
  }
  let turn: Promise<void> = Promise.resolve()
  async function keepNew(): Promise<void> {
    const own = await host.approvals({ evidenceOf: [], hashesOf: [] })
    if (!own.ok || own.value.asks.length === 0) return
    const found = onReceived(() => reading.arrived(place(), own.value))
    if (found.ok && found.value.length > 0) await host.keepAnswers(found.value)
  }
  return {
    // What fails is found again with the next ones.
    keep: () => (turn = turn.then(keepNew, keepNew)),
    list: ({ applicantId, limit }) =>
      joined({ applicantId }, (theirs, here, own) => reading.list({ applicantId, limit }, theirs, here, own)),
    async basis(applicantId) {
      const found = onReceived(() => ({ fault: askFault(place()), evidence: reading.evidence(applicantId) }))
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
