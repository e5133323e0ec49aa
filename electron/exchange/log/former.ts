/** Erasures that name a former number of this installation, under which it left the team or was removed, name this one, too. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { OwnHistory } from '#team/thread/ports.ts'
import type { Received } from './received.ts'

type Answer<T> = Promise<Result<T, Failure>>

interface FormerParts {
  readonly store: Received
  readonly history: Pick<OwnHistory, 'read'>
}

/**
 * What was erased for the team under a former number is erased under this one, as far as both have the same events.
 * Repeating it changes nothing. Failures: those of the history and the file.
 */
export async function followFormer({ store, history }: FormerParts): Answer<null> {
  const first = await history.read({ after: 1, events: 0, bytes: 0 })
  if (!first.ok) return first
  const { before, last } = first.value
  const former = onReceived(() => (before === undefined ? [] : store.beginningWith(before)))
  if (!former.ok) return former
  for (const { id, seq } of former.value) {
    const common = await commonWith({ store, history }, id, Math.min(seq, last.seq))
    if (!common.ok) return common
    const followed = onReceived(() => store.subjects.followFormer(id, common.value))
    if (!followed.ok) return followed
  }
  return ok(null)
}

/** The last event that this installation and another one have in common, of so many. */
async function commonWith({ store, history }: FormerParts, other: string, most: number): Answer<number> {
  let [same, differs] = [1, most + 1]
  // Almost always, all of them are.
  for (let seq = most; same + 1 < differs; seq = Math.floor((same + differs) / 2)) {
    const own = await history.read({ after: seq, events: 0, bytes: 0 })
    if (!own.ok) return own
    const theirs = onReceived(() => store.hashAt(other, seq)?.toString('hex'))
    if (!theirs.ok) return theirs
    if (theirs.value !== undefined && theirs.value === own.value.before) same = seq
    else differs = seq
  }
  return ok(same)
}
