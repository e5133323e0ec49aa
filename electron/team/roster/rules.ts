/** What one entry changes in the list of members, and who may change it. Pure functions. */
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { approverRoles } from '#contract/team/approvals.ts'
import { isWorthless } from '#wire/evidence/keys.ts'
import { isUsableMailbox } from '../keys/mailbox.ts'
import type { Epoch } from '../keys/epochs.ts'
import type { Entry, ReadEntry } from './entry.ts'
import { requestFits, type Application } from './request.ts'
import type { ApprovingSpans, EntryRefusal, LastEvent, RosterState, TeamMember, WaitingEntry } from './state.ts'

type Changed = Result<RosterState, EntryRefusal>
type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>

/** The state after an entry, or why it is refused. Its place in the chain is checked before. */
export function changed(state: RosterState | undefined, read: ReadEntry): Changed {
  const next = applied(state, read)
  return next.ok ? ok({ ...next.value, waiting: next.value.waiting.filter((each) => canWait(next.value, each)) }) : next
}

function applied(state: RosterState | undefined, read: ReadEntry): Changed {
  const { entry } = read
  if (entry.kind === 'genesis') return state ? fail('genesis') : founded(entry, read)
  if (!state) return fail('genesis')
  if (entry.kind === 'recover') return recovered(state, entry, read)
  const author = state.members.get(entry.by)
  if (!author) return fail(state.removed.has(entry.by) ? 'removed' : 'stranger')
  if (!read.signedBy(author.identity)) return fail('signature')
  if (entry.kind === 'mailbox') return withMailbox(state, author, entry.mailbox)
  if (author.role !== 'supervisor') return fail('right')
  switch (entry.kind) {
    case 'admit':
    case 'role':
    case 'rule':
      return ordered(state, { entry, hash: read.hash })
    case 'remove':
      return without(state, entry)
    case 'epoch':
      return inEpoch(state, entry)
    case 'second':
      return seconded(state, author, entry)
    case 'withdraw':
      return state.waiting.some(({ hash }) => hash === entry.entry)
        ? ok({ ...state, waiting: state.waiting.filter(({ hash }) => hash !== entry.entry) })
        : fail('second')
  }
}

type Ordered = WaitingEntry['entry']

/** Whether an entry gives somebody a role that approves, or switches the rule off. Removing and lowering need nobody else: they give no power. */
export function needsSecond(
  { twoPerson, members }: Pick<RosterState, 'twoPerson' | 'members'>,
  entry:
    | Pick<EntryOf<'admit'>, 'kind' | 'role'>
    | Pick<EntryOf<'role'>, 'kind' | 'role' | 'installation'>
    | Pick<EntryOf<'rule'>, 'kind'>
): boolean {
  if (!twoPerson || entry.kind === 'rule') return twoPerson
  const before = entry.kind === 'role' ? members.get(entry.installation)?.role : undefined
  return approverRoles.includes(entry.role) && before !== 'supervisor' && before !== entry.role
}

/** An entry takes effect, or waits. Either way it replaces what waits about the same. */
function ordered(state: RosterState, given: WaitingEntry): Changed {
  const left = { ...state, waiting: state.waiting.filter((each) => !isAboutSame(each.entry, given.entry)) }
  const effect = inEffect(left, given.entry)
  if (!effect.ok) return effect
  return needsSecond(state, given.entry) ? ok({ ...left, waiting: [...left.waiting, given] }) : effect
}

function inEffect(state: RosterState, entry: Ordered): Changed {
  switch (entry.kind) {
    case 'admit':
      return admitted(state, entry)
    case 'role':
      return withRole(state, entry)
    case 'rule':
      return withRule(state, entry)
  }
}

function isAboutSame(one: Ordered, other: Ordered): boolean {
  if (one.kind === 'admit' && other.kind === 'admit')
    return one.member.installation === other.member.installation || one.member.identity === other.member.identity
  if (one.kind === 'role' && other.kind === 'role') return one.installation === other.installation
  return one.kind === 'rule' && other.kind === 'rule'
}

