/** Detects repeated inputs: stores a 16-byte digest of each in flat arrays, so that a million rows stay small. */
import { hash } from 'node:crypto'
import type { VerificationInput } from '#contract/verification/verification.ts'

export interface SeenInputs {
  /** Adds the input of a line; returns the first line that has it, if another does. */
  firstWith(input: VerificationInput, line: number): number | undefined
  /** Frees its memory at once; it must not be used afterwards. */
  free(): void
}

/** Without waiting for a garbage collection: some megabytes for 100,000 rows. */
const freeTable = (table: BigUint64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): void => void table.buffer.transfer(0)

/** Builds an empty set. Open addressing, at most half full. */
export function createSeenInputs(): SeenInputs {
  let slots = new BigUint64Array(2 * 4096)
  /** The line of each slot. */
  let lines = new Uint32Array(4096)
  let count = 0

  /** Takes a slot and returns undefined, or returns the line of the slot that has this digest. */
  const place = (table: BigUint64Array, of: Uint32Array, high: bigint, low: bigint, line: number) => {
    const size = BigInt(table.length / 2)
    for (let at = Number(low % size) * 2; ; at = (at + 2) % table.length) {
      if (table[at] === high && table[at + 1] === low) return of[at / 2]
      if (table[at] === 0n && table[at + 1] === 0n) {
        table[at] = high
        table[at + 1] = low
        of[at / 2] = line
        return undefined
      }
    }
  }
  const grow = (): void => {
    const next = new BigUint64Array(slots.length * 2)
    const nextLines = new Uint32Array(lines.length * 2)
    for (let at = 0; at < slots.length; at += 2)
      if (slots[at] !== 0n || slots[at + 1] !== 0n)
        place(next, nextLines, slots[at] ?? 0n, slots[at + 1] ?? 0n, lines[at / 2] ?? 0)
    freeTable(slots)
    freeTable(lines)
    slots = next
    lines = nextLines
  }

  return {
    firstWith(input, line) {
      const digest = hash('sha256', JSON.stringify(Object.values(input)), 'buffer')
      const first = place(slots, lines, digest.readBigUInt64LE(0), digest.readBigUInt64LE(8) | 1n, line)
      if (first !== undefined) return first
      count += 1
      if (count * 4 > slots.length) grow()
      return undefined
    },
    free() {
      freeTable(slots)
      freeTable(lines)
    }
  }
}
