/**
 * The Merkle tree of RFC 9162 (2.1) with SHA-256, as pure functions. A leaf's content is an event's hash in the
 * chain. The tree proves that an event is in the audit trail without showing the others, and that a later audit trail
 * begins with an earlier one.
 */
import { hash as digest } from 'node:crypto'

// Two hashes are computed for each of many thousands of events, so their input is assembled in shared buffers.
const node = Buffer.alloc(65)
node.writeUInt8(1, 0)
const leaf = Buffer.alloc(33)

/** Hash of a leaf: SHA-256(0x00, content). The prefixes distinguish leaves and nodes (RFC 9162, 2.1.1). */
export function leafHash(content: Uint8Array): Buffer {
  if (content.length !== 32) return digest('sha256', Buffer.concat([Buffer.alloc(1), content]), 'buffer')
  leaf.set(content, 1)
  return digest('sha256', leaf, 'buffer')
}
/** Hash of an inner node: SHA-256(0x01, left, right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1)
  node.set(right, 33)
  return digest('sha256', node, 'buffer')
}
/** Root of the empty tree: SHA-256 of the empty string. */
export const emptyRoot = (): Buffer => digest('sha256', '', 'buffer')

/** Returns the hash of the complete subtree of 2^level leaves that begins at leaf `index * 2^level`. */
export type SubtreeReader = (level: number, index: number) => Buffer

/** The largest power of two smaller than n, for n >= 2. */
export function split(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

const isPower = (n: number): boolean => Number.isInteger(Math.log2(n))

/** Root over the leaves from `start` to `end`; `start` must be a multiple of every power of two needed. */
function rangeRoot(read: SubtreeReader, start: number, end: number): Buffer {
  const size = end - start
  if (size === 0) return emptyRoot()
  if (isPower(size)) return read(Math.log2(size), start / size)
  const k = split(size)
  return nodeHash(rangeRoot(read, start, start + k), rangeRoot(read, start + k, end))
}

/** Root over the first `size` leaves. */
export const rootOf = (read: SubtreeReader, size: number): Buffer => rangeRoot(read, 0, size)

/** The inclusion proof for leaf `index` (from 0) in a tree of `size` leaves (RFC 9162, 2.1.3.1). */
export function inclusionPath(read: SubtreeReader, index: number, size: number): Buffer[] {
  if (!(Number.isInteger(index) && index >= 0 && index < size)) throw new RangeError('the leaf is not in the tree')
  const path = (start: number, end: number): Buffer[] => {
    if (end - start === 1) return []
    const middle = start + split(end - start)
    return index < middle
      ? [...path(start, middle), rangeRoot(read, middle, end)]
      : [...path(middle, end), rangeRoot(read, start, middle)]
  }
  return path(0, size)
}

/** Verifies an inclusion proof from a leaf's content to the root (RFC 9162, 2.1.3.2). */
export function verifyInclusion(
  content: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
  root: Uint8Array
): boolean {
  if (!(Number.isInteger(index) && Number.isInteger(size) && index >= 0 && index < size)) return false
  let fn = index
  let sn = size - 1
  let r = leafHash(content)
  for (const p of path) {
    if (p.length !== 32 || sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      r = nodeHash(r, p)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && r.equals(root)
}

/** The proof that a tree of `size` leaves begins with the tree of `from` leaves (RFC 9162, 2.1.4.1). */
export function consistencyPath(read: SubtreeReader, from: number, size: number): Buffer[] {
  if (!(Number.isInteger(from) && from > 0 && from <= size))
    throw new RangeError('the earlier tree is not part of the later one')
  const path = (m: number, start: number, end: number, whole: boolean): Buffer[] => {
    if (m === end - start) return whole ? [] : [rangeRoot(read, start, end)]
    const k = split(end - start)
    return m <= k
      ? [...path(m, start, start + k, whole), rangeRoot(read, start + k, end)]
      : [...path(m - k, start + k, end, false), rangeRoot(read, start, start + k)]
  }
  return path(from, 0, size, true)
}

/** Verifies a consistency proof from the earlier root to the later one (RFC 9162, 2.1.4.2). */
export function verifyConsistency(
  from: number,
  size: number,
  path: readonly Uint8Array[],
  fromRoot: Uint8Array,
  root: Uint8Array
): boolean {
  if (!(Number.isInteger(from) && Number.isInteger(size) && from > 0 && from <= size) || fromRoot.length !== 32)
    return false
  if (from === size) return path.length === 0 && Buffer.from(fromRoot).equals(root)
  const steps = isPower(from) ? [fromRoot, ...path] : [...path]
  const first = steps.shift()
  if (!first || steps.some((step) => step.length !== 32)) return false
  let fn = from - 1
  let sn = size - 1
  while (fn % 2 === 1) {
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  let fr: Buffer = Buffer.from(first)
  let sr: Buffer = Buffer.from(first)
  for (const c of steps) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      fr = nodeHash(c, fr)
      sr = nodeHash(c, sr)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      sr = nodeHash(sr, c)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && fr.equals(fromRoot) && sr.equals(root)
}

/** Subtrees over leaf hashes in memory. */
export function overLeaves(leaves: readonly Buffer[]): SubtreeReader {
  const read: SubtreeReader = (level, index) => {
    if (level === 0) {
      const leaf = leaves[index]
      if (!leaf) throw new RangeError('no such leaf')
      return leaf
    }
    return nodeHash(read(level - 1, index * 2), read(level - 1, index * 2 + 1))
  }
  return read
}

/**
 * Appends a leaf with this content (32 bytes) in place to a tree given as the roots of its complete subtrees in hex,
 * the largest first: as many equal-sized pairs are joined as `size` has trailing one bits.
 */
export function addLeaf(tree: string[], size: number, content: Uint8Array): void {
  // A hash as hex takes a third of the time of one as a buffer.
  leaf.set(content, 1)
  let root = digest('sha256', leaf, 'hex')
  for (let n = size; n % 2 === 1; n = Math.floor(n / 2)) {
    const left = tree.pop()
    if (left === undefined) throw new RangeError('the tree is not of this size')
    node.write(left, 1, 'hex')
    node.write(root, 33, 'hex')
    root = digest('sha256', node, 'hex')
  }
  tree.push(root)
}

/** The root of a tree given as such subtrees. */
export function rootOfSubtrees(tree: readonly string[]): string {
  const [last, ...others] = tree.map((root) => Buffer.from(root, 'hex')).reverse()
  return others.reduce((root, left) => nodeHash(left, root), last ?? emptyRoot()).toString('hex')
}
