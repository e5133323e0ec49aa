/** Whether two packs of one key can come from one audit trail: each proves some nodes of its tree. */
import { toBytes, toHex } from './bytes.mjs'
import { must } from './canonical.mjs'
import { leafHash, nodeHash, splitOf } from './merkle.mjs'

/** Hashes (hex) of all nodes that a pack proves, by the range of leaves that they cover: `start-end`, without the leaf `end`. */
export async function nodesOf({ events, size, root }) {
  const nodes = new Map([[`0-${size}`, root]])
  const leaf = async (seq, hash) => {
    const found = toHex(await leafHash(toBytes(hash)))
    nodes.set(`${seq - 1}-${seq}`, found)
    return found
  }
  const climb = async (index, hash, path, start, end) => {
    if (end - start === 1) return leaf(index + 1, hash)
    const middle = start + splitOf(end - start)
    const isLeft = index < middle
    const beside = path.at(-1)
    nodes.set(isLeft ? `${middle}-${end}` : `${start}-${middle}`, beside)
    const own = await climb(index, hash, path.slice(0, -1), ...(isLeft ? [start, middle] : [middle, end]))
    const found = toHex(await nodeHash(toBytes(isLeft ? own : beside), toBytes(isLeft ? beside : own)))
    nodes.set(`${start}-${end}`, found)
    return found
  }
  for (const { seq, hash, previous, path } of events) {
    if (seq > 1) await leaf(seq - 1, previous)
    await climb(seq - 1, hash, path, 0, size)
  }
  return nodes
}

/** The root (hex) over a range of leaves, if the known nodes determine it. */
export async function rootWithin(nodes, start, end) {
  const known = nodes.get(`${start}-${end}`)
  const size = end - start
  if (known !== undefined || size === 1) return known
  const middle = start + splitOf(size)
  // A complete subtree is also a node of the larger tree: if it is unknown, so is everything in it.
  if (middle - start === end - middle) return undefined
  const [left, right] = [await rootWithin(nodes, start, middle), await rootWithin(nodes, middle, end)]
  return left && right && toHex(await nodeHash(toBytes(left), toBytes(right)))
}

export const forked = 'the audit trail has been forked'

/**
 * Compares the audit trails of two verified packs. Returns `other` if they are of different ones, `same`, `continued`,
 * or `open` if they do not show enough; refuses packs that contradict each other.
 */
export async function compareTrails(mine, theirs) {
  if (mine.key !== theirs.key || mine.trail.origin !== theirs.trail.origin) return 'other'
  const [small, large] = mine.trail.size <= theirs.trail.size ? [mine.trail, theirs.trail] : [theirs.trail, mine.trail]
  const [few, many] = [await nodesOf(small), await nodesOf(large)]
  for (const [range, hash] of few) {
    const [start, end] = range.split('-').map(Number)
    must(
      (many.get(range) ?? hash) === hash,
      `The other pack contradicts this one about events ${start + 1} to ${end}: ${forked}.`
    )
  }
  if (small.size === large.size) return 'same'
  const { earlier } = large
  const roots = [await rootWithin(many, 0, small.size), ...(earlier?.size === small.size ? [earlier.root] : [])].filter(
    (root) => root !== undefined
  )
  for (const root of roots)
    must(root === small.root, `The other pack contradicts this one about events 1 to ${small.size}: ${forked}.`)
  return roots.length > 0 ? 'continued' : 'open'
}
