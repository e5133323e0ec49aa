/**
 * Reads the size of an image, its EXIF block and its XMP packet from its structure, without decoding it: a small file can claim a
 * size that would fill the memory of a decoder.
 */
import { crc32 } from 'node:zlib'
import type { DocumentType } from '#contract/documents/documents.ts'
import { heicParts } from './heic.ts'
import type { ImageParts } from './image-parts.ts'

/** The structure of an image; undefined if it is damaged before its size is known. */
export function partsOf(type: Exclude<DocumentType, 'pdf'>, bytes: Buffer): ImageParts | undefined {
  try {
    const parts = readers[type](bytes)
    return parts && parts.width > 0 && parts.height > 0 ? parts : undefined
  } catch (error) {
    // Reading beyond the end of a buffer is how a truncated file shows itself.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readers: Readonly<Record<Exclude<DocumentType, 'pdf'>, (bytes: Buffer) => ImageParts | undefined>> = {
  jpeg: jpegParts,
  png: pngParts,
  webp: webpParts,
  avif: heicParts,
  heic: heicParts,
  jp2: jpeg2000Parts
}

const exifMark = 'Exif\0\0'
/** Of the segment with a packet, and of its chunk in a PNG. */
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0'
const xmpKeyword = 'XML:com.adobe.xmp\0'
const withoutMark = (block: Buffer): Buffer => (block.toString('latin1', 0, 6) === exifMark ? block.subarray(6) : block)

/** Segments until the frame header (ITU T.81, B.2.2). A decoder takes the first one, and so does this. */
function jpegParts(bytes: Buffer): ImageParts | undefined {
  let exif: Buffer | undefined
  let xmp: Buffer | undefined
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    // The scan or the end before a frame.
    if (marker === 0xda || marker === 0xd9) return undefined
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame)
      return {
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        fault: hasEnd(bytes, at) ? undefined : 'cut',
        // A progressive one is in memory as a whole before its first row is known.
        scalable: marker === 0xc0 || marker === 0xc1,
        ...(exif && { exif }),
        ...(xmp && { xmp })
      }
    const content = bytes.subarray(at + 4, at + 2 + length)
    if (marker === 0xe1 && content.toString('latin1', 0, 6) === exifMark) exif ??= content.subarray(6)
    if (marker === 0xe1 && content.toString('latin1', 0, xmpMark.length) === xmpMark)
      xmp ??= content.subarray(xmpMark.length)
    at += 2 + length
  }
}

/** Whether a JPEG has scans and its end after them. Zeros instead, as a download that broke off leaves them, are no end. */
function hasEnd(bytes: Buffer, frame: number): boolean {
  let scans = 0
  for (let at = frame; ;) {
    at = bytes.indexOf(0xff, at)
    const marker = at < 0 ? undefined : bytes[at + 1]
    if (marker === undefined) return false
    if (marker === 0xd9) return scans > 0
    // Within a scan, a zero follows each byte of this value, and restarts have no length.
    const isAlone = marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)
    // Fill bytes, of which there may be millions.
    if (marker === 0xff) while (bytes[at + 1] === 0xff) at += 1
    else if (isAlone || at + 4 > bytes.length) at += 2
    else {
      if (marker === 0xda) scans += 1
      at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
    }
  }
}

function pngParts(bytes: Buffer): ImageParts | undefined {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  let exif: Buffer | undefined
  let xmp: Buffer | undefined
  let fault: ImageParts['fault'] = 'cut'
  // Chunks: length, type, content, checksum. What follows the size may be damaged; then there is no EXIF.
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || !/^[A-Za-z]{4}$/.test(type)) break
    const content = bytes.subarray(at + 8, end)
    if (type === 'IEND') {
      if (fault === 'cut') fault = undefined
      break
    }
    if (type === 'IDAT' && crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) fault = 'damaged'
    if (type === 'eXIf') exif ??= content
    if (type === 'iTXt' && content.toString('latin1', 0, xmpKeyword.length) === xmpKeyword) xmp ??= packetOf(content)
  }
  return { ...size, fault, ...(exif && { exif }), ...(xmp && { xmp }) }
}

/** The text of an `iTXt` chunk; undefined if it is compressed, which could unpack to anything. */
function packetOf(content: Buffer): Buffer | undefined {
  if (content[xmpKeyword.length] !== 0) return undefined
  const language = content.indexOf(0, xmpKeyword.length + 2)
  const translated = language < 0 ? -1 : content.indexOf(0, language + 1)
  return translated < 0 ? undefined : content.subarray(translated + 1)
}

function webpParts(bytes: Buffer): ImageParts | undefined {
  const size = webpSize(bytes)
  if (!size) return undefined
  let exif: Buffer | undefined
  let xmp: Buffer | undefined
  for (let at = 12; at + 8 <= bytes.length; at += 8 + ((bytes.readUInt32LE(at + 4) + 1) & ~1)) {
    if (bytes.readUInt32LE(at + 4) > bytes.length) break
    const type = bytes.toString('latin1', at, at + 4)
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4))
    if (type === 'EXIF') exif ??= withoutMark(content)
    if (type === 'XMP ') xmp ??= content
  }
  // The size that the file states for itself, after the eight bytes that contain it.
  const fault = bytes.readUInt32LE(4) + 8 > bytes.length ? 'cut' : undefined
  return { ...size, fault, ...(exif && { exif }), ...(xmp && { xmp }) }
}

function webpSize(bytes: Buffer): Pick<ImageParts, 'width' | 'height'> | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ')
    return bytes.readUIntBE(23, 3) === 0x9d012a
      ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
      : undefined
  if (kind !== 'VP8L' || bytes.readUInt8(20) !== 0x2f) return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** The beginning of a codestream (ISO 15444-1, A.4 and A.5), and its end, which nothing within can look like. */
const codestreamStart = Buffer.from([0xff, 0x4f, 0xff, 0x51])
const codestreamEnd = Buffer.from([0xff, 0xd9])

/** The size that the codestream states: a decoder takes that one. */
function jpeg2000Parts(bytes: Buffer): ImageParts | undefined {
  const at = bytes.indexOf(codestreamStart)
  if (at < 0) return undefined
  return {
    width: bytes.readUInt32BE(at + 8) - bytes.readUInt32BE(at + 16),
    height: bytes.readUInt32BE(at + 12) - bytes.readUInt32BE(at + 20),
    fault: bytes.includes(codestreamEnd, at) ? undefined : 'cut'
  }
}
