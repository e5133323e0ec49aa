/** What a file is, by its first bytes. Names and headers are what others say about it, and do not count. */
import { documentTypes, type DocumentType } from '#contract/documents/documents.ts'

/** Files that are refused, by what they are. */
export type OtherType =
  | 'empty'
  | 'html'
  | 'svg'
  | 'xml'
  | 'json'
  | 'text'
  | 'zip'
  | 'gzip'
  | 'gif'
  | 'tiff'
  | 'bmp'
  | 'video'
  | 'unknown'

const signatures: readonly (readonly [string, DocumentType | OtherType])[] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['%PDF-', 'pdf'],
  ['\0\0\0\x0cjP  \r\n\x87\n', 'jp2'],
  // A codestream without its file format.
  ['\xff\x4f\xff\x51', 'jp2'],
  ['GIF8', 'gif'],
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'],
  ['\x1f\x8b', 'gzip'],
  ['BM', 'bmp'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff']
]
const heicBrands: readonly string[] = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']

/** The type of a file that begins with an ISO BMFF `ftyp` box (ISO 14496-12), by its brands. */
function boxedType(bytes: Buffer): DocumentType | OtherType {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 512)
  const brands: string[] = []
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.push(bytes.toString('latin1', at, at + 4))
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  if (brands.some((brand) => heicBrands.includes(brand))) return 'heic'
  return brands.some((brand) => /^(?:isom|iso\d|mp4\d|qt {2}|M4V |avc1)$/.test(brand)) ? 'video' : 'unknown'
}

function textType(bytes: Buffer): OtherType {
  const text = bytes
    .toString('latin1', 0, 4096)
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart()
    .toLowerCase()
  const markup = text.replace(/^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|\s)+/, '')
  if (/^<(?:!doctype\s+html|html|head|body|title|script|iframe|meta|div|p|a|img|style|table)\b/.test(markup))
    return 'html'
  if (/^<!doctype\s+svg|^<svg\b|^<[\w-]+:svg\b/.test(markup)) return 'svg'
  if (text.startsWith('<?xml')) return markup.includes('<svg') ? 'svg' : 'xml'
  if (/^[{[]/.test(text)) return 'json'
  return text !== '' && /^[\t\n\r\x20-\x7e\x80-\xff]*$/.test(text) ? 'text' : 'unknown'
}

/** Bytes in which readers look for the beginning of a PDF (ISO 32000-1, Annex H). */
const pdfHead = 1024
/** What may stand before it: mails, upload forms and empty lines. A web page that contains one stays a web page. */
const beforePdf: readonly (DocumentType | OtherType)[] = ['text', 'json', 'unknown']

/** Where a PDF begins; undefined if it does not within the bytes in which readers look. */
export function pdfStart(bytes: Buffer): number | undefined {
  const at = bytes.subarray(0, pdfHead).indexOf('%PDF-', 0, 'latin1')
  return at < 0 ? undefined : at
}

/** The type of a file by its content. */
export function typeOf(bytes: Buffer): DocumentType | OtherType {
  if (bytes.length === 0) return 'empty'
  const head = bytes.toString('latin1', 0, 16)
  const found = signatures.find(([signature]) => head.startsWith(signature))?.[1]
  if (found) return found
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return 'webp'
  const type = head.slice(4, 8) === 'ftyp' && bytes.length >= 12 ? boxedType(bytes) : textType(bytes)
  return beforePdf.includes(type) && pdfStart(bytes) !== undefined ? 'pdf' : type
}

export const isDocument = (type: DocumentType | OtherType): type is DocumentType =>
  (documentTypes as readonly string[]).includes(type)
