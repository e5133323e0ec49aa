/** What the exchange needs of the signed list of members: whose events count, and the keys that they are sealed with. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { contentKeys, type EpochKeys } from '#team/keys/epochs.ts'
import type { RosterState } from '#team/roster/state.ts'
import type { Members, TeamKeys } from '#team/thread/ports.ts'

/** Members at any time: of those who were removed, the events up to the last one that counts. */
export const membersIn = ({ members, removed }: Pick<RosterState, 'members' | 'removed'>): Members => ({
  mailboxes: () => [...members.values()],
  at(installation, { seq }) {
    const member = members.get(installation)
    if (member) return { publicKey: member.identity }
    const former = removed.get(installation)
    if (!former) return { refused: 'unknown' }
    return former.last && seq <= former.last.seq
      ? { publicKey: former.identity, last: former.last }
      : { refused: 'removed' }
  }
})

/** The content keys of all epochs up to the current one, and its vault key. Failure: `team-key-refused`. */
export function contentKeysIn(
  { team, epochs }: Pick<RosterState, 'team' | 'epochs'>,
  { number, content, vault }: EpochKeys
): Result<TeamKeys, Failure> {
  const keys = contentKeys(team, epochs, { number, content })
  return keys.ok
    ? ok({
        current: () => ({ epoch: number, key: content }),
        of: (epoch) => keys.value.get(epoch),
        vault: () => ({ number, vault })
      })
    : keys
}
