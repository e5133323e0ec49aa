/** Queries of the store: pages, counts, single records. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { MessageMeaning } from '#contract/applicants/applicants.ts'
import type {
  CountedValue,
  EarlierCheck,
  HistoryCounts,
  HistoryPage,
  RecordDetail,
  RecordSummary
} from '#contract/history/records.ts'
import type { HistoryFilter, HistoryPageQuery } from '#contract/history/queries.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import {
  emptyTally,
  isOpenSieve,
  passes,
  numbered,
  startOf,
  states,
  tallyAll,
  tallyRow,
  type RecordColumns,
  type Tally
} from '../projections/columns.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { Indexer } from './indexer.ts'
import type { SameFile } from '#contract/links/checks.ts'
import { canonicalCheck, canonicalDocument } from '#wire/history/record-payloads.ts'
import type { Reader, SearchedRecord } from '../records/reader.ts'
import { spellings } from '#kit/text/folding.ts'
import type { Restored } from '../records/restored.ts'
import type { SpendGuard } from './spend-guard.ts'
import { SortedLists } from './sorted-lists.ts'
import { Finder, searchCountLimit, soughtOf } from './search.ts'
import { readSearch } from '#contract/history/search-query.ts'
import type { CatalogueReader } from '../projections/catalogue-reader.ts'
import { foundIn } from './found-in.ts'
import { PeopleSearch, type NamedSubjects } from './people.ts'
import type { NoteTexts } from './note-texts.ts'
import type { NamesProjection } from '../projections/names.ts'
import { wantedOf, type Wanted } from './wanted.ts'
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
  readonly catalogue: Pick<CatalogueReader, 'wordingOf' | 'meaningsOf'>
  readonly names: NamesProjection
  readonly nameSearch: NamedSubjects
  readonly notes: NoteTexts
}

/** Whether a page needs every record's columns; newest first and search hits do not. */
export const needsColumns = ({ filter, at, order }: HistoryPageQuery): boolean => {
  const { search, ...others } = filter
  const asked = readSearch(search)
  return (
    at !== undefined ||
    order !== undefined ||
    asked.phrases.length > 1 ||
    asked.messages.length + asked.statuses.length + asked.operators.length + asked.batches.length > 0 ||
    asked.from !== undefined ||
    asked.until !== undefined ||
    soughtOf(asked.phrases[0]).kind === 'applicant' ||
    Object.values(others).some((value) => value !== undefined && value !== false)
  )
}

/** Values of one filter that are listed. */
const mostListed = 50
/** Records with the same file that are looked at; among them, one of another applicant is searched. */
const mostSeeing = 20

export class Queries {
  private readonly parts: QueryParts
  readonly finder: Finder
  private readonly people: PeopleSearch
  private readonly sorted = new SortedLists()
  private readonly ofSubject
  private readonly batchName

  constructor(parts: QueryParts) {
    this.parts = parts
    this.people = new PeopleSearch(parts)
    this.finder = new Finder(parts.search, parts.columns, parts.reader, parts.indexer)
    this.batchName = parts.history.prepare("SELECT id, json_extract(draft, '$.name') AS name FROM batch")
    this.ofSubject = parts.history.prepare('SELECT seq FROM record WHERE subject = ? ORDER BY seq').pluck()
  }

  /** In ascending order. */
  private seqsOfApplicants(likeness: string): number[] {
    return this.parts.subjects
      .alike(likeness)
      .flatMap((subject) => this.ofSubject.all(subject) as number[])
      .sort((one, other) => one - other)
  }

  private wanted(filter: HistoryFilter): Wanted {
    return wantedOf(filter, {
      ...this.parts,
      finder: this.finder,
      people: this.people,
      batchNames: () => this.batchNames()
    })
  }

  private batchNames(): Map<string, string> {
    const rows = this.batchName.all() as { readonly id: string; readonly name: string | null }[]
    return new Map(rows.map(({ id, name }) => [id, name ?? '']))
  }

  private find({ sought, sieve, also }: Wanted, start: number, step: 1 | -1, limit: number): number[] {
    if (sought.kind === 'none') return []
    if (sought.kind === 'all') return this.finder.scan(sieve, start, step, limit, also)
    if (sought.kind === 'phrase') return this.finder.phrase(sought, sieve, start, step, limit, also)
    const columns = this.parts.columns.all()
    const fitting = this.seqsOfApplicants(sought.likeness).filter(
      (seq) => (step < 0 ? seq <= start : seq >= start) && passes(columns, seq, sieve)
    )
    return (step < 0 ? fitting.reverse() : fitting).slice(0, limit)
  }

  /** The rows of a page; in a search with what was found in each. */
  private summaries(seqs: readonly number[], { search }: HistoryFilter): RecordSummary[] {
    const { reader, catalogue } = this.parts
    const { phrases, messages } = readSearch(search)
    const sought = spellings(phrases[0] ?? messages[0] ?? '')
    const meanings = catalogue.meaningsOf()
    return seqs.map((seq) => {
      const number = reader.messageOf(seq)
      const means = number === undefined ? undefined : (meanings.get(number) ?? 'unreviewed')
      if (sought.length === 0) return { ...reader.summary(seq), ...(means && { means }) }
      const record = reader.searched(seq)
      const found = this.foundIn(seq, record, sought)
      return { ...record.summary, ...(means && { means }), ...(found && { found }) }
    })
  }

