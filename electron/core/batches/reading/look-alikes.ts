/**
 * Applicants of a file whose IDs look alike: two of the file, or one of the file and one of the history. A digest of each
 * ID is kept in flat arrays, so that a million rows stay small.
 */
import { hash } from 'node:crypto'
import { maxListedLookAlikes, type BatchLookAlikes, type LookAlikePlace } from '#contract/batches/look-alikes.ts'
import { likeness } from '#kit/text/folding.ts'

/** Asks the history for the IDs that look like each of these and are others; undefined if it is not open. */
export type AskAlike = (ids: readonly string[]) => Promise<readonly (readonly string[])[] | undefined>

/** IDs for one question, so that the history serves others in between. */
const chunkIds = 400

/** The row in which a likeness was seen first, and a digest of the ID there. Open addressing, at most half full. */
function createSeenIds() {
  let keys = new BigUint64Array(1024)
  let firsts = new Uint32Array(2048)
  let count = 0
  const slotOf = (table: BigUint64Array, key: bigint): number => {
    let at = Number(key % BigInt(table.length))
    while (table[at] !== 0n && table[at] !== key) at = (at + 1) % table.length
    return at
  }
  function grow(): void {
    const [oldKeys, oldFirsts] = [keys, firsts]
    keys = new BigUint64Array(oldKeys.length * 2)
    firsts = new Uint32Array(oldFirsts.length * 2)
    oldKeys.forEach((key, from) => {
      if (key === 0n) return
      const at = slotOf(keys, key)
      keys[at] = key
      firsts.set(oldFirsts.subarray(from * 2, from * 2 + 2), at * 2)
    })
  }
  return {
    /** The row with another ID of this likeness; `again` for the same ID, undefined for the first. */
    see(id: string, row: number): number | 'again' | undefined {
      const key = hash('sha256', likeness(id), 'buffer').readBigUInt64LE(0) | 1n
      const own = hash('sha256', id, 'buffer').readUInt32LE(0)
      const at = slotOf(keys, key)
      if (keys[at] === key) return firsts[at * 2] === own ? 'again' : (firsts[at * 2 + 1] ?? 0)
      keys[at] = key
      firsts.set([own, row], at * 2)
      count += 1
      if (count * 2 > keys.length) grow()
      return undefined
    }
  }
}

/** Looks at the IDs of a file's rows in their order. */
export function createLookAlikes(askAlike: AskAlike) {
  const ids = createSeenIds()
  const places: LookAlikePlace[] = []
  let rows = 0
  let waiting: { readonly row: number; readonly id: string }[] = []
  const add = (place: LookAlikePlace): void => {
    rows += 1
    if (places.length < maxListedLookAlikes) places.push(place)
  }
  async function ask(): Promise<void> {
    const asked = waiting
    waiting = []
    const found = asked.length === 0 ? undefined : await askAlike(asked.map(({ id }) => id))
    for (const [index, { row, id }] of asked.entries()) {
      const [other] = found?.[index] ?? []
      if (other !== undefined) add({ row, id, other })
    }
  }
  return {
    async see(row: number, id: string | undefined): Promise<void> {
      if (id === undefined) return
      const earlier = ids.see(id, row)
      if (earlier === 'again') return
      if (earlier !== undefined) return add({ row, id, otherRow: earlier })
      if (waiting.push({ row, id }) >= chunkIds) await ask()
    },
    async found(): Promise<BatchLookAlikes> {
      await ask()
      return { rows, places: places.sort((one, other) => one.row - other.row) }
    }
  }
}
