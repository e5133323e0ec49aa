/** The message catalogue: each distinct message once, counted as answers are written. Runs within a transaction. */
import {
  maxMessagesOfOperation,
  type CatalogueMessage,
  type ReadingDraft,
  type ReadingUsed,
  type ReadingMeaning
} from '#contract/applicants/applicants.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Hand } from '#wire/history/applicants.ts'
import * as payloads from '#wire/history/applicant-payloads.ts'
import type { CatalogueReader } from './catalogue-reader.ts'
import type { Appender } from '#wire/history/events.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { keyedDigest } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'

export class Catalogue {
  private readonly subjects: Subjects
  private readonly digestKey: Buffer
  private readonly limit: number
  private readonly counted
  private readonly kept
  private readonly insert
  private readonly beyond
  private readonly insertReading
  private readonly setReading
  private readonly usedBy
  private readonly find

  /** @param limit Maximum number of messages per operation. */
  constructor(history: Db, subjects: Subjects, digestKey: Buffer, limit = maxMessagesOfOperation) {
    this.subjects = subjects
    this.digestKey = digestKey
    this.limit = limit
    this.counted = history.prepare(
      'UPDATE message SET count = count + 1, last_at = max(last_at, ?), own = max(own, ?) WHERE subject = ?'
    )
    this.kept = history.prepare('SELECT count(*) FROM message WHERE operation = ?').pluck()
    this.insert = history.prepare(
      'INSERT INTO message (subject, operation, status, event, count, first_at, last_at, own) VALUES (?, ?, ?, ?, 1, ?, ?, ?)'
    )
    this.beyond = history.prepare('UPDATE message_state SET beyond = beyond + 1')
    this.insertReading = history.prepare('INSERT INTO message_reading VALUES (?, ?, ?)')
    this.setReading = history.prepare('UPDATE message SET reading = ?, version = ? WHERE subject = ?')
    this.find = history.prepare('SELECT subject, version FROM message WHERE subject = ?')
    this.usedBy = history.prepare(
      `SELECT m.subject AS message, m.version, json_extract(e.plain, '$.means') AS means
       FROM message m LEFT JOIN event e ON e.seq = m.reading
       WHERE m.subject IN (
         SELECT message FROM record WHERE subject = ? AND message IS NOT NULL
         UNION SELECT r.message FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = ? AND r.message IS NOT NULL)
       ORDER BY m.subject`
    )
  }

  /**
   * Counts an answer's message, and stores its text if it is new. The text is sealed with its own key: it may contain
   * a name, and must be erasable without any applicant's records. `own`: it contains a value of the applicant.
   *
   * @returns The message's number, or undefined if the catalogue is full.
   */
  onAnswered(
    writer: Appender,
    answer: { operation: number; operationId: string; status: number; message: string; at: number; own: boolean }
  ): number | undefined {
    const { operation, operationId, status, message, at } = answer
    const own = Number(answer.own)
    const digest = keyedDigest(this.digestKey, JSON.stringify(['message', operationId, status, message]))
    const known = this.subjects.message(digest)
    if (known !== undefined) {
      this.counted.run(at, own, known)
      return known
    }
    if ((this.kept.get(operation) as number) >= this.limit) {
      this.beyond.run()
      return undefined
    }
    const subject = this.subjects.forMessage(digest)
    const plain: payloads.MessagePlain = { operation: operationId, status }
    const payload: payloads.MessageSealed = { message: message.slice(0, payloads.keptWording) }
    const event = writer.append(
      { at, kind: 'message.noted', subject: subject.ref, record: null, plain },
      { key: subject.key, payload }
    )
    this.insert.run(subject.ref, operation, status, event, at, at, own)
    return subject.ref
  }

  /** Adds an interpretation to a message, or takes back what it has; earlier ones stay. Failure: `message-missing`. */
  read(writer: Appender, reader: CatalogueReader, draft: ReadingDraft, by: Hand): Result<CatalogueMessage, Failure> {
    const found = this.find.get(draft.id) as { readonly subject: number; readonly version: number } | undefined
    const key = found && this.subjects.key(found.subject)
    if (!key) return failed('message-missing')
    const version = found.version + 1
    const { means } = draft
    const plain: payloads.ReadingPlain = {
      message: draft.id,
      version,
      ...(means !== 'unreviewed' && { means }),
      operator: by.operator
    }
    const payload: payloads.ReadingSealed = { note: draft.note }
    const event = writer.append(
      { at: Math.trunc(by.at), kind: 'message.interpreted', subject: found.subject, record: null, plain },
      { key, payload }
    )
    this.insertReading.run(draft.id, version, event)
    this.setReading.run(means === 'unreviewed' ? null : event, version, draft.id)
    return ok(reader.message(draft.id))
  }

  /** All of them, or none: nothing is added if a message is missing. */
  readAll(
    writer: Appender,
    reader: CatalogueReader,
    drafts: readonly ReadingDraft[],
    by: Hand
  ): Result<CatalogueMessage[], Failure> {
    if (drafts.some(({ id }) => !reader.has(id))) return failed('message-missing')
    const messages: CatalogueMessage[] = []
    for (const draft of drafts) {
      const read = this.read(writer, reader, draft, by)
      if (!read.ok) return read
      messages.push(read.value)
    }
    return ok(messages)
  }

  /** The latest interpretation of each message in an applicant's verifications, including linked ones. */
  readingsFor(subject: number): ReadingUsed[] {
    const rows = this.usedBy.all(subject, subject) as {
      readonly message: number
      readonly version: number
      readonly means: ReadingMeaning | null
    }[]
    return rows.map(({ message, version, means }) =>
      means === null ? { message, version } : { message, version, means }
    )
  }
}
