/**
 * The three secret values of each connection: in the keychain, one entry a header, or for this
 * session where there is none; never in a file. Values are read for each run and kept nowhere between.
 */
import {
  credentialFault,
  credentialIds,
  credentials as declared,
  type CredentialId,
  type CredentialPresence,
  type CredentialValues
} from '#contract/credentials.ts'
import { failed, type Failure, invalidField } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { createFingerprint } from './fingerprint.ts'

/** Where values are kept. */
export type Kept = 'keychain' | 'session'

/** What a window may know. */
export interface KnownCredentials {
  readonly credentials: CredentialPresence
  readonly kept: Kept
}

/** A value that was cleared and can be restored. It holds the secret: whoever keeps it must let it go soon. */
export interface ClearedCredential {
  /** Writes the entries again as they were, to the letter. Where the keychain cannot be used, for this session. */
  restore(): Promise<{ readonly kept: Kept }>
}

export interface Credentials {
  /** Which are set, and where. Quick whatever the keychain does: what it has not told by then counts as not set. */
  presence(connectionId: string): Promise<KnownCredentials>
  /** The values, for one run. Failures: `credentials-missing` (names which), `keychain-*`. */
  values(connectionId: string): Promise<Result<CredentialValues, Failure>>
  /**
   * Keeps a value, verbatim. Where the keychain cannot be used, for this session. Failure: `credential-invalid`.
   *
   * @param where `session` leaves the keychain alone.
   */
  set(connectionId: string, credential: CredentialId, value: string, where?: 'session'): Promise<Result<{ readonly kept: Kept }, Failure>>
  /**
   * Clears a value and hands back what restores it; null where none was set. A value that cannot be read is not cleared:
   * nothing could restore it.
   * Failures: `keychain-*`; the value may then still be in the keychain.
   */
  clear(connectionId: string, credential: CredentialId): Promise<Result<ClearedCredential | null, Failure>>
  /** Clears all three; settles well only where none is left anywhere. Failures: `keychain-*`. */
  clearAll(connectionId: string): Promise<Result<null, Failure>>
  /**
   * From now on, what the keychain holds for this connection is not its own: it is not read, and is
   * cleared as soon as the keychain allows; `cleared` is then called before anything new is kept there.
   */
  disown(connectionId: string, cleared: () => Promise<boolean>): void
  /** Clears what was disowned, where the keychain is ready. Never fails: what is left waits. */
  tidy(): Promise<void>
  /** Keyed hash of the values, 16 hex digits: tells two sets of credentials apart and betrays neither. */
  fingerprint(values: CredentialValues): Promise<string>
}

export interface CredentialsOptions {
  readonly keychain: SecretStore
  readonly session: SecretStore
  /** Milliseconds that `presence` may wait for the keychain. */
  readonly presenceLimitMs?: number
}

const accountOf = (connectionId: string, credential: CredentialId): string => `connection/${connectionId}/${credential}`

