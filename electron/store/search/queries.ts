/** Queries of the store: pages, counts, single records. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type {
  EarlierCheck,
  HistoryCounts,
  HistoryFilter,
  HistoryPage,
  HistoryPageQuery,
  RecordDetail
} from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import {
  emptyTally,
  isOpenSieve,
  passes,
  sieveOf,
  startOf,
  states,
  tallyAll,
  tallyRow,
  type RecordColumns,
  type Sieve,
  type Tally
} from '../projections/columns.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { Indexer } from './indexer.ts'
import type { SameFile } from '#contract/links/checks.ts'
import { canonicalCheck, canonicalDocument } from '#wire/history/record-payloads.ts'
import type { Reader } from '../records/reader.ts'
import type { Restored } from '../records/restored.ts'
import type { SpendGuard } from './spend-guard.ts'
import { SortedLists } from './sorted-lists.ts'
import { Finder, searchCountLimit, soughtOf, type Sought } from './search.ts'
import type { Subjects } from '../storage/subjects.ts'

export interface QueryParts {
  readonly history: Db
  readonly search: Db
  readonly columns: RecordColumns
  readonly reader: Reader
  readonly indexer: Indexer
  readonly dictionary: Dictionary
  readonly subjects: Subjects
  readonly restored: Restored
  readonly guard: SpendGuard
}

/** Whether a page needs every record's columns; newest first and search hits do not. */
export const needsColumns = ({ filter, at, order }: HistoryPageQuery): boolean => {
  const { search, ...others } = filter
  return (
    at !== undefined ||
    order !== undefined ||
    soughtOf(search).kind === 'applicant' ||
    Object.values(others).some((value) => value !== undefined && value !== false)
  )
}

/** Records with the same file that are looked at; among them, one of another applicant is searched. */
const mostSeeing = 20

export class Queries {
  private readonly parts: QueryParts
  readonly finder: Finder
  private readonly sorted = new SortedLists()
  private readonly ofSubject

  constructor(parts: QueryParts) {
    this.parts = parts
    this.finder = new Finder(parts.search, parts.columns, parts.reader, parts.indexer)
    this.ofSubject = parts.history.prepare('SELECT seq FROM record WHERE subject = ? ORDER BY seq').pluck()
  }

  /** In ascending order. */
  private seqsOfApplicants(likeness: string): number[] {
    return this.parts.subjects
      .alike(likeness)
      .flatMap((subject) => this.ofSubject.all(subject) as number[])
      .sort((one, other) => one - other)
  }

  private find(sought: Sought, sieve: Sieve, start: number, step: 1 | -1, limit: number): number[] {
    if (sought.kind === 'all') return this.finder.scan(sieve, start, step, limit)
    if (sought.kind === 'phrase') return this.finder.phrase(sought, sieve, start, step, limit)
    const columns = this.parts.columns.all()
    const fitting = this.seqsOfApplicants(sought.likeness).filter(
      (seq) => (step < 0 ? seq <= start : seq >= start) && passes(columns, seq, sieve)
    )
    return (step < 0 ? fitting.reverse() : fitting).slice(0, limit)
  }

  /** The newest record that started at or before a time. */
  private seqAt(at: number): number {
    const columns = this.parts.columns.all()
    let seq = columns.last
    while (seq > 0 && startOf(columns, seq) > at) seq -= 1
    return seq
  }

  /** The records of a filter, newest first; of a search with very many hits, the newest. */
  private matching(filter: HistoryFilter): { readonly seqs: Uint32Array; readonly atLeast: boolean } {
    const { indexer, dictionary } = this.parts
    const columns = this.parts.columns.all()
    const sought = soughtOf(filter.search)
    const sieve = sieveOf(filter, dictionary)
    if (sought.kind === 'all') {
      const seqs = new Uint32Array(columns.last)
      let count = 0
      for (let seq = columns.last; seq >= 1; seq -= 1) if (passes(columns, seq, sieve)) seqs[count++] = seq
      return { seqs: seqs.slice(0, count), atLeast: false }
    }
    if (sought.kind === 'applicant')
      return { seqs: Uint32Array.from(this.find(sought, sieve, columns.last, -1, Infinity)), atLeast: false }
    indexer.catchUp()
    // The same records as are counted.
    const hits = this.finder.newest(sought, searchCountLimit + 1)
    return {
      seqs: Uint32Array.from(hits.slice(0, searchCountLimit).filter((seq) => passes(columns, seq, sieve))),
      atLeast: hits.length > searchCountLimit
    }
  }

  private sortedPage({
    filter,
    limit,
    order = { by: 'time' },
    offset = 0,
    again = false
  }: HistoryPageQuery): HistoryPage {
    const { reader, dictionary } = this.parts
    const { seqs, atLeast } = this.sorted.list(filter, order, again, () => ({
      ...this.matching(filter),
      columns: this.parts.columns.all(),
      dictionary
    }))
    const records = [...seqs.subarray(offset, offset + limit)].map((seq) => reader.summary(seq))
    return {
      records,
      older: offset + limit < seqs.length,
      newer: offset > 0,
      total: seqs.length,
      ...(atLeast && { atLeast })
    }
  }

