/**
 * Copies of documents: which sealed file holds what stood behind a link of a record, and the keys for such files. The files
 * are in core (`#core/documents/vault.ts`); the key of a subject never leaves this thread.
 */
import {
  standsForLink,
  type CopyAmount,
  type CopyFault,
  type DocumentCopy,
  type KeptDocument
} from '#contract/documents/documents.ts'
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { keyDigest, subjectKey } from '#kit/sealing/seal.ts'
import type { Hand } from '#wire/history/applicants.ts'
import {
  sealedBytes,
  type CopiedDocuments,
  type CopyKeys,
  type CopySpeed,
  type KeptFile,
  type KeptPlain,
  type KeptSealed,
  type LaterCopy,
  type MissedPlain
} from '#wire/history/copies.ts'
import type { Appender } from '#wire/history/events.ts'
import type { Events } from '../events/events.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subject, Subjects } from '../storage/subjects.ts'
import { uuidBytes } from '#kit/bytes.ts'

/** A projection of `document.kept`: it can be made again from the events, as long as their keys exist. */
export const copyTables = `
  CREATE TABLE document_file (
    name TEXT PRIMARY KEY,
    subject INTEGER NOT NULL,
    -- The first one that names it.
    event INTEGER NOT NULL,
    -- Of the sealed file.
    bytes INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    -- Milliseconds in which it was fetched and sealed; in no event.
    took INTEGER,
    -- What the last check found: missing, damaged or nothing.
    fault TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_file_subject ON document_file(subject);
  CREATE INDEX document_file_fault ON document_file(fault) WHERE fault IS NOT NULL;
  -- The copies of one record: a timeline asks for those of a hundred.
  CREATE INDEX event_kept ON event(record, seq) WHERE kind = 'document.kept';
`

/** The keys for files of the subject with a key. */
export const copyKeys = (key: Buffer): CopyKeys => ({
  under: keyDigest(key),
  content: subjectKey(key, 'document'),
  name: subjectKey(key, 'document-name')
})

/** Which record and when, for the events of its copies. */
interface Begun {
  readonly at: number
  readonly operator: string
  readonly record: number
  readonly subject: Subject
}

/** Writes the events of copies, within the transaction that begins their record or later. */
export class CopyWriter {
  private readonly insert

  constructor(history: Db) {
    // The same document is kept only where its file is whole, or was written anew.
    this.insert = history.prepare(`INSERT INTO document_file VALUES (?, ?, ?, ?, ?, ?, NULL)
      ON CONFLICT (name) DO UPDATE SET checked_at = excluded.checked_at, fault = NULL WHERE fault IS NOT NULL`)
  }

  begun(appender: Appender, { kept, missed }: CopiedDocuments, { at, operator, record, subject }: Begun): void {
    for (const each of kept) this.kept(appender, { ...each, when: 'before' }, { at, operator, record, subject })
    for (const { field, reason } of missed) {
      const plain: MissedPlain = { field, reason }
      appender.append({ at, kind: 'document.missed', subject: subject.ref, record, plain })
    }
  }

  kept(
    appender: Appender,
    { field, when, name, type, bytes, sha256, took }: KeptSealed & CopySpeed & Omit<KeptPlain, 'operator'>,
    { at, operator, record, subject }: Begun
  ): void {
    const plain: KeptPlain = { operator, field, when }
    const payload: KeptSealed = { type, bytes, sha256, name }
    const event = appender.append(
      { at, kind: 'document.kept', subject: subject.ref, record, plain },
      { key: subject.key, payload }
    )
    this.insert.run(name, subject.ref, event, sealedBytes(bytes), at, took === undefined ? null : Math.round(took))
  }
}

type ByField<Value> = Readonly<Record<string, Value>>

/**
 * What a record has of the documents behind its links, to compare with: what was there before the request, otherwise what a person noted
 * or copied later, the first one first. A file says nothing about a link.
 */
