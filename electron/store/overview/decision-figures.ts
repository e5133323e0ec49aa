/** The figures of decisions and the lists behind them: both count the same rows by the same rules. */
import { today } from '#contract/applicants/due-dates.ts'
import type { Decision } from '#contract/applicants/applicants.ts'
import { sampleSize } from '#contract/applicants/decide-many.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import {
  listedMessages,
  type CountingDecisions,
  type DecidedMessage,
  type DecisionCounts,
  type DecisionFigures,
  type DecisionList,
  type DecisionListQuery,
  type DecisionListRow,
  type DecisionQuery
} from '#contract/overview/decisions.ts'
import { fewestLooked, type LookedRates, type PersonLooked } from '#contract/overview/rates.ts'
import type { ColleagueCases } from '#wire/history/colleagues.ts'
import { shortMessage } from '#wire/history/record-payloads.ts'
import type { CatalogueReader } from '../projections/catalogue-reader.ts'
import { codeOfApplicant, stateOfApplicant } from '../projections/applicants.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { NamesProjection } from '../projections/names.ts'
import type { Reader } from '../records/reader.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { DecisionIndex } from './decision-index.ts'
import { flags } from './decision-replay.ts'
import {
  codes,
  decisionTimes,
  moments,
  tallyBacklog,
  tallyDecisions,
  type Narrowed,
  type Tallied
} from './decision-tally.ts'
import { never } from './row-table.ts'

export interface DecisionFiguresParts {
  readonly index: DecisionIndex
  readonly dictionary: Dictionary
  readonly catalogue: CatalogueReader
  readonly reader: Reader
  readonly subjects: Subjects
  readonly names: Pick<NamesProjection, 'named'>
}

const countsOf = (bars: Uint32Array, at: number): DecisionCounts => ({
  approve: bars[at + codeOfApplicant('approve')] ?? 0,
  decline: bars[at + codeOfApplicant('decline')] ?? 0,
  escalate: bars[at + codeOfApplicant('escalate')] ?? 0
})
const totalOf = ({ approve, decline, escalate }: DecisionCounts): number => approve + decline + escalate
const add = (a: DecisionCounts, b: DecisionCounts): DecisionCounts => ({
  approve: a.approve + b.approve,
  decline: a.decline + b.decline,
  escalate: a.escalate + b.escalate
})
/** Only what is of enough decisions by enough people. */
const looked = (tallied: Tallied): LookedRates =>
  Object.fromEntries(
    Object.entries(tallied.looked).flatMap(([name, { part, of, people }]) =>
      of >= fewestLooked.decisions &&
      people.size >= fewestLooked.people &&
      [...people.values()].every((own) => own.of <= of / 2)
        ? [[name, { part, of }]]
        : []
    )
  )
/** Of each person with enough decisions, by name. */
const lookedByPerson = (tallied: Tallied, names: readonly string[]): readonly PersonLooked[] =>
  names
    .map((name, number): PersonLooked => {
      const rates = Object.entries(tallied.looked).flatMap(([what, { people }]) => {
        const own = people.get(number)
        return own && own.of >= fewestLooked.decisions ? [[what, own] as const] : []
      })
      return { name, ...Object.fromEntries(rates) }
    })
    .filter((each) => each.name !== '' && Object.keys(each).length > 1)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
const none: DecisionCounts = { approve: 0, decline: 0, escalate: 0 }

export class DecisionFiguresReader {
  private readonly parts: DecisionFiguresParts
  /** The last list before it is cut into pages. */
  private listed: { readonly of: string; readonly rows: readonly number[] } | undefined

  constructor(parts: DecisionFiguresParts) {
    this.parts = parts
  }

  forget(): void {
    this.parts.index.forget()
    this.listed = undefined
  }

  /** Takes what colleagues decided. @returns The version of what is known of them. */
  colleagues(page: ColleagueCases | undefined): number {
    return this.parts.index.take(page)
  }

