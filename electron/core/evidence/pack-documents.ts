/** The copies of documents that go with a pack: which ones its events name, and the ZIP file of both. */
import { createHash } from 'node:crypto'
import type { AbsentCopy, PackDocuments } from '#contract/evidence/evidence.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Copy } from '#core/documents/documents.ts'
import { storedArchive, type StoredPart } from '#kit/archive/stored.ts'
import type { Evidence, ProvenPart } from '#wire/history/evidence.ts'
import { StoreError } from '#core/files/store-error.ts'
import type { Attachment } from './pack/pack.ts'

/** Bytes of all documents of one pack that are not exceeded. */
export const maxPackDocumentBytes = 1024 ** 3

/** Names in the ZIP file. */
export const packPart = 'pack.json'
export const pagePart = 'pack.pdf'
export const documentsFolder = 'documents/'

/** Opens the copy with a SHA-256 that a record has; undefined if it has none. Failures: `document-copy-unusable`, and those of the history. */
export type OpenCopy = (recordId: string, field: string, sha256: string) => Promise<Result<Copy | undefined, Failure>>

/** A copy that an event of a pack names. */
interface NamedCopy {
  readonly event: number
  readonly record: number
  readonly recordId: string
  readonly field: string
  readonly type: string
  readonly bytes: number
  readonly sha256: string
}

/** What goes into the ZIP file, and what cannot. */
export interface OpenedCopies extends PackDocuments {
  readonly attachments: readonly Attachment[]
  /** Opens them again, one by one. */
  readonly parts: () => AsyncGenerator<StoredPart>
}

const valueIn = (part: ProvenPart | null, name: string): unknown =>
  part?.entries?.find(([, each]) => each === name)?.[2]
const textIn = (part: ProvenPart | null, name: string): string => {
  const value = valueIn(part, name)
  return typeof value === 'string' ? value : ''
}

/** The copies of a pack, each document once, and those whose events are erased. */
function namedCopies({ events }: Evidence): { readonly copies: readonly NamedCopy[]; readonly erased: AbsentCopy[] } {
  const ids = new Map(
    events.flatMap(({ kind, record, plain }) =>
      kind === 'record.begun' ? [[record, textIn(plain, 'id')] as const] : []
    )
  )
  const copies = new Map<string, NamedCopy>()
  const erased: AbsentCopy[] = []
  for (const { kind, seq: event, record, plain, sealed } of events) {
    if (kind !== 'document.kept') continue
    const field = textIn(plain, 'field')
    const [sha256, bytes] = [textIn(sealed, 'sha256'), valueIn(sealed, 'bytes')]
    if (sha256 === '' || typeof bytes !== 'number') {
      erased.push({ event, field, reason: 'erased' })
      continue
    }
    if (copies.has(sha256) || record === null) continue
    copies.set(sha256, {
      ...{ event, record, recordId: ids.get(record) ?? '', field },
      ...{ type: textIn(sealed, 'type'), bytes, sha256 }
    })
  }
  return { copies: [...copies.values()], erased }
}

/** Says record, field, event and type, and nothing about the person: fields and types are names of the program. */
const nameOf = ({ record, field, event, type }: NamedCopy): string =>
  `${documentsFolder}record-${record}-${field}-${event}.${type}`.replace(/[^\w/.-]/g, '_')

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Whether so many bytes may go with a pack. */
export const fits = (bytes: number): Result<null, Failure> =>
  bytes > maxPackDocumentBytes ? failed('evidence-documents-too-large', { limitBytes: maxPackDocumentBytes }) : ok(null)

/**
 * Opens each copy that a pack names and compares it with its event. One that cannot be opened is named and stops nothing. Failures:
 * `evidence-documents-too-large`, and those of the history.
 */
export async function openCopies(collected: Evidence, open: OpenCopy): Promise<Result<OpenedCopies, Failure>> {
  const { copies, erased: absent } = namedCopies(collected)
  const fit = fits(copies.reduce((sum, { bytes }) => sum + bytes, 0))
  if (!fit.ok) return fit
  const found: NamedCopy[] = []
  for (const copy of copies) {
    const { event, field, recordId, sha256 } = copy
    const opened = await open(recordId, field, sha256)
    if (!opened.ok && opened.failure.code !== 'document-copy-unusable') return opened
    const isRight = opened.ok && opened.value !== undefined && sha256Of(opened.value.bytes) === sha256
    if (isRight) found.push(copy)
    else if (opened.ok) absent.push({ event, field, reason: opened.value ? 'damaged' : 'missing' })
    else absent.push({ event, field, reason: opened.failure.details?.['reason'] === 'missing' ? 'missing' : 'damaged' })
  }
  async function* parts(): AsyncGenerator<StoredPart> {
    for (const copy of found) {
      const opened = await open(copy.recordId, copy.field, copy.sha256)
      if (!opened.ok) throw new StoreError(opened.failure)
      // The pack is signed and names it: without it, such as after an erasure, there is no file.
      if (!opened.value || sha256Of(opened.value.bytes) !== copy.sha256)
        throw new StoreError(failed('document-copy-unusable', { reason: 'missing' }).failure)
      yield { name: nameOf(copy), bytes: opened.value.bytes }
    }
  }
  return ok({
    files: found.length,
    bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    absent,
    attachments: found.map((copy) => ({ bytes: copy.bytes, name: nameOf(copy), sha256: copy.sha256 })),
    parts
  })
}

/** The bytes of the ZIP file. @param page The PDF that the pack names. */
export function packArchive(
  text: string,
  page: Uint8Array | undefined,
  documents: OpenedCopies
): AsyncGenerator<Uint8Array> {
  async function* parts(): AsyncGenerator<StoredPart> {
    yield { name: packPart, bytes: Buffer.from(text) }
    if (page) yield { name: pagePart, bytes: page }
    yield* documents.parts()
  }
  return storedArchive(parts())
}
