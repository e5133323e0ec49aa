/** Keys as bytes: a text cannot be removed from memory. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keyMemory } from '#kit/sealing/key-memory.ts'

/** A byte's value as a hex digit, by its character code; -1 for any other. */
function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  return code >= 97 && code <= 102 ? code - 87 : -1
}

/** The bytes of 64 hex digits in ASCII, without a text in between; undefined if they are no key. The digits are zeroed. */
export function keyFromDigits(digits: Buffer): Buffer | undefined {
  const key = keyMemory(32)
  let valid = digits.length === 64
  for (let at = 0; valid && at < 32; at += 1) {
    const [high, low] = [digit(digits[2 * at] ?? 0), digit(digits[2 * at + 1] ?? 0)]
    valid = high >= 0 && low >= 0
    key[at] = (high << 4) | low
  }
  digits.fill(0)
  if (valid) return key
  key.fill(0)
  return undefined
}

/** The digits of a key, as ASCII. */
export function digitsOf(key: Buffer): Buffer {
  const digits = keyMemory(2 * key.length)
  const code = (value: number): number => (value < 10 ? 48 + value : 87 + value)
  key.forEach((byte, at) => {
    digits[2 * at] = code(byte >> 4)
    digits[2 * at + 1] = code(byte & 15)
  })
  return digits
}

/** The value under an account as bytes. Failures: the store's. */
export async function bytesUnder(secrets: SecretStore, account: string): Promise<Result<Buffer | undefined, Failure>> {
  if (secrets.getBytes) return secrets.getBytes(account)
  const found = await secrets.get(account)
  return found.ok ? ok(found.value === undefined ? undefined : Buffer.from(found.value)) : found
}

/** The key under an account, 32 bytes. Failures: the store's; `history-key-wrong` if it is no key. */
export async function keyUnder(secrets: SecretStore, account: string): Promise<Result<Buffer | undefined, Failure>> {
  const found = await bytesUnder(secrets, account)
  if (!found.ok || found.value === undefined) return found
  const key = keyFromDigits(found.value)
  return key ? ok(key) : failed('history-key-wrong')
}

/** Stores a key of 32 bytes, which stays the caller's, as 64 hex digits. Failures: the store's. */
export async function keepKey(secrets: SecretStore, account: string, key: Buffer): Promise<Result<null, Failure>> {
  const digits = digitsOf(key)
  return keepBytes(secrets, account, digits).finally(() => digits.fill(0))
}

/** Stores the bytes of a text, which stay the caller's. Failures: the store's. */
export const keepBytes = (secrets: SecretStore, account: string, bytes: Buffer): Promise<Result<null, Failure>> =>
  secrets.setBytes ? secrets.setBytes(account, bytes) : secrets.set(account, bytes.toString('utf8'))
