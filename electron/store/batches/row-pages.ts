/** Rows of a batch as they are searched, filtered and sorted, and the messages of its answers. */
import { messageMeanings, type MessageMeaning } from '#contract/applicants/applicants.ts'
import {
  messageNumber,
  type BatchCall,
  type BatchMessage,
  type BatchMessages,
  type BatchRow,
  type BatchRowsPage,
  type BatchRowsQuery
} from '#contract/batches/batches.ts'
import { gravest } from '#contract/applicants/standing.ts'
import { operationIds, type OperationId } from '#contract/verification/operations.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { rowStates } from '#contract/batches/rows.ts'
import { applicantStates, readingMeanings, type ReadingMeaning } from '#contract/applicants/applicants.ts'
import { finder, folded } from '#kit/text/folding.ts'
import { shortMessage } from '#wire/history/record-payloads.ts'
import type { MessageSealed } from '#wire/history/applicant-payloads.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Events } from '../events/events.ts'
import { stateOfApplicant } from '../projections/applicants.ts'
import type { Reader } from '../records/reader.ts'
import type { Subjects } from '../storage/subjects.ts'
import { callsOf } from './calls.ts'
import { codeOfRow, codesOfRow, rowStateOf } from './codes.ts'
import type { BatchReader, StoredBatch } from './reader.ts'
import { Scans, type Scanner } from './scans.ts'

export interface RowPagesParts {
  readonly history: Db
  readonly subjects: Subjects
  readonly reader: Reader
  readonly events: Events
  readonly batches: BatchReader
}

interface ReadRow {
  readonly row: number
  readonly state: number
  readonly tries: number
  readonly subject: number
  readonly record: number | null
  readonly applicant: number
  readonly status: number | null
  readonly message: number | null
  readonly means: ReadingMeaning | null
  readonly decision: number | null
  readonly sealed: Buffer
}

/** A message by its number, how often it was answered, and one of these answers. */
interface CountedKey {
  /** The place of its operation. */
  readonly call: number
  readonly key: number
  readonly count: number
  readonly record: number
}
interface Counted {
  readonly keys: readonly CountedKey[]
  readonly rows: BatchMessages['rows']
}

const answered = codeOfRow('answered')
const invalid = codeOfRow('invalid')

/**
 * The message of an answered row: its number in the catalogue, or the status below zero of an answer that the catalogue does not
 * hold. A row that waits again has none, although its last attempt was answered.
 */
const messageOf = `CASE WHEN r.state = ${answered} THEN coalesce(h.message, -h.status) END`

const selectRows = `
  SELECT r.row, r.state, r.tries, r.subject, r.record, coalesce(l.subject, r.subject) AS applicant, h.status,
    ${messageOf} AS message, json_extract(e.plain, '$.means') AS means, a.state AS decision, c.sealed
  FROM batch_row r JOIN batch_cells c ON c.batch = r.batch AND c.row = r.row
    LEFT JOIN record h ON h.seq = r.record
    LEFT JOIN applicant_link l ON l.record = r.record
    LEFT JOIN applicant a ON a.subject = coalesce(l.subject, r.subject)
    LEFT JOIN message m ON m.subject = h.message AND r.state = ${answered}
    LEFT JOIN event e ON e.seq = m.reading
  WHERE r.batch = ?`

/** The answers to operations of rows, of a batch with several; earlier ones that were used, too. */
const selectAnsweredCalls = `
  SELECT c.row, c.call, coalesce(h.message, -h.status) AS message, c.record, c.state = ${answered} AS own
  FROM batch_call c JOIN record h ON h.seq = c.record
  WHERE c.batch = ? AND c.row BETWEEN ? AND ? AND c.state IN (${answered}, ${codeOfRow('recently-answered')})
  ORDER BY c.row, c.call`
interface AnsweredCall {
  readonly row: number
  readonly call: number
  readonly message: number
  readonly record: number
  /** 1 if it was sent by this batch. */
  readonly own: 0 | 1
}

const plainQuery = ({ states, messages, meanings, search, order }: BatchRowsQuery): boolean =>
  !states?.length &&
  !messages?.length &&
  !meanings?.length &&
  !search?.trim() &&
  !order?.reversed &&
  (order?.by ?? 'line') === 'line'

