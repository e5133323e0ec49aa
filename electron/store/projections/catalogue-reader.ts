/** The message catalogue for display. */
import type {
  CatalogueMessage,
  CataloguePage,
  CatalogueQuery,
  CatalogueRow,
  MessageMeaning,
  MessageReading
} from '#contract/applicants/applicants.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { MessageSealed, ReadingPlain, ReadingSealed } from '#wire/history/applicant-payloads.ts'
import type { Dictionary } from './dictionary.ts'
import { groupsOf, keyOf, narrowed, type CatalogueGroup, type MessageRow } from './catalogue-rows.ts'
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
  private readonly alike
  private readonly all
  private readonly meanings
  private readonly state
  private readonly versions
  private readonly recorded
  /** Texts that were opened, by number: rows are made by text, and a search reads them all. */
  private texts = new Map<number, string>()

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
    const rows = `SELECT m.*, coalesce(json_extract(e.plain, '$.means'), 'unreviewed') AS means
      FROM message m LEFT JOIN event e ON e.seq = m.reading`
    this.one = history.prepare(`${rows} WHERE m.subject = ?`)
    this.alike = history.prepare(`${rows} WHERE m.operation = ? AND m.status = ?`)
    this.all = history.prepare(`${rows} ORDER BY m.subject DESC`)
    this.meanings = history
      .prepare("SELECT m.subject, json_extract(e.plain, '$.means') FROM message m JOIN event e ON e.seq = m.reading")
      .raw()
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

  /** Drops the texts in memory: after an erasure, nothing of the person may stay in it. */
  forget(): void {
    this.texts = new Map()
  }

  /** The text of a message; empty if there is none, or if it was erased. */
  wordingOf(id: number): string {
    const row = this.one.get(id) as MessageRow | undefined
    return row ? this.textOf(row) : ''
  }

  /** The message with this text, as far as `length` characters say; undefined if there is none. */
  numberOf(operation: OperationId, status: number, text: string, length: number): number | undefined {
    const code = this.dictionary.operations.get(operation)
    if (code === undefined) return undefined
    const rows = this.alike.all(code, status) as MessageRow[]
    return rows.find((row) => this.textOf(row).slice(0, length) === text.slice(0, length))?.subject
  }

  /** What is made of the messages that have an interpretation. */
  meaningsOf(): ReadonlyMap<number, MessageMeaning> {
    return new Map(this.meanings.all() as [number, MessageMeaning][])
  }

  private textOf({ subject, event }: MessageRow): string {
    const known = this.texts.get(subject)
    if (known !== undefined) return known
    const text = this.events.get<unknown, MessageSealed>(event).sealed?.message ?? ''
    this.texts.set(subject, text)
    return text
  }

  private reading(event: number): MessageReading {
    const { at, plain, sealed } = this.events.get<ReadingPlain, ReadingSealed>(event)
    const { version, means, operator } = plain
    return { version, ...(means && { means }), note: sealed?.note ?? '', at, operator }
  }

  private show(row: MessageRow): CatalogueMessage {
    return {
      id: row.subject,
      operation: this.dictionary.operationNames.get(row.operation) as OperationId,
      status: row.status,
      message: this.textOf(row),
      ...(row.own === 1 && { own: true }),
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

  /** What the rows show, with the messages of a row that has several. */
  private row({ id, rows: [most, ...others], means, count, first, last }: CatalogueGroup): CatalogueRow {
    const shown = this.show(most)
    if (others.length === 0) return shown
    const { reading: _own, ...message } = shown
    return {
      ...message,
      id,
      count,
      firstAt: first,
      lastAt: last,
      ...(others.some(({ own }) => own === 1) && { own: true }),
      ...(means !== 'unreviewed' && { reading: shown.reading }),
      parts: [shown, ...others.map((row) => this.show(row))]
    }
  }

  /** The place of each operation's name. */
  private ranks(): (operation: number) => number {
    const nameOf = (id: string): string => operationOf(id as OperationId).shortTitle
    const names = [...new Set([...this.dictionary.operationNames.values()].map(nameOf))].sort((a, b) =>
      a.localeCompare(b, 'en')
    )
    return (ref) => names.indexOf(nameOf(this.dictionary.operationNames.get(ref) ?? ''))
  }

  private groups({ merge = false, applicantId }: Pick<CatalogueQuery, 'merge' | 'applicantId'>): CatalogueGroup[] {
    const among = applicantId === undefined ? undefined : this.messagesOf(applicantId)
    const all = this.all.all() as MessageRow[]
    return groupsOf(among ? all.filter(({ subject }) => among.has(subject)) : all, (row) => this.textOf(row), merge)
  }

  /** The rows of these messages, one a text and the most frequent first, with what they are counted by. */
  rowsOf(counts: ReadonlyMap<number, number>): CatalogueRow[] {
    const all = this.all.all() as MessageRow[]
    const counted = all.flatMap((row) => {
      const times = counts.get(row.subject)
      return times === undefined ? [] : { ...row, count: times }
    })
    return groupsOf(counted, (row) => this.textOf(row), true)
      .sort((a, b) => b.count - a.count || b.id - a.id)
      .map((group) => this.row(group))
  }

  page({
    operations,
    search,
    limit,
    order = { by: 'first', reversed: true },
    after,
    ...query
  }: CatalogueQuery): CataloguePage {
    const groups = this.groups(query)
    const isFound = finder(search)
    const found = isFound ? groups.filter(({ text }) => isFound(text)) : groups
    const refs = operations?.length ? new Set(operations.flatMap((id) => this.dictionary.operationRefs(id))) : undefined
    const { list, counts, operations: byOperation } = narrowed(found, { ...query, operations: refs })
    const rankOf = this.ranks()
    const sign = order.reversed ? -1 : 1
    // Equal ones: newest first.
    const compare = (a: CataloguePlace, b: CataloguePlace): number => sign * (a.key - b.key) || b.id - a.id
    const placed = list.map((group) => ({ group, id: group.id, key: keyOf(group, order.by, rankOf) })).sort(compare)
    // Newest first, the number is the key.
    const before = after && { id: after.id, key: after.key ?? after.id }
    const from = before ? placed.findIndex((place) => compare(place, before) > 0) : 0
    const rest = from < 0 ? [] : placed.slice(from)
    const shown = rest.slice(0, limit)
    const last = shown.at(-1)
    return {
      messages: shown.map(({ group }) => this.row(group)),
      ...(last && rest.length > limit && { next: { id: last.id, key: last.key } }),
      total: groups.length,
      unread: groups.filter(({ means }) => means === 'unreviewed').length,
      counts: {
        ...counts,
        operations: Object.fromEntries(
          [...byOperation].map(([ref, times]) => [this.dictionary.operationNames.get(ref) ?? '', times])
        )
      },
      beyond: this.state.get() as number
    }
  }
}

/** Where a row is in an order. */
interface CataloguePlace {
  readonly id: number
  readonly key: number
}
