/** A fingerprint as words: for people who would rather read words to each other than digits. */
import { createHash } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** Each stands for eleven bits: twelve for 132, as many as forty digits. */
export const wordCount = 12
const bits = 11

const known: ReadonlySet<string> = new Set(wordlist)

/**
 * Twelve words of the English list of BIP-39, whose 2,048 words differ in their first four letters. The digest is another
 * one than that of the digits: who finds a second fingerprint with the same digits has not found one with the same words.
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
