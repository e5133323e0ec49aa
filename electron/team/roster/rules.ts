/** What one entry changes in the list of members, and who may change it. Pure functions. */
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { approverRoles } from '#contract/team/approvals.ts'
import { isWorthless } from '#wire/evidence/keys.ts'
import { isUsableMailbox } from '../keys/mailbox.ts'
import type { Epoch } from '../keys/epochs.ts'
import type { Entry, ReadEntry } from './entry.ts'
import { requestFits, type Application } from './request.ts'
import type { ApprovingSpans, EntryRefusal, RosterState, TeamMember } from './state.ts'

type Changed = Result<RosterState, EntryRefusal>
type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>

/** The state after an entry, or why it is refused. Its place in the chain is checked before. */
export function changed(state: RosterState | undefined, read: ReadEntry): Changed {
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
      return admitted(state, entry)
    case 'role':
      return withRole(state, entry)
    case 'remove':
      return without(state, entry)
    case 'epoch':
      return inEpoch(state, entry)
  }
}

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
    ...(recovery && { recovery })
  })
}

const usable = ({ identity, mailbox, name }: Application): boolean =>
  name.trim() === name && !isWorthless(identity) && isUsableMailbox(mailbox)

function admitted(
  state: RosterState,
  { by, member, role, request }: Pick<EntryOf<'admit'>, 'by' | 'member' | 'role' | 'request'>
): Changed {
  const { installation, identity, mailbox } = member
  // A number belongs to one chain of events: nobody else continues it.
  if (state.members.has(installation) || state.removed.has(installation)) return fail('present')
  if ([...state.members.values()].some((each) => each.identity === identity) || state.mailboxes.has(mailbox))
    return fail('present')
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
