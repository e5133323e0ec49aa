/**
 * Keys under a passphrase: a random key wraps the secrets of a data folder, and is itself wrapped twice, by the passphrase
 * (scrypt, RFC 7914) and by the history's key. The second wrapping lets the recovery key, which yields the history's key, set
 * a new passphrase. All of it is one text, so the keychain replaces it at once: a crash leaves the old one or the new one.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { normalised } from '#contract/lock/passphrase.ts'

const format = 'veridesk-protected-key'
/** 128 MiB and about a second for each guess on one core. */
const cost = { N: 2 ** 17, r: 8, p: 1 } as const
/** Bounds for what is read: parameters of a later version may cost more, but not the computer. */
const costSchema = z.strictObject({
  N: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4)
})
const base64 = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
  .max(400)
const entrySchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(1),
  scrypt: costSchema,
  salt: base64,
  /** The wrapping key, by the passphrase. */
  byPassphrase: base64,
  /** The wrapping key, by the history's key. */
  byKey: base64,
  /** The history's key, by the wrapping key. */
  key: base64
})
export type ProtectedKey = z.output<typeof entrySchema>

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM: nonce, ciphertext, tag. `purpose` is authenticated, so that what is sealed cannot be swapped. */
export function sealBytes(key: Uint8Array, purpose: string, plain: Uint8Array): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(`${format}/${purpose}`))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Undefined if key or purpose do not match. */
export function openBytes(key: Uint8Array, purpose: string, sealed: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(`${format}/${purpose}`))
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
    // In this mode the first call returns everything; the second verifies it.
    const opened = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes))
    decipher.final()
    return opened
  } catch {
    return undefined
  }
}

/** Runs a step with the key of a passphrase, which is zeroed afterwards. */
async function withStretched<T>(
  passphrase: string,
  salt: Buffer,
  { N, r, p }: ProtectedKey['scrypt'],
  work: (key: Buffer) => T
): Promise<T> {
  const typed = Buffer.from(normalised(passphrase))
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(typed, salt, 32, { N, r, p, maxmem: 128 * N * r + 64 * 1024 * 1024 }, (error, made) =>
      error ? reject(error) : resolve(made)
    )
  ).finally(() => typed.fill(0))
  try {
    return work(key)
  } finally {
    key.fill(0)
  }
}

/** The key of the history as the second wrapping uses it. */
const keyFor = (masterKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `${format}/by-key`, 32))

/** The text for the keychain. `wrapping` and `masterKey` have 32 bytes and stay the caller's. */
export async function protectedText(passphrase: string, wrapping: Buffer, masterKey: Buffer): Promise<string> {
  const salt = randomBytes(16)
  const byPassphrase = await withStretched(passphrase, salt, cost, (key) => sealBytes(key, 'passphrase', wrapping))
  return JSON.stringify({
    format,
    version: 1,
    scrypt: cost,
    salt: salt.toString('base64'),
    byPassphrase,
    ...sealedKey(wrapping, masterKey)
  } satisfies ProtectedKey)
}

/** The parts of an entry that change with the history's key. */
export function sealedKey(wrapping: Buffer, masterKey: Buffer): Pick<ProtectedKey, 'byKey' | 'key'> {
  const key = keyFor(masterKey)
  const sealed = { byKey: sealBytes(key, 'key', wrapping), key: sealBytes(wrapping, 'master', masterKey) }
  key.fill(0)
  return sealed
}

/** The entry that a text of the keychain holds; undefined if it is a key without a passphrase. */
export function protectedKeyOf(text: string): ProtectedKey | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return entrySchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The wrapping key; undefined if the passphrase is wrong. */
export const openWithPassphrase = (entry: ProtectedKey, passphrase: string): Promise<Buffer | undefined> =>
  withStretched(passphrase, Buffer.from(entry.salt, 'base64'), entry.scrypt, (key) =>
    openBytes(key, 'passphrase', entry.byPassphrase)
  )

/** The wrapping key; undefined if the entry is that of another history's key. */
export function openWithKey(entry: ProtectedKey, masterKey: Buffer): Buffer | undefined {
  const key = keyFor(masterKey)
  const opened = openBytes(key, 'key', entry.byKey)
  key.fill(0)
  return opened
}

/** The history's key. */
export const masterKeyIn = (entry: ProtectedKey, wrapping: Buffer): Buffer | undefined =>
  openBytes(wrapping, 'master', entry.key)
