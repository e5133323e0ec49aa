/**
 * How far each target is, in the data folder. The audit trail itself is the queue: nothing but a number and its hash is kept, so
 * nothing is lost if Veridesk ends at any moment.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { openDataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import type { Clock } from '#kit/clock.ts'

/** Targets that are remembered, and earlier positions of each. */
const [maxTargets, maxMarks] = [8, 32]

const mark = z.strictObject({ seq: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) })
export type Mark = z.output<typeof mark>
const position = z.strictObject({
  place: z.string().max(1024),
  /** Ascending; the last is the last event that was taken. A history that is restored has some of them, not always the last. */
  marks: z.array(mark).max(maxMarks).default([]),
  takenAt: z.int().min(0).optional(),
  /** Since when events wait that were offered in vain. */
  failingSince: z.int().min(0).optional(),
  /** The person was told that it is silent. */
  told: z.literal(true).optional()
})
export type Position = z.output<typeof position>

const schema = z.strictObject({
  source: z.uuid(),
  positions: z.array(position).max(maxTargets).default([])
})

export interface Positions {
  /** Identifies the audit trail to collectors. */
  readonly source: string
  of(place: string): Position
  /** Never fails: what cannot be written is offered again, and collectors drop doubles. */
  set(next: Position): Promise<void>
}

export async function openPositions(folder: string, clock: Pick<Clock, 'now'>): Promise<Positions> {
  const file = await openDataFile<z.output<typeof schema>>({
    path: join(folder, ownFiles.forwarding),
    format: 'veridesk-forwarding',
    version: 1,
    schema,
    defaults: { source: randomUUID(), positions: [] },
    now: clock.now()
  })
  let held = file.data()
  return {
    source: held.source,
    of: (place) => held.positions.find((each) => each.place === place) ?? { place, marks: [] },
    async set(next) {
      held = {
        ...held,
        positions: [next, ...held.positions.filter(({ place }) => place !== next.place)].slice(0, maxTargets)
      }
      if (file.refresh().ok) await file.write(held)
    }
  }
}

/** Earlier positions with a new one: the newest few, and of older ones every second goes when there are too many. */
export function withMark(marks: readonly Mark[], next: Mark): Mark[] {
  const all = [...marks.filter(({ seq }) => seq < next.seq), next]
  if (all.length <= maxMarks) return all
  const old = all.length >> 1
  return all.filter((_, index) => index >= old || index % 2 === 0)
}
