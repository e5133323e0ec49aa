/** What supervisors do together: switch two-person admission, and confirm or withdraw what waits for a second one. */
import { fail, ok } from '#contract/failures/result.ts'
import type { TeamConfirmation, TeamEntryOrder, TeamMembers, TeamRule } from '#contract/team/team.ts'
import { changeRule, secondEntry, withdrawEntry } from '#team/membership/changes.ts'
import type { WaitingEntry } from '#team/roster/state.ts'
import { noteTeam, type Answer, type TeamParts } from './actions.ts'
import { wordsFault } from './files.ts'
import { change, comparedFingerprint, lastOf, refusal, secondRefusal, type ReceivedLast } from './members.ts'

/**
 * Switches two-person admission: on at once, off once a second supervisor confirms it. Failures: `team-change-refused`,
 * those of `withKeys`.
 */
export async function setTwoPerson(parts: TeamParts, { twoPerson }: TeamRule): Answer<TeamMembers> {
  const done = await change(parts, {
    fault: ({ roster }) => {
      const supervisors = [...roster.members.values()].filter(({ role }) => role === 'supervisor').length
      return roster.twoPerson === twoPerson || (twoPerson && supervisors < 2) ? refusal('rule') : undefined
    },
    make: ({ place, roster, author }) => changeRule(place, roster, twoPerson, author)
  })
  if (!done.ok) return done
  await noteTeam(parts, { action: twoPerson ? 'team.two-person-on' : 'team.two-person-off-waits' })
  return ok(done.value.members)
}

/**
 * Confirms what waits, as the second supervisor. Failures: `team-change-refused`, `team-words-differ`,
 * `team-words-incomplete`, those of `withKeys`.
 *
 * @param order.entry Its hash: what a person has seen, and nothing that replaced it since.
 */
export async function confirmEntry(
  parts: TeamParts,
  { entry: hash, words }: TeamConfirmation,
  received: ReceivedLast
): Answer<TeamMembers> {
  let confirmed: WaitingEntry['entry'] | undefined
  const done = await change(parts, {
    fault: ({ roster, author }) => {
      const refused = secondRefusal(roster, author.installation, hash)
      if (refused) return refusal(refused)
      const entry = roster.waiting.find((each) => each.hash === hash)
      return entry && words !== undefined ? wordsFault(words, comparedFingerprint(roster, entry)) : undefined
    },
    make: async (session) => {
      const { place, roster, author } = session
      const waiting = roster.waiting.find((each) => each.hash === hash)
      if (!waiting) return fail(refusal('second'))
      const { entry } = waiting
      confirmed = entry
      const last =
        entry.kind === 'role' ? await lastOf(place, roster, entry.installation, received(entry.installation)) : ok(null)
      return last.ok ? secondEntry(place, session, waiting, last.value, author) : last
    }
  })
  if (!done.ok) return done
  if (confirmed?.kind === 'rule') await noteTeam(parts, { action: 'team.two-person-off' })
  else if (confirmed)
    await noteTeam(parts, {
      action: confirmed.kind === 'admit' ? 'team.admission-confirmed' : 'team.role-confirmed',
      installation: confirmed.kind === 'admit' ? confirmed.member.installation : confirmed.installation,
      role: confirmed.role
    })
  return ok(done.value.members)
}

/** Gives up what waits, as any supervisor. Failures: `team-change-refused`, those of `withKeys`. */
export async function withdrawWaiting(parts: TeamParts, { entry }: TeamEntryOrder): Answer<TeamMembers> {
  const done = await change(parts, {
    fault: ({ roster }) => (roster.waiting.some(({ hash }) => hash === entry) ? undefined : refusal('second')),
    make: ({ place, roster, author }) => withdrawEntry(place, roster, entry, author)
  })
  if (!done.ok) return done
  await noteTeam(parts, { action: 'team.entry-withdrawn', entry })
  return ok(done.value.members)
}
