/** How an installation comes to a team and leaves it: access to the database, creating a team, joining one, leaving. */
import { randomBytes } from 'node:crypto'
import { failed } from '#contract/failures/failures.ts'
import { fail, ok } from '#contract/failures/result.ts'
import type { TeamAccess, TeamCreated, TeamCreation, TeamFile, TeamJoining, TeamState } from '#contract/team/team.ts'
import { recoveryCode } from '#core/backup/recovery-code.ts'
import { memberRoleSql, roleOf } from '#team/database/member-role.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { newMailbox } from '#team/keys/mailbox.ts'
import { draftTeam, foundTeam } from '#team/membership/changes.ts'
import { storedRoster } from '#team/membership/store.ts'
import { applicationOf, signRequest } from '#team/roster/request.ts'
import { comparedWords, safetyWords } from '#team/roster/safety-words.ts'
import { noteTeam, saveTeamFile, type Answer, type TeamParts } from './actions.ts'
import { wordsFault, parseInvitation, requestFingerprint, requestText, type Invitation } from './files.ts'
import { membersOf } from './members.ts'
import { forgetTeam, readSecrets, readTeam, saveSecrets, saveTeam, type SavedTeam, type TeamSecrets } from './saved.ts'
import { remember, visit, type TeamSession, type Visit } from './session.ts'

/** What this computer knows without asking anybody; null without a team. Failures: those of `readTeam`. */
export async function teamState({ dataFolder }: TeamParts): Answer<TeamState | null> {
  const read = readTeam(dataFolder)
  if (!read.ok) return read
  if (!read.value) return ok(null)
  const { installation, name, database, team, kept } = read.value
  return ok({
    installation,
    ...(name !== undefined && { name }),
    ...(database && { database: { host: database.host, port: database.port, database: database.database } }),
    ...(team !== undefined && { team: comparedWords(team) }),
    ...(kept && { sharing: { kept } })
  })
}

/**
 * SQL with which the database’s administrator gives this installation access. The first time, the installation gets its
 * number and its password, which stays in the keychain; later the SQL is for the same ones. Failures: the keychain’s,
 * those of `readTeam` and `saveTeam`.
 */
export async function prepareAccess(parts: TeamParts): Answer<TeamAccess> {
  const { dataFolder, keychain } = parts
  const read = readTeam(dataFolder)
  if (!read.ok) return read
  const secrets = read.value
    ? await readSecrets(keychain, read.value.installation)
    : ok<TeamSecrets>({ password: randomBytes(32).toString('base64url') })
  if (!secrets.ok) return secrets
  const installation = read.value?.installation ?? randomBytes(16).toString('hex')
  if (!read.value) {
    const kept = await keep(parts, { installation }, secrets.value)
    if (!kept.ok) return kept
    await noteTeam(parts, { action: 'team.access-prepared', installation })
  }
  return ok({
    installation,
    role: roleOf(installation),
    sql: memberRoleSql({ installation, verifier: scramVerifier(secrets.value.password) })
  })
}

/** Keys first: a file that names a team without its keys would be of no use. */
export async function keep({ dataFolder, keychain }: TeamParts, saved: SavedTeam, secrets: TeamSecrets): Answer<null> {
  const kept = await saveSecrets(keychain, saved.installation, secrets)
  return kept.ok ? saveTeam(dataFolder, saved) : kept
}

/**
 * Creates a team in an empty database; this installation is its first supervisor. Failures: `team-present`,
 * `team-database-used`, those of `visit` and `foundTeam`.
 */
export async function createOwnTeam(parts: TeamParts, { name, database }: TeamCreation): Answer<TeamCreated> {
  const before = readTeam(parts.dataFolder)
  if (!before.ok) return before
  if (before.value?.head) return failed('team-present')
  return visit(parts, database, async (visited) => {
    const { saved, secrets, author } = visited
    const earlier = await begunTeam(visited)
    if (!earlier.ok) return earlier
    if (earlier.value) return created(parts, earlier.value, saved)
    const mailbox = newMailbox()
    const founding = draftTeam(
      applicationOf(author.key, { installation: saved.installation, mailbox: mailbox.publicKey, name }),
      author
    )
    const now = { installation: saved.installation, name, database, team: founding.team }
    const kept = await keep(parts, now, {
      ...secrets,
      rosterKey: founding.rosterKey.toString('hex'),
      mailbox,
      recovery: founding.recovery.toString('hex')
    })
    if (!kept.ok) return kept
    const founded = await foundTeam(visited.line, founding)
    if (founded.ok) return created(parts, { ...visited, ...founded.value }, now)
    // After a lost line the team may be there, and the next attempt finds out.
    if (founded.failure.code !== 'team-roster-overtaken') return founded
    const forgotten = await keep(parts, { installation: saved.installation }, { password: secrets.password })
    return forgotten.ok ? failed('team-database-used') : forgotten
  })
}