  /** What is known after some more milliseconds of reading; undefined once everything is. */
  private warm(milliseconds: number): CountingDecisions | undefined {
    const { index } = this.parts
    const { counted, of } = index.counting ?? { counted: 0, of: 0 }
    if (!index.canLoad) return { kind: 'counting', counted, of }
    if (index.warm(milliseconds)) return undefined
    return { kind: 'counting', ...(index.counting ?? { counted: of, of }) }
  }

  /** @param milliseconds How long it may read what is not known yet. */
  figures(query: DecisionQuery, now: number, milliseconds: number): DecisionFigures | CountingDecisions {
    return this.warm(milliseconds) ?? this.show(query, now)
  }

  list(query: DecisionListQuery, now: number, milliseconds: number): DecisionList | CountingDecisions {
    const counting = this.warm(milliseconds)
    if (counting) return counting
    const rows = this.matching(query, now)
    return {
      kind: 'counted',
      total: rows.length,
      rows: rows.slice(query.offset, query.offset + query.limit).map((row) => this.row(query, row))
    }
  }

  private narrowed({ connection, reviewer }: Pick<DecisionQuery, 'connection' | 'reviewer'>): Narrowed {
    const { index, dictionary } = this.parts
    if (connection === undefined)
      return { connections: undefined, reviewer: reviewer === undefined ? undefined : index.names.indexOf(reviewer) }
    const connections = new Uint8Array(65_536)
    for (const ref of [...dictionary.connectionRefs(connection), ...index.colleagues.connectionRefs(connection)])
      connections[ref] = 1
    return { connections, reviewer: reviewer === undefined ? undefined : index.names.indexOf(reviewer) }
  }

  private show(query: DecisionQuery, now: number): DecisionFigures {
    const { index } = this.parts
    const narrowed = this.narrowed(query)
    const onePerson = query.reviewer !== undefined
    const tallied = tallyDecisions(index, query, narrowed)
    const present = { at: now, day: today(now) }
    const asked = moments(query.period, present)
    const backlog = tallyBacklog(index, asked, narrowed)
    const bars = query.period.edges.slice(1).map((until, bar): DecisionFigures['bars'][number] => {
      const [moment, total, overdue] = [asked[bar], backlog.total[bar] ?? 0, backlog.overdue[bar] ?? 0]
      return {
        from: query.period.edges[bar] ?? 0,
        until,
        decisions: countsOf(tallied.bars, bar * codes),
        ...(moment && { backlog: { ...moment, total, overdue } })
      }
    })
    const decisions = bars.reduce((sum, bar) => add(sum, bar.decisions), none)
    const waiting = this.waitingNow(narrowed, now)
    const times = onePerson ? undefined : decisionTimes(tallied.took.subarray(0, tallied.timed))
    const nearestAt = tallied.lastBefore > -Infinity ? tallied.lastBefore : tallied.firstAfter
    return {
      kind: 'counted',
      decided: totalOf(decisions),
      before: tallied.before,
      decisions,
      escalatedOpen: tallied.escalatedOpen,
      ...(times && { times }),
      ...(!onePerson && { overturned: tallied.overturned }),
      waiting: waiting.counts,
      bars,
      ...this.messages(tallied, onePerson),
      reviewers: this.reviewers(tallied, waiting.reviewers),
      connections: this.connections(tallied, waiting.connections),
      samples: this.samples(tallied),
      ...(!onePerson && { looked: looked(tallied), lookedByPerson: lookedByPerson(tallied, index.names) }),
      choices: this.choices(),
      ...(Number.isFinite(tallied.firstAt) && { firstAt: tallied.firstAt }),
      ...(totalOf(decisions) === 0 && Number.isFinite(nearestAt) && { nearestAt })
    }
  }

