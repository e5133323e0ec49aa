/**
 * Founding a team, and what its members change. Boxes are stored before the entry that announces their keys: after a
 * crash between the two there are boxes that nobody needs, never an epoch whose keys nobody has.
 */
import { randomBytes, type KeyObject } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamRole } from '#contract/team/team.ts'
import { contentKeys, firstEpoch, nextEpoch, type EpochKeys } from '../keys/epochs.ts'
import { openForRecovery, recoveryKeysOf, type RecoveryKeys } from '../keys/recovery.ts'
import { entryText, parseEntry } from '../roster/entry.ts'
import type { Application } from '../roster/request.ts'
import { following, type Draft, type Roster } from '../roster/roster.ts'
import { needsSecond } from '../roster/rules.ts'
import type { LastEvent, TeamMember, WaitingEntry } from '../roster/state.ts'
import { giveBox, storeEntry, type TeamPlace } from './store.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Who signs an entry. */
export interface Author {
  readonly installation: string
  readonly key: KeyObject
  /** By its clock. */
  readonly at: number
}

/** What an author knows of the team. */
export interface Known {
  readonly roster: Roster
  /** Of the current epoch. */
  readonly keys: EpochKeys
}

const signed = (roster: Roster, draft: Draft, { key }: Author): string => entryText(following(roster, draft), key)

/** A team that is not stored yet. Its founder saves the place before it is: without its key nobody could read the list. */
export interface Founding extends Omit<TeamPlace, 'line'> {
  readonly member: Application
  readonly keys: EpochKeys
  readonly text: string
  /** 32 bytes, for people to keep. Nothing stores it. */
  readonly recovery: Buffer
}

/** Drafts a team; its founder is supervisor. Its recovery key opens the list of members, too: who has it alone needs no invitation. */
export function draftTeam(member: Application, { installation, key, at }: Author): Founding {
  const recovery = randomBytes(32)
  const derived = recoveryKeysOf(recovery)
  const { epoch, keys } = firstEpoch(derived.public.mailbox)
  const text = entryText(
    {
      version: 1,
      height: 1,
      previous: null,
      at,
      by: installation,
      kind: 'genesis',
      member,
      epoch,
      recovery: derived.public
    },
    key
  )
  return { team: parseEntry(text)?.hash ?? '', rosterKey: derived.rosterKey, member, keys, text, recovery }
}

/**
 * Founds a drafted team in an empty database. Failures: `team-roster-overtaken` if the database has a team already; those
 * of `storeEntry` and `giveBox`.
 */
export async function foundTeam(
  line: TeamPlace['line'],
  { team, rosterKey, member, keys, text }: Founding
): Answer<Known & { readonly place: TeamPlace }> {
  // Before the box: it would replace the one that its founder gave itself.
  const used = await line.query('SELECT height FROM veridesk.roster LIMIT 1')
  if (!used.ok) return used
  if (used.value.length > 0) return failed('team-roster-overtaken')
  const place = { line, team, rosterKey }
  const given = await giveBox(place, keys, member)
  if (!given.ok) return given
  const stored = await storeEntry(place, undefined, text)
  return stored.ok ? ok({ roster: stored.value, keys, place }) : stored
}

/**
 * Admits an installation that asked for it. The author has compared its safety number with its owner. Failures: those of
 * `storeEntry` and `giveBox`. An admission that waits for a second supervisor gives no keys.
 *
 * @param request The newcomer's signature.
 */
export async function admitMember(
  place: TeamPlace,
  { roster, keys }: Known,
  newcomer: { readonly member: Application; readonly request: string; readonly role: TeamRole },
  author: Author
): Answer<Roster> {
  const waits = needsSecond(roster, { kind: 'admit', role: newcomer.role })
  const given = waits ? ok(null) : await giveBox(place, keys, newcomer.member)
  if (!given.ok) return given
  return storeEntry(
    place,
    roster,
    signed(roster, { ...newcomer, at: author.at, by: author.installation, kind: 'admit' }, author)
  )
}

/**
 * Confirms an entry as the second supervisor; whoever it admits gets the keys. Failures: those of `storeEntry` and
 * `giveBox`.
 *
 * @param last For a role: the last of the member's events by now, as far as the author knows.
 */
export async function secondEntry(
  place: TeamPlace,
  { roster, keys }: Known,
  { entry, hash }: WaitingEntry,
  last: LastEvent | null,
  author: Author
): Answer<Roster> {
  const given = entry.kind === 'admit' ? await giveBox(place, keys, entry.member) : ok(null)
  if (!given.ok) return given
  return storeEntry(
    place,
    roster,
    signed(roster, { at: author.at, by: author.installation, kind: 'second', entry: hash, last }, author)
  )
}

/** Gives up an entry that waits. Failures: those of `storeEntry`. @param entry Its hash. */
export const withdrawEntry = (place: TeamPlace, roster: Roster, entry: string, author: Author): Answer<Roster> =>
  storeEntry(place, roster, signed(roster, { at: author.at, by: author.installation, kind: 'withdraw', entry }, author))

