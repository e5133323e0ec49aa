/**
 * In-memory columns that lists and facets are counted on: 36 bytes per record, by seq. A scan of a million records
 * takes a few milliseconds and is exact for any combination of filters, unlike an index or a daily roll-up. Loaded
 * from the records after opening and never saved.
 */
/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import type { HistoryFilter } from '#contract/history/queries.ts'
import { outcomeIds, type RecordState } from '#contract/verification/outcomes.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { classOfTime } from './response-times.ts'

/** State codes. They are stored in every file: append new outcomes at the end. */
export const states: readonly RecordState[] = ['open', 'answered', 'invalid-response', 'not-sent', 'unknown']
export const codeOfState = (state: RecordState): number => states.indexOf(state)
const unknown = codeOfState('unknown')
// A state without a code could be neither stored nor found.
if (outcomeIds.some((id) => !states.includes(id))) throw new Error('an outcome has no code in the history')

/** Values that repeat in records, numbered from 1 as they come; 0 stands for none. */
export class Numbered<Value extends string | number> {
  /** By their numbers; the first is no value. */
  readonly values: (Value | undefined)[] = [undefined]
  private readonly numbers = new Map<Value, number>()

  /** The number of a value, assigned if it is new. */
  take(value: Value | null): number {
    if (value === null) return 0
    const known = this.numbers.get(value)
    if (known !== undefined) return known
    this.numbers.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}

export interface Columns {
  /** Highest seq. */
  last: number
  /** Unknown and unresolved. */
  unresolved: number
  startedAt: Float64Array
  operation: Uint8Array
  state: Uint8Array
  resolved: Uint8Array
  connection: Uint16Array
  status: Uint16Array
  /** Class of the response time. */
  timeClass: Uint16Array
  /** Response time in milliseconds; 0 if there is none. */
  duration: Float32Array
  operator: Uint16Array
  subject: Uint32Array
  /** Numbers of the values below. */
  batch: Uint32Array
  message: Uint32Array
  readonly batches: Numbered<string>
  /** Messages of the catalogue. */
  readonly messages: Numbered<number>
}

export interface ColumnsRow {
  readonly seq: number
  readonly started_at: number
  readonly operation: number
  readonly connection: number
  readonly state: number
  readonly status: number | null
  readonly resolved: number | null
  readonly took: number | null
  readonly operator: number
  readonly subject: number
  readonly batch: string | null
  readonly message: number | null
}

function emptyColumns(capacity = 1024): Columns {
  return {
    last: 0,
    unresolved: 0,
    startedAt: new Float64Array(capacity),
    operation: new Uint8Array(capacity),
    state: new Uint8Array(capacity),
    resolved: new Uint8Array(capacity),
    connection: new Uint16Array(capacity),
    status: new Uint16Array(capacity),
    timeClass: new Uint16Array(capacity),
    duration: new Float32Array(capacity),
    operator: new Uint16Array(capacity),
    subject: new Uint32Array(capacity),
    batch: new Uint32Array(capacity),
    message: new Uint32Array(capacity),
    batches: new Numbered<string>(),
    messages: new Numbered<number>()
  }
}

function grow(columns: Columns, seq: number): void {
  if (seq < columns.startedAt.length) return
  const next = emptyColumns(Math.max(seq + 1, Math.ceil(columns.startedAt.length * 1.5)))
  for (const name of [
    'startedAt',
    'operation',
    'state',
    'resolved',
    'connection',
    'status',
    'timeClass',
    'duration',
    'operator',
    'subject',
    'batch',
    'message'
  ] as const) {
    next[name].set(columns[name])
    columns[name] = next[name] as never
  }
}

function setRow(columns: Columns, row: ColumnsRow): void {
  grow(columns, row.seq)
  const { seq } = row
  if (isUnresolved(columns, seq)) columns.unresolved -= 1
  columns.startedAt[seq] = row.started_at
  columns.operation[seq] = row.operation
  columns.connection[seq] = row.connection
  columns.state[seq] = row.state
  columns.status[seq] = row.status ?? 0
  columns.resolved[seq] = row.resolved === null ? 0 : 1
  columns.timeClass[seq] = classOfTime(row.took)
  columns.duration[seq] = row.took ?? 0
  columns.operator[seq] = row.operator
  columns.subject[seq] = row.subject
  columns.batch[seq] = columns.batches.take(row.batch)
  columns.message[seq] = columns.messages.take(row.message)
  if (isUnresolved(columns, seq)) columns.unresolved += 1
  if (seq > columns.last) columns.last = seq
}

/** Rows read at a time when a request waits for all of them. */
const bulkRows = 50_000

/**
 * The columns of every record. They are loaded in the background after opening, so that a large history opens
 * quickly: code that needs them all calls `all()`, code that can wait calls `step()` until they are complete.
 */
export class RecordColumns {
  private readonly columns: Columns
  private readonly next
  /** Seq of the last record read. */
  private read = 0
  private whole = false
  private newest: number

