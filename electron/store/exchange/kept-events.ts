/**
 * Which events belong to connections that are not shared with a team: those of their verifications and batches, and of
 * applicants and messages that no other connection has.
 */
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { Db } from '#wire/sqlite/files.ts'

interface EventRow {
  readonly kind: EventKind
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
}

const recordsOf = `SELECT connection FROM record WHERE subject = $subject
  UNION ALL SELECT r.connection FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = $subject`
/** 1 if there are records and all of them are kept; 0 if one is not; null without any. */
const areKept = (records: string): string =>
  `SELECT min(connection IN (SELECT ref FROM connection WHERE id IN (SELECT value FROM json_each($kept)))) FROM (${records})`

export class KeptEvents {
  private readonly ofConnection
  private readonly ofRecord
  private readonly ofBatch
  private readonly ofSubject
  private readonly ofMessage

  constructor(history: Db) {
    this.ofConnection = history.prepare(
      'SELECT 1 FROM connection WHERE ref = $ref AND id IN (SELECT value FROM json_each($kept))'
    )
    this.ofRecord = history.prepare(areKept('SELECT connection FROM record WHERE seq = $record')).pluck()
    this.ofBatch = history.prepare(
      `SELECT 1 FROM batch WHERE id = $id AND json_extract(draft, '$.connection.id') IN (SELECT value FROM json_each($kept))`
    )
    this.ofSubject = history.prepare(areKept(recordsOf)).pluck()
    // Without an index: a message of a kept connection reads all records once, and there are few messages.
    this.ofMessage = history.prepare(areKept('SELECT connection FROM record WHERE message = $subject')).pluck()
  }

  /** @param connections IDs of the connections that are not shared. */
  of(connections: readonly string[]): (event: EventRow) => boolean {
    if (connections.length === 0) return () => false
    const kept = JSON.stringify(connections)
    return ({ kind, subject, record, plain }) => {
      const { ref, id } = JSON.parse(plain) as { readonly ref?: number; readonly id?: string }
      if (kind === 'connection.noted') return this.ofConnection.get({ ref, kept }) !== undefined
      if (record !== null) return this.ofRecord.get({ record, kept }) === 1
      if (kind === 'batch.made' || kind === 'batch.changed' || kind === 'batch.resolved' || kind === 'batch.shared')
        return this.ofBatch.get({ id, kept }) !== undefined
      // An erasure has a subject of its own, and names nobody. What was asked is shared, and so is the answer.
      if (subject === null || kind === 'subject.erased' || kind === 'approval.answered') return false
      // Without any record it is not known whose affair it is.
      return (
        (kind === 'message.noted' || kind === 'message.interpreted' ? this.ofMessage : this.ofSubject).get({
          subject,
          kept
        }) !== 0
      )
    }
  }
}
