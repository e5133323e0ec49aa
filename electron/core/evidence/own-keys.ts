/** The signing keys of this user: the current one, those before it, and what was revoked. */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { revocationReasons, type OwnKey, type RevocationReason } from '#contract/evidence/keys.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { Clock } from '#kit/clock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { replaceSigningKey, signingKey } from './signing-key.ts'
import { revocationText, sealedRevocation } from './revocation.ts'
import type { Timestamps } from '#core/timestamps/timestamps.ts'
import { endorsedBytes } from '#wire/evidence/dsse.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface OwnKeyParts {
  readonly keychain: SecretStore
  readonly clock: Clock
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly files: Pick<ChosenFiles, 'write'>
  readonly timestamps: Pick<Timestamps, 'isOn' | 'take'>
}

export interface OwnKeys {
  /** The current key first, then those before it, the newest first. */
  list(): Answer<readonly OwnKey[]>
  /**
   * Saves a revocation signed with the current key: of that key, or of another one; with a time-stamp, if the authority
   * of the settings gives one. Null if cancelled.
   */
  revoke(order: {
    readonly key?: string
    readonly reason: RevocationReason
    readonly since?: number
    readonly note: string
  }): Answer<{ readonly path: string } | null>
  /** Creates a new key; the fingerprint is that of the current one. Failure: `signing-key-other`. */
  replace(fingerprint: string): Answer<readonly OwnKey[]>
}

/** Beside the key in the keychain, since all data folders share both. Public keys only. */
const listAccount = 'evidence/former-keys'
const hex = z.string().regex(/^[0-9a-f]{64}$/)
const listSchema = z.array(
  z.strictObject({
    publicKey: hex,
    replacedAt: z.number().int().optional(),
    revoked: z.strictObject({ since: z.number().int(), reason: z.enum(revocationReasons) }).optional()
  })
)
type Noted = z.output<typeof listSchema>[number]

async function notedIn(keychain: SecretStore): Answer<readonly Noted[]> {
  const found = await keychain.get(listAccount)
  if (!found.ok) return found
  try {
    const read = listSchema.safeParse(JSON.parse(found.value ?? '[]'))
    return read.success ? ok(read.data) : failed('evidence-refused', { reason: 'own-keys-unreadable' })
  } catch {
    return failed('evidence-refused', { reason: 'own-keys-unreadable' })
  }
}

/**
 * The signing key, for signing something new. Failures: those of `signingKey`; `signing-key-revoked` if its owner has
 * revoked it, since readers refuse what it signs.
 */
export async function validSigningKey(keychain: SecretStore, now: number): Answer<KeyObject> {
  const [key, all] = [await signingKey(keychain), await notedIn(keychain)]
  if (!key.ok || !all.ok) return key.ok ? (all as Result<never, Failure>) : key
  const revoked = all.value.find(({ publicKey }) => publicKey === keyOfSigner(key.value))?.revoked
  return revoked && revoked.since <= now
    ? failed('signing-key-revoked', { time: new Date(revoked.since).toISOString() })
    : key
}

export function createOwnKeys(parts: OwnKeyParts): OwnKeys {
  const { keychain, clock } = parts
  const noted = (): Answer<readonly Noted[]> => notedIn(keychain)
  /** Adds to what is noted about a key. */
  async function note(publicKey: string, more: Omit<Noted, 'publicKey'>): Answer<null> {
    const before = await noted()
    if (!before.ok) return before
    const old = before.value.find((each) => each.publicKey === publicKey)
    return keychain.set(
      listAccount,
      JSON.stringify([...before.value.filter((each) => each !== old), { publicKey, ...old, ...more }])
    )
  }
  async function list(): Answer<readonly OwnKey[]> {
    const [key, all] = [await signingKey(keychain), await noted()]
    if (!key.ok) return key
    if (!all.ok) return all
    const current = keyOfSigner(key.value)
    const shown = ({ publicKey, replacedAt, revoked }: Noted): OwnKey => ({
      fingerprint: fingerprintOf(publicKey),
      publicKey,
      current: publicKey === current,
      ...(publicKey !== current && replacedAt !== undefined && { replacedAt }),
      ...(revoked && { revoked })
    })
    const former = all.value
      .filter(({ publicKey }) => publicKey !== current)
      .toSorted((a, b) => (b.replacedAt ?? 0) - (a.replacedAt ?? 0))
    return ok(
      [all.value.find(({ publicKey }) => publicKey === current) ?? { publicKey: current }, ...former].map(shown)
    )
  }
  return {
    list,
    async revoke({ key: other, reason, since, note: words }) {
      const key = await signingKey(keychain)
      if (!key.ok) return key
      const own = keyOfSigner(key.value)
      const revoked = other ?? fingerprintOf(own)
      const path = await parts.chooseSavePath('Save revocation', `${revoked.slice(0, 16)}.veridesk-revocation.json`, [
        'json'
      ])
      if (path === undefined) return ok(null)
      const at = clock.now()
      const statement = { at, key: revoked, note: words, reason, since: since ?? at }
      const file = sealedRevocation(statement, key.value)
      // It is needed at once, also without a time-stamp.
      const stamp = parts.timestamps.isOn() ? await parts.timestamps.take(endorsedBytes(file.envelope)) : undefined
      const timestamps = stamp?.ok ? [Buffer.from(stamp.value.token).toString('base64')] : []
      const written = await parts.files.write(path, revocationText({ ...file, timestamps }))
      if (!written.ok) return written
      if (revoked === fingerprintOf(own)) {
        const marked = await note(own, { revoked: { since: statement.since, reason } })
        if (!marked.ok) return marked
      }
      await parts.auditTrail.note({
        kind: 'setting.changed',
        plain: { action: 'signing-key.revoked', key: revoked, since: statement.since, reason }
      })
      return ok({ path })
    },
    async replace(fingerprint) {
      const key = await signingKey(keychain)
      if (!key.ok) return key
      const before = keyOfSigner(key.value)
      if (fingerprintOf(before) !== fingerprint) return failed('signing-key-other')
      // Noted first: if the rest fails, the key is still the current one, and shown as such.
      const listed = await note(before, { replacedAt: clock.now() })
      if (!listed.ok) return listed
      const made = await replaceSigningKey(keychain)
      if (!made.ok) return made
      const now = fingerprintOf(keyOfSigner(made.value))
      await parts.auditTrail.note({
        kind: 'setting.changed',
        plain: { action: 'signing-key.replaced', key: fingerprint, by: now }
      })
      return list()
    }
  }
}
