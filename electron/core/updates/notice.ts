/**
 * Whether a notice of a release may be used: its signature, its form, its times, and what was seen before. Every rule is
 * here, in the order in which it applies, and nothing is read before the signature is verified. Pure.
 */
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures/failures.ts'
import {
  maxReleaseBytes,
  releaseFormat,
  releaseFormatVersion,
  releaseProduct,
  releaseSchema,
  type Release,
  type ReleaseChannel
} from '#contract/updates/releases.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { verifySigned, type MinisignKey } from './minisign.ts'
import { versionOrder } from './version-order.ts'

/** A notice whose signature and form are valid. */
export interface SignedRelease {
  readonly release: Release
  /** The ID of the key that signed it. */
  readonly keyId: string
}

/** The highest number and version that were seen with a key. */
export interface SeenRelease {
  readonly keyId: string
  readonly channel: ReleaseChannel
  readonly sequence: number
  readonly release: string
}

/** Milliseconds by which clocks may differ. */
const skew = 86_400_000

const newerSchema = z.looseObject({ format: z.literal(releaseFormat), version: z.int().min(releaseFormatVersion + 1) })
const otherProductSchema = z.looseObject({
  format: z.literal(releaseFormat),
  product: z.string().refine((product) => product !== releaseProduct)
})

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/** Where the first error is. The value is not told: it may be anything. */
const fieldOf = (error: z.ZodError): string => {
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  return (
    [...(issue?.path ?? []), ...unknown]
      .join('.')
      .replace(/[^\w.]/g, '?')
      .slice(0, 100) || 'content'
  )
}

/**
 * Reads a signed notice. Failures: `update-too-large`, `update-not-signed`, `update-key-unknown`,
 * `update-signature-invalid`, `update-not-json`, `update-format-newer`, `update-other-product`, `update-invalid`.
 */
export function readRelease(bytes: Uint8Array, keys: readonly MinisignKey[]): Result<SignedRelease, Failure> {
  if (bytes.length > maxReleaseBytes) return failed('update-too-large', { limitBytes: maxReleaseBytes })
  const signed = verifySigned(bytes, keys)
  if (!signed.ok) {
    if (signed.failure.why === 'key') return failed('update-key-unknown', { keyId: signed.failure.keyId })
    return failed(signed.failure.why === 'form' ? 'update-not-signed' : 'update-signature-invalid')
  }
  const json = jsonIn(signed.value.body)
  if (json === undefined) return failed('update-not-json')
  if (newerSchema.safeParse(json).success) return failed('update-format-newer')
  if (otherProductSchema.safeParse(json).success) return failed('update-other-product')
  const release = releaseSchema.safeParse(json)
  return release.success
    ? ok({ release: release.data, keyId: signed.value.keyId })
    : failed('update-invalid', { field: fieldOf(release.error) })
}

/** What a notice is compared with. */
export interface NoticeContext {
  readonly channel: ReleaseChannel
  /** Unix milliseconds. */
  readonly now: number
  /** The installed version. */
  readonly installed: string
  /** What was seen before with one of the trusted keys. */
  readonly seen: readonly SeenRelease[]
}

/**
 * Why a valid notice is not used now, or whether it names a newer version. Failures: `update-other-channel`,
 * `update-expired`, `update-from-future`, `update-replayed`, `update-version-back`, `update-downgrade`.
 */
export function compareRelease(
  release: Release,
  { channel, now, installed, seen }: NoticeContext
): Result<{ readonly newer: boolean }, Failure> {
  if (release.channel !== channel) return failed('update-other-channel', { channel: release.channel, wanted: channel })
  if (Date.parse(release.expiresAt) <= now)
    return failed('update-expired', { expiredAt: Date.parse(release.expiresAt) })
  if (Date.parse(release.releasedAt) > now + skew)
    return failed('update-from-future', { datedAt: Date.parse(release.releasedAt) })
  const ofChannel = seen.filter((each) => each.channel === channel)
  const sequence = Math.max(0, ...ofChannel.map((each) => each.sequence))
  if (release.sequence < sequence)
    return failed('update-replayed', { sequence: String(release.sequence), earlier: String(sequence) })
  const later = ofChannel.find((each) => versionOrder(release.release, each.release) < 0)
  if (later) return failed('update-version-back', { release: release.release, earlier: later.release })
  const order = versionOrder(release.release, installed)
  return order < 0 ? failed('update-downgrade', { release: release.release, installed }) : ok({ newer: order > 0 })
}
