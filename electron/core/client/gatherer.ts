/** Bytes that arrive in pieces, put together as they come. */

export interface Gatherer {
  /** Copies as much of a piece as there is room for. The piece itself is not kept. */
  add(piece: Uint8Array): void
  /** What was added so far, at most the limit's number of bytes. */
  bytes(): Uint8Array
}

/**
 * A gatherer of up to `limit` bytes. It holds at most twice of what was added and no piece: a list of the
 * pieces would cost hundreds of bytes for each, and whoever sends them decides how many there are.
 */
export function createGatherer(limit: number): Gatherer {
  let space = new Uint8Array(0)
  let filled = 0
  return {
    add(piece) {
      const part = piece.subarray(0, limit - filled)
      const needed = filled + part.length
      if (needed > space.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(needed, space.length * 2)))
        larger.set(space.subarray(0, filled))
        space = larger
      }
      space.set(part, filled)
      filled = needed
    },
    bytes: () => space.subarray(0, filled)
  }
}
