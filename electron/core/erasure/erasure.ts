/** An erasure from its decision to its receipt, and what goes on with one that was interrupted. Its states: `store/intents.ts`. */
import { failed } from '#contract/failures.ts'
import type { ErasureReceipt } from '#contract/data-management.ts'
import { erasedListPath, readErased, rememberEnded, rememberErased, rememberReceipts } from './store/erased-list.ts'
import { sweepUnfinished } from '#core/history/copy-folders.ts'
import type { ErasureIntent, ErasureScope } from '#core/history/api/erasure.ts'
import { clearCopies, clearOutside } from './clearing.ts'
import { ask, fileFault, type Answer, type ErasureParts } from './parts.ts'
import { keepReceipts } from './receipts.ts'

/**
 * Erases subjects: decided, noted, carried out. Failures: `erasure-held`, `erasure-open-check`, `erasure-copies`, and
 * `erasure-unfinished`, after which the next opening goes on with it.
 */
export async function erase(parts: ErasureParts, { people, hold, open }: ErasureScope, cause: ErasureReceipt['cause'], reason: string): Answer<ErasureReceipt> {
  if (hold) return failed('erasure-held')
  if (open) return failed('erasure-open-check')
  const decided = { cause, reason, at: parts.clock.now(), operator: parts.operator, subjects: people }
  const intended = await ask(parts, (store) => store.intend(decided))
  if (!intended.ok) return intended
  const erased = await carryOut(parts, { ...decided, id: intended.value })
  // The person is told that nothing was erased, and decides again: it is not done later without a word.
  if (!erased.ok) {
    await ask(parts, (store) => store.abandon(intended.value))
    await endRefused(parts)
  }
  return erased
}

/** Goes on with what a crash has interrupted, unless a hold has come meanwhile. Never fails: it is tried at each opening. */
export async function resumeErasures(parts: ErasureParts): Promise<void> {
  const uncleared = await ask(parts, (store) => store.uncleared())
  if (uncleared.ok) for (const erasure of uncleared.value) await clearOutside(parts, erasure)
  const intended = await ask(parts, (store) => store.intended())
  for (const intent of intended.ok ? intended.value : []) {
    const done = await carryOut(parts, intent)
    // The hold came first: it is not lifted into an erasure.
    if (!done.ok && done.failure.code === 'erasure-held') await ask(parts, (store) => store.abandon(intent.id))
  }
  await keepReceipts(parts)
  await decideBegun(parts)
}

/**
 * From the intent to the receipt. The history goes first, in one step that a hold comes before or not at all; what
 * is outside of it is touched only then, and whatever stops that half-way, the next start goes on with it.
 */
async function carryOut(parts: ErasureParts, { id, ...intent }: ErasureIntent): Answer<ErasureReceipt> {
  const { dataFolder } = parts
  // What would stop it behind the step that cannot be taken back is better met before it.
  const writable = await fileFault(() => rememberErased(dataFolder, []))
  if (writable !== undefined) return failed('erasure-copies', { errno: writable })
  const erased = await ask(parts, (store) => store.erase({ ...intent, intent: id, list: erasedListPath(dataFolder) }))
  if (!erased.ok) return erased
  parts.erased()
  parts.changed()
  const uncleared = await ask(parts, (store) => store.uncleared())
  if (!uncleared.ok) return failed('erasure-unfinished', { cause: uncleared.failure })
  return clearOutside(parts, uncleared.value.find((one) => one.id === id) ?? { id, digests: [], held: [] })
}

/** Takes back what the list has as begun of erasures that destroyed nothing. */
async function endRefused(parts: ErasureParts): Promise<void> {
  const { dataFolder } = parts
  await fileFault(async () => {
    const { begun } = await readErased(dataFolder)
    if (begun.length === 0) return
    const [intended, uncleared] = [await ask(parts, (store) => store.intended()), await ask(parts, (store) => store.uncleared())]
    if (!intended.ok || !uncleared.ok) return
    const here = new Set([...intended.value, ...uncleared.value].map(({ id }) => id))
    for (const { id, digests } of begun) {
      if (here.has(id)) continue
      const alive = await ask(parts, (store) => store.alive(digests))
      if (alive.ok && alive.value > 0) await rememberEnded(dataFolder, id)
    }
  })
}

/**
 * What the list has as begun and this history knows nothing of. Keys that are here were not destroyed: it was
 * refused. Those that a restore has taken out, since nobody could say whether they went, go from every copy.
 * What is neither stays as it is: a restore will decide.
 */
async function decideBegun(parts: ErasureParts): Promise<void> {
  const { dataFolder } = parts
  // What fails here stands in the list until it is decided: the next start tries again.
  await fileFault(async () => {
    await endRefused(parts)
    const { digests: gone, begun, receipts } = await readErased(dataFolder)
    const known = new Set(begun.length === 0 ? [] : gone)
    for (const { id, digests } of begun) {
      if (!digests.every((digest) => known.has(digest))) continue
      await sweepUnfinished(dataFolder)
      const copies = await clearCopies(parts, { id, digests, held: [] })
      if (!copies.ok) continue
      const pending = receipts.get(id)
      if (pending) await rememberReceipts(dataFolder, [{ ...pending, ...copies.value, copiesNotReached: [...copies.value.copiesNotReached], copiesPending: undefined }])
      await rememberEnded(dataFolder, id)
    }
  })
}
