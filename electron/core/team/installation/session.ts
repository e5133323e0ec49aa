/** A visit to the team’s database: signed in, the list of members verified and remembered, then closed again. */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { validSigningKey } from '#core/evidence/own-keys.ts'
import type { Clock } from '#kit/clock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { roleOf } from '#team/database/member-role.ts'
import { newMailbox } from '#team/keys/mailbox.ts'
import { replaceMailbox, type Author, type Known } from '#team/membership/changes.ts'
import { ownKeys, storedRoster, type TeamPlace } from '#team/membership/store.ts'
import type { Roster } from '#team/roster/roster.ts'
import { inspectTeam } from '#team/transport/inspection.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { trustOf } from '#team/transport/trust.ts'
import { readSecrets, readTeam, saveSecrets, saveTeam, type SavedTeam, type TeamSecrets } from './saved.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface SessionParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly clock: Pick<Clock, 'now'>
  /** Why a database must not be used. */
  readonly databaseRefusal?: (database: { readonly host: string; readonly port: number }) => Failure | undefined
}

/** Signed in, before anything of the team is read. */
export interface Visit {
  readonly saved: SavedTeam
  readonly secrets: TeamSecrets
  readonly line: TeamLine
  /** This installation, with the user’s signing key. */
  readonly author: Author
}

/** With the verified list of members. */
export interface TeamSession extends Visit {
  readonly place: TeamPlace
  readonly roster: Roster
}

/** With the keys of the team. */
export type KeyedSession = TeamSession & Known

/**
 * Signs in to a database and closes the line after the work. Failures: `team-access-missing`; those of the keychain, of
 * the line and of `inspectTeam`.
 *
 * @param database Where; the address of the team if undefined.
 */
export async function visit<T>(
  { dataFolder, keychain, clock, databaseRefusal }: SessionParts,
  given: SavedTeam['database'],
  work: (visit: Visit) => Answer<T>
): Answer<T> {
  const read = readTeam(dataFolder)
  if (!read.ok) return read
  const saved = read.value
  if (!saved) return failed('team-access-missing')
  const database = given ?? saved.database
  if (!database) return failed('team-missing')
  const refusal = databaseRefusal?.(database)
  if (refusal) return fail(refusal)
  const secrets = await readSecrets(keychain, saved.installation)
  if (!secrets.ok) return secrets
  const now = clock.now()
  const key = await validSigningKey(keychain, now)
  if (!key.ok) return key
  const trust = await trustOf(database.host, database.ca)
  if (!trust.ok) return trust
  const { host, port, database: name } = database
  const user = roleOf(saved.installation)
  const line = await openLine({
    host,
    port,
    database: name,
    user,
    password: secrets.value.password,
    trust: trust.value
  })
  if (!line.ok) return line
  try {
    const inspected = await inspectTeam(line.value, { host, database: name, user })
    if (!inspected.ok) return inspected
    if (inspected.value.installation !== saved.installation) return failed('team-member-missing', { host, role: user })
    return await work({
      saved,
      secrets: secrets.value,
      line: line.value,
      author: { installation: saved.installation, key: key.value, at: now }
    })
  } finally {
    await line.value.close()
  }
}

/**
 * Reads and verifies the list of members, and remembers how far it went. Failures: those of `visit`, `storedRoster` and
 * of saving; `team-missing`.
 */
export function withRoster<T>(parts: SessionParts, work: (session: TeamSession) => Answer<T>): Answer<T> {
  return visit(parts, undefined, async (visited) => {
    const { saved, secrets, line } = visited
    if (saved.team === undefined || secrets.rosterKey === undefined) return failed('team-missing')
    const place = { line, team: saved.team, rosterKey: Buffer.from(secrets.rosterKey, 'hex') }
    const roster = await storedRoster(place, saved.head)
    if (!roster.ok) return roster
    const kept = await remember(parts, saved, roster.value)
    if (!kept.ok) return kept
    return work({ ...visited, place, roster: roster.value })
  })
}

/** Saves the last entry of a verified list. Failures: those of `saveTeam`. */
export async function remember({ dataFolder }: SessionParts, saved: SavedTeam, { head }: Roster): Answer<null> {
  return saved.head?.hash === head.hash ? ok(null) : saveTeam(dataFolder, { ...saved, head })
}

/**
 * For members: with the keys of the team, and a mailbox that is as new as they are. Failures: those of `withRoster` and
 * `ownKeys`; `team-change-refused` for those who are no members, or whose signing key was replaced.
 */
export function withKeys<T>(parts: SessionParts, work: (session: KeyedSession) => Answer<T>): Answer<T> {
  return withRoster(parts, async (session) => {
    const { roster, author, place } = session
    const refused = membershipFault(session)
    if (refused) return { ok: false, failure: refused }
    const found = await completedMailbox(parts, session)
    if (!found.ok) return found
    const { mailbox } = found.value
    if (!mailbox) return failed('team-keys-lost')
    const keys = await ownKeys(place, roster, author.installation, mailbox)
    if (!keys.ok) return keys
    const member = roster.members.get(author.installation)
    if (member && member.mailboxSince < keys.value.number) {
      const renewed = await renewMailbox(parts, session, found.value, { roster, keys: keys.value })
      // Somebody else changed the list meanwhile: it is done at the next visit.
      if (!renewed.ok && renewed.failure.code !== 'team-roster-overtaken') return renewed
      if (renewed.ok) return work({ ...session, roster: renewed.value, keys: keys.value })
    }
    return work({ ...session, keys: keys.value })
  })
}

/** Why this installation cannot act as a member. */
export function membershipFault({ roster, author: { installation, key } }: TeamSession): Failure | undefined {
  const member = roster.members.get(installation)
  if (!member)
    return failure('team-change-refused', { reason: roster.removed.has(installation) ? 'removed' : 'not-admitted' })
  return member.identity === keyOfSigner(key) ? undefined : failure('team-change-refused', { reason: 'identity' })
}

/** Completes a replacement of the mailbox that was interrupted after the list had it. */
async function completedMailbox(
  { keychain }: SessionParts,
  { secrets, saved: { installation }, roster }: TeamSession
): Answer<TeamSecrets> {
  if (!secrets.next || roster.members.get(installation)?.mailbox !== secrets.next.publicKey) return ok(secrets)
  const completed = { ...secrets, mailbox: secrets.next, next: undefined }
  const saved = await saveSecrets(keychain, installation, completed)
  return saved.ok ? ok(completed) : saved
}

/** The new key is in the keychain before others seal anything for it, and the old one until they do. */
async function renewMailbox(
  parts: SessionParts,
  { place, author, saved }: TeamSession,
  secrets: TeamSecrets,
  known: Known
): Answer<Roster> {
  const next = secrets.next ?? newMailbox()
  const begun = await saveSecrets(parts.keychain, saved.installation, { ...secrets, next })
  if (!begun.ok) return begun
  const roster = await replaceMailbox(place, known, next.publicKey, author)
  if (!roster.ok) return roster
  const ended = await saveSecrets(parts.keychain, saved.installation, { ...secrets, mailbox: next, next: undefined })
  if (!ended.ok) return ended
  const kept = await remember(parts, saved, roster.value)
  return kept.ok ? roster : kept
}