type Key = string | number | undefined
const compareKeys = (a: Key, b: Key): number => (a === b || a === undefined || b === undefined ? 0 : a < b ? -1 : 1)

/** Numbers of rows by a key; those without one are last in either direction, and equal ones in the order of the file. */
function sorted(rows: readonly number[], keys: readonly Key[], reversed: boolean): readonly number[] {
  const numbers = keys.every((key) => key === undefined || key === '' || Number.isFinite(Number(key)))
  const values = numbers ? keys.map((key) => (key === undefined || key === '' ? undefined : Number(key))) : keys
  const sign = reversed ? -1 : 1
  const isMissing = (key: Key): number => Number(key === undefined || key === '')
  return rows
    .map((row, place) => ({ row, key: values[place] }))
    .sort(
      (one, other) =>
        isMissing(one.key) - isMissing(other.key) || sign * compareKeys(one.key, other.key) || one.row - other.row
    )
    .map(({ row }) => row)
}

export class RowPages {
  private readonly parts: RowPagesParts
  private readonly head
  private readonly last
  private readonly wholePage
  private readonly chosen
  private readonly between
  private readonly counted
  private readonly answeredCalls
  private readonly inBatch
  private readonly callsInBatch
  private readonly messageOfRecord
  private readonly wordingOf
  private readonly meaningOf
  private readonly views = new Scans<readonly number[]>()
  private readonly counts = new Scans<Counted>()
  private wordings = new Map<number, string>()

  constructor(parts: RowPagesParts) {
    const { history } = parts
    this.parts = parts
    this.head = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck()
    this.last = history.prepare('SELECT coalesce(max(row), 0) FROM batch_row WHERE batch = ?').pluck()
    this.wholePage = history.prepare(
      `${selectRows} AND r.row IN (SELECT row FROM batch_row WHERE batch = ? ORDER BY row LIMIT ? OFFSET ?) ORDER BY r.row`
    )
    this.chosen = history.prepare(`${selectRows} AND r.row IN (SELECT value FROM json_each(?))`)
    this.between = history.prepare(`${selectRows} AND r.row BETWEEN ? AND ? ORDER BY r.row`)
    this.answeredCalls = history.prepare(selectAnsweredCalls)
    this.callsInBatch = history.prepare(
      `SELECT coalesce(l.subject, r.subject) AS applicant, c.record, c.call,
         CASE WHEN c.state = ${answered} THEN coalesce(h.message, -h.status) END AS message
       FROM batch b JOIN batch_row r ON r.batch = b.ref JOIN batch_call c ON c.batch = r.batch AND c.row = r.row
         JOIN record h ON h.seq = c.record LEFT JOIN applicant_link l ON l.record = c.record
       WHERE b.id = ?`
    )
    this.counted = history.prepare(
      `SELECT 0 AS call, ${messageOf} AS message, count(*) AS count, min(r.record) AS record
       FROM batch_row r JOIN record h ON h.seq = r.record
       WHERE r.batch = ? AND r.row BETWEEN ? AND ? AND r.state = ${answered} GROUP BY 2`
    )
    this.inBatch = history.prepare(
      `SELECT coalesce(l.subject, r.subject) AS applicant, r.record, 0 AS call, ${messageOf} AS message
       FROM batch b JOIN batch_row r ON r.batch = b.ref JOIN record h ON h.seq = r.record
         LEFT JOIN applicant_link l ON l.record = r.record
       WHERE b.id = ?`
    )
    this.messageOfRecord = history.prepare('SELECT message FROM record WHERE seq = ?').pluck()
    this.wordingOf = history.prepare('SELECT event FROM message WHERE subject = ?').pluck()
    this.meaningOf = history
      .prepare(
        `SELECT json_extract(e.plain, '$.means') FROM message m JOIN event e ON e.seq = m.reading WHERE m.subject = ?`
      )
      .pluck()
  }

  /** Drops all texts in memory. */
  forget(): void {
    this.views.forget()
    this.counts.forget()
    this.wordings = new Map()
  }

  private headNow = (): number => this.head.get() as number

