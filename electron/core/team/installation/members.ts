/** What members do: look at the list, invite; and what supervisors do: admit, give roles, remove. */
import { failed, failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type {
  TeamAdmission,
  TeamFile,
  TeamMembers,
  TeamRemoval,
  TeamRemovalOrder,
  TeamRoleChange,
  TeamWaiting
} from '#contract/team/team.ts'
import { endMemberSql } from '#team/database/member-role.ts'
import { admitMember, beginEpoch, changeRole, removeMember } from '#team/membership/changes.ts'
import type { Application } from '#team/roster/request.ts'
import type { Roster } from '#team/roster/roster.ts'
import { isLastSupervisor, later, secondFault } from '#team/roster/rules.ts'
import { comparedWords } from '#team/roster/safety-words.ts'
import { noteTeam, saveTeamFile, type Answer, type TeamParts } from './actions.ts'
import { invitationText, wordsFault, parseRequest, requestFingerprint } from './files.ts'
import { readTeam } from './saved.ts'
import { membershipFault, remember, withKeys, withRoster, type KeyedSession, type TeamSession } from './session.ts'
import type { TeamPlace } from '#team/membership/store.ts'
import type { LastEvent, RosterState, WaitingEntry } from '#team/roster/state.ts'
import { secondPerson } from '#contract/evidence/second-person.ts'
import { isSignedBy } from '#team/log/signature.ts'

/** The last event of an installation that was received and verified here; null if there is none, or if it is not known. */
export type ReceivedLast = (installation: string) => LastEvent | null

/** Signed events that are looked at: a database that shows more false ones has shown that it is not to be believed. */
const most = 64

/**
 * The last event of a member that is known: the last one that the database has with the member’s own signature, or that
 * was received and verified here, if the database hides it; null if there is none. The database cannot name a false one,
 * which would make others refuse what the member did, nor keep the change from being signed. Failures: the line’s.
 *
 * @param received The last one that was received here; null if there is none, or if it is not known.
 */
export async function lastOf(
  { line, team }: TeamPlace,
  { members }: Pick<RosterState, 'members'>,
  installation: string,
  received: LastEvent | null
): Promise<Result<LastEvent | null, Failure>> {
  const identity = members.get(installation)?.identity
  if (identity === undefined) return ok(null)
  const rows = await line.query<{ readonly seq: unknown; readonly hash: unknown; readonly sig: unknown }>(
    `SELECT seq, hash, sig FROM veridesk.event WHERE installation = $1 AND sig IS NOT NULL ORDER BY seq DESC LIMIT ${most}`,
    [Buffer.from(installation, 'hex')]
  )
  if (!rows.ok) return rows
  for (const { seq, hash, sig } of rows.value) {
    const number = typeof seq === 'string' && /^\d{1,13}$/.test(seq) ? Number(seq) : 0
    if (
      number > 0 &&
      Buffer.isBuffer(hash) &&
      Buffer.isBuffer(sig) &&
      isSignedBy(identity, { team, installation, seq: number, hash }, sig)
    )
      return ok(later({ seq: number, hash: hash.toString('hex') }, received))
  }
  return ok(received)
}

/** How often a change is made again after somebody else’s was first. */
const attempts = 5

/** The list of members, with who has access to the database. Failures: the line’s. */
export async function membersOf({ line, roster, author, place }: TeamSession): Answer<TeamMembers> {
  const found = await line.query<{ readonly installation: Buffer }>('SELECT installation FROM veridesk.member')
  if (!found.ok) return found
  const admitted = new Set(found.value.map(({ installation }) => installation.toString('hex')))
  const own = author.installation
  return ok({
    ...comparedWords(place.team),
    own: roster.members.has(own) ? 'member' : roster.removed.has(own) ? 'removed' : 'applicant',
    members: [...roster.members.values()].map(({ installation, name, role }) => ({
      installation,
      name,
      role,
      own: installation === own,
      access: admitted.has(installation)
    })),
    strangers: [...admitted]
      .filter((each) => !roster.members.has(each) && each !== own)
      .sort()
      .map((installation) => {
        const former = roster.removed.get(installation)
        return { installation, ...(former && { name: former.name }) }
      }),
    epoch: roster.epochs.length,
    twoPerson: roster.twoPerson,
    waiting: roster.waiting.map((each) => waitingView(roster, each, own))
  })
}

/** What a second supervisor compares: of an admission, the request, with the newcomer; otherwise the entry, with its author. */
export const comparedFingerprint = ({ team }: Roster, { entry, hash }: WaitingEntry): string =>
  entry.kind === 'admit' ? requestFingerprint(team, entry.member) : hash

function waitingView(roster: Roster, waiting: WaitingEntry, own: string): TeamWaiting {
  const { entry, hash } = waiting
  const about = entry.kind === 'admit' ? entry.member : entry.kind === 'role' && roster.members.get(entry.installation)
  return {
    entry: hash,
    kind: entry.kind,
    ...(about &&
      entry.kind !== 'rule' && { about: { installation: about.installation, name: about.name, role: entry.role } }),
    by: roster.members.get(entry.by)?.name ?? entry.by,
    at: entry.at,
    compared: comparedWords(comparedFingerprint(roster, waiting)),
    confirmable: roster.members.get(own)?.role === 'supervisor' && secondRefusal(roster, own, hash) === undefined
  }
}

/**
 * Why an installation cannot be the second supervisor for an entry. The list compares names as they are written, which
 * stays the same in all versions; here, as in approvals, capitals and spaces make nobody another person.
 */
export function secondRefusal(roster: Roster, own: string, hash: string): 'second' | 'same' | undefined {
  const member = roster.members.get(own)
  const entry = roster.waiting.find((each) => each.hash === hash)?.entry
  if (!member || !entry) return 'second'
  const author = roster.members.get(entry.by)?.name ?? null
  return secondFault(roster, member, hash) ?? (secondPerson(member.name, [author]) === 'yes' ? undefined : 'same')
}

/** Failures: those of `withRoster`. */
export const listMembers = (parts: TeamParts): Answer<TeamMembers> => withRoster(parts, membersOf)

/** Saves an invitation. Failures: `team-change-refused` for those who are no members, those of `withRoster` and of writing the file. */
export function inviteToTeam(parts: TeamParts): Answer<TeamFile> {
  return withRoster(parts, async (session) => {
    const {
      saved: { database },
      place: { team, rosterKey }
    } = session
    const refused = membershipFault(session)
    if (refused) return fail(refused)
    if (!database) return failed('team-missing')
    const text = invitationText({ team, rosterKey: rosterKey.toString('hex'), database })
    const file = await saveTeamFile(parts, {
      title: 'Save invitation',
      name: 'team.veridesk-invitation.json',
      text,
      compared: comparedWords(team)
    })
    if (file.ok && file.value) await noteTeam(parts, { action: 'team.invitation-saved' })
    return file
  })
}

interface Change {
  /** Why it cannot be made, before anything is signed. */
  readonly fault: (session: KeyedSession) => Failure | undefined
  readonly make: (session: KeyedSession) => Answer<Roster>
}

/** Makes a change as a supervisor, again if somebody else’s was first. Also returns the number of the keys before it. */
export async function change(
  parts: TeamParts,
  { fault, make }: Change
): Answer<{ readonly members: TeamMembers; readonly before: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await withKeys(parts, async (session) => {
      const refused = supervisorFault(session) ?? fault(session)
      if (refused) return fail(refused)
      const changed = await make(session)
      if (!changed.ok) return changed
      const kept = await remember(parts, session.saved, changed.value)
      if (!kept.ok) return kept
      const members = await membersOf({ ...session, roster: changed.value })
      return members.ok ? ok({ members: members.value, before: session.keys.number }) : members
    })
    if (done.ok || done.failure.code !== 'team-roster-overtaken' || attempt === attempts) return done
  }
}

