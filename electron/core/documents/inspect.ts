/** Reads the facts of a fetched document, or says why it is not shown. Nothing is decoded. */
import { createHash } from 'node:crypto'
import {
  documentTypeNames,
  documentTypes,
  maxDocumentPixels,
  maxDocumentSide,
  type DocumentFacts,
  type DocumentType,
  type ExifFacts,
  type XmpFacts
} from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { readExif } from './exif.ts'
import type { Fetched } from './fetch.ts'
import { findingsOf } from './findings.ts'
import { partsOf } from './image.ts'
import { typeOf, type OtherType } from './type.ts'
import { readXmp } from './xmp.ts'

export interface Circumstances {
  /** The link as it was given. */
  readonly url: string
  readonly now: number
  /** When the service was asked, for a record's document. */
  readonly verifiedAt?: number
}

const isDocument = (type: DocumentType | OtherType): type is DocumentType =>
  (documentTypes as readonly string[]).includes(type)

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
      url,
      ...(header !== undefined && { header }),
      now,
      ...(verifiedAt !== undefined && { verifiedAt })
    })
  })
}

function imageOf(
  type: Exclude<DocumentType, 'pdf'>,
  bytes: Buffer
): Result<
  { readonly width: number; readonly height: number; readonly exif: ExifFacts; readonly xmp: XmpFacts },
  Failure
> {
  const parts = partsOf(type, bytes)
  if (!parts) return failed('document-damaged', { type: documentTypeNames[type] })
  const { width, height } = parts
  if (width > maxDocumentSide || height > maxDocumentSide || width * height > maxDocumentPixels)
    return failed('document-too-many-pixels', { width, height, limit: maxDocumentPixels, maximum: maxDocumentSide })
  return ok({
    width,
    height,
    exif: parts.exif ? readExif(parts.exif) : { state: 'absent', location: false },
    xmp: parts.xmp ? readXmp(parts.xmp) : { state: type === 'heic' ? 'not-read' : 'absent', agents: [] }
  })
}
