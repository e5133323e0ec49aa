/**
 * The recovery key as text: 32 random bytes and a three-byte checksum in Crockford's base 32 (no I, L, O or U), as 14
 * groups of four. When typed, O is accepted for 0, I and L for 1, lower case, and any dashes and spaces.
 */
import { type FailureDetails } from '#contract/failures/failures.ts'
import { createHash } from 'node:crypto'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const keyBytes = 32
const checkBytes = 3
const codeLength = ((keyBytes + checkBytes) * 8) / 5

const checksum = (key: Buffer): Buffer =>
  createHash('sha256').update('veridesk/recovery\0').update(key).digest().subarray(0, checkBytes)

/** The code of a 32-byte key. */
export function recoveryCode(key: Buffer): string {
  if (key.length !== keyBytes) throw new Error('a recovery key has 32 bytes')
  let code = ''
  let bits = 0
  let held = 0
  for (const byte of Buffer.concat([key, checksum(key)])) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) code += letters[(held >> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return (code.match(/.{4}/g) ?? []).join('-')
}

export type ParsedCode = { readonly key: Buffer } | { readonly fault: FailureDetails<'recovery-key-wrong'> }

/** The key of a code, or what is wrong with it. */
export function parseRecoveryCode(text: string): ParsedCode {
  const code = text
    .toUpperCase()
    .replace(/[\s\u2010-\u2015-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const strange = [...code].find((letter) => !letters.includes(letter))
  if (strange !== undefined) return { fault: { reason: 'character', character: strange } }
  if (code.length !== codeLength) return { fault: { reason: 'length', length: code.length, expected: codeLength } }
  const bytes = Buffer.alloc(keyBytes + checkBytes)
  let bits = 0
  let held = 0
  let at = 0
  for (const letter of code) {
    held = (held << 5) | letters.indexOf(letter)
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (held >> bits) & 255
      held &= (1 << bits) - 1
    }
  }
  const key = Buffer.from(bytes.subarray(0, keyBytes))
  return checksum(key).equals(bytes.subarray(keyBytes)) ? { key } : { fault: { reason: 'checksum' } }
}