  constructor(history: Db) {
    this.newest = history.prepare('SELECT coalesce(max(seq), 0) FROM record').pluck().get() as number
    this.columns = emptyColumns(Math.max(1024, Math.ceil((this.newest + 1) * 1.1)))
    this.next = history
      .prepare(
        `SELECT seq, started_at, operation, connection, state, status, resolved, took, operator, subject, batch, message FROM record WHERE seq > ? ORDER BY seq LIMIT ?`
      )
      .raw()
  }

  /** Whether all records have been read. */
  get isWhole(): boolean {
    return this.whole
  }

  /** Seq of the last record that can be counted. */
  get counted(): number {
    return this.whole ? this.newest : this.read
  }

  /** Highest seq; known at once. */
  get last(): number {
    return this.newest
  }

  /** Reads up to `limit` more records; true if more may follow. */
  step(limit: number): boolean {
    if (this.whole) return false
    const { columns } = this
    const before = this.read
    let rows = 0
    for (const [
      seq,
      started,
      operation,
      connection,
      state,
      status,
      resolved,
      took,
      operator,
      subject,
      batch,
      message
    ] of this.next.iterate(before, limit) as IterableIterator<
      [
        ...[number, number, number, number, number],
        ...[number | null, number | null, number | null],
        ...[number, number, string | null, number | null]
      ]
    >) {
      grow(columns, seq)
      columns.startedAt[seq] = started
      columns.operation[seq] = operation
      columns.connection[seq] = connection
      columns.state[seq] = state
      columns.status[seq] = status ?? 0
      columns.resolved[seq] = resolved === null ? 0 : 1
      columns.timeClass[seq] = classOfTime(took)
      columns.duration[seq] = took ?? 0
      columns.operator[seq] = operator
      columns.subject[seq] = subject
      columns.batch[seq] = columns.batches.take(batch)
      columns.message[seq] = columns.messages.take(message)
      if (isUnresolved(columns, seq)) columns.unresolved += 1
      columns.last = seq
      this.read = seq
      rows += 1
    }
    this.whole = rows < limit
    return !this.whole
  }

  /** The columns of the records that were read so far. */
  get known(): Columns {
    return this.columns
  }

  /** All columns; reads the rest now. */
  all(): Columns {
    while (this.step(bulkRows));
    return this.columns
  }

