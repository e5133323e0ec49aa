/** The state of the exchange, and of each member in it. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { TeamExchange, TeamMemberStatus } from '#contract/team/activity.ts'
import { readContent } from '#team/log/content.ts'
import { isPassing } from '#team/log/schedule.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { TeamHost } from '#team/thread/thread.ts'
import type { ExchangeState } from '../log/exchange.ts'
import type { KnownMember, KnownMembers } from '../log/known-members.ts'
import type { Received } from '../log/received.ts'
import type { Clocks } from './clocks.ts'
import type { OpenFindings } from './findings.ts'

/** What a window is told of the exchange. */
export async function exchangeStatus(
  state: ExchangeState,
  {
    installation,
    store,
    names,
    host,
    clocks,
    findings
  }: {
    readonly installation: string
    readonly store: Received
    readonly names: KnownMembers
    readonly host: Pick<TeamHost, 'read'>
    readonly clocks: Pick<Clocks, 'fault'>
    readonly findings: Pick<OpenFindings, 'about'>
  }
): Promise<Result<TeamExchange, Failure>> {
  const { failure: why, round, at } = state
  const clock = clocks.fault()
  const last = await host.read({ after: 0, events: 0, bytes: 0 })
  return onReceived(() => {
    const shared = store.shared?.seq ?? 0
    return {
      state: stateOf(state),
      ...(why && { failure: why }),
      ...(clock && { clock }),
      ...(at !== undefined && { at }),
      toSend: last.ok ? Math.max(0, last.value.last.seq - shared) : 0,
      toReceive: round?.awaited ?? 0,
      members: names
        .all()
        .map((member) =>
          memberStatus(store, member, { own: installation, shared, findings: findings.about(member.installation) })
        )
    }
  })
}

/** Events of others arrive even if those of this installation cannot be shared. */
export function stateOf({ connected, failure: why, round }: ExchangeState): TeamExchange['state'] {
  if (connected && (!why || why === round?.unshared)) return 'connected'
  if (!why) return 'starting'
  return isPassing(why) ? 'offline' : 'stopped'
}

function memberStatus(
  store: Received,
  { installation, name, role }: KnownMember,
  { own, shared, findings }: Pick<TeamMemberStatus, 'findings'> & { readonly own: string; readonly shared: number }
): TeamMemberStatus {
  const isOwn = installation === own
  const events = isOwn ? shared : store.head(installation).seq
  const confirmation = events > 0 ? store.confirmation(installation, events) : { installations: 0 }
  const lastAt = isOwn ? undefined : lastAtOf(store, installation, events)
  return {
    installation,
    name,
    role,
    own: isOwn,
    events,
    ...(lastAt !== undefined && { lastAt }),
    confirmedBy: confirmation.installations,
    ...('at' in confirmation && { confirmedAt: confirmation.at }),
    findings
  }
}

/** When the last event of an installation was recorded, by its own clock. */
function lastAtOf(store: Received, installation: string, seq: number): number | undefined {
  const [last] = seq > 0 ? store.events(installation, seq - 1, 1) : []
  const event = last && readContent(last.content)
  return event && event !== 'newer' ? event.at : undefined
}
