/**
 * ZIP files whose entries are stored as they are, so that nothing unpacks and nothing can grow. There is one file for a list of
 * names and contents: the reader makes all but the contents again from what it has read, and refuses a file that differs in one bit.
 * Compression, encryption, data descriptors, comments, extra fields, gaps, overlaps, zip64 and anything before or behind are
 * therefore refused without a rule for each.
 */
import { crc32 } from 'node:zlib'

export interface StoredPart {
  /** Its path within the file: `pack.json`, `documents/a.pdf`. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Where an entry is. */
export interface StoredEntry {
  readonly name: string
  /** Of its first byte. */
  readonly offset: number
  readonly bytes: number
  readonly crc: number
}

/** A file of which parts can be read. */
export interface StoredSource {
  readonly bytes: number
  read(offset: number, length: number): Promise<Uint8Array>
}

const localLength = 30
const entryLength = 46
const endLength = 22
/** From here on a number says “see zip64”. */
const tooMany = 0xffff
const tooLarge = 0xffffffff
const maxNameBytes = 255
/** Version 1.0; names are UTF-8; stored; 1 January 1980, since the same contents shall have the same bytes. */
const common = Buffer.from('0a000008000000002100', 'hex')

/**
 * Whether a name is safe as a path below any folder on any system: relative, without steps upwards, empty steps, colons, backslashes
 * and control characters.
 */
export const isStoredName = (name: string): boolean =>
  Buffer.byteLength(name) <= maxNameBytes &&
  name.isWellFormed() &&
  !/[\p{Cc}\\:*?"<>|]/u.test(name) &&
  name.split('/').every((step) => step !== '' && !/^\.+$/.test(step))

/** Equal for names that are one file on some system. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase()

function facts({ name, bytes, crc }: Omit<StoredEntry, 'offset'>): Buffer {
  const fields = Buffer.alloc(16)
  fields.writeUInt32LE(crc, 0)
  fields.writeUInt32LE(bytes, 4)
  fields.writeUInt32LE(bytes, 8)
  fields.writeUInt16LE(Buffer.byteLength(name), 12)
  return Buffer.concat([common, fields])
}

const localHeader = (entry: Omit<StoredEntry, 'offset'>): Buffer =>
  Buffer.concat([Buffer.from('PK\x03\x04'), facts(entry), Buffer.from(entry.name)])

const lengthBefore = ({ name }: Pick<StoredEntry, 'name'>): number => localLength + Buffer.byteLength(name)

function directory(entries: readonly StoredEntry[], offset: number): Buffer {
  const parts = entries.map((entry) => {
    const rest = Buffer.alloc(entryLength - 32)
    rest.writeUInt32LE(entry.offset - lengthBefore(entry), 10)
    return Buffer.concat([Buffer.from('PK\x01\x02\x0a\x00'), facts(entry), rest, Buffer.from(entry.name)])
  })
  const all = Buffer.concat(parts)
  const end = Buffer.alloc(endLength)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([all, end])
}

/**
 * The bytes of a ZIP file with these parts, one after the other.
 *
 * @throws {RangeError} at a name that is not safe or is there already, and at what needs zip64.
 */
export async function* storedArchive(
  parts: AsyncIterable<StoredPart> | Iterable<StoredPart>
): AsyncGenerator<Uint8Array> {
  const entries: StoredEntry[] = []
  const names = new Set<string>()
  let offset = 0
  for await (const { name, bytes } of parts) {
    if (!isStoredName(name) || names.has(folded(name))) throw new RangeError('a name cannot be in a ZIP file')
    names.add(folded(name))
    const entry = { name, bytes: bytes.length, crc: crc32(bytes) }
    const header = localHeader(entry)
    if (entries.length + 1 >= tooMany || offset + header.length + bytes.length >= tooLarge)
      throw new RangeError('too much for a ZIP file')
    yield header
    yield bytes
    entries.push({ ...entry, offset: offset + header.length })
    offset += header.length + bytes.length
  }
  const end = directory(entries, offset)
  if (offset + end.length >= tooLarge) throw new RangeError('too much for a ZIP file')
  yield end
}

/** Strict UTF-8; undefined if it is not. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The entries that a directory names; undefined if they cannot be those of a file that is written here. */
function entriesOf(bytes: Buffer, count: number): StoredEntry[] | undefined {
  const entries: StoredEntry[] = []
  const names = new Set<string>()
  let [at, offset] = [0, 0]
  while (entries.length < count) {
    if (at + entryLength > bytes.length) return undefined
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = textOf(bytes.subarray(at + entryLength, at + entryLength + nameLength))
    if (name === undefined || !isStoredName(name) || names.has(folded(name))) return undefined
    names.add(folded(name))
    const size = bytes.readUInt32LE(at + 24)
    const entry = { name, bytes: size, crc: bytes.readUInt32LE(at + 16), offset: offset + lengthBefore({ name }) }
    entries.push(entry)
    offset = entry.offset + size
    at += entryLength + nameLength
  }
  return entries
}

/** The entries of a ZIP file; undefined if `storedArchive` would not have written it so. Contents are compared by `readStored`. */
export async function storedEntries(source: StoredSource): Promise<readonly StoredEntry[] | undefined> {
  if (source.bytes < endLength || source.bytes >= tooLarge) return undefined
  const end = Buffer.from(await source.read(source.bytes - endLength, endLength))
  if (end.length !== endLength) return undefined
  const [count, length, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)]
  if (count >= tooMany || length > count * (entryLength + maxNameBytes)) return undefined
  if (offset + length + endLength !== source.bytes) return undefined
  const found = Buffer.from(await source.read(offset, length + endLength))
  const entries = entriesOf(found, count)
  const last = entries?.at(-1)
  if (!entries || (last ? last.offset + last.bytes : 0) !== offset || !directory(entries, offset).equals(found))
    return undefined
  for (const entry of entries) {
    const header = localHeader(entry)
    if (!header.equals(await source.read(entry.offset - header.length, header.length))) return undefined
  }
  return entries
}

/** The contents of an entry; undefined if they are not what its checksum is of. */
export async function readStored(source: StoredSource, entry: StoredEntry): Promise<Uint8Array | undefined> {
  const bytes = await source.read(entry.offset, entry.bytes)
  return bytes.length === entry.bytes && crc32(bytes) === entry.crc ? bytes : undefined
}