  /** Prepares a page, for some milliseconds; true if it is ready. */
  warmRows(query: BatchRowsQuery, milliseconds: number): boolean {
    const batch = this.parts.batches.find(query.id)
    if (!batch || plainQuery(query)) return true
    return this.views.ready(viewOf(query), this.headNow(), milliseconds, () => ({
      scanner: this.viewScanner(batch, query),
      last: this.last.get(batch.ref) as number
    }))
  }

  rows(query: BatchRowsQuery): Result<BatchRowsPage, Failure> {
    const { id, offset, limit } = query
    const batch = this.parts.batches.find(id)
    if (!batch) return failed('batch-missing')
    const total = this.parts.batches.summary(batch).rows
    if (plainQuery(query)) {
      const stored = this.wholePage.all(batch.ref, batch.ref, limit, offset) as ReadRow[]
      return ok({ rows: stored.map((row) => this.shown(row, batch)), total })
    }
    while (!this.warmRows(query, Infinity));
    const numbers = this.views.found(viewOf(query)) ?? []
    const page = numbers.slice(offset, offset + limit)
    const stored = this.chosen.all(batch.ref, JSON.stringify(page)) as ReadRow[]
    const byRow = new Map(stored.map((row) => [row.row, row]))
    return ok({
      rows: page.flatMap((row) => byRow.get(row) ?? []).map((row) => this.shown(row, batch)),
      total: numbers.length
    })
  }

  private viewScanner(batch: StoredBatch, query: BatchRowsQuery): Scanner<readonly number[]> {
    const { states, messages, meanings, search, order = { by: 'line' } } = query
    const codes = states?.length ? new Set(states.flatMap(codesOfRow)) : undefined
    const wanted = messages?.length ? new Set(messages) : undefined
    const meant = meanings?.length ? new Set<MessageMeaning>(meanings) : undefined
    const isFound = finder(search)
    const { mapping, applicantColumn } = this.layout(batch)
    const applicantAt = mapping['applicant_id'] ?? applicantColumn
    const operation = operationIds.find((id) => id === order.by)
    const rows: number[] = []
    const keys: Key[] = []
    return {
      each: (from, to) => {
        const ofRows = this.answersOf(batch, from, to)
        const called = operation && this.callKeys(batch, operation, from, to)
        for (const row of this.between.all(batch.ref, from, to) as ReadRow[]) {
          if (codes && !codes.has(row.state)) continue
          const answers = ofRows(row)
          if (wanted && !answers.some((each) => each.own === 1 && wanted.has(messageNumber(each.call, each.message))))
            continue
          const means = gravest(answers, (each) => each.means)?.means
          if (meant && (means === undefined || !meant.has(means))) continue
          if (isFound && !isFound(this.textOf(row, answers))) continue
          rows.push(row.row)
          if (order.by === 'interpretation') keys.push(means && messageMeanings.indexOf(means))
          else if (order.by !== 'line') keys.push(called?.(row) ?? this.keyOf(row, order.by, applicantAt))
        }
      },
      end: () => {
        if (order.by !== 'line') return sorted(rows, keys, order.reversed === true)
        return order.reversed ? rows.toReversed() : rows
      }
    }
  }

  private layout(batch: StoredBatch) {
    return (JSON.parse(batch.draft) as { layout: { mapping: Record<string, number>; applicantColumn: number } }).layout
  }

  /** The answers of a row, by operation, with their interpretations: its own one, or those to several operations. */
  private answersOf(batch: StoredBatch, from: number, to: number): (row: ReadRow) => readonly Answer[] {
    if (this.parts.batches.operationsOf(batch).length === 1)
      return ({ message, means }) =>
        message === null ? [] : [{ call: 0, message, own: 1, means: means ?? 'unreviewed' }]
    const found = byRow(this.answeredCalls.all(batch.ref, from, to) as AnsweredCall[])
    return ({ row }) => (found.get(row) ?? []).map((each) => ({ ...each, means: this.meaningNow(each.message) }))
  }

  private meaningNow(key: number): MessageMeaning {
    const meaning = key > 0 ? (this.meaningOf.get(key) as ReadingMeaning | undefined) : undefined
    return readingMeanings.find((means) => means === meaning) ?? 'unreviewed'
  }

  /** What a row says: its line, cells and messages. */
  private textOf(row: ReadRow, answers: readonly Answer[]): string {
    const { cells } = this.parts.batches.cells(row.subject, row.sealed)
    const others = answers.map(({ message }) =>
      message < 0 || message === row.message ? '' : this.wording({ message, record: null })
    )
    return [String(row.row), ...cells, this.wording(row), ...others].join('\n')
  }

