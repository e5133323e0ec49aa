/**
 * Documents behind the links of forms and records: the limits, what Veridesk reads in a document, and what stands out.
 * All of it is Veridesk's own reading, never a result of the service.
 */
import type { DocumentFinding, Failure, LinkFinding, MissingFinding } from '../failures/failures.ts'
import { operations } from '../verification/operations.ts'

/** What can be opened; decided by the content, never by a name or a header. */
export const documentTypes = ['jpeg', 'png', 'webp', 'avif', 'heic', 'jp2', 'pdf'] as const
export type DocumentType = (typeof documentTypes)[number]

/** The media type that a window uses for a document, by its content. */
export const documentMedia: Readonly<Record<DocumentType, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  jp2: 'image/jp2',
  pdf: 'application/pdf'
}

/** The name of a type for people. */
export const documentTypeNames: Readonly<Record<DocumentType, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
  heic: 'HEIC',
  jp2: 'JPEG 2000',
  pdf: 'PDF'
}

export const maxDocumentBytes = 20 * 1024 * 1024
export const maxDocumentPixels = 60_000_000
/** Of a JPEG that is made smaller while it is decoded: phones take photos of 200 megapixels. */
export const maxScaledPixels = 200_000_000
/** Pixels. */
export const maxDocumentSide = 16_384
/** Pages of a PDF that are shown. */
export const maxDocumentPages = 100
/**
 * Pixels of the longer side below which an image counts as small. No operation states a minimum, so this one is
 * Veridesk's: an ID card (ISO/IEC 7810 ID-1, 85.6 mm wide) that fills 600 pixels has 178 per inch, and text recognition
 * is usually specified from 150 on.
 */
export const smallDocumentSide = 600

/** Fields that contain a link, by name. */
export const documentFields: readonly string[] = [
  ...new Set(
    operations.flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'url').map(({ name }) => name as string))
  )
]

/** What an image says about itself (EXIF). Nothing of it is verified: anybody can write it. */
export interface ExifFacts {
  /** `damaged`: only a part could be read. `not-read`: Veridesk does not read it in this type. */
  readonly state: 'absent' | 'read' | 'damaged' | 'not-read'
  readonly software?: string
  readonly make?: string
  readonly model?: string
  /** As written, such as `2026:01:31 23:59:59`: without a time zone. */
  readonly taken?: string
  readonly changed?: string
  /** 1 to 8. */
  readonly orientation?: number
  /** It contains a place. */
  readonly location: boolean
}

/** What an image says about itself in XMP, which editors write. Nothing of it is verified either. */
export interface XmpFacts {
  /** `not-read`: Veridesk does not read it in this type. */
  readonly state: 'absent' | 'read' | 'not-read'
  /** What the image was created with. */
  readonly software?: string
  /** What its history says that it was changed with. */
  readonly agents: readonly string[]
  /** As written, such as `2026-01-31T23:59:59+01:00`. */
  readonly created?: string
  readonly changed?: string
}

/** A document as it was fetched. Times are Unix milliseconds. */
export interface DocumentFacts {
  readonly type: DocumentType
  /** Of the file: after a `Content-Encoding` of its storage was undone, as a browser would save it. So is the digest. */
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  readonly fetchedAt: number
  /** It was not fetched now: it is the copy that was kept then, `after` milliseconds from the request. Its server is not recorded. */
  readonly kept?: { readonly when: CopyTime; readonly after: number }
  /** Host and port that sent it, after all redirects; empty for a copy. */
  readonly host: string
  readonly redirects: number
  /** Pixels as stored, before any rotation; absent for a PDF. */
  readonly width?: number
  readonly height?: number
  readonly exif: ExifFacts
  readonly xmp: XmpFacts
  readonly findings: readonly DocumentFinding[]
}

/** A document as it was behind a link at one time. */
export interface SeenDocument {
  readonly type: DocumentType
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** Unix milliseconds. */
  readonly at: number
}

/** What is wrong with the file of a copy. */
export type CopyFault = 'missing' | 'damaged'

/** A copy whose file has a fault; the first one, if several records have it. */
export interface FaultyCopy {
  readonly recordId: string
  readonly field: string
  /** When it was kept; Unix milliseconds. */
  readonly at: number
  readonly fault: CopyFault
}
/** Faulty copies that are listed; the numbers count all. */
export const maxFaultyCopies = 100

/** The files of copies, as far as they were checked. Sizes are those of the sealed files. */
export interface CopyCondition {
  readonly files: number
  readonly bytes: number
  readonly missing: number
  readonly damaged: number
  /** When the file was checked that was checked longest ago; absent without files. */
  readonly checkedAt?: number
  readonly faulty: readonly FaultyCopy[]
  /** Documents of batches that could not be stored, the last of them after the last copy that was kept. */
  readonly unstored: number
  /** Files in the folder that no copy of this history has; absent before the folder was looked at. */
  readonly others?: number
  /** A check of all files in progress. */
  readonly checking?: { readonly done: number; readonly total: number }
}

