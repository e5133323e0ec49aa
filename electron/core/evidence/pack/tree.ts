/** Whether the events of a pack are in the tree of its checkpoint, which ends with it and continues the one before. */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { verifyConsistency, verifyInclusion } from '#kit/hashing/merkle.ts'
import { demand, finding } from '../refusal.ts'
import { checkpointFits, originOf, readCheckpoint, type Checkpoint } from './checkpoint.ts'
import type { Content, ContentEvent } from './pack.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** The head that a pack states; throws a `Refusal` if it is not signed by the pack's key. */
function checkedHead({ checkpoint, events, signer }: Content): Checkpoint {
  const head = readCheckpoint(checkpoint)
  demand(head !== undefined, 'checkpoint-form')
  demand(checkpointFits(head, signer.key), 'checkpoint-signature')
  const [first] = events
  demand(first?.seq !== 1 || originOf(first.hash) === head.origin, 'checkpoint-origin')
  return head
}

/** Checks the tree and returns the event that records the pack. */
export function checkTree(content: Content): {
  readonly made: ContentEvent
  readonly head: Checkpoint
  readonly findings: readonly EvidenceFinding[]
} {
  const head = checkedHead(content)
  const root = bytes(head.root)
  for (const { seq, hash, path } of content.events)
    demand(verifyInclusion(bytes(hash), seq - 1, head.size, path.map(bytes), root), 'not-in-tree', { event: seq })
  const made = content.events.at(-1)
  demand(made !== undefined && made.kind === 'pack.made' && made.seq === head.size, 'not-last')
  return { made, head, findings: [finding('tree-right', { size: head.size }), checkConsistency(content, head)] }
}

function checkConsistency({ consistency, events }: Content, head: Checkpoint): EvidenceFinding {
  const earlier = events.findLast(({ kind, seq }) => kind === 'pack.made' && seq < head.size)
  if (consistency === null) {
    demand(earlier === undefined, 'consistency-missing', { event: earlier?.seq ?? 0 })
    return finding('first-pack')
  }
  const { size, root, path } = consistency
  const isProved =
    size < head.size && verifyConsistency(size, head.size, path.map(bytes), bytes(root), bytes(head.root))
  demand(isProved, 'consistency-wrong', { size })
  const at = events.find(({ seq }) => seq === size)
  demand(!at || at.kind === 'pack.made', 'consistency-other', { event: size })
  demand(!earlier || earlier.seq <= size, 'consistency-other', { event: earlier?.seq ?? 0 })
  return finding('continues', { size })
}
