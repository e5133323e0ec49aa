/** Who has an entry of the team's queue, from the claims of all members. Pure. */
import type { TeamRole } from '#contract/team/team.ts'

/** A claim, a handover or a release by an installation, as it signed it. */
export interface ClaimEvent {
  /** What is claimed. */
  readonly entry: string
  readonly by: string
  readonly seq: number
  readonly at: number
  /** False for a release. */
  readonly assigned: boolean
  /** Of a release: of a claim that came too late, and of nothing else. */
  readonly late?: boolean | undefined
  /** The colleague to whom it is handed over. */
  readonly to?: string | undefined
}

/** A claim that the database has numbered and whose event has not arrived: whatever comes after it may change. */
export const awaited = 'awaited'

export interface Holding {
  readonly installation: string
  readonly since: number
  /** The event that gave it. */
  readonly by: string
  readonly seq: number
  readonly tentative: boolean
}

export interface EntryState {
  readonly holding?: Holding
  /** Installations that claimed it while somebody else had it, and when. */
  readonly lost: ReadonlyMap<string, number>
}

export type Roles = ReadonlyMap<string, TeamRole | 'removed'>

const handlers: readonly (TeamRole | 'removed' | undefined)[] = ['analyst', 'reviewer', 'supervisor']
/** Whether the claims of somebody with a role count. */
export const handles = (role: TeamRole | 'removed' | undefined): boolean => handlers.includes(role)

interface State {
  holding?: Holding
  readonly lost: Map<string, number>
}

/**
 * The state of each entry that somebody claimed. The first committed claim has it, until whoever has it releases it or
 * hands it over; a supervisor may do both for others. Claims by auditors and by members who were removed do not count, so
 * what they had is free again. A second event with a number that was there already is none.
 *
 * @param ordered In the order of the database.
 * @param rest Without a number yet: they come after all others, and are tentative.
 */
export function claimsOf(
  ordered: Iterable<ClaimEvent | typeof awaited>,
  rest: Iterable<ClaimEvent>,
  roles: Roles
): ReadonlyMap<string, EntryState> {
  const states = new Map<string, State>()
  const last = new Map<string, number>()
  const take = (event: ClaimEvent, tentative: boolean): void => {
    const { by, seq, entry, to = by } = event
    // The events of an installation are in the order of its chain, whatever the database says.
    if (seq <= (last.get(by) ?? 0)) return
    last.set(by, seq)
    if (!handles(roles.get(by)) || (event.assigned && !handles(roles.get(to)))) return
    const state = states.get(entry) ?? { lost: new Map<string, number>() }
    states.set(entry, state)
    apply(state, event, { to, tentative, supervises: roles.get(by) === 'supervisor' })
  }
  let tentative = false
  for (const each of ordered) {
    if (each === awaited) tentative = true
    else take(each, tentative)
  }
  for (const each of rest) take(each, true)
  return states
}

function apply(
  state: State,
  { by, seq, at, assigned, late, to: given }: ClaimEvent,
  { to, tentative, supervises }: { readonly to: string; readonly tentative: boolean; readonly supervises: boolean }
): void {
  const { holding } = state
  const isOwn = holding?.installation === by
  // Nothing that was received meanwhile is released with it.
  if (!assigned && late) {
    state.lost.delete(by)
    return
  }
  // A supervisor who claims like everybody else is first or not; to take an entry from somebody is to hand it over, also to oneself.
  if (holding && !isOwn && !(supervises && (!assigned || given !== undefined))) {
    if (assigned) state.lost.set(by, at)
    else state.lost.delete(by)
    return
  }
  state.lost.delete(by)
  if (!assigned) {
    delete state.holding
    return
  }
  state.lost.delete(to)
  const same = holding?.installation === to
  state.holding = {
    installation: to,
    since: same ? holding.since : at,
    by,
    seq,
    tentative: tentative && (!same || holding.tentative)
  }
}
