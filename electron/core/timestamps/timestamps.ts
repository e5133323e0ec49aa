/** Time-stamps for this console: requests one from the authority of the settings, and verifies it before it is used. */
import { randomBytes } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { ChosenAuthorities, TimestampTest } from '#contract/evidence/timestamps.ts'
import type { Network } from '#core/client/network.ts'
import { readCaFile } from '#wire/trust.ts'
import type { Clock } from '#kit/clock.ts'
import type { Stamp } from './token.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A verified time-stamp. */
export interface TakenStamp extends Stamp {
  /** DER. */
  readonly token: Uint8Array
  /** The name of the authority in the settings. */
  readonly name: string
}

export interface Timestamps {
  /** Whether an authority is set. */
  isOn(): boolean
  /** A time-stamp of a message. Failures: `timestamp-not-configured`, `timestamp-not-answered`, `timestamp-refused`, the connection's. */
  take(message: Uint8Array): Answer<TakenStamp>
  /** Requests a time-stamp of random bytes. */
  test(): Answer<TimestampTest>
}

export interface TimestampParts {
  readonly settings: () => Settings
  /** Why nothing may be sent, if the settings are not in effect. */
  readonly sendingRefusal: () => Failure | undefined
  readonly network: Pick<Network, 'to'>
  readonly clock: Clock
  /** Seconds that the authority has; 10 by default. */
  readonly seconds?: number
}

const oneDay = 86_400_000

// The parser and the HTTP client are not needed before a time-stamp is.
const parts = () => Promise.all([import('./client.ts'), import('./token.ts')])

export function createTimestamps({
  settings,
  sendingRefusal,
  network,
  clock,
  seconds = 10
}: TimestampParts): Timestamps {
  async function take(message: Uint8Array): Answer<TakenStamp> {
    const refusal = sendingRefusal()
    if (refusal) return { ok: false, failure: refusal }
    const authority = settings().timestampAuthority
    if (!authority) return failed('timestamp-not-configured')
    const { host } = new URL(authority.url)
    const [{ askAuthority }, { checkTimestamp, timestampQuery, tokenInReply }] = await parts()
    const { query, nonce } = timestampQuery(message)
    const reply = await askAuthority({ url: authority.url, query, network, seconds })
    if (!reply.ok) return reply
    const token = tokenInReply(reply.value)
    if (!token.ok)
      return token.failure === undefined
        ? failed('timestamp-refused', { host, reason: 'no-reply' })
        : failed('timestamp-refused', { host, reason: 'status', status: token.failure })
    const stamp = checkTimestamp(token.value, message, authority.certificates, nonce)
    if (!stamp.ok) return failed('timestamp-refused', { host, reason: stamp.failure })
    if (Math.abs(stamp.value.time - clock.now()) > oneDay) return failed('timestamp-refused', { host, reason: 'clock' })
    return ok({ ...stamp.value, token: token.value, name: authority.name })
  }
  return {
    isOn: () => settings().timestampAuthority !== null,
    take,
    async test() {
      const begun = clock.monotonic()
      const taken = await take(randomBytes(32))
      return taken.ok
        ? ok({ authority: taken.value.authority, time: taken.value.time, took: clock.monotonic() - begun })
        : taken
    }
  }
}

/** The certificates of a PEM file, for the settings. Failure: `ca-file-invalid`. */
export async function readAuthorityFile(path: string): Answer<ChosenAuthorities> {
  const file = await readCaFile(path)
  if (!file.ok) return file
  return ok({ certificates: file.value.pem.map((block) => `${block}\n`).join(''), count: file.value.certificates })
}