type Refusal = Extract<FailureDetails<'team-change-refused'>, { readonly reason: string }>['reason']
export const refusal = (reason: Refusal): Failure => failure('team-change-refused', { reason })

const supervisorFault = ({ roster, author }: TeamSession): Failure | undefined =>
  roster.members.get(author.installation)?.role === 'supervisor' ? undefined : refusal('right')

/** An installation is admitted once, and so is a user’s signing key. */
export function admissionFault(
  { members, removed }: Roster,
  { installation, identity }: Application
): Failure | undefined {
  if (removed.has(installation)) return refusal('left')
  const present = [...members.values()].some((each) => each.installation === installation || each.identity === identity)
  return present ? refusal('present') : undefined
}

/**
 * Admits who made a request. Failures: `team-missing`, `team-file-refused`, `team-words-differ`,
 * `team-change-refused`, those of `withKeys`.
 *
 * @param order.words The request’s, from the newcomer; they show that nobody replaced the file.
 */
export async function admitToTeam(
  parts: TeamParts,
  { request: text, words, role }: TeamAdmission
): Answer<TeamMembers> {
  const saved = readTeam(parts.dataFolder)
  if (!saved.ok) return saved
  const team = saved.value?.team
  if (team === undefined) return failed('team-missing')
  const read = parseRequest(text, team)
  if (!read.ok) return read
  const { member, request } = read.value
  const differs = wordsFault(words, requestFingerprint(team, member))
  if (differs) return fail(differs)
  const done = await change(parts, {
    fault: ({ roster }) => admissionFault(roster, member),
    make: (session) => admitMember(session.place, session, { member, request, role }, session.author)
  })
  if (!done.ok) return done
  const waits = !isMember(done.value.members, member.installation)
  await noteTeam(parts, {
    action: waits ? 'team.admission-waits' : 'team.admitted',
    installation: member.installation,
    role
  })
  return ok(done.value.members)
}