/** Whether an entry can still take effect: one ends with the role of its author, and once what it is about has changed. */
function canWait(state: RosterState, { entry }: WaitingEntry): boolean {
  if (state.members.get(entry.by)?.role !== 'supervisor') return false
  // The signature of a request stays valid, and is expensive.
  return entry.kind === 'admit' ? !isPresent(state, entry.member) : inEffect(state, entry).ok
}

/** With fewer supervisors nobody could confirm anything, not even that it is switched off. */
function withRule(state: RosterState, { twoPerson }: EntryOf<'rule'>): Changed {
  const supervisors = [...state.members.values()].filter(({ role }) => role === 'supervisor').length
  return twoPerson === state.twoPerson || (twoPerson && supervisors < 2) ? fail('rule') : ok({ ...state, twoPerson })
}

/** Why a supervisor cannot be the second one for an entry: they signed it, or have the key or the name of who did. */
export function secondFault(
  { members, waiting }: Pick<RosterState, 'members' | 'waiting'>,
  second: Pick<TeamMember, 'installation' | 'identity' | 'name'>,
  hash: string
): 'second' | 'same' | undefined {
  const found = waiting.find((each) => each.hash === hash)
  if (!found) return 'second'
  const { entry } = found
  const author = members.get(entry.by)
  const concerned =
    entry.kind === 'admit' ? entry.member : entry.kind === 'role' ? members.get(entry.installation) : undefined
  return [author, concerned].some(
    (each) =>
      each?.installation === second.installation || each?.identity === second.identity || each?.name === second.name
  )
    ? 'same'
    : undefined
}

/** An entry takes effect now, not when it was signed: its author gives no keys, the second one does. */
function seconded(state: RosterState, author: TeamMember, { by, entry: hash, last }: EntryOf<'second'>): Changed {
  const fault = secondFault(state, author, hash)
  const found = state.waiting.find((each) => each.hash === hash)?.entry
  if (fault || !found) return fail(fault ?? 'second')
  if (found.kind !== 'role' && last) return fail('second')
  const left = { ...state, waiting: state.waiting.filter((each) => each.hash !== hash) }
  if (found.kind === 'role') return withRole(left, { ...found, last: later(found.last, last) })
  const effect = inEffect(left, found)
  if (!effect.ok || found.kind !== 'admit') return effect
  const { installation } = found.member
  const member = effect.value.members.get(installation)
  return member
    ? ok({ ...effect.value, members: new Map(effect.value.members).set(installation, { ...member, keysBy: by }) })
    : effect
}

/** The later of two events of one installation. */
export const later = (one: LastEvent | null, other: LastEvent | null): LastEvent | null =>
  (one?.seq ?? 0) >= (other?.seq ?? 0) ? one : other

function founded({ member, by, epoch, recovery }: EntryOf<'genesis'>, read: ReadEntry): Changed {
  if (member.installation !== by || !usable(member)) return fail('keys')
  if (!read.signedBy(member.identity)) return fail('signature')
  if (epoch.number !== 1 || epoch.previous !== null || (epoch.recovery === undefined) !== (recovery === undefined))
    return fail('epoch')
  if (recovery && (isWorthless(recovery.identity) || !isUsableMailbox(recovery.mailbox))) return fail('keys')
  const members = new Map<string, TeamMember>([
    [by, { ...member, role: 'supervisor', mailboxSince: 1, keysBy: by, admittedBy: null }]
  ])
  return ok({
    team: read.hash,
    members,
    removed: new Map(),
    mailboxes: new Set([member.mailbox]),
    epochs: [epoch],
    twoPerson: false,
    waiting: [],
    ...(recovery && { recovery })
  })
}

const usable = ({ identity, mailbox, name }: Application): boolean =>
  name.trim() === name && !isWorthless(identity) && isUsableMailbox(mailbox)

/** A number belongs to one chain of events: nobody else continues it. */
const isPresent = (
  { members, removed, mailboxes }: RosterState,
  { installation, identity, mailbox }: Application
): boolean =>
  members.has(installation) ||
  removed.has(installation) ||
  mailboxes.has(mailbox) ||
  [...members.values()].some((each) => each.identity === identity)

