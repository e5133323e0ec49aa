/** What stands out in a document. Each finding is a hint for a person and proves nothing. */
import {
  documentMedia,
  documentTypeNames,
  smallDocumentSide,
  type DocumentType,
  type ExifFacts,
  type XmpFacts
} from '#contract/documents/documents.ts'
import type { DocumentFinding, MissingFinding } from '#contract/failures/failures.ts'
import { exifTime } from './exif.ts'
import { xmpTime } from './xmp.ts'

export interface Found {
  readonly type: DocumentType
  readonly width?: number
  readonly height?: number
  readonly exif: ExifFacts
  readonly xmp: XmpFacts
  /** What is not there, or is there and not shown. */
  readonly missing: readonly MissingFinding[]
  /** The link as it was given; absent for a file that has none. */
  readonly url?: string
  /** The media type that the server stated. */
  readonly header?: string
  readonly now: number
  /** When the service was asked, for a record's document. */
  readonly verifiedAt?: number
}

/** Applications that edit images. Cameras and phones write their own names and versions into the same entry. */
const editors =
  /photoshop|lightroom|adobe|gimp|affinity|pixelmator|paint\.net|snapseed|picsart|canva|facetune|luminar|capture one|darktable|rawtherapee|acdsee|corel|photoscape|pixlr|photopea|krita|imagemagick|irfanview|xnview|faststone|vsco|remini|faceapp|figma|sketch/i

const hour = 3_600_000
/** The largest difference of a local time from UTC: most dates have no time zone. */
const zones = 14 * hour
/** Writing an image takes a moment. */
const sameMoment = 60_000

const extensions: Readonly<Record<string, DocumentType | 'other'>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jpe: 'jpeg',
  png: 'png',
  webp: 'webp',
  heic: 'heic',
  heif: 'heic',
  avif: 'avif',
  jp2: 'jp2',
  jpf: 'jp2',
  jpx: 'jp2',
  j2k: 'jp2',
  pdf: 'pdf',
  gif: 'other',
  svg: 'other',
  bmp: 'other',
  tif: 'other',
  tiff: 'other',
  html: 'other',
  htm: 'other',
  zip: 'other',
  doc: 'other',
  docx: 'other',
  txt: 'other',
  mp4: 'other'
}
/** What servers send if they do not know. */
const anything: readonly string[] = [
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'image/*'
]
const sameMedia: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/heif': 'image/heic',
  'image/jpx': 'image/jp2',
  'image/j2k': 'image/jp2',
  'image/jpeg2000': 'image/jp2',
  'application/x-pdf': 'application/pdf'
}

function extensionOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase()
}

function fromNames({ type, url, header }: Found): DocumentFinding[] {
  const findings: DocumentFinding[] = []
  const name = documentTypeNames[type]
  const extension = extensionOf(url)
  const stated = extension === undefined ? undefined : extensions[extension]
  if (extension !== undefined && stated !== undefined && stated !== type)
    findings.push({ code: 'name-differs', details: { extension, type: name } })
  const media = header === undefined ? undefined : (sameMedia[header] ?? header)
  if (header !== undefined && media !== documentMedia[type] && !anything.includes(header))
    findings.push({ code: 'header-differs', details: { header, type: name } })
  return findings
}

interface Dated {
  readonly text: string
  readonly at: number
  /** With a time zone. EXIF has none, XMP often. */
  readonly zoned: boolean
}

function dates(exif: string | undefined, xmp: string | undefined): Dated[] {
  const [first, second] = [exifTime(exif), xmpTime(xmp)]
  return [
    ...(exif !== undefined && first !== undefined ? [{ text: exif, at: first, zoned: false }] : []),
    ...(xmp !== undefined && second !== undefined ? [{ text: xmp, ...second }] : [])
  ]
}
const disagree = (one: Dated, other: Dated): boolean =>
  Math.abs(one.at - other.at) > (one.zoned === other.zoned ? sameMoment : zones)

function fromMetadata({ exif, xmp, now, verifiedAt }: Found): DocumentFinding[] {
  const findings: DocumentFinding[] = []
  const software = [exif.software, xmp.software, ...xmp.agents].find((name) => name !== undefined && editors.test(name))
  if (software !== undefined) findings.push({ code: 'edited', details: { software } })
  const [taken, changed] = [dates(exif.taken, xmp.created), dates(exif.changed, xmp.changed)]
  const pair = taken
    .flatMap((one) => changed.map((other) => [one, other] as const))
    .find(([one, other]) => disagree(one, other))
  if (pair) findings.push({ code: 'dates-disagree', details: { taken: pair[0].text, changed: pair[1].text } })
  const future = taken.find(({ at }) => at > now + zones)
  if (future) findings.push({ code: 'taken-in-future', details: { taken: future.text } })
  const latest = [...taken, ...changed].sort((one, other) => other.at - one.at)[0]
  if (verifiedAt !== undefined && latest && latest.at > verifiedAt + zones)
    findings.push({ code: 'newer-than-record', details: { dated: latest.text } })
  if (exif.state === 'damaged') findings.push({ code: 'exif-damaged' })
  return findings
}

/** The findings, the most important first. */
export function findingsOf(found: Found): DocumentFinding[] {
  const { width, height } = found
  const small: DocumentFinding[] =
    width !== undefined && height !== undefined && Math.max(width, height) < smallDocumentSide
      ? [{ code: 'small', details: { width, height, limit: smallDocumentSide } }]
      : []
  return [...found.missing, ...fromMetadata(found), ...fromNames(found), ...small]
}
