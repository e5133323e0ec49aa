/** Collects bytes that arrive in pieces into one array. */

export interface Gatherer {
  /** Copies as much of a piece as fits. The piece itself is not retained. */
  add(piece: Uint8Array): void
  /** The bytes added so far, at most `limit`. */
  bytes(): Uint8Array
}

/**
 * A gatherer of up to `limit` bytes. It uses at most twice the memory of the bytes added. It holds no list of pieces,
 * which would cost hundreds of bytes for each, and the sender decides how many there are.
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
