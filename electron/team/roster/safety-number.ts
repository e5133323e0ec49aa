/** A fingerprint in the forms that people compare: digits or words to read aloud, and a code for machines. */
import { createHash } from 'node:crypto'
import type { ComparedNumber } from '#contract/team/team.ts'
import { safetyWords, wordsIn } from './safety-words.ts'

const groups = 8
/** Groups of five digits from five bytes each, as Signal does it. */
const groupBytes = 5

/**
 * Forty digits in groups of five. Digits need no list of words and no common language, and forty of them stand for more
 * than 128 bits.
 *
 * @param fingerprint 64 hex digits.
 */
export function safetyNumber(fingerprint: string): string {
  const digest = createHash('sha512')
    .update('veridesk/team/safety-number/1\0')
    .update(Buffer.from(fingerprint, 'hex'))
    .digest()
  return Array.from({ length: groups }, (_, index) =>
    String(digest.readUIntBE(index * groupBytes, groupBytes) % 100_000).padStart(5, '0')
  ).join(' ')
}

/** The code of a fingerprint, in the characters that QR codes hold best. */
export const fingerprintCode = (fingerprint: string): string => `VERIDESK-TEAM:${fingerprint.toUpperCase()}`

/** All forms of a fingerprint. */
export const comparedNumber = (fingerprint: string): ComparedNumber => ({
  number: safetyNumber(fingerprint),
  words: safetyWords(fingerprint),
  code: fingerprintCode(fingerprint)
})

/** Whether a text is the code of some fingerprint. A scanner that types may have capitals switched off. */
export const isCode = (text: string): boolean => /^VERIDESK-TEAM:[0-9A-F]{64}$/i.test(text.trim())

/** Whether what a person typed or scanned stands for a fingerprint: its digits or its words in any grouping, or its code. */
export function isFingerprint(text: string, fingerprint: string): boolean {
  if (isCode(text)) return text.trim().toUpperCase() === fingerprintCode(fingerprint)
  const isNumber = /^[\d\s.,\u2010-\u2015-]*$/.test(text)
  return isNumber
    ? text.replace(/\D/g, '') === safetyNumber(fingerprint).replaceAll(' ', '')
    : wordsIn(text).join(' ') === safetyWords(fingerprint)
}