/** All files after a check of all. */
export interface CopiesVerified extends CopyCondition {
  readonly checked: number
}

/**
 * Files in the folder that no copy of this history has and that have a name as copies have it. They may be deleted if nothing else of
 * this data folder names them: histories that were set aside and backups are read for that.
 */
export interface OtherFiles {
  /** That nothing names. */
  readonly files: number
  readonly bytes: number
  /** SHA-256 over their sorted names, hex: what is deleted is what was shown. */
  readonly digest: string
  /** That a history which was set aside or a backup names: they stay. */
  readonly named: number
  /** What else is in the folder, with another name than copies have: it stays. */
  readonly unlike: number
  /** How many were read. */
  readonly setAside: number
  readonly backups: number
  /** Folders of those that cannot be read. Nothing is deleted while there is one. */
  readonly unread: readonly string[]
}

/** What was deleted; `left` could not be, or belongs to a copy that was kept meanwhile. */
export interface OtherFilesDeleted {
  readonly deleted: number
  readonly bytes: number
  readonly left: number
}

/** Sealed files in a folder elsewhere. */
export interface CopiedFiles {
  readonly path: string
  readonly copied: number
  readonly bytes: number
  /** That were there before, with the same size. */
  readonly there: number
  /** Not copied: the file is missing or damaged here. */
  readonly faulty: number
  /** Not replaced: another file has the name there. */
  readonly refused: number
}

/** A document that a record keeps: seen later by a person (`noted`), otherwise by the check before the request was sent. */
export type KeptDocument = SeenDocument & { readonly noted?: true }

/**
 * When a copy of a document was kept: `before` the request was sent, `beside` the batch that sent it, `later` from the same link by a
 * person, or as a `file` that was received in another way.
 */
export const copyTimes = ['before', 'beside', 'later', 'file'] as const
export type CopyTime = (typeof copyTimes)[number]

/**
 * A copy that a record has of a document: not its digest alone, but the document itself. With a fault its file cannot be opened, by what
 * was last found of it.
 */
export type DocumentCopy = SeenDocument & { readonly when: CopyTime; readonly fault?: CopyFault }

/** Whether a copy stands for what is behind its link: a file says nothing about that, and neither does one that cannot be opened. */
export const standsForLink = ({ when, fault }: Pick<DocumentCopy, 'when' | 'fault'>): boolean =>
  when !== 'file' && fault === undefined

/** How many copies, and their size together. */
export interface CopyAmount {
  readonly copies: number
  readonly bytes: number
}

/** What the copies of a batch's documents would take. */
export interface CopyNeed {
  /** Nothing is sent without them. */
  readonly required: boolean
  /** At most. */
  readonly documents: number
  /** Estimated by the size of the last copies. */
  readonly bytes: number
  /** At least, by the time that the last copies took, four at a time; absent where none was measured. */
  readonly seconds?: number
  /** Bytes that copies may still take, by their quota and by the disk. */
  readonly freeBytes: number
}

/** A document of which no copy can be kept, and why. */
export interface MissedCopy {
  readonly field: string
  readonly failure: Failure
}

/** The document behind a link of a record, compared with the one that the record keeps. */
export interface DocumentComparison {
  readonly before: KeptDocument
  /** `changed` without `now`: what is there is no document that Veridesk accepts. `gone`: it could not be fetched. */
  readonly result: 'same' | 'changed' | 'gone'
  readonly now?: SeenDocument
  /** Why there is no document now. */
  readonly failure?: Failure
  /** Unix milliseconds. */
  readonly at: number
}

export interface OpenedDocument {
  readonly facts: DocumentFacts
  /** For a record’s document: what the record keeps, to compare with. */
  readonly before?: KeptDocument
  /** The document in base64: both hosts carry text alone. */
  readonly base64: string
}

const missing: Readonly<Record<MissingFinding['code'], true>> = {
  'cut-off': true,
  'part-damaged': true,
  'parts-missing': true,
  'portfolio': true,
  'files-inside': true,
  'form-not-drawn': true,
  'notes-not-drawn': true,
  'layers-off': true,
  'more-pages': true,
  'actions': true,
  'encrypted': true,
  'partly-read': true,
  'bytes-before': true
}
/** Whether a finding says that something is not there, or is there and not shown. */
export const isMissing = (finding: DocumentFinding | LinkFinding): finding is MissingFinding =>
  Object.hasOwn(missing, finding.code)

/** Whether the sentence of a finding quotes the document: its notes and the names of its files can name a person. */
export const quotesDocument = ({ details }: DocumentFinding | LinkFinding): boolean =>
  details !== undefined && ('texts' in details || 'names' in details)