  private keyOf(row: ReadRow, by: string, applicantAt: number): Key {
    if (by === 'state') return rowStates.indexOf(rowStateOf(row.state)?.state ?? 'unknown')
    if (by === 'status') return row.status ?? undefined
    if (by === 'tries') return row.tries === 0 ? undefined : row.tries
    if (by === 'decision')
      return row.decision === null ? undefined : applicantStates.indexOf(stateOfApplicant(row.decision))
    if (by === 'message') return folded(this.wording(row)) || undefined
    const at = by === 'applicant' ? applicantAt : Number(by.slice(1))
    return folded(this.parts.batches.cells(row.subject, row.sealed).cells[at] ?? '') || undefined
  }

  /** By what came of an operation: messages of answers first, then the others by their state. */
  private callKeys(batch: StoredBatch, operation: OperationId, from: number, to: number): (row: ReadRow) => Key {
    const { batches } = this.parts
    const operations = batches.operationsOf(batch)
    const ended = batches.calls.between(batch.ref, from, to)
    return (row) => {
      const found = callsOf(operations, ended(row.row), row).find((each) => each.operation === operation)
      if (!found || row.state === invalid) return ''
      const { state, record } = found
      const message = record === null ? undefined : (this.messageOfRecord.get(record) as number | null | undefined)
      return state === 'answered'
        ? folded(this.wording({ message: message ?? null, record }))
        : `\uffff${String(rowStates.indexOf(state)).padStart(2, '0')}`
    }
  }

  /** The message of an answer, or of the last attempt. */
  private wording({ message, record }: Pick<ReadRow, 'message' | 'record'>): string {
    if (message === null || message < 0) return record === null ? '' : (this.parts.reader.summary(record).message ?? '')
    const known = this.wordings.get(message)
    if (known !== undefined) return known
    const event = this.wordingOf.get(message) as number | undefined
    const text = event === undefined ? '' : (this.parts.events.get<unknown, MessageSealed>(event).sealed?.message ?? '')
    this.wordings.set(message, text)
    return text
  }

  /** One operation of a row. */
  private call(operation: OperationId, state: BatchCall['state'], record: number | null): BatchCall {
    const known = record === null ? undefined : this.parts.reader.summary(record)
    const message = record === null ? undefined : (this.messageOfRecord.get(record) as number | null | undefined)
    return {
      operation,
      state,
      ...(known && { recordId: known.id, status: known.status, message: known.message }),
      ...(known?.status !== undefined && { meaning: this.meaningNow(message ?? -1) })
    }
  }

  private shown(row: ReadRow, batch: StoredBatch): BatchRow {
    const operations = this.parts.batches.operationsOf(batch)
    const calls =
      operations.length > 1 &&
      callsOf(operations, this.parts.batches.calls.of(batch.ref, row.row, operations), row).map((each) =>
        this.call(each.operation, each.state, each.record)
      )
    const means = calls
      ? gravest(calls.filter(isAnswer), ({ meaning = 'unreviewed' }) => meaning)?.means
      : row.message === null
        ? undefined
        : (row.means ?? 'unreviewed')
    const { cells, fault, corrections } = this.parts.batches.cells(row.subject, row.sealed)
    const known = row.record === null ? undefined : this.parts.reader.summary(row.record)
    const stored = rowStateOf(row.state)
    const applicantId = this.parts.subjects.applicantOf(row.applicant)
    return {
      row: row.row,
      tries: row.tries,
      cells,
      state: stored?.state ?? 'unknown',
      ...(stored?.resolved && { resolved: stored.resolved }),
      ...(fault !== undefined && { fault }),
      ...(corrections && { corrections }),
      ...(known && { recordId: known.id, status: known.status, message: known.message }),
      ...(means !== undefined && { meaning: means }),
      ...(calls && { calls }),
      ...(applicantId !== undefined && { applicantId }),
      ...(row.decision !== null && { decision: stateOfApplicant(row.decision) })
    }
  }