export function seenWith(
  copies: ByField<readonly DocumentCopy[]>,
  known: ByField<KeptDocument> = {}
): ByField<KeptDocument> {
  const of = (when: DocumentCopy['when'], more: Pick<KeptDocument, 'noted'>): ByField<KeptDocument> =>
    Object.fromEntries(
      Object.entries(copies).flatMap(([field, all]) =>
        all
          .filter((each) => each.when === when)
          .slice(0, 1)
          .map(({ type, bytes, sha256, at }) => [field, { type, bytes, sha256, at, ...more }])
      )
    )
  return { ...of('later', { noted: true }), ...of('beside', {}), ...known, ...of('before', {}) }
}

type FoundCopy = DocumentCopy & Pick<KeptSealed, 'name'>

/** The first one whose file is whole, or else the first one. */
const usable = (copies: readonly FoundCopy[]): FoundCopy | undefined =>
  copies.find(({ fault }) => fault === undefined) ?? copies[0]

export class DocumentCopies {
  private readonly parts
  private readonly writer
  private readonly recordOf
  private readonly keptOf
  private readonly keptBy
  private readonly faultOf
  private readonly isNamed
  private readonly namesOf
  private readonly unwant
  private readonly countMissed

  constructor(parts: { readonly history: Db; readonly subjects: Subjects; readonly events: Events }) {
    const { history } = parts
    this.parts = parts
    this.writer = new CopyWriter(history)
    this.recordOf = history.prepare('SELECT seq, subject FROM record WHERE id = ?')
    this.keptOf = history
      .prepare(`SELECT seq FROM event WHERE kind = 'document.kept' AND record = ? ORDER BY seq`)
      .pluck()
    this.keptBy = history
      .prepare(
        `SELECT e.seq FROM record r JOIN event e ON e.record = r.seq AND e.kind = 'document.kept' WHERE r.subject = ? ORDER BY e.seq`
      )
      .pluck()
    this.faultOf = history.prepare('SELECT fault FROM document_file WHERE name = ?').pluck()
    this.isNamed = history.prepare('SELECT 1 FROM document_file WHERE name = ?')
    this.namesOf = history
      .prepare('SELECT name FROM document_file WHERE subject IN (SELECT value FROM json_each(?))')
      .pluck()
    this.unwant = history.prepare('DELETE FROM document_wanted WHERE record = ? AND field = ?')
    this.countMissed = history.prepare(
      'UPDATE batch SET copies_missed = copies_missed + 1, missed_event = ? WHERE id = (SELECT batch FROM record WHERE seq = ?)'
    )
  }

  /** The keys for copies of a record that is about to begin. Writes nothing. */
  keys(applicantId: string | undefined): CopyKeys {
    return copyKeys(this.parts.subjects.keyBefore(applicantId))
  }

  keysOf({ recordId, field, when }: Pick<LaterCopy, 'recordId' | 'field' | 'when'>): Result<CopyKeys, Failure> {
    const record = this.find(recordId)
    const key = record && this.parts.subjects.key(record.subject)
    if (!key) return failed('record-missing')
    // A file may say what the link did not; behind the same link is nothing that is closer to the request, as long as that can be opened.
    const isThere = when === 'later' && this.ofField(record.seq, field).some(standsForLink)
    return isThere ? failed('document-copied') : ok(copyKeys(key))
  }

  keep(appender: Appender, copy: LaterCopy, { at, operator }: Hand): Result<null, Failure> {
    const record = this.find(copy.recordId)
    const key = record && this.parts.subjects.key(record.subject)
    if (!key || keyDigest(key) !== copy.under) return failed('document-copy-failed', { reason: 'erased' })
    const keys = this.keysOf(copy)
    if (!keys.ok) return keys
    const isAnswered = copy.when === 'file' || this.unwant.run(record.seq, copy.field).changes === 0
    // What is not wanted any more was answered, also by a person, or went with an erasure.
    if (copy.when === 'beside' && isAnswered) return failed('document-copied')
    const subject = { ref: record.subject, key }
    this.writer.kept(appender, copy, { at: Math.trunc(at), operator, record: record.seq, subject })
    return ok(null)
  }

