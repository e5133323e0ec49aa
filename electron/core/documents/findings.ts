/** What stands out in a document. Each finding is a hint for a person and proves nothing. */
import { documentMedia, documentTypeNames, smallDocumentSide, type DocumentType, type ExifFacts } from '#contract/documents.ts'
import type { DocumentFinding } from '#contract/failures.ts'
import { exifTime } from './exif.ts'

export interface Found {
  readonly type: DocumentType
  readonly width?: number
  readonly height?: number
  readonly exif: ExifFacts
  /** The link as it was given. */
  readonly url: string
  /** The media type that the server stated. */
  readonly header?: string
  readonly now: number
  /** When the service was asked, for a record's document. */
  readonly verifiedAt?: number
}

/** Applications that edit images. Cameras and phones write their own names and versions into the same entry. */
const editors = /photoshop|lightroom|adobe|gimp|affinity|pixelmator|paint\.net|snapseed|picsart|canva|facetune|luminar|capture one|darktable|rawtherapee|acdsee|corel|photoscape|pixlr|photopea|krita|imagemagick|irfanview|xnview|faststone|vsco|remini|faceapp|figma|sketch/i

const hour = 3_600_000
/** The largest difference of a local time from UTC: the dates have no time zone. */
const zones = 14 * hour
/** Writing an image takes a moment. */
const sameMoment = 60_000

const extensions: Readonly<Record<string, DocumentType | 'other'>> = {
  jpg: 'jpeg', jpeg: 'jpeg', jpe: 'jpeg', png: 'png', webp: 'webp', heic: 'heic', heif: 'heic', pdf: 'pdf',
  gif: 'other', svg: 'other', bmp: 'other', tif: 'other', tiff: 'other', avif: 'other', html: 'other', htm: 'other', zip: 'other', doc: 'other', docx: 'other', txt: 'other', mp4: 'other'
}
/** What servers send if they do not know. */
const anything: readonly string[] = ['application/octet-stream', 'binary/octet-stream', 'application/x-download', 'image/*']
const sameMedia: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg', 'image/x-png': 'image/png', 'image/heif': 'image/heic', 'application/x-pdf': 'application/pdf' }

function extensionOf(url: string): string | undefined {
  return /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase()
}

function fromNames({ type, url, header }: Found): DocumentFinding[] {
  const findings: DocumentFinding[] = []
  const name = documentTypeNames[type]
  const extension = extensionOf(url)
  const stated = extension === undefined ? undefined : extensions[extension]
  if (extension !== undefined && stated !== undefined && stated !== type) findings.push({ code: 'name-differs', details: { extension, type: name } })
  const media = header === undefined ? undefined : (sameMedia[header] ?? header)
  if (header !== undefined && media !== documentMedia[type] && !anything.includes(header)) findings.push({ code: 'header-differs', details: { header, type: name } })
  return findings
}

function fromExif({ exif, now, verifiedAt }: Found): DocumentFinding[] {
  const findings: DocumentFinding[] = []
  const { software, taken, changed } = exif
  if (software !== undefined && editors.test(software)) findings.push({ code: 'edited', details: { software } })
  const [takenAt, changedAt] = [exifTime(taken), exifTime(changed)]
  if (taken !== undefined && changed !== undefined && takenAt !== undefined && changedAt !== undefined && Math.abs(takenAt - changedAt) > sameMoment)
    findings.push({ code: 'dates-disagree', details: { taken, changed } })
  if (taken !== undefined && takenAt !== undefined && takenAt > now + zones) findings.push({ code: 'taken-in-future', details: { taken } })
  const [latest, dated] = (takenAt ?? 0) >= (changedAt ?? 0) ? [takenAt, taken] : [changedAt, changed]
  if (verifiedAt !== undefined && latest !== undefined && dated !== undefined && latest > verifiedAt + zones) findings.push({ code: 'newer-than-record', details: { dated } })
  if (exif.state === 'damaged') findings.push({ code: 'exif-damaged' })
  return findings
}

/** The findings, the most important first. */
export function findingsOf(found: Found): DocumentFinding[] {
  const { width, height } = found
  const small: DocumentFinding[] =
    width !== undefined && height !== undefined && Math.max(width, height) < smallDocumentSide ? [{ code: 'small', details: { width, height, limit: smallDocumentSide } }] : []
  return [...fromExif(found), ...fromNames(found), ...small]
}
