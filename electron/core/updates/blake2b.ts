/**
 * BLAKE2b without a key (RFC 7693), whose 64 bytes minisign signs instead of a file. Electron's cryptography has no
 * BLAKE2b, so this is not `node:crypto`; a test compares both where Node has it. For small inputs.
 */
const word = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotated = (value: bigint, by: bigint): bigint => word((value >> by) | (value << (64n - by)))

const initial = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n
] as const

/** The order of a block's words in each round, as hexadecimal digits. */
const orders = [
  '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d', '2c6a0b834d75fe19',
  'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0', '0123456789abcdef', 'ea489fd61c02b753'
].map((order) => [...order].map((digit) => Number.parseInt(digit, 16)))

/** The four words that each step of a round mixes: columns, then diagonals. */
const steps = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] as const

const blockBytes = 128

/** Mixes a block into the state. `size` is the number of bytes so far, without padding. */
function compress(state: BigUint64Array, block: DataView, size: number, last: boolean): void {
  const words = Array.from({ length: 16 }, (_, index) => block.getBigUint64(index * 8, true))
  const v = BigUint64Array.from([...state, ...initial])
  const at = (index: number): bigint => v[index] ?? 0n
  v[12] = at(12) ^ BigInt(size)
  if (last) v[14] = word(~at(14))
  for (const order of orders) {
    const taken = (index: number): bigint => words[order[index] ?? 0] ?? 0n
    steps.forEach(([a, b, c, d], step) => {
      v[a] = word(at(a) + at(b) + taken(2 * step))
      v[d] = rotated(at(d) ^ at(a), 32n)
      v[c] = word(at(c) + at(d))
      v[b] = rotated(at(b) ^ at(c), 24n)
      v[a] = word(at(a) + at(b) + taken(2 * step + 1))
      v[d] = rotated(at(d) ^ at(a), 16n)
      v[c] = word(at(c) + at(d))
      v[b] = rotated(at(b) ^ at(c), 63n)
    })
  }
  state.forEach((value, index) => (state[index] = value ^ at(index) ^ at(index + 8)))
}

/** The digest of some bytes, of 1 to 64 bytes. */
export function blake2b(bytes: Uint8Array, length: number): Buffer {
  const state = BigUint64Array.from(initial)
  // Parameters: the length of the output, no key, one tree node.
  state[0] = (state[0] ?? 0n) ^ 0x01010000n ^ BigInt(length)
  // An empty input is one block of zeros.
  const blocks = Math.max(1, Math.ceil(bytes.length / blockBytes))
  const padded = new Uint8Array(blocks * blockBytes)
  padded.set(bytes)
  for (let index = 0; index < blocks; index += 1) {
    const last = index === blocks - 1
    compress(state, new DataView(padded.buffer, index * blockBytes, blockBytes), last ? bytes.length : (index + 1) * blockBytes, last)
  }
  const digest = Buffer.alloc(64)
  state.forEach((value, index) => digest.writeBigUInt64LE(value, index * 8))
  return digest.subarray(0, length)
}