/** Switches two-person admission. Failures: those of `storeEntry`. */
export const changeRule = (place: TeamPlace, roster: Roster, twoPerson: boolean, author: Author): Answer<Roster> =>
  storeEntry(place, roster, signed(roster, { at: author.at, by: author.installation, kind: 'rule', twoPerson }, author))

/**
 * Removes an installation and gives new keys to those who stay. Failures: those of `storeEntry` and `giveBox`.
 *
 * @param last The last of its events that counts, as far as the author knows; null if it has shared none.
 * @returns The new list and the new keys. What was sealed before stays readable for the removed one.
 */
export async function removeMember(
  place: TeamPlace,
  { roster, keys }: Known,
  { installation, last }: { readonly installation: string; readonly last: LastEvent | null },
  author: Author
): Answer<Known> {
  const next = nextEpoch(place.team, keys, roster.recovery?.mailbox)
  const given = await giveBoxes(
    place,
    next.keys,
    [...roster.members.values()].filter((each) => each.installation !== installation)
  )
  if (!given.ok) return given
  const stored = await storeEntry(
    place,
    roster,
    signed(
      roster,
      { at: author.at, by: author.installation, kind: 'remove', installation, last, epoch: next.epoch },
      author
    )
  )
  return stored.ok ? ok({ roster: stored.value, keys: next.keys }) : stored
}

/**
 * Begins an epoch without a removal, after an erasure. Failures: those of `storeEntry` and `giveBox`.
 *
 * @returns The new list and the new keys. What is wrapped under the vault key before stays readable for nobody, once members
 * have replaced their mailbox keys.
 */
export async function beginEpoch(place: TeamPlace, { roster, keys }: Known, author: Author): Answer<Known> {
  const next = nextEpoch(place.team, keys, roster.recovery?.mailbox)
  const given = await giveBoxes(place, next.keys, [...roster.members.values()])
  if (!given.ok) return given
  const stored = await storeEntry(
    place,
    roster,
    signed(roster, { at: author.at, by: author.installation, kind: 'epoch', epoch: next.epoch }, author)
  )
  return stored.ok ? ok({ roster: stored.value, keys: next.keys }) : stored
}

async function giveBoxes(
  place: TeamPlace,
  keys: EpochKeys,
  to: readonly Pick<TeamMember, 'installation' | 'mailbox'>[]
): Answer<null> {
  for (const member of to) {
    const given = await giveBox(place, keys, member)
    if (!given.ok) return given
  }
  return ok(null)
}

/**
 * Makes an installation a supervisor with the team's recovery key, in a new epoch. Failures: `team-key-refused` if the keys
 * of the team were not sealed for it, those of `storeEntry` and `giveBox`.
 *
 * @returns The new list and the new keys. Members wrap the keys of applicants that they have under the new vault key.
 */
export async function recoverTeam(
  place: TeamPlace,
  roster: Roster,
  recovery: RecoveryKeys,
  newcomer: { readonly member: Application; readonly request: string },
  at: number
): Answer<Known> {
  const current = roster.epochs.at(-1)
  const content =
    current?.recovery === undefined ? undefined : openForRecovery(current.recovery, current.number, recovery)
  if (!current || !content) return failed('team-key-refused', { reason: 'sealed' })
  const known = contentKeys(place.team, roster.epochs, { number: current.number, content })
  if (!known.ok) return known
  const next = nextEpoch(place.team, { number: current.number, content }, roster.recovery?.mailbox)
  const given = await giveBoxes(place, next.keys, [...roster.members.values(), newcomer.member])
  if (!given.ok) return given
  const by = newcomer.member.installation
  const stored = await storeEntry(
    place,
    roster,
    entryText(following(roster, { ...newcomer, at, by, kind: 'recover', epoch: next.epoch }), recovery.signer)
  )
  return stored.ok ? ok({ roster: stored.value, keys: next.keys }) : stored
}

/**
 * Gives a member another role. Failures: those of `storeEntry`.
 *
 * @param last The last of its events so far, as far as the author knows; null if it has shared none.
 */
export const changeRole = (
  place: TeamPlace,
  roster: Roster,
  {
    installation,
    role,
    last
  }: { readonly installation: string; readonly role: TeamRole; readonly last: LastEvent | null },
  author: Author
): Answer<Roster> =>
  storeEntry(
    place,
    roster,
    signed(roster, { at: author.at, by: author.installation, kind: 'role', installation, role, last }, author)
  )

/**
 * Announces the author’s new mailbox key. Whoever has it destroys the old one then: a backup of the database has boxes
 * for it, and with them keys of applicants who were erased. Failures: those of `storeEntry` and `giveBox`.
 *
 * @param mailbox The new public key.
 */
export async function replaceMailbox(
  place: TeamPlace,
  { roster, keys }: Known,
  mailbox: string,
  author: Author
): Answer<Roster> {
  const given = await giveBox(place, keys, { installation: author.installation, mailbox })
  if (!given.ok) return given
  return storeEntry(
    place,
    roster,
    signed(roster, { at: author.at, by: author.installation, kind: 'mailbox', mailbox }, author)
  )
}
