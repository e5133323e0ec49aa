/** Whether two packs of one key can come from one audit trail: each proves some nodes of its tree. */
import { toBytes, toHex } from './bytes.mjs'
import { must } from './canonical.mjs'
import { leafHash, nodeHash, splitOf } from './merkle.mjs'

/**
 * Hashes (hex) of all nodes that a pack proves, by the range of leaves that they cover: `start-end`, without the leaf `end`.
 * Refuses a pack that has two for one range.
 */
export async function nodesOf({ events, origin, size, root }) {
  const nodes = new Map([[`0-${size}`, root]])
  const note = (start, end, hash) => {
    const range = `${start}-${end}`
    must((nodes.get(range) ?? hash) === hash, `It contradicts itself about events ${start + 1} to ${end}.`)
    nodes.set(range, hash)
    return hash
  }
  const leaf = async (seq, hash) => note(seq - 1, seq, toHex(await leafHash(toBytes(hash))))
  const climb = async (index, hash, path, start, end) => {
    if (end - start === 1) return leaf(index + 1, hash)
    const middle = start + splitOf(end - start)
    const isLeft = index < middle
    const beside = path.at(-1)
    note(...(isLeft ? [middle, end] : [start, middle]), beside)
    const own = await climb(index, hash, path.slice(0, -1), ...(isLeft ? [start, middle] : [middle, end]))
    return note(start, end, toHex(await nodeHash(toBytes(isLeft ? own : beside), toBytes(isLeft ? beside : own))))
  }
  for (const { seq, hash, previous, path } of events) {
    if (seq > 1) await leaf(seq - 1, previous)
    await climb(seq - 1, hash, path, 0, size)
  }
  await climb(0, origin.leaf, origin.path, 0, size)
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
 * Compares the audit trails of two verified packs. Returns `other` if they prove no event alike, `same`, `continued`,
 * or `open` if they do not show enough; refuses packs that contradict each other.
 */
export async function compareTrails(mine, theirs) {
  if (mine.key !== theirs.key) return 'other'
  const [small, large] = mine.trail.size <= theirs.trail.size ? [mine.trail, theirs.trail] : [theirs.trail, mine.trail]
  const [few, many] = [await nodesOf(small), await nodesOf(large)]
  const both = [...few]
    .filter(([range]) => many.has(range))
    .map(([range, hash]) => [...range.split('-').map(Number), many.get(range) === hash])
  if (!both.some(([start, end, isAlike]) => isAlike && end - start === 1)) return 'other'
  for (const [start, end, isAlike] of both) {
    must(isAlike, `The other pack contradicts this one about events ${start + 1} to ${end}: ${forked}.`)
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
