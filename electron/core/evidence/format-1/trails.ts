/**
 * Whether two packs can come from one audit trail. Each proves some nodes of its Merkle tree; a node covers a range
 * of events, and one range has one hash. docs/evidence-format.md, "Two packs side by side".
 */
import { leafHash, nodeHash, split } from '#core/hashing/merkle.ts'
import type { PackContent } from './pack.ts'

/**
 * `same`: one tree. `continued`: the larger tree provably begins with the smaller one. `open`: no contradiction, but
 * the packs contain too little to prove more.
 */
export type Trails = 'same' | 'continued' | 'open' | { readonly contradiction: readonly [first: number, last: number] }

type Content = Pick<PackContent, 'chain' | 'events' | 'tree'>
/** Hashes in hex by range: `start-end`, excluding the leaf `end`. */
type Nodes = Map<string, string>

const rangeOf = (start: number, end: number): string => `${start}-${end}`
const bytes = (text: string): Buffer => Buffer.from(text, 'hex')

/** Every node that a verified pack proves or contains. */
function nodesOf({ chain, events, tree }: Content): Nodes {
  const nodes: Nodes = new Map()
  const leaf = (seq: number, hash: string): Buffer => {
    const found = leafHash(bytes(hash))
    nodes.set(rangeOf(seq - 1, seq), found.toString('hex'))
    return found
  }
  const climb = (index: number, hash: string, path: readonly string[], start: number, end: number): Buffer => {
    const size = end - start
    if (size === 1) return leaf(index + 1, hash)
    const middle = start + split(size)
    const [beside, rest] = [path.at(-1) ?? '', path.slice(0, -1)]
    const isLeft = index < middle
    nodes.set(isLeft ? rangeOf(middle, end) : rangeOf(start, middle), beside)
    const own = isLeft ? climb(index, hash, rest, start, middle) : climb(index, hash, rest, middle, end)
    const found = isLeft ? nodeHash(own, bytes(beside)) : nodeHash(bytes(beside), own)
    nodes.set(rangeOf(start, end), found.toString('hex'))
    return found
  }
  for (const { seq, hash, previous, path } of events) {
    if (seq > 1) leaf(seq - 1, previous)
    climb(seq - 1, hash, path, 0, tree.size)
  }
  leaf(chain.seq, chain.hash)
  return nodes.set(rangeOf(0, tree.size), tree.root)
}

/** The root over the first leaves of a tree, if the known nodes determine it. */
function rootWithin(nodes: Nodes, start: number, end: number): Buffer | undefined {
  const known = nodes.get(rangeOf(start, end))
  if (known !== undefined) return bytes(known)
  const middle = start + split(end - start)
  // A complete subtree is also a node of the larger tree: if it is unknown, so is everything in it.
  if (middle - start === end - middle || end - start === 1) return undefined
  const [left, right] = [rootWithin(nodes, start, middle), rootWithin(nodes, middle, end)]
  return left && right && nodeHash(left, right)
}

/** Compares what two verified packs show about their audit trails. */
export function compareTrails(a: Content, b: Content): Trails {
  const [smaller, larger] = a.tree.size <= b.tree.size ? [a, b] : [b, a]
  const [few, many] = [nodesOf(smaller), nodesOf(larger)]
  for (const [range, hash] of few) {
    const other = many.get(range)
    if (other === undefined || other === hash) continue
    const [start = 0, end = 0] = range.split('-').map(Number)
    return { contradiction: [start + 1, end] }
  }
  if (smaller.tree.size === larger.tree.size) return 'same'
  const root = rootWithin(many, 0, smaller.tree.size)
  if (!root) return 'open'
  return root.toString('hex') === smaller.tree.root ? 'continued' : { contradiction: [1, smaller.tree.size] }
}
