/** A fingerprint in the forms that people compare: words to read aloud, and a code for machines. */
import { createHash } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { ComparedWords } from '#contract/team/team.ts'

/** Each stands for eleven bits: twelve for 132. */
export const wordCount = 12
const bits = 11

const known: ReadonlySet<string> = new Set(wordlist)

/**
 * Twelve words of the English list of BIP-39, whose 2,048 words differ in their first four letters.
 *
 * @param fingerprint 64 hex digits.
 */
export function safetyWords(fingerprint: string): string {
  const digest = createHash('sha512')
    .update('veridesk/team/safety-words/1\0')
    .update(Buffer.from(fingerprint, 'hex'))
    .digest()
  const all = BigInt(`0x${digest.toString('hex')}`)
  const wordAt = (index: number): string =>
    wordlist[Number((all >> BigInt(512 - bits * (index + 1))) % BigInt(wordlist.length))] ?? ''
  return Array.from({ length: wordCount }, (_, index) => wordAt(index)).join(' ')
}

/** The words in a text, in small letters, whatever is between them: spaces, commas, hyphens, numbers of a list. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

/** How many of them are in the list: a word that is not was misheard or mistyped. */
export const knownWords = (words: readonly string[]): number => words.filter((word) => known.has(word)).length

/** The code of a fingerprint, in the characters that QR codes hold best. */
export const fingerprintCode = (fingerprint: string): string => `VERIDESK-TEAM:${fingerprint.toUpperCase()}`

/** All forms of a fingerprint. */
export const comparedWords = (fingerprint: string): ComparedWords => ({
  words: safetyWords(fingerprint),
  code: fingerprintCode(fingerprint)
})

/** Whether a text is the code of some fingerprint. A scanner that types may have capitals switched off. */
export const isCode = (text: string): boolean => /^VERIDESK-TEAM:[0-9A-F]{64}$/i.test(text.trim())

/** Whether what a person typed or scanned stands for a fingerprint: its words, whatever is between them, or its code. */
export const isFingerprint = (text: string, fingerprint: string): boolean =>
  isCode(text)
    ? text.trim().toUpperCase() === fingerprintCode(fingerprint)
    : wordsIn(text).join(' ') === safetyWords(fingerprint)