  /** The newest record that started at or before a time. */
  private seqAt(at: number): number {
    const columns = this.parts.columns.all()
    let seq = columns.last
    while (seq > 0 && startOf(columns, seq) > at) seq -= 1
    return seq
  }

  private foundIn(seq: number, record: SearchedRecord, sought: readonly string[]): RecordSummary['found'] {
    try {
      return foundIn(record, sought, () => this.people.foundIn(seq, record.subject, sought))
    } catch (error) {
      // The record says so when it is opened, and the audit trail reports it.
      if (error instanceof DamageError) return undefined
      throw error
    }
  }

  /** The records of a filter, newest first; of a search with very many hits, the newest. */
  private matching(filter: HistoryFilter): { readonly seqs: Uint32Array; readonly atLeast: boolean } {
    const { indexer } = this.parts
    const columns = this.parts.columns.all()
    const wanted = this.wanted(filter)
    const { sought, sieve, also } = wanted
    if (sought.kind === 'all' && !also) {
      const seqs = new Uint32Array(columns.last)
      let count = 0
      for (let seq = columns.last; seq >= 1; seq -= 1) if (passes(columns, seq, sieve)) seqs[count++] = seq
      return { seqs: seqs.slice(0, count), atLeast: false }
    }
    if (sought.kind !== 'phrase')
      return { seqs: Uint32Array.from(this.find(wanted, columns.last, -1, Infinity)), atLeast: false }
    indexer.catchUp()
    // The same records as are counted.
    const hits = this.finder.newest(sought, searchCountLimit + 1, also)
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
    const { dictionary } = this.parts
    const { seqs, atLeast } = this.sorted.list(filter, order, again, () => ({
      ...this.matching(filter),
      columns: this.parts.columns.all(),
      dictionary
    }))
    const records = this.summaries([...seqs.subarray(offset, offset + limit)], filter)
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
    const { columns, indexer } = this.parts
    const wanted = this.wanted(filter)
    if (wanted.sought.kind === 'phrase') indexer.catchUp()
    if (after !== undefined) {
      const found = this.find(wanted, after + 1, 1, limit + 1)
      const seqs = found.slice(0, limit).reverse()
      const older = this.find(wanted, after, -1, 1).length > 0
      return { records: this.summaries(seqs, filter), older, newer: found.length > limit }
    }
    const start = before !== undefined ? before - 1 : at !== undefined ? this.seqAt(at) : columns.last
    const found = this.find(wanted, start, -1, limit + 1)
    const newer = start < columns.last && this.find(wanted, start + 1, 1, 1).length > 0
    return { records: this.summaries(found.slice(0, limit), filter), older: found.length > limit, newer }
  }

  counts(filter: HistoryFilter): HistoryCounts {
    const { indexer } = this.parts
    const columns = this.parts.columns.all()
    const { sought, sieve, also } = this.wanted(filter)
    const tally = emptyTally(columns)
    let atLeast = false
    if (sought.kind === 'all' && !also && isOpenSieve(sieve)) tallyAll(tally, columns)
    else if (sought.kind === 'all') {
      for (let seq = 1; seq <= columns.last; seq += 1) if (!also || also(seq)) tallyRow(tally, columns, seq, sieve)
    } else if (sought.kind === 'phrase') {
      indexer.catchUp()
      const hits = this.finder.newest(sought, searchCountLimit + 1, also)
      atLeast = hits.length > searchCountLimit
      for (const seq of hits.slice(0, searchCountLimit)) tallyRow(tally, columns, seq, sieve)
    } else if (sought.kind === 'applicant') {
      for (const seq of this.seqsOfApplicants(sought.likeness)) tallyRow(tally, columns, seq, sieve)
    }
    return this.named(tally, atLeast)
  }

  /** The most frequent values of a filter with a name for each. */
  private most<Value>(
    counted: Float64Array,
    values: Iterable<readonly [number, Value]>,
    labelOf: (value: Value) => string
  ): CountedValue<Value>[] {
    return [...values]
      .flatMap(([number, value]) => (counted[number] ? [{ value, count: counted[number] }] : []))
      .sort((one, other) => other.count - one.count)
      .slice(0, mostListed)
      .map(({ value, count }) => ({ value, label: labelOf(value), count }))
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
    const { catalogue, columns } = this.parts
    const { batches, messages } = columns.all()
    const names = batches.values.length > 1 ? this.batchNames() : undefined
    const meaningOf = catalogue.meaningsOf()
    const meanings: Partial<Record<MessageMeaning, number>> = {}
    for (const [number, message] of numbered(messages)) {
      const count = tally.meaning[number] ?? 0
      const means = meaningOf.get(message) ?? 'unreviewed'
      if (count > 0) meanings[means] = (meanings[means] ?? 0) + count
    }
    return {
      total: tally.total,
      atLeast,
      batches: this.most(tally.batch, numbered(batches), (id) => names?.get(id) || id),
      operators: this.most(tally.operator, dictionary.operatorNames, (name) => name),
      messages: this.most(tally.message, numbered(messages), (message) => catalogue.wordingOf(message).slice(0, 120)),
      meanings,
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
