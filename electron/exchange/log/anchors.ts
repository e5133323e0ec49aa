/** Anchors: an installation says in its own history which events of others have arrived there. */
import { z } from 'zod'
import { valuesOf, type SharedEvent } from '#team/log/content.ts'
import { mostEvents, mostInstallations } from '#team/log/database.ts'
import type { SeenHeads } from '#team/thread/ports.ts'

export const anchorKind = 'team.anchored'

/** An anchor is due after so many events of others, or so long after the first of them. */
export const anchorRule = { events: 256, milliseconds: 10 * 60_000 } as const

const headsSchema = z
  .record(
    z.string().regex(/^[0-9a-f]{32}$/),
    z.tuple([
      z
        .int()
        .min(1)
        .max(mostEvents - 1),
      z.string().regex(/^[0-9a-f]{64}$/)
    ])
  )
  .refine((heads) => Object.keys(heads).length <= mostInstallations)

/** What an event says that its installation has seen; undefined if it is no anchor. */
export function seenIn({ kind, plain }: SharedEvent): SeenHeads | undefined {
  if (kind !== anchorKind) return undefined
  const read = headsSchema.safeParse(valuesOf(plain)?.['heads'])
  return read.success ? read.data : undefined
}

/**
 * Whether an anchor is due. Anchors of others do not count: two idle installations would otherwise confirm each other's
 * confirmations indefinitely.
 *
 * @param events Of others since the last anchor, without anchors.
 * @param waiting Milliseconds since the first of them arrived.
 */
export const isAnchorDue = (events: number, waiting: number): boolean =>
  events >= anchorRule.events || (events > 0 && waiting >= anchorRule.milliseconds)
