/**
 * Decrypts what AEGIS-256 encrypted (draft-irtf-cfrg-aegis-aead, section 4), without verifying it: to look into pages that
 * SQLite itself no longer reads. Slow, and not for anything that must stay secret: its tables leak by timing.
 */

type Words = Int32Array<ArrayBuffer>

const c0 = '000101020305080d1522375990e97962'
const c1 = 'db3d18556dc22ff12011314273b528dd'

/** The S-box of AES: the inverse in GF(2^8), then the affine map. */
function substitution(): Uint8Array {
  const box = new Uint8Array(256)
  const rotated = (byte: number, by: number): number => ((byte << by) | (byte >> (8 - by))) & 0xff
  let [power, inverse] = [1, 1]
  do {
    power = (power ^ (power << 1) ^ (power & 0x80 ? 0x11b : 0)) & 0xff
    inverse ^= inverse << 1
    inverse ^= inverse << 2
    inverse ^= inverse << 4
    inverse &= 0xff
    if (inverse & 0x80) inverse ^= 0x09
    box[power] = inverse ^ rotated(inverse, 1) ^ rotated(inverse, 2) ^ rotated(inverse, 3) ^ rotated(inverse, 4) ^ 0x63
  } while (power !== 1)
  box[0] = 0x63
  return box
}

/** For each row of a column: what a byte there adds to the column after SubBytes and MixColumns, little-endian. */
const tables: readonly Words[] = (() => {
  const box = substitution()
  const double = (byte: number): number => (byte << 1) ^ (byte & 0x80 ? 0x11b : 0)
  return [0, 1, 2, 3].map((row) =>
    Int32Array.from(box, (s) => {
      const column = [double(s), s, s, double(s) ^ s]
      return [0, 1, 2, 3].reduce((word, to) => word | ((column[(to - row + 4) % 4] ?? 0) << (8 * to)), 0)
    })
  )
})()

const byteOf = (word: number, row: number): number => (word >>> (8 * row)) & 0xff
const at = (words: Words, index: number): number => words[index] ?? 0

/** One round of AES with this key. */
function round(block: Words, key: Words): Words {
  const out = new Int32Array(4)
  for (let column = 0; column < 4; column += 1) {
    let word = at(key, column)
    for (let row = 0; row < 4; row += 1) word ^= at(tables[row] ?? out, byteOf(at(block, (column + row) % 4), row))
    out[column] = word
  }
  return out
}

const xor = (one: Words, other: Words): Words => one.map((word, index) => word ^ at(other, index))
const and = (one: Words, other: Words): Words => one.map((word, index) => word & at(other, index))
function wordsOf(bytes: Uint8Array): Words {
  const padded = Buffer.alloc(16)
  padded.set(bytes)
  return Int32Array.from([0, 4, 8, 12], (from) => padded.readInt32LE(from))
}
function bytesOf(words: Words): Buffer {
  const bytes = Buffer.alloc(16)
  words.forEach((word, index) => bytes.writeInt32LE(word, 4 * index))
  return bytes
}

class State {
  private blocks: readonly Words[]

  constructor(key: Uint8Array, nonce: Uint8Array) {
    const [k0, k1, n0, n1] = [key.subarray(0, 16), key.subarray(16), nonce.subarray(0, 16), nonce.subarray(16)].map(
      wordsOf
    ) as [Words, Words, Words, Words]
    const [first, second] = [c0, c1].map((hex) => wordsOf(Buffer.from(hex, 'hex'))) as [Words, Words]
    this.blocks = [xor(k0, n0), xor(k1, n1), second, first, xor(k0, first), xor(k1, second)]
    for (let turn = 0; turn < 4; turn += 1) for (const word of [k0, k1, xor(k0, n0), xor(k1, n1)]) this.update(word)
  }

  private block(index: number): Words {
    return this.blocks[index] as Words
  }

  update(message: Words): void {
    this.blocks = this.blocks.map((block, index) =>
      round(this.block((index + 5) % 6), index === 0 ? xor(block, message) : block)
    )
  }

  get mask(): Words {
    return xor(xor(this.block(1), this.block(4)), xor(this.block(5), and(this.block(2), this.block(3))))
  }
}

/** The key stream: what zeros are encrypted to. */
export function stream(length: number, key: Uint8Array, nonce: Uint8Array): Buffer {
  const state = new State(key, nonce)
  const parts: Buffer[] = []
  for (let from = 0; from < length; from += 16) {
    parts.push(bytesOf(state.mask))
    state.update(new Int32Array(4))
  }
  return Buffer.concat(parts).subarray(0, length)
}

/** The text, which is not verified. @param key 32 bytes. @param nonce 32 bytes. */
export function decrypted(bytes: Uint8Array, key: Uint8Array, nonce: Uint8Array): Buffer {
  const state = new State(key, nonce)
  const text = Buffer.alloc(bytes.length)
  for (let from = 0; from < bytes.length; from += 16) {
    const part = bytes.subarray(from, from + 16)
    const block = bytesOf(xor(wordsOf(part), state.mask)).subarray(0, part.length)
    text.set(block, from)
    state.update(wordsOf(block))
  }
  return text
}