  /** Counts the messages, for some milliseconds; true if they are counted. */
  warmMessages(id: string, milliseconds: number): boolean {
    const batch = this.parts.batches.find(id)
    if (!batch) return true
    return this.counts.ready(id, this.headNow(), milliseconds, () => ({
      last: this.last.get(batch.ref) as number,
      scanner: this.messageScanner(batch)
    }))
  }

  private messageScanner(batch: StoredBatch): Scanner<Counted> {
    const found = new Map<string, CountedKey>()
    const rows = { good: 0, bad: 0, unclear: 0, unreviewed: 0 }
    const isOne = this.parts.batches.operationsOf(batch).length === 1
    const meanings = new Map<number, MessageMeaning>()
    const meaningOfKey = (key: number): MessageMeaning => {
      const means = meanings.get(key) ?? this.meaningNow(key)
      meanings.set(key, means)
      return means
    }
    const add = ({ call, key, count, record }: CountedKey): void => {
      const before = found.get(`${call} ${key}`)
      const all = count + (before?.count ?? 0)
      found.set(`${call} ${key}`, { call, key, count: all, record: before?.record ?? record })
    }
    return {
      each: (from, to) => {
        if (isOne)
          for (const { message: key, ...one } of this.counted.all(batch.ref, from, to) as CountedRows[]) {
            add({ ...one, key })
            rows[meaningOfKey(key)] += one.count
          }
        else
          for (const calls of byRow(this.answeredCalls.all(batch.ref, from, to) as AnsweredCall[]).values()) {
            for (const { call, message: key, record, own } of calls) if (own) add({ call, key, count: 1, record })
            rows[gravest(calls, ({ message }) => meaningOfKey(message))?.means ?? 'unreviewed'] += 1
          }
      },
      end: () => ({
        keys: [...found.values()].sort((a, b) => a.call - b.call || b.count - a.count || a.record - b.record),
        rows
      })
    }
  }

  /** The messages of a batch's answers by operation, the most frequent first, and its rows by their interpretation. */
  messages(id: string): Result<BatchMessages, Failure> {
    const batch = this.parts.batches.find(id)
    if (!batch) return failed('batch-missing')
    while (!this.warmMessages(id, Infinity));
    const operations = this.parts.batches.operationsOf(batch)
    const { keys = [], rows = { good: 0, bad: 0, unclear: 0, unreviewed: 0 } } = this.counts.found(id) ?? {}
    return ok({ messages: keys.map((counted) => this.message(counted, operations)), rows })
  }

  private message({ call, key, count, record }: CountedKey, operations: readonly OperationId[]): BatchMessage {
    const operation = operations.length > 1 ? operations[call] : undefined
    return {
      id: messageNumber(call, key),
      ...(operation && { operation }),
      message: this.wording({ message: key, record }).slice(0, shortMessage),
      meaning: this.meaningNow(key),
      count
    }
  }

  /** Whom the queue shows for a batch, and for some of its messages: applicants by subject, and records below zero. */
  among(id: string, messages: readonly number[] | undefined): ReadonlySet<number> {
    const wanted = messages?.length ? new Set(messages) : undefined
    const found = new Set<number>()
    const batch = this.parts.batches.find(id)
    const isOne = !batch || this.parts.batches.operationsOf(batch).length === 1
    for (const statement of isOne ? [this.inBatch] : wanted ? [this.callsInBatch] : [this.inBatch, this.callsInBatch])
      for (const { applicant, record, call, message } of statement.iterate(id) as IterableIterator<RecordInBatch>)
        if (!wanted || (message !== null && wanted.has(messageNumber(call, message)))) {
          found.add(applicant)
          if (!wanted) found.add(-record)
        }
    return found
  }
}

const byRow = (calls: readonly AnsweredCall[]): Map<number, AnsweredCall[]> => Map.groupBy(calls, ({ row }) => row)
const isAnswer = ({ state }: BatchCall): boolean => state === 'answered' || state === 'recently-answered'

type CountedRows = Omit<CountedKey, 'key'> & { readonly message: number }
interface Answer {
  readonly call: number
  readonly message: number
  readonly own: 0 | 1
  readonly means: MessageMeaning
}
type RecordInBatch = Pick<ReadRow, 'applicant' | 'message'> & { readonly record: number; readonly call: number }

const viewOf = ({ offset: _, limit: __, ...query }: BatchRowsQuery): string => JSON.stringify(query)