/**
 * A team whose creation was not answered, if the database has it. Its keys are given up only for a database without any
 * list of members, or with that of others. Failures: the line’s, and those of `storedRoster` about the team’s own list.
 */
async function begunTeam(visited: Visit): Answer<TeamSession | undefined> {
  const {
    saved: { team },
    secrets: { rosterKey },
    line
  } = visited
  if (team === undefined || rosterKey === undefined) return ok(undefined)
  const place = { line, team, rosterKey: Buffer.from(rosterKey, 'hex') }
  const roster = await storedRoster(place, undefined)
  if (roster.ok) return ok({ ...visited, place, roster: roster.value })
  const { details } = roster.failure
  const isOther =
    roster.failure.code === 'team-roster-refused' &&
    details?.['number'] === 1 &&
    ['empty', 'form', 'genesis'].includes(String(details['reason']))
  return isOther ? ok(undefined) : roster
}

async function created(parts: TeamParts, session: TeamSession, saved: SavedTeam): Answer<TeamCreated> {
  const kept = await remember(parts, saved, session.roster)
  if (!kept.ok) return kept
  await noteTeam(parts, { action: 'team.created', words: safetyWords(session.place.team) })
  const members = await membersOf(session)
  if (!members.ok) return members
  // From here on it is on the screen, or on paper, or nowhere.
  const { recovery, ...secrets } = await readSecrets(parts.keychain, saved.installation).then((read) =>
    read.ok ? read.value : session.secrets
  )
  const forgotten = recovery === undefined ? ok(null) : await saveSecrets(parts.keychain, saved.installation, secrets)
  if (!forgotten.ok) return forgotten
  return ok({
    ...members.value,
    ...(recovery !== undefined && { recoveryKey: recoveryCode(Buffer.from(recovery, 'hex')) })
  })
}

/**
 * Saves a request to join the team of an invitation. Failures: `team-file-refused`, `team-words-differ`,
 * `team-present`, those of `visit`, `storedRoster` and of writing the file.
 *
 * @param order.words The team’s, from a member; they show that nobody replaced the invitation.
 */
export async function joinTeam(parts: TeamParts, order: TeamJoining): Answer<TeamFile> {
  const read = parseInvitation(order.invitation)
  if (!read.ok) return read
  const differs = wordsFault(order.words, read.value.team)
  if (differs) return fail(differs)
  const before = readTeam(parts.dataFolder)
  if (!before.ok) return before
  if (before.value?.team !== undefined && before.value.team !== read.value.team) return failed('team-present')
  return visit(parts, read.value.database, (visited) => asked(parts, visited, read.value, order.name))
}

async function asked(
  parts: TeamParts,
  { saved, secrets, line, author }: Visit,
  { team, rosterKey, database }: Invitation,
  name: string
): Answer<TeamFile> {
  const roster = await storedRoster({ line, team, rosterKey: Buffer.from(rosterKey, 'hex') }, saved.head)
  if (!roster.ok) return roster
  if (roster.value.members.has(saved.installation)) return failed('team-present')
  // The same one for a second request: the first may be the one that is admitted.
  const mailbox = secrets.mailbox ?? newMailbox()
  const kept = await keep(
    parts,
    { ...saved, name, database, team, head: roster.value.head },
    { ...secrets, rosterKey, mailbox }
  )
  if (!kept.ok) return kept
  const member = applicationOf(author.key, { installation: saved.installation, mailbox: mailbox.publicKey, name })
  const text = requestText(team, { member, request: signRequest(team, member, author.key) })
  const file = await saveTeamFile(parts, {
    title: 'Save request to join',
    name: 'request.veridesk-team-request.json',
    text,
    compared: comparedWords(requestFingerprint(team, member))
  })
  if (file.ok && file.value) await noteTeam(parts, { action: 'team.join-asked', words: safetyWords(team) })
  return file
}

/** Deletes the keys and the address of the team from this computer. Failures: `team-missing`, those of `forgetTeam`. */
export async function leaveTeam(parts: TeamParts): Answer<null> {
  const read = readTeam(parts.dataFolder)
  if (!read.ok) return read
  if (!read.value) return failed('team-missing')
  const { installation } = read.value
  const forgotten = await forgetTeam(parts.dataFolder, parts.keychain, installation)
  if (forgotten.ok) await noteTeam(parts, { action: 'team.left', installation })
  return forgotten
}
