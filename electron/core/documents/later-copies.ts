/**
 * Copies of a record's documents that a person keeps after its request: from the link, as long as it is whole, or from a file. As with
 * those from before, no event is without a file, and the next opening deletes a file without an event.
 */
import { maxDocumentBytes, type DocumentFacts, type DocumentType } from '#contract/documents/documents.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import type { Clock } from '#kit/clock.ts'
import { readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import type { LaterCopy } from '#wire/history/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Documents } from './documents.ts'
import type { Vault } from './vault.ts'

/** A document of a record, by the field of its link. */
export interface DocumentPlace {
  readonly recordId: string
  readonly field: string
}

export interface LaterCopies {
  /**
   * Fetches the document behind the link and keeps it; returns the record. Failures: those of `Documents.take`, `document-copied`,
   * `document-copy-failed`, `disk-full`, and those of the history. `stop` ends it, and nothing is kept.
   */
  keep(place: DocumentPlace, stop: AbortSignal): Promise<Result<RecordDetail, Failure>>
  /** Keeps a file; likewise. Failures: `document-file-refused` as well, and none of a link. */
  add(place: DocumentPlace, path: string, stop: AbortSignal): Promise<Result<RecordDetail, Failure>>
  /** Asks for a file and keeps it. Null if the user cancelled. */
  choose(place: DocumentPlace, stop: AbortSignal): Promise<Result<RecordDetail | null, Failure>>
}

export interface LaterCopyParts {
  readonly clock: Clock
  readonly operator: () => string
  readonly documents: Pick<Documents, 'take'>
  readonly vault: Pick<Vault, 'put' | 'finish' | 'drop'>
  readonly history: () => Promise<Result<HistoryStore, Failure>>
  /** Whether what is written now is still there after a restart. */
  readonly lasting: () => boolean
  readonly isSample: boolean
  readonly chooseFile: (title: string, extensions: readonly string[]) => Promise<string | undefined>
}

/** Endings of the names of files that are offered. What a file is, its content says. */
const endings: Readonly<Record<DocumentType, readonly string[]>> = {
  jpeg: ['jpg', 'jpeg', 'jfif'],
  png: ['png'],
  webp: ['webp'],
  avif: ['avif'],
  heic: ['heic', 'heif'],
  jp2: ['jp2', 'j2k', 'jpx'],
  pdf: ['pdf']
}

/** Why a file is not kept, in the words of files: it is not fetched, and nobody sent it. */
const reasonOf = ({ code }: Failure) =>
  code === 'document-too-many-pixels' ? 'pixels' : code === 'document-damaged' ? 'damaged' : 'type'

/** A file with its facts, under the limits of the viewer. Failure: `document-file-refused`. */
async function readDocument(
  path: string,
  now: number
): Promise<Result<{ readonly bytes: Buffer; readonly facts: DocumentFacts }, Failure>> {
  try {
    const bytes = await readRegular(path, maxDocumentBytes)
    const { inspect } = await import('./inspect.ts')
    const facts = inspect({ bytes, host: '', redirects: 0 }, { now })
    return facts.ok
      ? ok({ bytes, facts: facts.value })
      : failed('document-file-refused', { reason: reasonOf(facts.failure) })
  } catch (error) {
    const errno = codeOf(error)
    return failed(
      'document-file-refused',
      errno === 'EFBIG' ? { reason: 'large', limitBytes: maxDocumentBytes } : { errno }
    )
  }
}

export function createLaterCopies(parts: LaterCopyParts): LaterCopies {
  const { clock, operator, documents, vault, history, lasting, isSample } = parts

  /** Seals and records what `take` gives to its argument. */
  async function kept(
    { recordId, field }: DocumentPlace,
    when: LaterCopy['when'],
    take: (
      seal: (bytes: Buffer, facts: DocumentFacts) => Promise<Result<LaterCopy, Failure>>
    ) => Promise<Result<LaterCopy, Failure>>,
    stop: AbortSignal
  ): Promise<Result<RecordDetail, Failure>> {
    if (isSample) return failed('document-copy-failed', { reason: 'sample' })
    if (!lasting()) return failed('document-copy-failed', { reason: 'session' })
    const open = await history()
    if (!open.ok) return open
    const store = open.value
    const keys = await store.documents.keysOf({ recordId, field, when })
    if (!keys.ok) return keys
    const record = await store.record(recordId)
    if (!record.ok) return record
    if ((record.value.input[field] ?? '') === '') return failed('document-link-missing')
    const taken = await take(async (bytes, { type, sha256 }) => {
      const name = await vault.put(bytes, sha256, keys.value)
      const { under } = keys.value
      return name.ok ? ok({ recordId, field, when, under, type, bytes: bytes.length, sha256, name: name.value }) : name
    })
    if (!taken.ok) return taken
    const names = [taken.value.name]
    const written: Result<null, Failure> = stop.aborted
      ? { ok: false, failure: failure('document-copy-failed', { reason: 'stopped' }) }
      : await store.documents.keep(taken.value, { at: clock.now(), operator: operator() })
    if (!written.ok) {
      await vault.drop(names)
      return written
    }
    await vault.finish(names)
    return store.record(recordId)
  }

  const add: LaterCopies['add'] = (place, path, stop) =>
    kept(
      place,
      'file',
      async (seal) => {
        const read = await readDocument(path, clock.now())
        return read.ok ? seal(read.value.bytes, read.value.facts) : read
      },
      stop
    )
  return {
    keep: (place, stop) => kept(place, 'later', (seal) => documents.take(place, seal, stop), stop),
    add,
    async choose(place, stop) {
      // Nobody chooses a file for nothing.
      if (isSample) return failed('document-copy-failed', { reason: 'sample' })
      const path = await parts.chooseFile('Choose a photo or document', Object.values(endings).flat())
      return path === undefined ? ok(null) : add(place, path, stop)
    }
  }
}