  /** Ends an entry of `document_wanted` without a copy. */
  missed(
    appender: Appender,
    { recordId, field, reason }: { readonly recordId: string } & MissedPlain,
    at: number
  ): Result<null, Failure> {
    const record = this.find(recordId)
    if (!record || this.unwant.run(record.seq, field).changes === 0) return ok(null)
    const plain: MissedPlain = { field, reason }
    const event = appender.append({
      at: Math.trunc(at),
      kind: 'document.missed',
      subject: record.subject,
      record: record.seq,
      plain
    })
    if (reason === 'disk-full' || reason === 'document-copy-failed') this.countMissed.run(event, record.seq)
    return ok(null)
  }

  /** The copies from the links of a record, by its number; by field. */
  linksOf(record: number): Record<string, KeptSealed> {
    return Object.fromEntries(
      [...this.ofRecord(record)].flatMap(([field, all]) => {
        const found = usable(all.filter(({ when }) => when !== 'file'))
        if (!found) return []
        const { type, bytes, sha256, name } = found
        return [[field, { type, bytes, sha256, name }]]
      })
    )
  }

  /** A copy for a field of a record, with the keys that open it; undefined without one, or if it was erased. */
  file(recordId: string, field: string, sha256?: string): KeptFile | undefined {
    const record = this.find(recordId)
    const key = record && this.parts.subjects.key(record.subject)
    if (!key) return undefined
    const copies = this.ofField(record.seq, field)
    const found = usable(sha256 === undefined ? copies : copies.filter((each) => each.sha256 === sha256))
    return found && { ...found, keys: copyKeys(key) }
  }

  /** The copies that a record has of its documents, by field, the first one first: each document once from its link and once as a file. */
  kept(recordId: string): ByField<readonly DocumentCopy[]> {
    const record = this.find(recordId)
    return Object.fromEntries(
      [...(record ? this.ofRecord(record.seq) : [])].map(([field, copies]) => [
        field,
        copies.map(({ name: _, ...copy }) => copy)
      ])
    )
  }

  /** The copies whose events are in a pack about something, each document once; sizes as they are recorded. */
  amount({ kind, id }: EvidenceAbout): CopyAmount {
    const subject = kind === 'applicant' ? this.parts.subjects.ofApplicant(id) : undefined
    const record = kind === 'record' ? this.find(id)?.seq : undefined
    const seqs = kind === 'applicant' ? this.keptBy.all(subject ?? null) : this.keptOf.all(record ?? null)
    const sizes = new Map<string, number>()
    for (const seq of seqs as number[]) {
      const { sealed } = this.parts.events.get<KeptPlain, KeptSealed>(seq)
      if (sealed) sizes.set(sealed.sha256, sealed.bytes)
    }
    return { copies: sizes.size, bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) }
  }

  /** Those of some names that a copy of this history has. */
  named(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.isNamed.get(name) !== undefined)
  }

  /** The names of the files of subjects. */
  filesOf(subjects: readonly number[]): readonly string[] {
    return this.namesOf.all(JSON.stringify(subjects)) as string[]
  }

  private ofField(record: number, field: string): readonly FoundCopy[] {
    return this.ofRecord(record).get(field) ?? []
  }

  private ofRecord(record: number): ReadonlyMap<string, readonly FoundCopy[]> {
    const found = new Map<string, FoundCopy[]>()
    for (const seq of this.keptOf.all(record) as number[]) {
      const { at, plain, sealed } = this.parts.events.get<KeptPlain, KeptSealed>(seq)
      if (!sealed) continue
      const { field, when } = plain
      const known = found.get(field) ?? []
      // A file says nothing about the link, whatever its bytes are: it does not stand for the copy from there.
      const isKnown = known.some(
        (each) => each.sha256 === sealed.sha256 && (each.when === 'file') === (when === 'file')
      )
      if (isKnown) continue
      const fault = this.faultOf.get(sealed.name) as CopyFault | null | undefined
      found.set(field, [...known, { ...sealed, at, when, ...(fault && { fault }) }])
    }
    return found
  }

  private find(recordId: string): { readonly seq: number; readonly subject: number } | undefined {
    const bytes = uuidBytes(recordId)
    return bytes && (this.recordOf.get(bytes) as { readonly seq: number; readonly subject: number } | undefined)
  }
}
