/**
 * Compares two packs: whether both come from one audit trail. The hash of an event proves its values, so two packs of one
 * audit trail cannot show different ones.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { finding } from '../refusal.ts'
import { compareTrails, type TrailProof } from '../trails.ts'
import { readCheckpoint } from './checkpoint.ts'
import type { Content, OpenedPack } from './pack.ts'

const headOf = ({ checkpoint }: Content) => readCheckpoint(checkpoint) ?? { origin: '', size: 0, root: '' }

function proofOf(content: Content): TrailProof {
  const { size, root } = headOf(content)
  return { size, root, last: content.events.at(-1)?.hash ?? '', events: content.events, earlier: content.consistency }
}

/** @param packs Two packs of one key, each intact by itself. */
export function comparePacks({ content: mine }: OpenedPack, { content: other }: OpenedPack): EvidenceFinding {
  if (headOf(mine).origin !== headOf(other).origin) return finding('beside-origin')
  const trails = compareTrails(proofOf(mine), proofOf(other))
  if (typeof trails === 'object')
    return finding('beside-forked', { first: trails.contradiction[0], last: trails.contradiction[1] })
  const numbers = new Set(other.events.map(({ seq }) => seq))
  const events = mine.events.filter(({ seq }) => numbers.has(seq)).length
  return trails === 'same'
    ? finding('beside-same', { events })
    : trails === 'continued'
      ? finding('beside-continues', { events })
      : finding('beside-open', { events })
}