  page(query: HistoryPageQuery): HistoryPage {
    if (query.order) return this.sortedPage(query)
    const { filter, limit, before, after, at } = query
    const { columns, indexer, reader, dictionary } = this.parts
    const sought = soughtOf(filter.search)
    if (sought.kind === 'phrase') indexer.catchUp()
    const sieve = sieveOf(filter, dictionary)
    if (after !== undefined) {
      const found = this.find(sought, sieve, after + 1, 1, limit + 1)
      const seqs = found.slice(0, limit).reverse()
      const older = this.find(sought, sieve, after, -1, 1).length > 0
      return { records: seqs.map((seq) => reader.summary(seq)), older, newer: found.length > limit }
    }
    const start = before !== undefined ? before - 1 : at !== undefined ? this.seqAt(at) : columns.last
    const found = this.find(sought, sieve, start, -1, limit + 1)
    const newer = start < columns.last && this.find(sought, sieve, start + 1, 1, 1).length > 0
    return { records: found.slice(0, limit).map((seq) => reader.summary(seq)), older: found.length > limit, newer }
  }

  counts(filter: HistoryFilter): HistoryCounts {
    const { indexer, dictionary } = this.parts
    const columns = this.parts.columns.all()
    const sought = soughtOf(filter.search)
    const sieve = sieveOf(filter, dictionary)
    const tally = emptyTally()
    let atLeast = false
    if (sought.kind === 'all' && isOpenSieve(sieve)) tallyAll(tally, columns)
    else if (sought.kind === 'all') {
      for (let seq = 1; seq <= columns.last; seq += 1) tallyRow(tally, columns, seq, sieve)
    } else if (sought.kind === 'phrase') {
      indexer.catchUp()
      const hits = this.finder.newest(sought, searchCountLimit + 1)
      atLeast = hits.length > searchCountLimit
      for (const seq of hits.slice(0, searchCountLimit)) tallyRow(tally, columns, seq, sieve)
    } else {
      for (const seq of this.seqsOfApplicants(sought.likeness)) tallyRow(tally, columns, seq, sieve)
    }
    return this.named(tally, atLeast)
  }

  private named(tally: Tally, atLeast: boolean): HistoryCounts {
    const { dictionary } = this.parts
    const operations: Partial<Record<OperationId, number>> = {}
    for (const [ref, id] of dictionary.operationNames)
      if (tally.operation[ref]) operations[id as OperationId] = tally.operation[ref]
    const statuses: Record<string, number> = {}
    tally.status.forEach((count, status) => {
      if (status > 0 && count > 0) statuses[status] = count
    })
    // Later snapshots have higher numbers, so the latest name wins; the position is that of the first.
    const connections = new Map<string, HistoryCounts['connections'][number]>()
    for (const [ref, { id, name, mode }] of dictionary.connections) {
      const count = (connections.get(id)?.count ?? 0) + (tally.connection[ref] ?? 0)
      connections.set(id, { id, name, mode, count })
    }
    return {
      total: tally.total,
      atLeast,
      operations,
      states: Object.fromEntries(
        states.flatMap((state, code) => (tally.state[code] ? [[state, tally.state[code]]] : []))
      ),
      statuses,
      connections: [...connections.values()].filter(({ count }) => count > 0),
      unresolved: this.parts.columns.all().unresolved
    }
  }

  record(id: string): Result<RecordDetail, Failure> {
    const { reader } = this.parts
    const seq = reader.seq(id)
    if (seq === undefined) return failed('record-missing')
    const detail = reader.detail(seq)
    const earlier = this.parts.indexer.latestAnswered(
      canonicalCheck(detail.operation, detail.connection.id, detail.input),
      seq
    )
    if (earlier === undefined) return ok(detail)
    const previous = reader.detail(earlier)
    return ok({
      ...detail,
      previous: {
        id: previous.id,
        startedAt: previous.startedAt,
        status: previous.status ?? 0,
        body: previous.reply?.body ?? ''
      }
    })
  }

  /** The newest records of a connection for which a check saw a file. */
  seeing(connectionId: string, sha256: string): SameFile[] {
    const { indexer, reader } = this.parts
    return indexer.recordsOf(canonicalDocument(connectionId, sha256), mostSeeing).map((seq) => {
      const { id, startedAt } = reader.summary(seq)
      return { recordId: id, startedAt }
    })
  }

  /**
   * Query of the spend guard: the same verification without a known outcome, whenever it was sent; answered, or possibly sent
   * if a restored history cannot know it, at or after `since`.
   */
  earlier(
    same: { operation: OperationId; connectionId: string; input: Readonly<Record<string, string>> },
    since: number
  ): EarlierCheck | undefined {
    const { restored, reader, guard } = this.parts
    const check = canonicalCheck(same.operation, same.connectionId, same.input)
    const unresolved = guard.unresolved(check)
    if (unresolved !== undefined) return { kind: 'unresolved', record: reader.summary(unresolved) }
    const answered = guard.answered(check, since)
    if (answered !== undefined) return { kind: 'answered', record: reader.summary(answered) }
    const sentAt = guard.sentElsewhere(check, since)
    if (sentAt !== undefined) return { kind: 'sent', sentAt }
    const open = restored.openSince(since)
    return open && { kind: 'not-known', backupAt: open.backupAt, restoredAt: open.at }
  }
}
