/**
 * ZIP files of a pack with its documents. Each entry is stored as it is, and everything but the contents follows from names and
 * contents: a file that differs from that in one bit is refused, so compression, encryption, data descriptors, comments, extra
 * fields, gaps, overlaps and zip64 are. Nothing is unpacked.
 */
import { fromUtf8, joined, sha256, toHex } from './bytes.mjs'
import { Refusal } from './canonical.mjs'

const notOurs = 'The ZIP file is damaged, or Veridesk did not write it.'
/** No part that Veridesk writes has more bytes. */
const mostOfPart = 256 * 1024 * 1024

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})
function crc32(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ crcTable[(value ^ byte) & 0xff]
  return (value ^ 0xffffffff) >>> 0
}

/** Numbers of 2 or 4 bytes, little endian. */
const two = (value) => [value & 0xff, (value >>> 8) & 0xff]
const four = (value) => [...two(value & 0xffff), ...two(value >>> 16)]
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

// Version 1.0; names are UTF-8; stored; 1 January 1980.
const fixedFacts = [10, 0, 0, 8, 0, 0, 0, 0, 0x21, 0]
const factsOf = ({ crc, size, name }) => [
  ...fixedFacts,
  ...four(crc),
  ...four(size),
  ...four(size),
  ...two(name.length)
]
const localOf = (entry) => joined(Uint8Array.from([80, 75, 3, 4, ...factsOf(entry), 0, 0]), entry.name)
const centralOf = (entry) =>
  joined(
    Uint8Array.from([80, 75, 1, 2, 10, 0, ...factsOf(entry), ...Array(12).fill(0), ...four(entry.start)]),
    entry.name
  )
const endOf = (count, length, offset) =>
  Uint8Array.from([80, 75, 5, 6, 0, 0, 0, 0, ...two(count), ...two(count), ...four(length), ...four(offset), 0, 0])
const isSame = (one, other) => one.length === other.length && one.every((byte, index) => byte === other[index])

/** Relative, without steps upwards, empty steps, and characters that some system does not take for a name. */
const isPathInZip = (text) =>
  text !== undefined &&
  !/[\p{Cc}\\:*?"<>|]/u.test(text) &&
  text.split('/').every((step) => step !== '' && !/^\.+$/.test(step))

function mustBeOurs(holds) {
  if (!holds) throw new Refusal(notOurs)
}

/** The entries that a directory names, in order; each begins where the one before it ends. */
function entriesIn(directory, count, length) {
  const view = viewOf(directory)
  const entries = []
  const names = new Set()
  let [at, start] = [0, 0]
  for (let index = 0; index < count; index += 1) {
    mustBeOurs(at + 46 <= length)
    const nameLength = view.getUint16(at + 28, true)
    const name = directory.slice(at + 46, at + 46 + nameLength)
    const text = fromUtf8(name)
    const folded = text?.normalize('NFC').toLowerCase()
    mustBeOurs(isPathInZip(text) && nameLength <= 255 && !names.has(folded))
    names.add(folded)
    const entry = { name, text, crc: view.getUint32(at + 16, true), size: view.getUint32(at + 24, true), start }
    mustBeOurs(entry.size <= mostOfPart)
    entries.push(entry)
    start += 30 + nameLength + entry.size
    at += 46 + nameLength
  }
  return { entries, start }
}

/** The entries of a ZIP file. @param {{ size: number, read: (offset: number, length: number) => Promise<Uint8Array> }} source */
async function entriesOfZip({ size, read }) {
  mustBeOurs(size >= 22 && size < 0xffffffff)
  const end = viewOf(await read(size - 22, 22))
  const [count, length, offset] = [end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)]
  mustBeOurs(count < 0xffff && length <= count * (46 + 255) && offset + length + 22 === size)
  const directory = await read(offset, length + 22)
  const { entries, start } = entriesIn(directory, count, length)
  mustBeOurs(start === offset && isSame(joined(...entries.map(centralOf), endOf(count, length, offset)), directory))
  for (const entry of entries) {
    const local = localOf(entry)
    mustBeOurs(isSame(local, await read(entry.start, local.length)))
  }
  return entries
}

/** Whether bytes begin as a ZIP file does, and no pack. */
export const isZip = (bytes) => bytes[0] === 80 && bytes[1] === 75

/**
 * The text of the pack in a ZIP file, undefined if it is not text, and what the other files in it are, read one by one. Throws
 * `Refusal` if Veridesk did not write it.
 */
export async function openZip(source) {
  const entries = await entriesOfZip(source)
  const contents = ({ start, name, size }) => source.read(start + 30 + name.length, size)
  const pack = entries.find(({ text }) => text === 'pack.json')
  mustBeOurs(pack !== undefined)
  const bytes = await contents(pack)
  mustBeOurs(crc32(bytes) === pack.crc)
  const inside = []
  for (const entry of entries) {
    if (entry === pack) continue
    const content = await contents(entry)
    // Without a digest it is no attachment.
    const digest = crc32(content) === entry.crc ? toHex(await sha256(content)) : ''
    inside.push({ name: entry.text, size: entry.size, digest })
  }
  return { text: fromUtf8(bytes), inside }
}

/** A file that a browser has: its parts are read as they are needed. */
export const sourceOfFile = (file) => ({
  size: file.size,
  read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
})
