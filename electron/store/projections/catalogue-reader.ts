/** The message catalogue for display. */
import type {
  CatalogueCursor,
  CatalogueMessage,
  CataloguePage,
  CatalogueQuery,
  MessageReading
} from '#contract/applicants/applicants.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { MessageSealed, ReadingPlain, ReadingSealed } from '#wire/history/applicant-payloads.ts'
import type { Dictionary } from './dictionary.ts'
import { CatalogueOrders, cursorOf, type MessageRow } from './catalogue-orders.ts'
import { finder } from '#kit/text/folding.ts'
import type { Events } from '../events/events.ts'
import { uuidBytes } from '#kit/bytes.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'

export interface CatalogueParts {
  readonly history: Db
  readonly events: Events
  readonly dictionary: Dictionary
  readonly subjects: Subjects
}

export class CatalogueReader {
  private readonly events: Events
  private readonly dictionary: Dictionary
  private readonly subjects: Subjects
  private readonly ofApplicant
  private readonly one
  private readonly orders
  private readonly unreadCount
  private readonly state
  private readonly versions
  private readonly recorded

  constructor({ history, events, dictionary, subjects }: CatalogueParts) {
    this.subjects = subjects
    this.ofApplicant = history
      .prepare(
        `SELECT message FROM record WHERE subject = $subject AND message IS NOT NULL
         UNION SELECT r.message FROM applicant_link l JOIN record r ON r.seq = l.record
           WHERE l.subject = $subject AND r.message IS NOT NULL`
      )
      .pluck()
    this.events = events
    this.dictionary = dictionary
    this.one = history.prepare('SELECT * FROM message WHERE subject = ?')
    this.orders = new CatalogueOrders(history, dictionary)
    this.unreadCount = history.prepare('SELECT count(*) FROM message WHERE reading IS NULL').pluck()
    this.state = history.prepare('SELECT beyond FROM message_state').pluck()
    this.recorded = history
      .prepare('SELECT m.subject FROM record r LEFT JOIN message m ON m.subject = r.message WHERE r.id = ?')
      .pluck()
    this.versions = history.prepare('SELECT event FROM message_reading WHERE message = ? ORDER BY version DESC').pluck()
  }

  /** The message that a record was answered with; null if it has none, or if it was erased. */
  ofRecord(recordId: string): Result<CatalogueMessage | null, Failure> {
    const bytes = uuidBytes(recordId)
    const found = bytes && (this.recorded.get(bytes) as number | null | undefined)
    if (found === undefined) return failed('record-missing')
    return ok(found === null ? null : this.message(found))
  }

  private reading(event: number): MessageReading {
    const { at, plain, sealed } = this.events.get<ReadingPlain, ReadingSealed>(event)
    return { version: plain.version, means: plain.means, note: sealed?.note ?? '', at, operator: plain.operator }
  }

  private show(row: MessageRow): CatalogueMessage {
    return {
      id: row.subject,
      operation: this.dictionary.operationNames.get(row.operation) as OperationId,
      status: row.status,
      message: this.events.get<unknown, MessageSealed>(row.event).sealed?.message ?? '',
      count: row.count,
      firstAt: row.first_at,
      lastAt: row.last_at,
      reading: row.reading === null ? undefined : this.reading(row.reading)
    }
  }

  /** Throws if there is none: call `has` first. */
  message(id: number): CatalogueMessage {
    const row = this.one.get(id) as MessageRow | undefined
    if (!row) throw new DamageError({ reason: 'message-missing', number: id })
    return this.show(row)
  }

  has(id: number): boolean {
    return this.one.get(id) !== undefined
  }

  readings(id: number): Result<MessageReading[], Failure> {
    if (!this.has(id)) return failed('message-missing')
    return ok((this.versions.all(id) as number[]).map((event) => this.reading(event)))
  }

  /** Messages that an applicant's verifications were answered with; empty for an unknown applicant. */
  private messagesOf(applicantId: string): Set<number> {
    const subject = this.subjects.ofApplicant(applicantId)
    return new Set(subject === undefined ? [] : (this.ofApplicant.all({ subject }) as number[]))
  }

  private unreadAmong(messages: ReadonlySet<number>): number {
    let count = 0
    for (const { subject } of this.orders.rows({ unread: true })) if (messages.has(subject)) count += 1
    return count
  }

  page({ operations, unread, search, applicantId, limit, order, after }: CatalogueQuery): CataloguePage {
    const among = applicantId === undefined ? undefined : this.messagesOf(applicantId)
    const wanted = operations?.length
      ? new Set(operations.flatMap((id) => this.dictionary.operationRefs(id)))
      : undefined
    const isFound = finder(search)
    const messages: CatalogueMessage[] = []
    let last: MessageRow | undefined
    let next: CatalogueCursor | undefined
    for (const row of this.orders.rows({ unread, order, after })) {
      if (wanted && !wanted.has(row.operation)) continue
      if (among && !among.has(row.subject)) continue
      const message = this.show(row)
      if (isFound?.(message.message) === false) continue
      if (messages.length === limit) {
        next = last && cursorOf(last)
        break
      }
      messages.push(message)
      last = row
    }
    return {
      messages,
      ...(next && { next }),
      unread: among ? this.unreadAmong(among) : (this.unreadCount.get() as number),
      beyond: this.state.get() as number
    }
  }
}
