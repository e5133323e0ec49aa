/**
 * Reads the size of an image, its EXIF block and its XMP packet from its structure, without decoding it: a small file can claim a
 * size that would fill the memory of a decoder.
 */
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
  heic: heicParts
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

function pngParts(bytes: Buffer): ImageParts | undefined {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  let exif: Buffer | undefined
  let xmp: Buffer | undefined
  // Chunks: length, type, content, checksum. What follows the size may be damaged; then there is no EXIF.
  for (let at = 8; at + 8 <= bytes.length && !(exif && xmp); at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type !== 'eXIf' && type !== 'iTXt') continue
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
    if (type === 'eXIf') exif ??= content
    else if (content.toString('latin1', 0, xmpKeyword.length) === xmpKeyword) xmp ??= packetOf(content)
  }
  return { ...size, ...(exif && { exif }), ...(xmp && { xmp }) }
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
  return { ...size, ...(exif && { exif }), ...(xmp && { xmp }) }
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
