/** Pseudo-random numbers from a fixed seed. */
export type Random = (below: number) => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The bytes with one bit flipped. */
export function bent(bytes: Uint8Array, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  const at = random(copy.length)
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << random(8)), at)
  return copy
}
