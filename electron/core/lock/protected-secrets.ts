/**
 * The keychain of a data folder, with its own keys under a passphrase if one is set: the key of the history, the key of the
 * drafts, the team's. Credentials, signing key and fingerprint key belong to all data folders of a user and stay as they are.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { bytesUnder, digitsOf, keepBytes, keepKey, keyFromDigits, keyUnder } from '#core/secrets/key-bytes.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { freshKey } from '#kit/sealing/key-memory.ts'
import {
  masterKeyIn,
  openBytes,
  openWithKey,
  openWithPassphrase,
  protectedKeyOf,
  protectedText,
  sealBytes,
  sealedKey,
  type ProtectedKey
} from './wrapping.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface ProtectedSecrets extends SecretStore {
  /** Whether a passphrase is set. Failures: the keychain's. */
  isProtected(): Answer<boolean>
  /** Reads the keys from now on; false if the passphrase is wrong, and without one if none is set. Failures: the keychain's. */
  open(passphrase: string): Answer<boolean>
  /** Sets or changes the passphrase. Failures: the keychain's, `locked`, `history-key-missing`. */
  protect(passphrase: string): Answer<null>
  /** Removes the passphrase. Failures: the keychain's, `locked`. */
  unprotect(): Answer<null>
  /** Sets a new passphrase by the history's key, 32 bytes that stay the caller's; false if it is another's. Failures: the keychain's. */
  recover(masterKey: Buffer, passphrase: string): Answer<boolean>
  /** Removes the keys from memory. */
  forget(): void
}

/** The first byte of an entry under a passphrase. */
const brace = 0x7b
const sealedPrefix = 'veridesk-sealed-1:'
const isSealed = (value: Buffer): boolean => value.toString('latin1', 0, sealedPrefix.length) === sealedPrefix

/** The value under an account that belongs to the folder, opened. */
function openedOf(account: string, found: Buffer, wrapping: Buffer | undefined): Result<Buffer, Failure> {
  if (account === masterKeyAccount) {
    const sealed = found[0] === brace ? protectedKeyOf(found.toString('utf8')) : undefined
    if (!sealed) return ok(found)
    const key = wrapping && masterKeyIn(sealed, wrapping)
    if (!key) return failed('locked')
    const digits = digitsOf(key)
    key.fill(0)
    return ok(digits)
  }
  if (!isSealed(found)) return ok(found)
  const opened = wrapping && openBytes(wrapping, account, found.toString('latin1', sealedPrefix.length))
  return opened ? ok(opened) : failed('locked')
}

/** The history's key under a passphrase; undefined if none is set. */
async function protectedEntry(inner: SecretStore): Answer<ProtectedKey | undefined> {
  const found = await bytesUnder(inner, masterKeyAccount)
  if (!found.ok) return found
  const read = found.value?.[0] === brace ? protectedKeyOf(found.value.toString('utf8')) : undefined
  found.value?.fill(0)
  return ok(read)
}

/** @param others Accounts besides the history's key that a passphrase seals, if they exist now. */
export function createProtectedSecrets(inner: SecretStore, others: () => Promise<readonly string[]>): ProtectedSecrets {
  /** Present while a passphrase is set and was given. */
  let wrapping: Buffer | undefined

  const belongs = (account: string): boolean => account.startsWith(masterKeyAccount) || account.startsWith('team/')
  const forget = (): void => {
    wrapping?.fill(0)
    wrapping = undefined
  }
  const getBytes = async (account: string): Answer<Buffer | undefined> => {
    const found = await bytesUnder(inner, account)
    return found.ok && found.value !== undefined && belongs(account) ? openedOf(account, found.value, wrapping) : found
  }

  const setBytes = async (account: string, value: Buffer): Answer<null> => {
    const present = belongs(account) ? await protectedEntry(inner) : ok(undefined)
    if (!present.ok) return present
    if (!present.value) return keepBytes(inner, account, value)
    if (!wrapping) return failed('locked')
    if (account !== masterKeyAccount) return inner.set(account, sealedPrefix + sealBytes(wrapping, account, value))
    const key = keyFromDigits(Buffer.from(value))
    if (!key) return failed('history-key-wrong')
    const sealed = sealedKey(wrapping, key)
    key.fill(0)
    return inner.set(account, JSON.stringify({ ...present.value, ...sealed }))
  }

  /** Seals what a crash, or a version without passphrases, has left unsealed. */
  async function sealOthers(): Answer<null> {
    for (const account of await others()) {
      const found = await bytesUnder(inner, account)
      if (!found.ok) return found
      if (found.value === undefined || isSealed(found.value)) continue
      const sealed = await setBytes(account, found.value)
      found.value.fill(0)
      if (!sealed.ok) return sealed
    }
    return ok(null)
  }

  async function adopt(key: Buffer): Answer<boolean> {
    forget()
    wrapping = key
    await sealOthers()
    return ok(true)
  }

  const own: ProtectedSecrets = {
    ...inner,
    // Of accounts with texts: what was read remains in memory.
    async get(account) {
      const found = await getBytes(account)
      return found.ok ? ok(found.value?.toString('utf8')) : found
    },
    getBytes,
    set: (account, value) => setBytes(account, Buffer.from(value)),
    setBytes,
    async isProtected() {
      const found = await protectedEntry(inner)
      return found.ok ? ok(found.value !== undefined) : found
    },
    async open(passphrase) {
      const found = await protectedEntry(inner)
      if (!found.ok) return found
      if (!found.value) return ok(true)
      const key = await openWithPassphrase(found.value, passphrase)
      return key ? adopt(key) : ok(false)
    },
    async protect(passphrase) {
      const key = await keyUnder(own, masterKeyAccount)
      if (!key.ok) return key
      if (key.value === undefined) return failed('history-key-missing')
      const next = wrapping ?? freshKey()
      const text = await protectedText(passphrase, next, key.value).finally(() => key.value?.fill(0))
      // From here on the new passphrase counts.
      const written = await inner.set(masterKeyAccount, text)
      if (!written.ok) return written
      wrapping = next
      return sealOthers()
    },
    async unprotect() {
      const key = await keyUnder(own, masterKeyAccount)
      if (!key.ok) return key
      if (key.value === undefined) return failed('history-key-missing')
      for (const account of await others()) {
        const found = await getBytes(account)
        if (!found.ok) return found
        const opened = found.value === undefined ? ok(null) : await keepBytes(inner, account, found.value)
        found.value?.fill(0)
        if (!opened.ok) return opened
      }
      // Until here the passphrase counts.
      const written = await keepKey(inner, masterKeyAccount, key.value)
      key.value.fill(0)
      if (written.ok) forget()
      return written
    },
    async recover(masterKey, passphrase) {
      const found = await protectedEntry(inner)
      if (!found.ok) return found
      if (!found.value) return ok(false)
      const key = openWithKey(found.value, masterKey)
      if (!key) return ok(false)
      const written = await inner.set(masterKeyAccount, await protectedText(passphrase, key, masterKey))
      return written.ok ? adopt(key) : written
    },
    forget
  }
  return own
}