export function createCredentials({ keychain, session, presenceLimitMs = 1000 }: CredentialsOptions): Credentials {
  /** Which entries the keychain holds, by connection: presence alone, never a value. */
  const known = new Map<string, CredentialPresence>()
  const disowned = new Map<string, () => Promise<boolean>>()
  const owning = new Map<string, Promise<boolean>>()
  /** Counts changes, so that what was read across one is not cached. */
  let changes = 0

  const inKeychain = async (connectionId: string): Promise<CredentialPresence | undefined> => {
    const cached = known.get(connectionId)
    if (cached || disowned.has(connectionId)) return cached ?? noneSet
    const changesBefore = changes
    const found: Partial<Record<CredentialId, boolean>> = {}
    for (const credential of credentialIds) {
      const value = await keychain.get(accountOf(connectionId, credential))
      if (!value.ok) return undefined
      found[credential] = value.value !== undefined
    }
    if (changes === changesBefore) known.set(connectionId, found as CredentialPresence)
    return found as CredentialPresence
  }

  const remember = (connectionId: string, credential: CredentialId, set: boolean): void => {
    changes += 1
    const before = known.get(connectionId)
    if (before) known.set(connectionId, { ...before, [credential]: set })
  }

  const clearKeychain = async (connectionId: string): Promise<Result<null, Failure>> => {
    changes += 1
    known.delete(connectionId)
    for (const credential of credentialIds) {
      const removed = await keychain.remove(accountOf(connectionId, credential))
      if (!removed.ok) return removed
    }
    changes += 1
    known.set(connectionId, noneSet)
    return ok(null)
  }

  /** Whether the keychain's entries are the connection's own, after clearing them where they were not. */
  const own = (connectionId: string): Promise<boolean> => {
    const cleared = disowned.get(connectionId)
    if (!cleared) return Promise.resolve(true)
    // One clearing for all who wait: a second one would take what the first one's caller has set since.
    const clearing = owning.get(connectionId) ?? clearDisowned(connectionId, cleared)
    owning.set(connectionId, clearing)
    return clearing
  }

  const clearDisowned = async (connectionId: string, cleared: () => Promise<boolean>): Promise<boolean> => {
    const done = (await clearKeychain(connectionId)).ok && (await cleared())
    if (done && disowned.get(connectionId) === cleared) disowned.delete(connectionId)
    owning.delete(connectionId)
    return done
  }

  const sessionValue = async (connectionId: string, credential: CredentialId): Promise<string | undefined> => {
    const value = await session.get(accountOf(connectionId, credential))
    return value.ok ? value.value : undefined
  }

  /** The keychain's entry and the session's, each where it was. */
  const restore = async (connectionId: string, credential: CredentialId, kept: string | undefined, held: string | undefined) => {
    const account = accountOf(connectionId, credential)
    const stored = kept !== undefined && (await own(connectionId)) && (await keychain.set(account, kept)).ok
    if (stored) remember(connectionId, credential, true)
    const forSession = held ?? (stored ? undefined : kept)
    if (forSession !== undefined) await session.set(account, forSession)
    return { kept: forSession === undefined ? 'keychain' : 'session' } as const
  }

  return {
    fingerprint: createFingerprint(keychain),

    async presence(connectionId) {
      const usable = keychain.state() === 'ready'
      const kept = usable ? await within(presenceLimitMs, inKeychain(connectionId)) : known.get(connectionId)
      const presence: Partial<Record<CredentialId, boolean>> = {}
      let anySession = false
      for (const credential of credentialIds) {
        const held = (await sessionValue(connectionId, credential)) !== undefined
        anySession ||= held
        presence[credential] = held || (kept?.[credential] ?? false)
      }
      const keychainOut = !usable && keychain.state() !== 'unchecked'
      return { credentials: presence as CredentialPresence, kept: anySession || keychainOut ? 'session' : 'keychain' }
    },

    async values(connectionId) {
      const readKeychain = await own(connectionId)
      const values: Partial<Record<CredentialId, string>> = {}
      for (const credential of credentialIds) {
        const held = await sessionValue(connectionId, credential)
        if (held !== undefined) {
          values[credential] = held
        } else if (readKeychain) {
          const kept = await keychain.get(accountOf(connectionId, credential))
          if (!kept.ok) return kept
          if (known.get(connectionId)?.[credential] !== (kept.value !== undefined)) known.delete(connectionId)
          if (kept.value !== undefined) values[credential] = kept.value
        }
      }
      const missing = declared.filter(({ id }) => values[id] === undefined).map(({ label }) => label)
      if (missing.length > 0) return failed('credentials-missing', { missing: missing.join(', ') })
      return ok(values as CredentialValues)
    },

    async set(connectionId, credential, value, where) {
      const fault = credentialFault(value)
      if (fault) return failed('credential-invalid', { reason: fault }, { value: invalidField(`credential-${fault}`) })
      const account = accountOf(connectionId, credential)
      const stored = where !== 'session' && (await own(connectionId)) && (await keychain.set(account, value)).ok
      if (!stored) {
        await session.set(account, value)
        return ok({ kept: 'session' })
      }
      await session.remove(account)
      remember(connectionId, credential, true)
      return ok({ kept: 'keychain' })
    },

    async clear(connectionId, credential) {
      const account = accountOf(connectionId, credential)
      const held = await sessionValue(connectionId, credential)
      const kept = disowned.has(connectionId) ? ok(undefined) : await keychain.get(account)
      if (!kept.ok && held === undefined) return kept
      const stored = kept.ok ? kept.value : undefined
      const cleared = (stored ?? held) === undefined ? null : { restore: () => restore(connectionId, credential, stored, held) }
      await session.remove(account)
      if (disowned.has(connectionId)) return ok(cleared)
      const removed = await keychain.remove(account)
      if (removed.ok) remember(connectionId, credential, false)
      // A value that was only ever kept for this session is gone, whatever the keychain says.
      return removed.ok || (held !== undefined && keychain.state() === 'absent') ? ok(cleared) : removed
    },

    async clearAll(connectionId) {
      for (const credential of credentialIds) await session.remove(accountOf(connectionId, credential))
      return clearKeychain(connectionId)
    },

    disown(connectionId, cleared) {
      known.delete(connectionId)
      disowned.set(connectionId, cleared)
    },

    async tidy() {
      for (const connectionId of [...disowned.keys()]) {
        if (keychain.state() !== 'ready' || !(await own(connectionId))) return
      }
    }
  }
}

export const noneSet = Object.fromEntries(credentialIds.map((id) => [id, false])) as CredentialPresence

/** The value, or undefined where it is not there in time. */
export async function within<T>(limitMs: number, value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)))
  const first = await Promise.race([value, late])
  clearTimeout(timer)
  return first
}