function admitted(
  state: RosterState,
  { by, member, role, request }: Pick<EntryOf<'admit'>, 'by' | 'member' | 'role' | 'request'>
): Changed {
  const { installation, mailbox } = member
  if (isPresent(state, member)) return fail('present')
  if (!usable(member)) return fail('keys')
  if (!requestFits(state.team, member, request)) return fail('request')
  return ok({
    ...state,
    members: new Map(state.members).set(installation, {
      ...member,
      role,
      mailboxSince: state.epochs.length,
      keysBy: by,
      admittedBy: by
    }),
    mailboxes: new Set(state.mailboxes).add(mailbox)
  })
}

/** The holder of the recovery key brings an installation of their own, and new keys. */
function recovered(state: RosterState, { by, member, request, epoch }: EntryOf<'recover'>, read: ReadEntry): Changed {
  if (!state.recovery || member.installation !== by) return fail('right')
  if (!read.signedBy(state.recovery.identity)) return fail('signature')
  const begun = inEpoch(state, { by, epoch })
  return begun.ok ? admitted(begun.value, { by, member, request, role: 'supervisor' }) : begun
}

/** Without a supervisor nobody could admit or remove anybody. */
export const isLastSupervisor = ({ members }: RosterState, installation: string): boolean =>
  [...members.values()].every((each) => each.role !== 'supervisor' || each.installation === installation)

function withRole(state: RosterState, { by, installation, role, last }: EntryOf<'role'>): Changed {
  const member = state.members.get(installation)
  if (!member) return fail('absent')
  if (role !== 'supervisor' && isLastSupervisor(state, installation)) return fail('last-supervisor')
  const [did, does] = [member.role, role].map((each) => approverRoles.includes(each))
  const { after = 0, earlier } = member.approving ?? { earlier: [] }
  const at = last?.seq ?? 0
  const approving: ApprovingSpans | undefined = did
    ? does
      ? member.approving
      : { earlier: [...earlier, [after, at]] }
    : does
      ? { after: at, earlier }
      : member.approving
  const changed = { ...member, role, roleBy: by, ...(approving && { approving }) }
  return ok({ ...state, members: new Map(state.members).set(installation, changed) })
}

function withMailbox(state: RosterState, author: TeamMember, mailbox: string): Changed {
  if (state.mailboxes.has(mailbox)) return fail('present')
  if (!isUsableMailbox(mailbox)) return fail('keys')
  return ok({
    ...state,
    members: new Map(state.members).set(author.installation, {
      ...author,
      mailbox,
      mailboxSince: state.epochs.length,
      keysBy: author.installation
    }),
    mailboxes: new Set(state.mailboxes).add(mailbox)
  })
}

function without(state: RosterState, { installation, by, last, epoch }: EntryOf<'remove'>): Changed {
  const member = state.members.get(installation)
  if (!member) return fail('absent')
  if (isLastSupervisor(state, installation)) return fail('last-supervisor')
  // The author knows the new keys, so it would read on.
  if (installation === by) return fail('itself')
  const members = new Map(state.members)
  members.delete(installation)
  return inEpoch(
    { ...state, members, removed: new Map(state.removed).set(installation, { ...member, last }) },
    { by, epoch }
  )
}

/** Its author has given the new keys to everybody. */
function inEpoch(state: RosterState, { by, epoch }: { readonly by: string; readonly epoch: Epoch }): Changed {
  const known = state.epochs.some(
    ({ content, vault }) => [content, vault].includes(epoch.content) || [content, vault].includes(epoch.vault)
  )
  if (
    epoch.number !== state.epochs.length + 1 ||
    epoch.previous === null ||
    known ||
    (epoch.recovery === undefined) !== (state.recovery === undefined)
  )
    return fail('epoch')
  const members = new Map([...state.members].map(([installation, member]) => [installation, { ...member, keysBy: by }]))
  return ok({ ...state, members, epochs: [...state.epochs, epoch] })
}
