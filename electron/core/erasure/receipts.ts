/** Erasure receipts: of this history, and of those that it replaced. */
import type { ErasureReceipt } from '#contract/data-management.ts'
import { ok } from '#contract/result.ts'
import { listedReceipt, readErased, rememberReceipts } from './store/erased-list.ts'
import { ask, fileFault, type Answer, type ErasureParts } from './parts.ts'

/**
 * Adds receipts that are missing from the list, which outlives this history. What fails is repeated at the next
 * opening.
 */
export async function keepReceipts(parts: ErasureParts): Promise<void> {
  const { dataFolder } = parts
  const here = await ask(parts, (store) => store.receipts())
  if (!here.ok || here.value.length === 0) return
  await fileFault(async () => {
    const { receipts: listed } = await readErased(dataFolder)
    const newer = here.value.map(listedReceipt).filter((one) => JSON.stringify(one) !== JSON.stringify(listed.get(one.id)))
    if (newer.length > 0) await rememberReceipts(dataFolder, newer.reverse())
  })
}

/** Newest first: those in this history's audit trail, and those whose audit trail was replaced. */
export async function allReceipts(parts: ErasureParts): Answer<readonly ErasureReceipt[]> {
  const { dataFolder } = parts
  const here = await ask(parts, (store) => store.receipts())
  if (!here.ok) return here
  const own = new Set(here.value.map(({ id }) => id))
  const replaced: ErasureReceipt[] = []
  const fault = await fileFault(async () => {
    for (const one of (await readErased(dataFolder)).receipts.values()) if (!own.has(one.id)) replaced.push({ ...one, subjects: [], replaced: true })
  })
  if (fault !== undefined || replaced.length === 0) return here
  return ok([...here.value, ...replaced].sort((a, b) => b.at - a.at))
}
