/**
 * Compares two packs, at least one of which is of version 2: whether both come from one audit trail. The hashes of
 * events of version 2 prove their values; those of redacted events of version 0.1 are compared value by value.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { compareEntries } from '../format-1/compare.ts'
import type { Pack } from '../format-1/pack.ts'
import { finding } from '../refusal.ts'
import { compareTrails, type TrailProof } from '../trails.ts'
import { readCheckpoint } from './checkpoint.ts'
import type { Content, ContentBody, ContentEvent, OpenedPack } from './pack.ts'
import { isOldBody, isOldEvent } from './reading.ts'

const headOf = ({ checkpoint }: Content) => readCheckpoint(checkpoint) ?? { origin: '', size: 0, root: '' }

function proofOf(pack: Pack | OpenedPack): TrailProof {
  if (pack.version === 1)
    return { ...pack.content.tree, last: pack.content.chain.hash, events: pack.content.events, earlier: null }
  const { content } = pack
  const { size, root } = headOf(content)
  return { size, root, last: content.events.at(-1)?.hash ?? '', events: content.events, earlier: content.consistency }
}

const eventsOf = (pack: Pack | OpenedPack): readonly ContentEvent[] => pack.content.events
const bodiesOf = (pack: Pack | OpenedPack): readonly ContentBody[] => pack.content.bodies

/** What both contain of version 0.1. */
const oldEntries = (pack: Pack | OpenedPack) => ({
  events: eventsOf(pack).filter(isOldEvent),
  bodies: bodiesOf(pack).filter(isOldBody)
})

/** Events that one pack shows in the form of version 0.1 and the other does not: their values would not be comparable. */
function otherForms(mine: Pack | OpenedPack, other: Pack | OpenedPack): string[] {
  const theirs = new Map(eventsOf(other).map((event) => [event.seq, event]))
  return eventsOf(mine).flatMap((event) => {
    const found = theirs.get(event.seq)
    return found && isOldEvent(found) !== isOldEvent(event) ? [`event ${event.seq}`] : []
  })
}

/** @param packs Two packs of one key, each intact by itself. */
export function compareWithFormat2(mine: Pack | OpenedPack, other: Pack | OpenedPack): EvidenceFinding {
  if (mine.version === 2 && other.version === 2 && headOf(mine.content).origin !== headOf(other.content).origin)
    return finding('beside-origin')
  const [ours, theirs] = [proofOf(mine), proofOf(other)]
  const trails = compareTrails(ours, theirs)
  if (typeof trails === 'object')
    return finding('beside-forked', { first: trails.contradiction[0], last: trails.contradiction[1] })
  const differing = [
    ...otherForms(mine, other),
    ...compareEntries(oldEntries(mine), oldEntries(other), ours.size > theirs.size).differing
  ]
  if (differing.length > 0)
    return finding('beside-values', {
      names: `${differing.slice(0, 5).join('; ')}${differing.length > 5 ? `; ${differing.length - 5} more` : ''}`
    })
  const numbers = new Set(eventsOf(other).map(({ seq }) => seq))
  const events = eventsOf(mine).filter(({ seq }) => numbers.has(seq)).length
  return trails === 'same'
    ? finding('beside-same', { events })
    : trails === 'continued'
      ? finding('beside-continues', { events })
      : finding('beside-open', { events })
}
