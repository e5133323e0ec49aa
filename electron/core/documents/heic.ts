/** The size and the EXIF block of a HEIC or AVIF file, from its boxes (ISO 14496-12 and 23008-12). */
import type { ImageParts } from './image-parts.ts'

interface Box {
  readonly type: string
  readonly from: number
  readonly end: number
}

/** The boxes directly within a part of a file. */
function* boxesIn(bytes: Buffer, from: number, end: number): Generator<Box> {
  for (let at = from; at + 8 <= end;) {
    const short = bytes.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    const size = short === 0 ? end - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    if (size < head || at + size > end) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), from: at + head, end: at + size }
    at += size
  }
}

/** Whether the last box at the top level ends beyond the file. Bytes that are no box may follow the boxes. */
function isCut(bytes: Buffer): boolean {
  for (let at = 0; at + 16 <= bytes.length;) {
    const short = bytes.readUInt32BE(at)
    if (short === 0) return false
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    if (size < 8 || !/^[\w ]{4}$/.test(bytes.toString('latin1', at + 4, at + 8))) return false
    if (at + size > bytes.length) return true
    at += size
  }
  return false
}

function firstOf(bytes: Buffer, type: string, from: number, end: number): Box | undefined {
  for (const box of boxesIn(bytes, from, end)) if (box.type === type) return box
  return undefined
}

/** The largest size that the file states for any of its images: tiles are smaller than the whole. */
export function heicParts(bytes: Buffer): ImageParts | undefined {
  const meta = firstOf(bytes, 'meta', 0, bytes.length)
  // `meta` begins with a version and flags.
  const properties = meta && firstOf(bytes, 'iprp', meta.from + 4, meta.end)
  const list = properties && firstOf(bytes, 'ipco', properties.from, properties.end)
  if (!list) return undefined
  let largest: Pick<ImageParts, 'width' | 'height'> | undefined
  for (const { type, from } of boxesIn(bytes, list.from, list.end)) {
    if (type !== 'ispe') continue
    const size = { width: bytes.readUInt32BE(from + 4), height: bytes.readUInt32BE(from + 8) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  if (!largest) return undefined
  const exif = exifOf(bytes, meta)
  return { ...largest, ...(exif && { exif }), fault: isCut(bytes) ? 'cut' : undefined }
}

/** An empty block if the file has EXIF in a place that cannot be read: that counts as damaged. */
function exifOf(bytes: Buffer, meta: Box): Buffer | undefined {
  try {
    const id = exifItem(bytes, meta)
    if (id === undefined) return undefined
    const item = placeOf(bytes, meta, id)
    if (!item || item.from + item.length > bytes.length) return Buffer.alloc(0)
    // The item begins with the distance to the TIFF structure.
    return bytes.subarray(item.from + 4 + bytes.readUInt32BE(item.from), item.from + item.length)
  } catch (error) {
    if (error instanceof RangeError) return Buffer.alloc(0)
    throw error
  }
}

/** The number of the item of type `Exif`. */
function exifItem(bytes: Buffer, meta: Box): number | undefined {
  const items = firstOf(bytes, 'iinf', meta.from + 4, meta.end)
  if (!items) return undefined
  const head = bytes.readUInt8(items.from) === 0 ? 6 : 8
  for (const { type, from } of boxesIn(bytes, items.from + head, items.end)) {
    const wide = bytes.readUInt8(from) === 3
    if (type !== 'infe') continue
    const at = from + (wide ? 10 : 8)
    if (bytes.toString('latin1', at, at + 4) === 'Exif')
      return wide ? bytes.readUInt32BE(from + 4) : bytes.readUInt16BE(from + 4)
  }
  return undefined
}

/** Where an item is in the file; undefined if it is not in one piece of the file itself. */
function placeOf(bytes: Buffer, meta: Box, id: number): { readonly from: number; readonly length: number } | undefined {
  const places = firstOf(bytes, 'iloc', meta.from + 4, meta.end)
  if (!places) return undefined
  let at = places.from
  const take = (size: number): number => {
    if (at + size > places.end) throw new RangeError('beyond its box')
    const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size)
    at += size
    return value
  }
  const version = take(1)
  take(3)
  const [sizes, more] = [take(1), take(1)]
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >> 4,
    sizes & 15,
    more >> 4,
    version === 0 ? 0 : more & 15
  ]
  const count = take(version < 2 ? 2 : 4)
  for (let item = 0; item < count; item += 1) {
    const number = take(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : take(2) & 15
    take(2)
    const base = take(baseSize)
    const pieces = take(2)
    if (number !== id) {
      // Skipped, not read: a file can claim billions of pieces without size.
      at += pieces * (indexSize + offsetSize + lengthSize)
      continue
    }
    if (method !== 0 || pieces !== 1) return undefined
    take(indexSize)
    return { from: base + take(offsetSize), length: take(lengthSize) }
  }
  return undefined
}
