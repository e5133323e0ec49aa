/** Sizes of sealed events, which the database sees. */
import { limits } from '#team/database/schema.ts'

/** Most events are smaller, with their sealed parts: their sizes tell nothing. */
const smallest = 1024

/**
 * The size that a sealed event of so many bytes gets: a power of two from 1 KiB to the limit of the database, 13 sizes in
 * all. Undefined if it is larger. Finer steps (Padmé: at most 12 % more) would save space and tell most events apart.
 */
export function paddedSize(bytes: number): number | undefined {
  const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(Math.max(1, bytes))))
  return size <= limits.bodyBytes ? size : undefined
}
