/** Becoming a supervisor with the team's recovery key, when no supervisor is left to admit anybody. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { TeamMembers, TeamRecovery } from '#contract/team/team.ts'
import { parseRecoveryCode } from '#core/backup/recovery-code.ts'
import { newMailbox } from '#team/keys/mailbox.ts'
import { recoveryKeysOf, type RecoveryKeys } from '#team/keys/recovery.ts'
import { recoverTeam } from '#team/membership/changes.ts'
import { storedRoster, type TeamPlace } from '#team/membership/store.ts'
import { applicationOf, signRequest } from '#team/roster/request.ts'
import type { Roster } from '#team/roster/roster.ts'
import { safetyWords } from '#team/roster/safety-words.ts'
import { noteTeam, type Answer, type TeamParts } from './actions.ts'
import { wordsFault } from './files.ts'
import { keep } from './joining.ts'
import { admissionFault, membersOf } from './members.ts'
import { readTeam } from './saved.ts'
import { remember, visit, type Visit } from './session.ts'

/**
 * Makes this installation a supervisor of the team in a database. Failures: `recovery-key-wrong`, `team-words-differ`,
 * `team-present`, `team-change-refused`, those of `visit`, `storedRoster` and `recoverTeam`.
 *
 * @param order.words The team's, which were kept with the key: they show that the database has the same team.
 */
export async function recoverOwnTeam(parts: TeamParts, order: TeamRecovery): Answer<TeamMembers> {
  const parsed = parseRecoveryCode(order.recoveryKey)
  if ('fault' in parsed) return failed('recovery-key-wrong', parsed.fault)
  const recovery = recoveryKeysOf(parsed.key)
  const before = readTeam(parts.dataFolder)
  if (!before.ok) return before
  return visit(parts, order.database, async (visited) => {
    const place = await placeOf(visited, order.words, recovery)
    if (!place.ok) return place
    if (before.value?.team !== undefined && before.value.team !== place.value.team) return failed('team-present')
    const roster = await storedRoster(place.value, visited.saved.head)
    if (!roster.ok) return isUnread(roster.failure) ? failed('recovery-key-wrong', { reason: 'other-team' }) : roster
    if (roster.value.recovery?.identity !== recovery.public.identity)
      return failed('recovery-key-wrong', { reason: 'other-team' })
    return recover(parts, visited, { place: place.value, roster: roster.value, recovery, order })
  })
}

/** Entries that another key sealed. */
const isUnread = ({ code, details }: Failure): boolean =>
  code === 'team-roster-refused' && details?.['reason'] === 'form' && details['number'] === 1

/** The team in the database, if it is the one whose words were kept. */
async function placeOf(
  { line }: Visit,
  words: string,
  { rosterKey }: RecoveryKeys
): Promise<Result<TeamPlace, Failure>> {
  const found = await line.query<{ readonly hash: Buffer }>('SELECT hash FROM veridesk.roster WHERE height = 1')
  if (!found.ok) return found
  const team = found.value[0]?.hash.toString('hex')
  if (team === undefined) return failed('team-roster-refused', { reason: 'empty', number: 1 })
  const differs = wordsFault(words, team)
  return differs ? fail(differs) : ok({ line, team, rosterKey })
}

interface Recovering {
  readonly place: TeamPlace
  readonly roster: Roster
  readonly recovery: RecoveryKeys
  readonly order: TeamRecovery
}

async function recover(
  parts: TeamParts,
  visited: Visit,
  { place, roster, recovery, order: { name, database } }: Recovering
): Answer<TeamMembers> {
  const { saved, secrets, author } = visited
  if (roster.members.has(saved.installation)) return failed('team-present')
  const mailbox = secrets.mailbox ?? newMailbox()
  const member = applicationOf(author.key, { installation: saved.installation, mailbox: mailbox.publicKey, name })
  const refused = admissionFault(roster, member)
  if (refused) return fail(refused)
  // Keys first, as when a team is created.
  const now = { ...saved, name, database, team: place.team, head: roster.head }
  const kept = await keep(parts, now, { ...secrets, rosterKey: place.rosterKey.toString('hex'), mailbox })
  if (!kept.ok) return kept
  const recovered = await recoverTeam(
    place,
    roster,
    recovery,
    { member, request: signRequest(place.team, member, author.key) },
    author.at
  )
  if (!recovered.ok) return recovered
  const remembered = await remember(parts, now, recovered.value.roster)
  if (!remembered.ok) return remembered
  await noteTeam(parts, { action: 'team.recovered', words: safetyWords(place.team) })
  return membersOf({ ...visited, place, roster: recovered.value.roster })
}
