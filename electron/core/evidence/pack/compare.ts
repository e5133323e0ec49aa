/**
 * Compares two packs: whether both come from one audit trail. The hash of an event proves its values, so two packs of one
 * audit trail cannot show different ones.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { finding } from '../refusal.ts'
import { compareTrails, type TrailProof } from '../trails.ts'
import type { Content, OpenedPack } from './pack.ts'

const proofOf = ({ consistency, events, origin, root, size }: Content): TrailProof => ({
  size,
  root,
  origin,
  events,
  earlier: consistency
})

/** @param packs Two packs of one key, each intact by itself. */
export function comparePacks({ content: mine }: OpenedPack, { content: other }: OpenedPack): EvidenceFinding {
  const trails = compareTrails(proofOf(mine), proofOf(other))
  if (trails === 'other') return finding('beside-origin')
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
