/** The drift alarm: what is behind a link of a record now, compared with what the record keeps. */
import type { DocumentComparison, DocumentFacts, SeenDocument } from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Clock } from '#kit/clock.ts'
import type { Documents } from './documents.ts'

interface Place {
  readonly recordId: string
  readonly field: string
}

export interface Drift {
  /** Failures: `document-not-noted`, those of a link that is not requested, and those of the history. */
  compare(place: Place): Promise<Result<DocumentComparison, Failure>>
  /** Keeps what is there now, and returns the record. Failures: those of `Documents.read` and of the history. */
  note(place: Place): Promise<Result<RecordDetail, Failure>>
}

export interface DriftParts {
  readonly clock: Clock
  readonly operator: () => string
  readonly documents: Pick<Documents, 'read'>
  readonly history: () => Promise<Result<HistoryStore, Failure>>
  readonly auditTrail: Pick<AuditTrail, 'note'>
}

const seenOf = ({ type, bytes, sha256 }: DocumentFacts, at: number): SeenDocument => ({ type, bytes, sha256, at })

/** Something is there, and it is no document. The one that the record keeps was. */
const noDocument: readonly Failure['code'][] = [
  'document-too-large',
  'document-type-refused',
  'document-too-many-pixels',
  'document-damaged'
]

export function createDrift({ clock, operator, documents, history, auditTrail }: DriftParts): Drift {
  return {
    async compare({ recordId, field }) {
      const store = await history()
      if (!store.ok) return store
      const record = await store.value.record(recordId)
      if (!record.ok) return record
      const before = record.value.documents?.[field]
      if (!before) return failed('document-not-noted')
      const facts = await documents.read({ recordId, field })
      const at = clock.now()
      const isRequested =
        facts.ok || facts.failure.code === 'document-not-fetched' || noDocument.includes(facts.failure.code)
      if (!isRequested) return facts
      const comparison: DocumentComparison = facts.ok
        ? {
            before,
            result: facts.value.sha256 === before.sha256 ? 'same' : 'changed',
            now: seenOf(facts.value, at),
            at
          }
        : { before, result: noDocument.includes(facts.failure.code) ? 'changed' : 'gone', failure: facts.failure, at }
      await auditTrail.note({
        kind: 'document.compared',
        plain: { field, result: comparison.result },
        about: { recordId }
      })
      return ok(comparison)
    },
    async note({ recordId, field }) {
      const facts = await documents.read({ recordId, field })
      if (!facts.ok) return facts
      const store = await history()
      if (!store.ok) return store
      const at = clock.now()
      const noted = await store.value.documents.note(recordId, field, seenOf(facts.value, at), {
        at,
        operator: operator()
      })
      return noted.ok ? store.value.record(recordId) : noted
    }
  }
}