  /** What waits now, also by who handles it and by connection. */
  private waitingNow({ connections, reviewer }: Narrowed, now: number) {
    const { waited } = this.parts.index
    const day = today(now)
    const counts = { total: 0, overdue: 0, dueToday: 0 }
    const reviewers = new Map<number, number>()
    const ofConnections = new Map<number, number>()
    const { columns, ref, length } = waited
    for (let row = 0; row < length; row += 1) {
      if (ref[row] === 0 || columns.until[row] !== never) continue
      const [connection, who, due] = [columns.connection[row] ?? 0, columns.reviewer[row] ?? 0, columns.due[row] ?? 0]
      if (connections && connections[connection] === 0) continue
      if (reviewer !== undefined && who !== reviewer) continue
      counts.total += 1
      if (due < day) counts.overdue += 1
      if (due === day) counts.dueToday += 1
      reviewers.set(who, (reviewers.get(who) ?? 0) + 1)
      ofConnections.set(connection, (ofConnections.get(connection) ?? 0) + 1)
    }
    return { counts, reviewers, connections: ofConnections }
  }

  private messages({ messages }: Tallied, onePerson: boolean): Pick<DecisionFigures, 'messages' | 'otherMessages'> {
    const all = this.parts.index.messages
      .map((id, number) => ({
        id,
        decided: messages[number * 3] ?? 0,
        approved: messages[number * 3 + 1] ?? 0,
        overturned: messages[number * 3 + 2] ?? 0
      }))
      .filter(({ decided }) => decided > 0)
      .sort((a, b) => b.decided - a.decided || a.id - b.id)
    return {
      messages: all.slice(0, listedMessages).map(({ id, decided, approved, overturned }): DecidedMessage => ({
        id,
        ...this.named(id),
        decided,
        approved,
        ...(!onePerson && { overturned })
      })),
      otherMessages: all.slice(listedMessages).reduce((sum, { decided }) => sum + decided, 0)
    }
  }

  private named(id: number): Pick<DecidedMessage, 'message' | 'own' | 'operation' | 'reading'> {
    const { catalogue, index } = this.parts
    if (id < 0) return { ...index.colleagues.messages.get(id), own: true }
    if (id === 0 || !catalogue.has(id)) return {}
    const { message, own, operation, reading } = catalogue.message(id)
    const means = reading?.means
    return { message: message.slice(0, shortMessage), operation, ...(own && { own }), ...(means && { reading: means }) }
  }

  private reviewers(
    { reviewers }: Tallied,
    waiting: ReadonlyMap<number, number>
  ): NonNullable<DecisionFigures['reviewers']> {
    const { names } = this.parts.index
    return names
      .map((name, number) => ({ name, decided: reviewers[number] ?? 0, waiting: waiting.get(number) ?? 0 }))
      .filter(({ decided, waiting: waits }) => decided + waits > 0)
      .sort((a, b) => Number(a.name === '') - Number(b.name === '') || (a.name < b.name ? -1 : 1))
  }

  private connections({ connections }: Tallied, waiting: ReadonlyMap<number, number>): DecisionFigures['connections'] {
    const found = new Map<string, DecisionFigures['connections'][number]>()
    // Later snapshots have higher numbers, so the latest name wins.
    for (const [ref, { id, name, mode }] of this.allConnections()) {
      const [decided, approved] = [connections[ref * 2] ?? 0, connections[ref * 2 + 1] ?? 0]
      const before = found.get(id) ?? { decided: 0, approved: 0, waiting: 0 }
      found.set(id, {
        id,
        name,
        mode,
        decided: before.decided + decided,
        approved: before.approved + approved,
        waiting: before.waiting + (waiting.get(ref) ?? 0)
      })
    }
    return [...found.values()].filter(({ decided, waiting: waits }) => decided + waits > 0)
  }

  /** Also those that only colleagues have. */
  private *allConnections(): Generator<readonly [number, Pick<RecordConnection, 'id' | 'name' | 'mode'>]> {
    yield* this.parts.dictionary.connections
    yield* this.parts.index.colleagues.connections
  }

  private samples({ sets }: Tallied): DecisionFigures['samples'] {
    const all = [...sets].flatMap((number) => this.parts.index.sets[number] ?? [])
    return {
      sets: all.length,
      applicants: all.reduce((sum, { size }) => sum + size, 0),
      reviewed: all.reduce((sum, { size, share }) => sum + sampleSize(size, share), 0)
    }
  }

