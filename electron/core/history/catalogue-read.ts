/**
 * The message catalogue as it is shown. An earlier version took in the wording of technical failures, too: their rows
 * stay, since an erasure needs them, and are neither listed nor counted.
 */
import type { CatalogueMessage, CataloguePage, CatalogueQuery, MessageReading } from '#contract/applicants.ts'
import type { OperationId } from '#contract/operations.ts'
import type { MessageSealed, ReadingPlain, ReadingSealed } from './applicants-payloads.ts'
import type { Dictionary } from './dictionary.ts'
import type { Events } from './events.ts'
import { isTechnical } from './evidence-rule.ts'
import { DamageError, type Db } from './files.ts'

interface Row {
  readonly subject: number
  readonly operation: number
  readonly status: number
  readonly event: number
  readonly count: number
  readonly first_at: number
  readonly last_at: number
  readonly reading: number | null
}

export class CatalogueReader {
  private readonly events: Events
  private readonly dictionary: Dictionary
  private readonly one
  private readonly newest
  private readonly newestUnread
  private readonly unreadCount
  private readonly state
  private readonly versions

  constructor(history: Db, events: Events, dictionary: Dictionary) {
    this.events = events
    this.dictionary = dictionary
    this.one = history.prepare('SELECT * FROM message WHERE subject = ?')
    const answers = `NOT ${isTechnical('status')}`
    this.newest = history.prepare(`SELECT * FROM message WHERE subject < ? AND ${answers} ORDER BY subject DESC`)
    this.newestUnread = history.prepare(`SELECT * FROM message WHERE subject < ? AND reading IS NULL AND ${answers} ORDER BY subject DESC`)
    this.unreadCount = history.prepare(`SELECT count(*) FROM message WHERE reading IS NULL AND ${answers}`).pluck()
    this.state = history.prepare('SELECT beyond FROM message_state').pluck()
    this.versions = history.prepare('SELECT event FROM message_reading WHERE message = ? ORDER BY version DESC').pluck()
  }

  private reading(event: number): MessageReading {
    const { at, plain, sealed } = this.events.get<ReadingPlain, ReadingSealed>(event)
    return { version: plain.version, means: plain.means, note: sealed?.note ?? '', at, operator: plain.operator }
  }

  private show(row: Row): CatalogueMessage {
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

  /** Throws where there is none: ask `has` before. */
  message(id: number): CatalogueMessage {
    const row = this.one.get(id) as Row | undefined
    if (!row) throw new DamageError(`message ${id} is missing`)
    return this.show(row)
  }

  has(id: number): boolean {
    return this.one.get(id) !== undefined
  }

  readings(id: number): MessageReading[] {
    return (this.versions.all(id) as number[]).map((event) => this.reading(event))
  }

  page({ operations, unread, search, limit, before = Number.MAX_SAFE_INTEGER }: CatalogueQuery): CataloguePage {
    const wanted = operations?.length ? new Set(operations.flatMap((id) => this.dictionary.operationRefs(id))) : undefined
    const needle = search?.trim().toLowerCase()
    const messages: CatalogueMessage[] = []
    let more = false
    for (const row of (unread ? this.newestUnread : this.newest).iterate(before) as IterableIterator<Row>) {
      if (wanted && !wanted.has(row.operation)) continue
      const message = this.show(row)
      if (needle && !message.message.toLowerCase().includes(needle)) continue
      more = messages.length === limit
      if (more) break
      messages.push(message)
    }
    return { messages, more, unread: this.unreadCount.get() as number, beyond: this.state.get() as number }
  }
}
