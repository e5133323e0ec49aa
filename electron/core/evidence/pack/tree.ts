/** Whether the events of a pack are in its tree, which ends with it and continues the one before. */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { verifyConsistency, verifyInclusion } from '#kit/hashing/merkle.ts'
import { demand, finding } from '../refusal.ts'
import { nodesOf } from '../trails.ts'
import type { Content, ContentEvent } from './pack.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** Checks the tree and returns the event that records the pack. */
export function checkTree(content: Content): {
  readonly made: ContentEvent
  readonly findings: readonly EvidenceFinding[]
} {
  const { events, origin, size } = content
  const root = bytes(content.root)
  const isIncluded = (seq: number, hash: string, path: readonly string[]): boolean =>
    verifyInclusion(bytes(hash), seq - 1, size, path.map(bytes), root)
  for (const { seq, hash, path } of events) demand(isIncluded(seq, hash, path), 'not-in-tree', { event: seq })
  demand(isIncluded(1, origin.leaf, origin.path), 'origin-wrong')
  const made = events.at(-1)
  demand(made !== undefined && made.kind === 'pack.made' && made.seq === size, 'not-last')
  const { contradiction } = nodesOf({ events, origin, root: content.root, size })
  demand(!contradiction, 'tree-contradicts', { first: contradiction?.[0] ?? 0, last: contradiction?.[1] ?? 0 })
  return { made, findings: [finding('tree-right', { size }), checkConsistency(content)] }
}

function checkConsistency({ consistency, events, root: last, size: all }: Content): EvidenceFinding {
  const earlier = events.findLast(({ kind, seq }) => kind === 'pack.made' && seq < all)
  if (consistency === null) {
    demand(earlier === undefined, 'consistency-missing', { event: earlier?.seq ?? 0 })
    return finding('first-pack')
  }
  const { size, root, path } = consistency
  const isProved = size < all && verifyConsistency(size, all, path.map(bytes), bytes(root), bytes(last))
  demand(isProved, 'consistency-wrong', { size })
  const at = events.find(({ seq }) => seq === size)
  demand(!at || at.kind === 'pack.made', 'consistency-other', { event: size })
  demand(!earlier || earlier.seq <= size, 'consistency-other', { event: earlier?.seq ?? 0 })
  return finding('continues', { size })
}