  private choices(): DecisionFigures['choices'] {
    const connections = new Map([...this.allConnections()].map(([, { id, name, mode }]) => [id, { id, name, mode }]))
    const reviewers = this.parts.index.names.filter((name) => name !== '').sort()
    return { connections: [...connections.values()], reviewers }
  }

  private matching(query: DecisionListQuery, now: number): readonly number[] {
    const { index } = this.parts
    const { offset: _, limit: __, ...wanted } = query
    const of = JSON.stringify([wanted, index.version, today(now)])
    if (this.listed?.of === of) return this.listed.rows
    const rows = query.of.what === 'decided' ? this.decidedRows(query) : this.waitingRows(query, now)
    this.listed = { of, rows }
    return rows
  }

  private decidedRows(query: DecisionListQuery): readonly number[] {
    if (query.of.what !== 'decided') return []
    const { from, until, decision, is } = query.of
    const message = query.of.message === undefined ? undefined : this.parts.index.messages.indexOf(query.of.message)
    const { connections, reviewer } = this.narrowed(query)
    const { length, ref, columns } = this.parts.index.decided
    const rows: number[] = []
    for (let row = 0; row < length; row += 1) {
      const at = columns.at[row] ?? 0
      if (ref[row] === 0 || at < from || at >= until) continue
      if (connections && connections[columns.connection[row] ?? 0] === 0) continue
      if (reviewer !== undefined && columns.reviewer[row] !== reviewer) continue
      if (decision !== undefined && columns.decision[row] !== codeOfApplicant(decision)) continue
      if (is !== undefined && ((columns.flags[row] ?? 0) & flags[is]) === 0) continue
      if (message !== undefined && columns.message[row] !== message) continue
      rows.push(row)
    }
    return rows.sort(
      (a, b) => (columns.at[b] ?? 0) - (columns.at[a] ?? 0) || (columns.event[b] ?? 0) - (columns.event[a] ?? 0)
    )
  }

  private waitingRows(query: DecisionListQuery, now: number): readonly number[] {
    if (query.of.what !== 'waiting') return []
    const { at, due, day = today(now) } = query.of
    const { connections, reviewer } = this.narrowed(query)
    const { length, ref, columns } = this.parts.index.waited
    const rows: number[] = []
    for (let row = 0; row < length; row += 1) {
      if (ref[row] === 0) continue
      const [from, until, date] = [columns.from[row] ?? 0, columns.until[row] ?? 0, columns.due[row] ?? 0]
      if (at === undefined ? until !== never : from > at || until <= at) continue
      if (connections && connections[columns.connection[row] ?? 0] === 0) continue
      if (reviewer !== undefined && columns.reviewer[row] !== reviewer) continue
      if (due !== undefined && (due === 'overdue' ? date >= day : date !== day)) continue
      rows.push(row)
    }
    return rows.sort((a, b) => (columns.since[a] ?? 0) - (columns.since[b] ?? 0) || a - b)
  }

  private row({ of }: DecisionListQuery, row: number): DecisionListRow {
    const { index, names, reader, subjects } = this.parts
    const table = of.what === 'decided' ? index.decided : index.waited
    const ref = table.ref[row] ?? 0
    const applicantId = index.colleagues.has(ref)
      ? index.colleagues.applicantOf(ref)
      : ref > 0
        ? subjects.applicantOf(ref)
        : undefined
    const reviewer = index.names[table.columns.reviewer[row] ?? 0]
    const { message, own } = this.named(index.messages[table.columns.message[row] ?? 0] ?? 0)
    const due = of.what === 'waiting' ? (index.waited.columns.due[row] ?? never) : never
    return {
      at: (of.what === 'decided' ? index.decided.columns.at[row] : index.waited.columns.since[row]) ?? 0,
      ...(applicantId !== undefined && { applicantId, ...names.named(applicantId) }),
      ...(ref < 0 && { recordId: reader.summary(-ref).id }),
      ...(of.what === 'decided' && {
        decision: stateOfApplicant(index.decided.columns.decision[row] ?? 0) as Decision
      }),
      ...(message !== undefined && { message, ...(own && { own }) }),
      ...(reviewer && { reviewer }),
      ...(due !== never && { due })
    }
  }
}