const isMember = ({ members }: TeamMembers, installation: string): boolean =>
  members.some((each) => each.installation === installation)

/** Gives a member another role. Failures: `team-change-refused`, those of `withKeys`. */
export async function giveRole(
  parts: TeamParts,
  { installation, role }: TeamRoleChange,
  received: ReceivedLast
): Answer<TeamMembers> {
  const done = await change(parts, {
    fault: ({ roster }) => {
      if (!roster.members.has(installation)) return refusal('absent')
      return role !== 'supervisor' && isLastSupervisor(roster, installation) ? refusal('last-supervisor') : undefined
    },
    make: async ({ place, roster, author }) => {
      const last = await lastOf(place, roster, installation, received(installation))
      return last.ok ? changeRole(place, roster, { installation, role, last: last.value }, author) : last
    }
  })
  if (!done.ok) return done
  const waits = done.value.members.waiting.some(
    ({ kind, about }) => kind === 'role' && about?.installation === installation
  )
  await noteTeam(parts, { action: waits ? 'team.role-waits' : 'team.role-given', installation, role })
  return ok(done.value.members)
}

/**
 * Removes an installation and gives new keys to those who stay. Failures: `team-change-refused`, those of `withKeys`.
 *
 * @param order.name The member’s name in the list: it confirms which installation is meant.
 */
export async function removeFromTeam(
  parts: TeamParts,
  { installation, name }: TeamRemovalOrder,
  received: ReceivedLast
): Answer<TeamRemoval> {
  const done = await change(parts, {
    fault: ({ roster, author }) => {
      const member = roster.members.get(installation)
      if (!member) return refusal('absent')
      if (member.name !== name) return refusal('unconfirmed')
      return installation === author.installation ? refusal('itself') : undefined
    },
    make: async (session) => {
      const last = await lastOf(session.place, session.roster, installation, received(installation))
      if (!last.ok) return last
      const removed = await removeMember(session.place, session, { installation, last: last.value }, session.author)
      return removed.ok ? ok(removed.value.roster) : removed
    }
  })
  if (!done.ok) return done
  await noteTeam(parts, { action: 'team.removed', installation })
  return ok({ ...done.value.members, sql: endMemberSql(installation), readUpTo: done.value.before })
}

/**
 * Begins new keys after an erasure, as a supervisor. @returns False if somebody else began them first. Failures:
 * `team-change-refused`, those of `withKeys`.
 *
 * @param epoch The current one, as far as the caller knows.
 */
export async function renewTeamKeys(parts: TeamParts, epoch: number): Answer<boolean> {
  const done = await change(parts, {
    fault: () => undefined,
    make: ({ place, roster, keys, author }) =>
      keys.number === epoch
        ? beginEpoch(place, { roster, keys }, author).then((begun) => (begun.ok ? ok(begun.value.roster) : begun))
        : Promise.resolve(ok(roster))
  })
  if (!done.ok) return done
  const isNew = done.value.before === epoch
  if (isNew) await noteTeam(parts, { action: 'team.keys-renewed', epoch: epoch + 1 })
  return ok(isNew)
}
