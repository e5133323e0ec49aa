/**
 * Whether two packs can come from one audit trail. Each proves some nodes of its Merkle tree; a node covers a range
 * of events, and one range has one hash. docs/evidence-format.md, "Two packs".
 */
import { leafHash, nodeHash, split } from '#kit/hashing/merkle.ts'

/**
 * `other`: they prove no event alike. `same`: one tree. `continued`: the larger tree provably begins with the smaller one. `open`: no contradiction, but
 * the packs contain too little to prove more.
 */
export type Trails =
  | 'other'
  | 'same'
  | 'continued'
  | 'open'
  | { readonly contradiction: readonly [first: number, last: number] }

/** What a verified pack proves of its audit trail; hashes in hex. */
export interface TrailProof {
  readonly size: number
  readonly root: string
  /** Event 1. */
  readonly origin: { readonly leaf: string; readonly path: readonly string[] }
  readonly events: readonly {
    readonly seq: number
    readonly hash: string
    readonly previous: string
    readonly path: readonly string[]
  }[]
  /** An earlier state that it proves to continue. */
  readonly earlier: { readonly size: number; readonly root: string } | null
}
/** Hashes in hex by range: `start-end`, excluding the leaf `end`. */
type Nodes = Map<string, string>

const rangeOf = (start: number, end: number): string => `${start}-${end}`
const bytes = (text: string): Buffer => Buffer.from(text, 'hex')

/** Every node that a pack proves or contains, and a range for which it has two, if there is one. */
export function nodesOf({ events, origin, root, size }: Omit<TrailProof, 'earlier'>): {
  readonly nodes: Nodes
  readonly contradiction?: readonly [first: number, last: number]
} {
  const nodes: Nodes = new Map([[rangeOf(0, size), root]])
  let contradiction: readonly [number, number] | undefined
  const note = (start: number, end: number, hash: Buffer): Buffer => {
    const [range, text] = [rangeOf(start, end), hash.toString('hex')]
    if ((nodes.get(range) ?? text) !== text) contradiction ??= [start + 1, end]
    nodes.set(range, text)
    return hash
  }
  const leaf = (seq: number, hash: string): Buffer => note(seq - 1, seq, leafHash(bytes(hash)))
  const climb = (index: number, hash: string, path: readonly string[], start: number, end: number): Buffer => {
    const size = end - start
    if (size === 1) return leaf(index + 1, hash)
    const middle = start + split(size)
    const [beside, rest] = [path.at(-1) ?? '', path.slice(0, -1)]
    const isLeft = index < middle
    if (isLeft) note(middle, end, bytes(beside))
    else note(start, middle, bytes(beside))
    const own = isLeft ? climb(index, hash, rest, start, middle) : climb(index, hash, rest, middle, end)
    return note(start, end, isLeft ? nodeHash(own, bytes(beside)) : nodeHash(bytes(beside), own))
  }
  for (const { seq, hash, previous, path } of events) {
    if (seq > 1) leaf(seq - 1, previous)
    climb(seq - 1, hash, path, 0, size)
  }
  climb(0, origin.leaf, origin.path, 0, size)
  return { nodes, ...(contradiction && { contradiction }) }
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

/** The root over the first events that a pack proves, if it does. */
function rootAt(proof: TrailProof, nodes: Nodes, size: number): string | undefined {
  if (proof.earlier?.size === size) return proof.earlier.root
  return size <= proof.size ? rootWithin(nodes, 0, size)?.toString('hex') : undefined
}

/** Compares what two verified packs show about their audit trails. */
export function compareTrails(a: TrailProof, b: TrailProof): Trails {
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a]
  const [few, many] = [nodesOf(smaller).nodes, nodesOf(larger).nodes]
  const both = [...few].flatMap(([range, hash]) => {
    const [start = 0, end = 0] = range.split('-').map(Number)
    return many.has(range) ? [{ start, end, isAlike: many.get(range) === hash }] : []
  })
  if (!both.some(({ start, end, isAlike }) => isAlike && end - start === 1)) return 'other'
  const differing = both.find(({ isAlike }) => !isAlike)
  if (differing) return { contradiction: [differing.start + 1, differing.end] }
  for (const size of [smaller.size, smaller.earlier?.size ?? 0, larger.earlier?.size ?? 0].filter((each) => each > 0)) {
    const [one, other] = [rootAt(smaller, few, size), rootAt(larger, many, size)]
    if (one !== undefined && other !== undefined && one !== other) return { contradiction: [1, size] }
  }
  if (smaller.size === larger.size) return 'same'
  return rootAt(larger, many, smaller.size) === undefined ? 'open' : 'continued'
}
