/** Detects repeated inputs: stores a 16-byte digest of each in flat arrays, so that a million rows stay small. */
import { hash } from 'node:crypto'
import type { VerificationInput } from '#contract/verification/verification.ts'

export interface SeenInputs {
  /** Adds an input; returns true if it was there already. */
  seen(input: VerificationInput): boolean
  /** Frees its memory at once; it must not be used afterwards. */
  free(): void
}

/** Without waiting for a garbage collection: some megabytes for 100,000 rows. */
const freeTable = (table: BigUint64Array<ArrayBuffer>): void => void table.buffer.transfer(0)

/** Builds an empty set. Open addressing, at most half full. */
export function createSeenInputs(): SeenInputs {
  let slots = new BigUint64Array(2 * 4096)
  let count = 0

  const place = (table: BigUint64Array, high: bigint, low: bigint): boolean => {
    const size = BigInt(table.length / 2)
    for (let at = Number(low % size) * 2; ; at = (at + 2) % table.length) {
      if (table[at] === high && table[at + 1] === low) return false
      if (table[at] === 0n && table[at + 1] === 0n) {
        table[at] = high
        table[at + 1] = low
        return true
      }
    }
  }
  const grow = (): void => {
    const next = new BigUint64Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 2)
      if (slots[at] !== 0n || slots[at + 1] !== 0n) place(next, slots[at] ?? 0n, slots[at + 1] ?? 0n)
    freeTable(slots)
    slots = next
  }

  return {
    seen(input) {
      const digest = hash('sha256', JSON.stringify(Object.values(input)), 'buffer')
      const isNew = place(slots, digest.readBigUInt64LE(0), digest.readBigUInt64LE(8) | 1n)
      if (!isNew) return true
      count += 1
      if (count * 4 > slots.length) grow()
      return false
    },
    free: () => freeTable(slots)
  }
}
