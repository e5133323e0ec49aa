/** Reads the facts of a fetched document, or says why it is not shown. Nothing is decoded. */
import { createHash } from 'node:crypto'
import {
  documentTypeNames,
  maxDocumentPixels,
  maxScaledPixels,
  maxDocumentSide,
  type DocumentFacts,
  type DocumentType,
  type ExifFacts,
  type XmpFacts
} from '#contract/documents/documents.ts'
import { failed, type Failure, type MissingFinding } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { readExif } from './exif.ts'
import type { Fetched } from './fetch.ts'
import { findingsOf } from './findings.ts'
import type { ImageParts } from './image-parts.ts'
import { partsOf } from './image.ts'
import { pdfFindings } from './pdf/findings.ts'
import { isDocument, typeOf } from './type.ts'
import { readXmp } from './xmp.ts'

export interface Circumstances {
  /** The link as it was given; absent for a file that has none. */
  readonly url?: string
  readonly now: number
  /** When the service was asked, for a record's document. */
  readonly verifiedAt?: number
}

/** The facts. Failures: `document-type-refused`, `document-damaged`, `document-too-many-pixels`. */
export function inspect(
  { bytes, host, redirects, header }: Fetched,
  { url, now, verifiedAt }: Circumstances
): Result<DocumentFacts, Failure> {
  const type = typeOf(bytes)
  if (!isDocument(type)) return failed('document-type-refused', { reason: type })
  const image = type === 'pdf' ? ok(undefined) : imageOf(type, bytes)
  if (!image.ok) return image
  const size = image.value && { width: image.value.width, height: image.value.height }
  const exif = image.value?.exif ?? { state: 'not-read', location: false }
  const xmp = image.value?.xmp ?? { state: 'not-read', agents: [] }
  return ok({
    type,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fetchedAt: now,
    host,
    redirects,
    ...size,
    exif,
    xmp,
    findings: findingsOf({
      type,
      ...size,
      exif,
      xmp,
      missing: image.value ? missingFrom(type, image.value.fault) : pdfFindings(bytes),
      ...(url !== undefined && { url }),
      ...(header !== undefined && { header }),
      now,
      ...(verifiedAt !== undefined && { verifiedAt })
    })
  })
}

function missingFrom(type: DocumentType, fault: ImageParts['fault']): MissingFinding[] {
  if (fault === undefined) return []
  return [{ code: fault === 'cut' ? 'cut-off' : 'part-damaged', details: { type: documentTypeNames[type] } }]
}

interface Image extends Pick<ImageParts, 'width' | 'height' | 'fault'> {
  readonly exif: ExifFacts
  readonly xmp: XmpFacts
}

/** Types whose EXIF or XMP is not read. */
const unread: readonly DocumentType[] = ['heic', 'avif', 'jp2']

function imageOf(type: Exclude<DocumentType, 'pdf'>, bytes: Buffer): Result<Image, Failure> {
  const parts = partsOf(type, bytes)
  if (!parts) return failed('document-damaged', { type: documentTypeNames[type] })
  const { width, height, scalable, fault } = parts
  const limit = scalable ? maxScaledPixels : maxDocumentPixels
  if (width > maxDocumentSide || height > maxDocumentSide || width * height > limit)
    return failed('document-too-many-pixels', { width, height, limit, maximum: maxDocumentSide })
  return ok({
    width,
    height,
    fault,
    exif: parts.exif ? readExif(parts.exif) : { state: type === 'jp2' ? 'not-read' : 'absent', location: false },
    xmp: parts.xmp ? readXmp(parts.xmp) : { state: unread.includes(type) ? 'not-read' : 'absent', agents: [] }
  })
}
