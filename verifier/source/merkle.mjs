/** The Merkle tree of RFC 9162, section 2.1, over SHA-256. */
import { joined, sha256, toHex } from './bytes.mjs'

export const leafHash = (content) => sha256(joined(Uint8Array.of(0), content))
export const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right))
const isPower = (number) => (number % 2 === 0 ? isPower(number / 2) : number === 1)
const half = (number) => Math.floor(number / 2)
/** The largest power of two below a size above 1. */
export function splitOf(size) {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** RFC 9162, 2.1.3.2: whether the path leads from the leaf to the root (hex). */
export async function isIncluded(leaf, index, size, path, root) {
  if (index >= size) return false
  let [fn, sn] = [index, size - 1]
  let r = await leafHash(leaf)
  for (const step of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = await nodeHash(step, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, half(sn)]
    } else r = await nodeHash(r, step)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && toHex(r) === root
}

/** RFC 9162, 2.1.4.2, for a smaller first tree: whether the path proves that the second tree begins with it; roots as bytes. */
export async function isConsistent(first, second, path, firstRoot, secondRoot) {
  if (!(first > 0 && first < second) || path.length === 0) return false
  const steps = isPower(first) ? [firstRoot, ...path] : path
  let [fn, sn] = [first - 1, second - 1]
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)]
  let [fr, sr] = [steps[0], steps[0]]
  for (const step of steps.slice(1)) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      fr = await nodeHash(step, fr)
      sr = await nodeHash(step, sr)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, half(sn)]
    } else sr = await nodeHash(sr, step)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && toHex(fr) === toHex(firstRoot) && toHex(sr) === toHex(secondRoot)
}
