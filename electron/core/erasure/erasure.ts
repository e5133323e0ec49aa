/**
 * An erasure from the decision to the receipt, and resuming interrupted ones. See `store/intents.ts` for the states.
 */
import { failed } from '#contract/failures/failures.ts'
import type { ErasureReceipt } from '#contract/data-management/data-management.ts'
import { erasedListPath, readErased, rememberEnded, rememberErased, rememberReceipts } from '#wire/files/erased-list.ts'
import { sweepUnfinished } from '#core/history/copy-folders.ts'
import type { ErasureIntent, ErasureScope } from '#wire/history/erasure.ts'
import { clearCopies, clearOutside } from './clearing.ts'
import { ask, fileFault, type Answer, type ErasureParts } from './parts.ts'
import { keepReceipts } from './receipts.ts'

/**
 * Erases subjects: decides, records the intent, carries it out. Failures: `erasure-held`, `erasure-open-check`,
 * `erasure-copies`, and `erasure-unfinished`, after which the next opening continues it.
 */
export async function erase(
  parts: ErasureParts,
  { people, applicants, hold, open }: ErasureScope,
  cause: ErasureReceipt['cause'],
  reason: string
): Answer<ErasureReceipt> {
  if (hold) return failed('erasure-held')
  if (open) return failed('erasure-open-check')
  const decided = { cause, reason, at: parts.clock.now(), operator: parts.operator, subjects: people }
  const intended = await ask(parts, (store) => store.intend(decided))
  if (!intended.ok) return intended
  const erased = await carryOut(parts, { ...decided, id: intended.value }, applicants)
  // The failure reports that nothing was erased and the user decides again: it must not be done later without notice.
  if (!erased.ok) {
    await ask(parts, (store) => store.abandon(intended.value))
    await endRefused(parts)
  }
  return erased
}

/** Resumes interrupted erasures, unless there is a hold by now. Never fails: repeated at each opening. */
export async function resumeErasures(parts: ErasureParts): Promise<void> {
  const uncleared = await ask(parts, (store) => store.uncleared())
  if (uncleared.ok) for (const erasure of uncleared.value) await clearOutside(parts, erasure)
  const intended = await ask(parts, (store) => store.intended())
  for (const intent of intended.ok ? intended.value : []) {
    const scope = await ask(parts, (store) => store.scopeOf(intent.subjects))
    const done = scope.ok ? await carryOut(parts, intent, scope.value.applicants) : scope
    // The hold came first: lifting it must not trigger the erasure.
    if (!done.ok && done.failure.code === 'erasure-held') await ask(parts, (store) => store.abandon(intent.id))
  }
  await keepReceipts(parts)
  await decideBegun(parts)
}

/**
 * From the intent to the receipt. The history comes first, in one step that is atomic with respect to holds.
 * Everything outside it follows; if that is interrupted, the next start continues it.
 *
 * @param applicants IDs of the applicants, which are gone with their keys.
 */
async function carryOut(
  parts: ErasureParts,
  { id, ...intent }: ErasureIntent,
  applicants: readonly string[]
): Answer<ErasureReceipt> {
  const { dataFolder } = parts
  // Tests what could fail after the irreversible step before it.
  const writable = await fileFault(() => rememberErased(dataFolder, []))
  if (writable !== undefined) return failed('erasure-copies', { errno: writable })
  const erased = await ask(parts, (store) => store.erase({ ...intent, intent: id, list: erasedListPath(dataFolder) }))
  if (!erased.ok) return erased
  await parts.erased(applicants)
  parts.changed()
  const uncleared = await ask(parts, (store) => store.uncleared())
  if (!uncleared.ok) return failed('erasure-unfinished', { cause: uncleared.failure })
  return clearOutside(parts, uncleared.value.find((one) => one.id === id) ?? { id, digests: [], held: [], files: [] })
}

/** Ends entries listed as begun whose erasure destroyed nothing. */
async function endRefused(parts: ErasureParts): Promise<void> {
  const { dataFolder } = parts
  await fileFault(async () => {
    const { begun } = await readErased(dataFolder)
    if (begun.length === 0) return
    const [intended, uncleared] = [
      await ask(parts, (store) => store.intended()),
      await ask(parts, (store) => store.uncleared())
    ]
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
 * Decides entries listed as begun that this history does not know. If their keys are here they were not destroyed:
 * the erasure was refused. Keys that a restore removed, because it was not known whether they were destroyed, are
 * removed from every copy. Other entries stay as they are: a restore will decide.
 */
async function decideBegun(parts: ErasureParts): Promise<void> {
  const { dataFolder } = parts
  // On failure the entry stays listed, and the next start tries again.
  await fileFault(async () => {
    await endRefused(parts)
    const { digests: gone, begun, receipts } = await readErased(dataFolder)
    const known = new Set(begun.length === 0 ? [] : gone)
    for (const { id, digests } of begun) {
      if (!digests.every((digest) => known.has(digest))) continue
      await sweepUnfinished(dataFolder)
      const copies = await clearCopies(parts, { id, digests, held: [], files: [] })
      if (!copies.ok) continue
      const pending = receipts.get(id)
      if (pending)
        await rememberReceipts(dataFolder, [
          {
            ...pending,
            ...copies.value,
            copiesNotReached: [...copies.value.copiesNotReached],
            copiesPending: undefined
          }
        ])
      await rememberEnded(dataFolder, id)
    }
  })
}
