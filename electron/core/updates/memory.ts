/**
 * What is remembered of a feed in the data folder: when it was asked, the last valid notice with its signature, which is verified
 * again whenever it is read, and the highest number and version of each key, so that an old notice is recognised.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { Failure } from '#contract/failures/failures.ts'
import { maxReleaseBytes, releaseChannels } from '#contract/updates/releases.ts'
import { openDataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import type { Clock } from '#kit/clock.ts'
import type { SeenRelease } from './notice.ts'
import { versionOrder } from './version-order.ts'

/** Keys that are remembered at most; the oldest are forgotten. */
const maxSeen = 64

const time = z.int().min(0)
const detail = z.union([z.string().max(4096), z.number()])
/** A failure as it is: its code may be one that this version does not know. */
const plainFailure = z.strictObject({ code: z.string().max(64), details: z.record(z.string(), detail).optional() })
const failureSchema = plainFailure.extend({ cause: plainFailure.optional() })

const schema = z.strictObject({
  /** The feed that was asked last, as text. */
  feed: z.string().max(8192).default(''),
  checkedAt: time.optional(),
  failure: failureSchema.optional(),
  acceptedAt: time.optional(),
  /** Base64 of the file that the feed served. */
  notice: z
    .base64()
    .max(2 * maxReleaseBytes)
    .optional(),
  seen: z
    .array(
      z.strictObject({
        keyId: z.string().max(16),
        channel: z.enum(releaseChannels),
        sequence: z.int().min(1),
        release: z.string().max(64)
      })
    )
    .max(maxSeen)
    .default([])
})
export type Remembered = z.output<typeof schema>

export interface Memory {
  get(): Remembered
  /** Never fails: without a file that can be written, what it holds counts for this session. */
  set(next: Remembered): Promise<void>
}

const nothing: Remembered = { feed: '', seen: [] }

/** `updates.json` of the data folder. */
export async function openMemory(folder: string, clock: Pick<Clock, 'now'>): Promise<Memory> {
  const file = await openDataFile<Remembered>({
    path: join(folder, ownFiles.updates),
    format: 'veridesk-updates',
    version: 1,
    schema,
    defaults: nothing,
    now: clock.now()
  })
  let held = file.data()
  return {
    get: () => held,
    async set(next) {
      held = next
      if (file.refresh().ok) await file.write(next)
    }
  }
}

/** The failure without what a file may not hold. */
export const kept = ({ code, details, cause }: Failure): Remembered['failure'] => ({
  code,
  ...(details && { details: { ...details } }),
  ...(cause && { cause: { code: cause.code, ...(cause.details && { details: { ...cause.details } }) } })
})

/** What was seen, with another notice: the highest number and version of its key count. */
export function withSeen(seen: readonly SeenRelease[], next: SeenRelease): SeenRelease[] {
  const isSame = (each: SeenRelease): boolean => each.keyId === next.keyId && each.channel === next.channel
  const before = seen.find(isSame)
  const highest = before && versionOrder(before.release, next.release) > 0 ? before.release : next.release
  return [
    ...seen.filter((each) => !isSame(each)),
    { ...next, sequence: Math.max(next.sequence, before?.sequence ?? 0), release: highest }
  ].slice(-maxSeen)
}