  /** Updates a record that was just committed; one not read yet will be read later. */
  set(row: ColumnsRow): void {
    this.newest = Math.max(this.newest, row.seq)
    if (this.whole || row.seq <= this.read) setRow(this.columns, row)
  }
}

/** When a record started; 0 if there is no such record. */
export const startOf = (columns: Columns, seq: number): number => columns.startedAt[seq] ?? 0

/** A filter without its search text, as lookup tables by stored number: 1 keeps, 0 drops. */
export interface Sieve {
  readonly operation: Uint8Array | undefined
  readonly connection: Uint8Array | undefined
  readonly state: Uint8Array | undefined
  readonly status: Uint8Array | undefined
  readonly operator: Uint8Array | undefined
  readonly batch: Uint8Array | undefined
  readonly message: Uint8Array | undefined
  /** By message as well: what is made of it. */
  readonly meaning: Uint8Array | undefined
  readonly from: number
  readonly until: number
  readonly unresolved: boolean
}

/** Numbers that the values of a filter are stored under; empty if none. */
export interface Numbering {
  operationRefs(id: string): readonly number[]
  connectionRefs(id: string): readonly number[]
  readonly operatorNames: ReadonlyMap<number, string>
}
/** What a search text narrows a filter by, besides its phrases. */
export interface SearchedBy {
  readonly statuses?: readonly number[]
  /** Whether an operator's name, or a batch, is meant. */
  readonly isOperator?: (name: string) => boolean
  readonly isBatch?: (id: string) => boolean
  /** What is made of a message, by its number in the catalogue. */
  readonly meaningOf?: (message: number) => string
}

const lookup = (size: number, members: readonly number[]): Uint8Array => {
  const table = new Uint8Array(size)
  for (const member of members) table[member] = 1
  return table
}
/** The members that both tables keep. */
function both(one: Uint8Array | undefined, other: Uint8Array | undefined): Uint8Array | undefined {
  return one && other ? one.map((kept, index) => kept & (other[index] ?? 0)) : (one ?? other)
}
/** Of values by their numbers, those that are kept. */
function kept<Value>(
  values: Iterable<readonly [number, Value]>,
  size: number,
  isKept: ((value: Value) => boolean) | undefined
): Uint8Array | undefined {
  if (!isKept) return undefined
  const members: number[] = []
  for (const [number, value] of values) if (isKept(value)) members.push(number)
  return lookup(size, members)
}
const among = <Value>(list: readonly Value[] | undefined): ((value: Value) => boolean) | undefined => {
  const wanted = list?.length ? new Set(list) : undefined
  return wanted && ((value) => wanted.has(value))
}
/** The values with their numbers. */
export const numbered = <Value extends string | number>({ values }: Numbered<Value>): [number, Value][] =>
  values.flatMap((value, number) => (value === undefined ? [] : [[number, value] as [number, Value]]))

export function sieveOf(filter: HistoryFilter, numbering: Numbering, columns: Columns, by: SearchedBy = {}): Sieve {
  const [batches, messages] = [numbered(columns.batches), numbered(columns.messages)]
  const [batchCount, messageCount] = [columns.batches.values.length, columns.messages.values.length]
  const { operatorNames } = numbering
  const isMeant = among<string>(filter.meanings)
  const { meaningOf } = by
  return {
    operation: filter.operations?.length
      ? lookup(
          256,
          filter.operations.flatMap((id) => numbering.operationRefs(id))
        )
      : undefined,
    connection: filter.connections?.length
      ? lookup(
          65_536,
          filter.connections.flatMap((id) => numbering.connectionRefs(id))
        )
      : undefined,
    state: filter.states?.length ? lookup(256, filter.states.map(codeOfState)) : undefined,
    status: both(
      filter.statuses?.length ? lookup(65_536, filter.statuses) : undefined,
      by.statuses?.length ? lookup(65_536, by.statuses) : undefined
    ),
    operator: both(kept(operatorNames, 65_536, among(filter.operators)), kept(operatorNames, 65_536, by.isOperator)),
    batch: both(kept(batches, batchCount, among(filter.batches)), kept(batches, batchCount, by.isBatch)),
    message: kept(messages, messageCount, among(filter.messages)),
    meaning: kept(messages, messageCount, isMeant && meaningOf && ((message: number) => isMeant(meaningOf(message)))),
    from: filter.from ?? -Infinity,
    until: filter.until ?? Infinity,
    unresolved: filter.unresolved ?? false
  }
}

export const isOpenSieve = (sieve: Sieve): boolean =>
  !sieve.operation &&
  !sieve.connection &&
  !sieve.state &&
  !sieve.status &&
  !sieve.operator &&
  !sieve.batch &&
  !sieve.message &&
  !sieve.meaning &&
  !sieve.unresolved &&
  sieve.from === -Infinity &&
  sieve.until === Infinity

export const isUnresolved = (columns: Columns, seq: number): boolean =>
  columns.state[seq] === unknown && columns.resolved[seq] === 0

/** Bits of the facets by operator, batch and message. */
function droppedByName(columns: Columns, seq: number, { operator, batch, message, meaning }: Sieve): number {
  return (
    (operator && !operator[columns.operator[seq]!] ? 32 : 0) |
    (batch && !batch[columns.batch[seq]!] ? 64 : 0) |
    (message && !message[columns.message[seq]!] ? 128 : 0) |
    (meaning && !meaning[columns.message[seq]!] ? 256 : 0)
  )
}

/** Bits of the facets that drop a record: 0 for none; 16 for period or "unresolved", which are not facets. */
function droppedBy(columns: Columns, seq: number, sieve: Sieve): number {
  const at = columns.startedAt[seq]!
  if (at < sieve.from || at >= sieve.until) return 16
  if (sieve.unresolved && !isUnresolved(columns, seq)) return 16
  return (
    (sieve.operation && !sieve.operation[columns.operation[seq]!] ? 1 : 0) |
    (sieve.connection && !sieve.connection[columns.connection[seq]!] ? 2 : 0) |
    (sieve.state && !sieve.state[columns.state[seq]!] ? 4 : 0) |
    (sieve.status && !sieve.status[columns.status[seq]!] ? 8 : 0) |
    droppedByName(columns, seq, sieve)
  )
}

/** Whether a record passes the filter; faster, without facet counts. */
export function passes(columns: Columns, seq: number, sieve: Sieve): boolean {
  if (sieve.state && !sieve.state[columns.state[seq]!]) return false
  if (sieve.status && !sieve.status[columns.status[seq]!]) return false
  if (sieve.operation && !sieve.operation[columns.operation[seq]!]) return false
  if (sieve.connection && !sieve.connection[columns.connection[seq]!]) return false
  if (sieve.operator && !sieve.operator[columns.operator[seq]!]) return false
  if (sieve.batch && !sieve.batch[columns.batch[seq]!]) return false
  if (sieve.message && !sieve.message[columns.message[seq]!]) return false
  if (sieve.meaning && !sieve.meaning[columns.message[seq]!]) return false
  if (sieve.unresolved && !isUnresolved(columns, seq)) return false
  const at = columns.startedAt[seq]!
  return at >= sieve.from && at < sieve.until
}

export interface Tally {
  total: number
  readonly operation: Float64Array
  readonly connection: Float64Array
  readonly state: Float64Array
  readonly status: Float64Array
  readonly operator: Float64Array
  readonly batch: Float64Array
  readonly message: Float64Array
  /** By message, as the filter by interpretations counts. */
  readonly meaning: Float64Array
}

export const emptyTally = ({ batches, messages }: Columns): Tally => ({
  total: 0,
  operation: new Float64Array(256),
  connection: new Float64Array(65_536),
  state: new Float64Array(256),
  status: new Float64Array(65_536),
  operator: new Float64Array(65_536),
  batch: new Float64Array(batches.values.length),
  message: new Float64Array(messages.values.length),
  meaning: new Float64Array(messages.values.length)
})

/** Counts one record: in every facet if nothing drops it, otherwise in the facet whose filter alone drops it. */
export function tallyRow(tally: Tally, columns: Columns, seq: number, sieve: Sieve): void {
  const dropped = droppedBy(columns, seq, sieve)
  if (dropped === 0) tally.total += 1
  if (dropped === 0 || dropped === 1) tally.operation[columns.operation[seq]!]! += 1
  if (dropped === 0 || dropped === 2) tally.connection[columns.connection[seq]!]! += 1
  if (dropped === 0 || dropped === 4) tally.state[columns.state[seq]!]! += 1
  if (dropped === 0 || dropped === 8) tally.status[columns.status[seq]!]! += 1
  if (dropped === 0 || dropped === 32) tally.operator[columns.operator[seq]!]! += 1
  if (dropped === 0 || dropped === 64) tally.batch[columns.batch[seq]!]! += 1
  if (dropped === 0 || dropped === 128) tally.message[columns.message[seq]!]! += 1
  if (dropped === 0 || dropped === 256) tally.meaning[columns.message[seq]!]! += 1
}

/** Counts every record, as `tallyRow` does with a filter that drops none, in a fraction of its time. */
export function tallyAll(tally: Tally, columns: Columns): void {
  const { operation, connection, state, status, last } = columns
  const { operation: operations, connection: connections, state: states, status: statuses } = tally
  for (let seq = 1; seq <= last; seq += 1) {
    operations[operation[seq]!]! += 1
    connections[connection[seq]!]! += 1
    states[state[seq]!]! += 1
    statuses[status[seq]!]! += 1
  }
  const { operator, batch, message } = columns
  const { operator: operators, batch: batches, message: messages } = tally
  for (let seq = 1; seq <= last; seq += 1) {
    operators[operator[seq]!]! += 1
    batches[batch[seq]!]! += 1
    messages[message[seq]!]! += 1
  }
  tally.meaning.set(messages)
  tally.total += last
}
