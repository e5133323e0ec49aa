/**
 * Copies of documents: which sealed file holds what stood behind a link of a record, and the keys for such files. The files
 * are in core (`#core/documents/vault.ts`); the key of a subject never leaves this thread.
 */
import type { SeenDocument } from '#contract/documents/documents.ts'
import { keyDigest, subjectKey } from '#kit/sealing/seal.ts'
import type { CopiedDocuments, CopyKeys, KeptFile, KeptPlain, KeptSealed, MissedPlain } from '#wire/history/copies.ts'
import type { Appender } from '#wire/history/events.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Events } from '../events/events.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subject, Subjects } from '../storage/subjects.ts'
import { uuidBytes } from '#kit/bytes.ts'

/** A projection of `document.kept`: it can be made again from the events, as long as their keys exist. */
export const copyTables = `
  CREATE TABLE document_file (name TEXT PRIMARY KEY, subject INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX document_file_subject ON document_file(subject);
`

const keysOf = (key: Buffer): CopyKeys => ({
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

/** Writes the events of copies. Within the transaction that begins their record. */
export class CopyWriter {
  private readonly insert

  constructor(history: Db) {
    this.insert = history.prepare('INSERT OR IGNORE INTO document_file VALUES (?, ?)')
  }

  begun(appender: Appender, { kept, missed }: CopiedDocuments, { at, operator, record, subject }: Begun): void {
    for (const { field, name, type, bytes, sha256 } of kept) {
      const plain: KeptPlain = { operator, field, when: 'before' }
      const payload: KeptSealed = { type, bytes, sha256, name }
      appender.append({ at, kind: 'document.kept', subject: subject.ref, record, plain }, { key: subject.key, payload })
      this.insert.run(name, subject.ref)
    }
    for (const { field, reason } of missed) {
      const plain: MissedPlain = { field, reason }
      appender.append({ at, kind: 'document.missed', subject: subject.ref, record, plain })
    }
  }
}

export class DocumentCopies {
  private readonly parts
  private readonly recordOf
  private readonly keptOf
  private readonly isNamed
  private readonly namesOf

  constructor(parts: { readonly history: Db; readonly subjects: Subjects; readonly events: Events }) {
    const { history } = parts
    this.parts = parts
    this.recordOf = history.prepare('SELECT seq, subject FROM record WHERE id = ?')
    this.keptOf = history
      .prepare(`SELECT seq FROM event WHERE kind = 'document.kept' AND ${inAuditTrail} AND record = ? ORDER BY seq`)
      .pluck()
    this.isNamed = history.prepare('SELECT 1 FROM document_file WHERE name = ?')
    this.namesOf = history
      .prepare('SELECT name FROM document_file WHERE subject IN (SELECT value FROM json_each(?))')
      .pluck()
  }

  /** The keys for copies of a record that is about to begin. Writes nothing. */
  keys(applicantId: string | undefined): CopyKeys {
    return keysOf(this.parts.subjects.keyBefore(applicantId))
  }

  /** The newest copy for a field of a record, with the keys that open it; undefined without one, or if it was erased. */
  file(recordId: string, field: string): KeptFile | undefined {
    const record = this.find(recordId)
    const key = record && this.parts.subjects.key(record.subject)
    const found = key && this.ofRecord(record.seq).get(field)
    return found && { ...found, keys: keysOf(key) }
  }

  /** The documents of which a record has a copy, by field. */
  kept(recordId: string): Readonly<Record<string, SeenDocument & { readonly copied: true }>> {
    const record = this.find(recordId)
    const found = record ? [...this.ofRecord(record.seq)] : []
    return Object.fromEntries(
      found.map(([field, { type, bytes, sha256, at }]) => [field, { type, bytes, sha256, at, copied: true }])
    )
  }

  /** Those of some names that a copy of this history has. */
  named(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.isNamed.get(name) !== undefined)
  }

  /** The names of the files of subjects. */
  filesOf(subjects: readonly number[]): readonly string[] {
    return this.namesOf.all(JSON.stringify(subjects)) as string[]
  }

  private ofRecord(record: number): ReadonlyMap<string, KeptSealed & { readonly at: number }> {
    return new Map(
      (this.keptOf.all(record) as number[]).flatMap((seq) => {
        const { at, plain, sealed } = this.parts.events.get<KeptPlain, KeptSealed>(seq)
        return sealed ? [[plain.field, { ...sealed, at }] as const] : []
      })
    )
  }

  private find(recordId: string): { readonly seq: number; readonly subject: number } | undefined {
    const bytes = uuidBytes(recordId)
    return bytes && (this.recordOf.get(bytes) as { readonly seq: number; readonly subject: number } | undefined)
  }
}
