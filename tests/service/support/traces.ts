/** Everything on a disk that someone with the master key can see, and searches in it. */
import { createDecipheriv, createHash, createHmac, createSecretKey } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { derivedKey } from '#kit/sealing/seal.ts'
import { decrypted, stream } from './aegis.ts'

export interface Content {
  readonly path: string
  readonly bytes: Buffer
}

export const hexKeyOf = (masterKey: string, name: string): string =>
  derivedKey(Buffer.from(masterKey, 'hex'), name).toString('hex')

const pageSize = 4096

/** A page of SQLCipher 4: AES-256-CBC, 80 bytes reserved for its vector and its authentication. */
function cbcPage(page: Buffer, key: Buffer, from: number): Buffer {
  const end = pageSize - 80
  const decipher = createDecipheriv('aes-256-cbc', key, page.subarray(end, end + 16)).setAutoPadding(false)
  return Buffer.concat([decipher.update(page.subarray(from, end)), decipher.final()])
}

/** A page under SQLite3MultipleCiphers' AEGIS-256: 32 bytes of authentication, a nonce, and a key of its own for each page. */
function aegisPage(page: Buffer, key: Buffer, from: number, number: number): Buffer {
  const end = pageSize - 64
  const once = stream(64, key, page.subarray(end + 32))
  once.writeUInt32BE(number, 60)
  return decrypted(page.subarray(from, end), once.subarray(0, 32), once.subarray(32))
}

/** Bytes at the end of each page that SQLite leaves to the cipher: they are not encrypted, and tell the ciphers apart. */
const reservedBy = (file: Buffer): number => file[20] ?? 0

/**
 * Every page of a file or its log as plain bytes, decrypted here by the rules of its cipher, including free and
 * overwritten parts.
 *
 * @param log The log of this file, whose pages are wanted instead of its own.
 */
export function plainPages(file: Buffer, hexKey: string, log?: Buffer): Buffer {
  const key = Buffer.from(hexKey, 'hex')
  const bytes = log ?? file
  const [start, step] = log ? [32 + 24, pageSize + 24] : [0, pageSize]
  const pages: Buffer[] = []
  for (let at = start; at + pageSize <= bytes.length; at += step) {
    const page = bytes.subarray(at, at + pageSize)
    const number = log ? bytes.readUInt32BE(at - 24) : at / pageSize + 1
    if (reservedBy(file) === 64) pages.push(aegisPage(page, key, number === 1 ? 24 : 0, number))
    // The first page of a file begins with its salt, which is not encrypted.
    else for (const skip of at === 0 ? [0, 16] : [0]) pages.push(cbcPage(page, key, skip))
  }
  return Buffer.concat(pages)
}

/** All files below a folder, one after another, and for each database and log also the contents of its pages. */
export function* contentsIn(folder: string, masterKey: string): Generator<Content> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
  for (const path of files) {
    const bytes = readFileSync(path)
    const shown = path.slice(folder.length)
    yield { path: shown, bytes }
    const name = /(history|subjects|search)\.db/.exec(path)?.[0]
    if (name === undefined) continue
    const [file, log] = path.endsWith('-wal') ? [readFileSync(path.slice(0, -4)), bytes] : [bytes]
    yield { path: `${shown}, decrypted`, bytes: plainPages(file, hexKeyOf(masterKey, name), log) }
  }
}

/** The same, all together. */
export const contentsOf = (folder: string, masterKey: string): Content[] => [...contentsIn(folder, masterKey)]

/** The forms in which a text or a key may occur in a file. */
function forms(needle: string | Buffer): Buffer[] {
  const bytes = Buffer.from(needle as string)
  const texts =
    typeof needle === 'string'
      ? [bytes, Buffer.from(needle, 'utf16le'), Buffer.from(needle.toUpperCase()), Buffer.from(needle.toLowerCase())]
      : [bytes]
  // In base64 the first and last letters depend on the adjacent bytes.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4)
    )
  )
  return [...texts, Buffer.from(bytes.toString('hex')), ...base64]
}

/** Where any of the needles occurs, in any form. */
export function tracesIn(contents: readonly Content[], needles: readonly (string | Buffer)[]): string[] {
  const wanted = needles.flatMap(forms)
  return contents.filter(({ bytes }) => wanted.some((form) => bytes.includes(form))).map(({ path }) => path)
}

/** Tries every window of `size` bytes until one fits; returns the number of attempts and the matching file. */
export function windowThat(
  contents: readonly Content[],
  size: number,
  fits: (window: Buffer) => boolean
): { readonly tried: number; readonly found?: string } {
  let tried = 0
  for (const { path, bytes } of contents) {
    for (let at = 0; at + size <= bytes.length; at += 1) {
      tried += 1
      if (fits(bytes.subarray(at, at + size))) return { tried, found: path }
    }
  }
  return { tried }
}

/** Whether 32 bytes open a sealed part: nonce of 12, ciphertext, tag of 16, bound to its purpose. */
export function opens(key: Buffer, purpose: string, sealed: Buffer): boolean {
  try {
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), sealed.subarray(0, 12))
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-16))
    decipher.update(sealed.subarray(12, -16))
    decipher.final()
    return true
  } catch {
    return false
  }
}

const algorithms = ['sha256', 'sha512', 'sha1', 'md5'] as const

/** Every digest that could be computed from a guess, plain and with every existing key. */
export function digestsOf(guesses: readonly string[], keys: readonly Buffer[]): Buffer[] {
  return guesses.flatMap((guess) =>
    algorithms.flatMap((algorithm) => [
      createHash(algorithm).update(guess).digest(),
      ...keys.flatMap((key) => [
        createHmac(algorithm, key).update(guess).digest(),
        createHash(algorithm).update(key).update(guess).digest()
      ])
    ])
  )
}

/** Which digests (or their first 16 bytes) occur anywhere, as bytes or in hex. */
export function digestsIn(contents: readonly Content[], digests: readonly Buffer[]): string[] {
  const byStart = Map.groupBy(digests, (digest) => digest.readUInt32LE(0))
  const found: string[] = []
  const scan = (path: string, bytes: Buffer): void => {
    for (let at = 0; at + 16 <= bytes.length; at += 1) {
      const same = byStart.get(bytes.readUInt32LE(at))
      if (same?.some((digest) => digest.subarray(0, 16).equals(bytes.subarray(at, at + 16)))) found.push(path)
    }
  }
  for (const { path, bytes } of contents) {
    scan(path, bytes)
    for (const [hex] of bytes.toString('latin1').matchAll(/[0-9a-f]{32,}/gi))
      for (const shift of [0, 1]) scan(`${path}, in hex`, Buffer.from(hex.slice(shift), 'hex'))
  }
  return found
}
