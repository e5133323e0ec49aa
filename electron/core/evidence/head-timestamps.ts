/** Dates the audit trail once a day: a time-stamp of its signed head is one of its events. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { Timestamps } from '#core/timestamps/timestamps.ts'
import { originOf, signedCheckpoint } from './pack/checkpoint.ts'
import { validSigningKey } from './own-keys.ts'

export interface HeadTimestampParts {
  readonly timestamps: Timestamps
  readonly keychain: SecretStore
  readonly clock: Pick<Clock, 'now'>
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  readonly auditTrail: Pick<AuditTrail, 'note'>
}

export interface HeadTimestamps {
  /** Requests a time-stamp if an authority is set and the last one is a day old. Never rejects. */
  look(): Promise<void>
}

const oneDay = 86_400_000
/** Milliseconds until the next attempt after a failed one. */
const retryAfter = 3_600_000
/** Events of the group that are searched for the last time-stamp. */
const searched = 200

export function createHeadTimestamps({
  timestamps,
  keychain,
  clock,
  store,
  auditTrail
}: HeadTimestampParts): HeadTimestamps {
  let failedAt = -Infinity

  async function isDue(open: HistoryStore): Promise<boolean> {
    const page = await open.audit.page({ groups: ['program'], limit: searched })
    if (!page.ok) return false
    const last = page.value.events.find(({ kind }) => kind === 'head.timestamped')
    // The clock may have been set back since.
    return !last || Math.abs(clock.now() - last.at) >= oneDay
  }
  async function take(open: HistoryStore): Promise<boolean> {
    const [head, first] = [await open.audit.head(), await open.audit.inclusion(1, 1)]
    if (!head.ok || !first.ok) return false
    const key = await validSigningKey(keychain, clock.now())
    if (!key.ok) return false
    const { seq: size, root } = head.value
    const checkpoint = signedCheckpoint({ origin: originOf(first.value.leaf), size, root }, key.value)
    const taken = await timestamps.take(Buffer.from(checkpoint, 'utf8'))
    if (!taken.ok) return false
    const { authority, time, token } = taken.value
    await auditTrail.note({
      kind: 'head.timestamped',
      plain: { authority, size, root, checkpoint, token: Buffer.from(token).toString('base64'), time }
    })
    return true
  }
  return {
    async look() {
      const open = await store()
      if (!timestamps.isOn() || !open.ok || Math.abs(clock.now() - failedAt) < retryAfter || !(await isDue(open.value)))
        return
      if (!(await take(open.value))) failedAt = clock.now()
    }
  }
}
