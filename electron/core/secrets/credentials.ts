/**
 * The three secret values of each connection, one keychain entry per header; without a keychain, held in memory for
 * this session. Never in a file. Values are read for each request and not cached.
 */
import {
  credentialFault,
  credentialIds,
  credentials as declared,
  type CredentialId,
  type CredentialPresence,
  type CredentialValues
} from '#contract/connections/credentials.ts'
import { failed, type Failure, invalidField } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { within } from '#kit/async/within.ts'
import { createFingerprint } from './fingerprint.ts'

/** Where values are stored. */
export type Kept = 'keychain' | 'session'

/** What a window may know. */
export interface KnownCredentials {
  readonly credentials: CredentialPresence
  readonly kept: Kept
}

/** A value that was cleared and can be restored. It holds the secret, so it must be dropped soon. */
export interface ClearedCredential {
  /** Writes the entries back unchanged; for this session only if the keychain is unavailable. */
  restore(): Promise<{ readonly kept: Kept }>
}

export interface Credentials {
  /** Which are set, and where. Returns quickly: entries that the keychain has not reported in time count as not set. */
  presence(connectionId: string): Promise<KnownCredentials>
  /** The values for one request. Failures: `credentials-missing` (names which), `keychain-*`. */
  values(connectionId: string): Promise<Result<CredentialValues, Failure>>
  /** Those of the three that can be read now, to find them in texts. Returns quickly: without the keychain’s if it does not answer in time. */
  held(connectionId: string): Promise<readonly (readonly [CredentialId, string])[]>
  /**
   * Stores a value verbatim; for this session only if the keychain is unavailable. Failure: `credential-invalid`.
   *
   * @param where `session` does not use the keychain.
   */
  set(
    connectionId: string,
    credential: CredentialId,
    value: string,
    where?: 'session'
  ): Promise<Result<{ readonly kept: Kept }, Failure>>
  /**
   * Clears a value and returns an object that can restore it; null if none was set. An unreadable value is not
   * cleared, because it could not be restored. Failures: `keychain-*`; the value may then still be in the keychain.
   */
  clear(connectionId: string, credential: CredentialId): Promise<Result<ClearedCredential | null, Failure>>
  /** Clears all three; succeeds only if none is left anywhere. Failures: `keychain-*`. */
  clearAll(connectionId: string): Promise<Result<null, Failure>>
  /**
   * Marks the keychain's entries of this connection as foreign: they are not read, and are cleared as soon as the
   * keychain allows. `cleared` is then called before anything new is stored there.
   */
  disown(connectionId: string, cleared: () => Promise<boolean>): void
  /** Clears disowned entries if the keychain is ready. Never fails: the rest is cleared later. */
  tidy(): Promise<void>
  /** Keyed hash of the values, 16 hex digits: distinguishes sets of credentials without revealing them. */
  fingerprint(values: CredentialValues): Promise<string>
}

export interface CredentialsOptions {
  readonly keychain: SecretStore
  readonly session: SecretStore
  /** Milliseconds that `presence` waits for the keychain. */
  readonly presenceLimitMs?: number
}

const accountOf = (connectionId: string, credential: CredentialId): string => `connection/${connectionId}/${credential}`

/** Entries of the keychain: which it holds, and which of them belong to nobody any more; beside them those of the session. */
function createEntries(keychain: SecretStore, session: SecretStore) {
  /** Which entries the keychain holds, by connection; presence only, never a value. */
  const known = new Map<string, CredentialPresence>()
  const disowned = new Map<string, () => Promise<boolean>>()
  const owning = new Map<string, Promise<boolean>>()
  /** Counts changes, so that a value read during a change is not cached. */
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

  /** Clears disowned entries first; returns whether the keychain's entries now belong to the connection. */
  const own = (connectionId: string): Promise<boolean> => {
    const cleared = disowned.get(connectionId)
    if (!cleared) return Promise.resolve(true)
    // All callers share one clearing: a second one would delete what the first caller has set since.
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

  /** Restores the keychain's entry and the session's. */
  const restore = async (
    connectionId: string,
    credential: CredentialId,
    kept: string | undefined,
    held: string | undefined
  ) => {
    const account = accountOf(connectionId, credential)
    const stored = kept !== undefined && (await own(connectionId)) && (await keychain.set(account, kept)).ok
    if (stored) remember(connectionId, credential, true)
    const forSession = held ?? (stored ? undefined : kept)
    if (forSession !== undefined) await session.set(account, forSession)
    return { kept: forSession === undefined ? 'keychain' : 'session' } as const
  }

  return { known, disowned, inKeychain, remember, clearKeychain, own, sessionValue, restore }
}

export function createCredentials({ keychain, session, presenceLimitMs = 1000 }: CredentialsOptions): Credentials {
  const { known, disowned, inKeychain, remember, clearKeychain, own, sessionValue, restore } = createEntries(
    keychain,
    session
  )

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

    async held(connectionId) {
      const found: (readonly [CredentialId, string])[] = []
      const mayRead = keychain.state() === 'ready' && !disowned.has(connectionId)
      for (const credential of credentialIds) {
        const here = await sessionValue(connectionId, credential)
        const kept = mayRead
          ? await within(presenceLimitMs, keychain.get(accountOf(connectionId, credential)))
          : undefined
        for (const value of [here, kept?.ok ? kept.value : undefined])
          if (value !== undefined) found.push([credential, value])
      }
      return found
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
      const cleared =
        (stored ?? held) === undefined ? null : { restore: () => restore(connectionId, credential, stored, held) }
      await session.remove(account)
      if (disowned.has(connectionId)) return ok(cleared)
      const removed = await keychain.remove(account)
      if (removed.ok) remember(connectionId, credential, false)
      // A value held only for this session has been removed, whatever the keychain reports.
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
