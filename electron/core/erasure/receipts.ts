/** Erasure receipts: of this history, and of those that it replaced. */
import type { ErasureReceipt } from '#contract/data-management/data-management.ts'
import { ok } from '#contract/failures/result.ts'
import { listedReceipt, readErased, rememberReceipts } from '#wire/files/erased-list.ts'
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
    const newer = here.value
      .map(listedReceipt)
      .filter((one) => JSON.stringify(one) !== JSON.stringify(listed.get(one.id)))
    if (newer.length > 0) await rememberReceipts(dataFolder, newer.reverse())
  })
}

/** Receipts that name each installation of a team: the newest. */
const mostNamed = 100

/** With who in the team has acknowledged them. An audit trail that was replaced is none of the team any more. */
async function withTeam(
  { inTeam }: ErasureParts,
  receipts: readonly ErasureReceipt[]
): Promise<readonly ErasureReceipt[]> {
  const asked = receipts.slice(0, mostNamed)
  const found = asked.length > 0 ? await inTeam(asked.map(({ event }) => event)) : undefined
  return found
    ? receipts.map((receipt, index) => {
        const team = found[index]
        return team ? { ...receipt, team } : receipt
      })
    : receipts
}

/** Newest first: those in this history's audit trail, and those whose audit trail was replaced. */
export async function allReceipts(parts: ErasureParts): Answer<readonly ErasureReceipt[]> {
  const { dataFolder } = parts
  const found = await ask(parts, (store) => store.receipts())
  if (!found.ok) return found
  const here = ok(await withTeam(parts, found.value))
  const own = new Set(here.value.map(({ id }) => id))
  const replaced: ErasureReceipt[] = []
  const fault = await fileFault(async () => {
    for (const one of (await readErased(dataFolder)).receipts.values())
      if (!own.has(one.id)) replaced.push({ ...one, subjects: [], replaced: true })
  })
  if (fault !== undefined || replaced.length === 0) return here
  return ok([...here.value, ...replaced].sort((a, b) => b.at - a.at))
}
