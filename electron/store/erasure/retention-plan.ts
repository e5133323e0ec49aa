/**
 * Finds data past its retention: applicants whose relationship is over for some years or, where that decides nothing, subjects whose
 * records and rows are all older than their connection's days, and applicants without any by the last event.
 */
import { hash } from 'node:crypto'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { lastDayOver } from '#contract/applicants/over.ts'
import { relationshipStates, type Relationship } from '#contract/applicants/relationships.ts'
import {
  maxRetentionLines,
  type RetentionDue,
  type RetentionLine,
  type RetentionPlan
} from '#contract/data-management/data-management.ts'
import type { RetentionRules } from '#wire/history/erasure.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { relationshipOf, type ApplicantRow } from '../projections/applicants.ts'
import type { Erasure } from './erasure.ts'

const day = 86_400_000

interface Group {
  readonly subject: number
  readonly connection: string
  readonly records: number
  readonly oldest: number
  readonly newest: number
}
interface Found {
  readonly subject: number
  records: number
  oldest: number
  newest: number
  readonly connections: Set<string>
  /** Past the days of every connection. */
  past: boolean
}
type Over = Pick<ApplicantRow, 'subject' | 'relationship' | 'relationship_on' | 'first_at' | 'last_at'>

/** SQL: the relationship is one that has an end. An index has it, and its day. */
const hasEnd = `relationship IN (${relationshipStates.flatMap((state, code) => (state === 'active' ? [] : [code])).join()})`

/** Applicants whose relationship is over for these years, by their subject. */
function overFor(history: Db, years: number, now: number): ReadonlyMap<number, Over> {
  const rows = history
    .prepare(
      `SELECT subject, relationship, relationship_on, first_at, last_at FROM applicant WHERE ${hasEnd} AND relationship_on <= ?`
    )
    .all(lastDayOver(years, now)) as Over[]
  return new Map(rows.map((row) => [row.subject, row]))
}

/** Applicants without a recorded relationship. */
const undatedIn = (history: Db): number =>
  history
    .prepare(
      `SELECT (SELECT coalesce(sum(count), 0) FROM applicant_count) - (SELECT count(*) FROM applicant WHERE relationship IS NOT NULL)`
    )
    .pluck()
    .get() as number

/**
 * Everybody with records or rows of a batch, and applicants of whom there are neither. An applicant counts with all verifications that
 * are linked to them, also one who is known by these alone.
 */
function everybody(
  history: Db,
  days: RetentionRules['days'],
  linkedTo: ReadonlyMap<number, number>,
  now: number
): Map<number, Found> {
  const groups = history
    .prepare(
      `SELECT r.subject, c.id AS connection, count(*) AS records, min(r.started_at) AS oldest, max(r.started_at) AS newest
       FROM record r JOIN connection c ON c.ref = r.connection GROUP BY r.subject, c.id
       UNION ALL
       SELECT b.subject, json_extract(h.draft, '$.connection.id'), 0, min(h.created_at), max(h.created_at)
       FROM batch_row b JOIN batch h ON h.ref = b.batch GROUP BY b.subject, 2`
    )
    .iterate() as IterableIterator<Group>
  const all = new Map<number, Found>()
  for (const { subject, connection, records, oldest, newest } of groups) {
    const found = all.get(subject) ?? {
      subject,
      records: 0,
      oldest,
      newest,
      connections: new Set<string>(),
      past: true
    }
    found.records += records
    found.oldest = Math.min(found.oldest, oldest)
    found.newest = Math.max(found.newest, newest)
    found.connections.add(connection)
    const kept = days[connection] ?? days['*']
    found.past &&= kept !== undefined && newest + kept * day <= now
    all.set(subject, found)
  }
  // Such as people whose requests were only reviewed here: no connection has days for them.
  const kept = days['*']
  const others = history
    .prepare('SELECT subject, first_at AS oldest, last_at AS newest FROM applicant WHERE checks = 0')
    .iterate() as IterableIterator<Pick<Found, 'subject' | 'oldest' | 'newest'>>
  for (const { subject, oldest, newest } of others) {
    const past = kept !== undefined && newest + kept * day <= now
    if (!all.has(subject)) all.set(subject, { subject, records: 0, oldest, newest, connections: new Set(), past })
  }
  for (const [subject, applicant] of linkedTo) {
    const linked = all.get(subject)
    if (!linked) continue
    const { oldest, newest, past } = linked
    const owner = all.get(applicant) ?? { subject: applicant, records: 0, oldest, newest, connections: new Set(), past }
    owner.oldest = Math.min(owner.oldest, oldest)
    owner.newest = Math.max(owner.newest, newest)
    for (const connection of linked.connections) owner.connections.add(connection)
    owner.past &&= past
    all.set(applicant, owner)
  }
  return all
}

/** Holds whose last day has passed. */
function passedHolds({ erasure }: Retained, now: number): ReturnType<Erasure['holds']['all']> {
  const date = isoDue(today(now))
  return erasure.holds.all().filter(({ hold: { until } }) => until !== undefined && until < date)
}

/** What the overview counts where retention starts with the relationship. */
export function retentionDue(engine: Retained, years: number, now: number): RetentionDue {
  const { history } = engine.dbs
  const last = lastDayOver(years, now)
  const over = history.prepare(`SELECT count(*) FROM applicant WHERE ${hasEnd} AND relationship_on <= ?`).pluck()
  const isOver = history
    .prepare(`SELECT count(*) FROM applicant WHERE subject = ? AND ${hasEnd} AND relationship_on <= ?`)
    .pluck()
  const held = engine.erasure.holds.all().reduce((sum, { subject }) => sum + (isOver.get(subject, last) as number), 0)
  return {
    overdue: (over.get(last) as number) - held,
    undated: undatedIn(history),
    passed: passedHolds(engine, now).length
  }
}

type Line = RetentionLine & { readonly subject: number }
interface Retained {
  readonly dbs: { readonly history: Db; readonly subjects: Db }
  readonly erasure: Erasure
}

/**
 * A subject is erased as a whole or not at all, because its records share one key. By days, it is due when its newest record of each
 * connection is past that connection's days, those that are linked to it included; a connection without days retains it. An applicant without records is due when the last event
 * is past the days of all that are not listed. By the relationship, an applicant is due when the
 * years from its end have passed, and never without one.
 *
 * @param retained Names of colleagues who retain applicants, by the applicant's ID.
 */
export function retentionPlan(
  engine: Retained,
  { days, years }: RetentionRules,
  now: number,
  retained: Readonly<Record<string, string>> = {}
): RetentionPlan & { readonly going: readonly number[] } {
  const { history, subjects } = engine.dbs
  // A verification linked to an applicant is retained as long as the applicant and erased with it.
  const linkedTo = new Map(engine.erasure.links().map(({ subject, applicant }) => [subject, applicant]))
  const all = everybody(history, days, linkedTo, now)
  const over = years === undefined ? undefined : overFor(history, years, now)
  for (const { subject, first_at: oldest, last_at: newest } of over?.values() ?? [])
    if (!all.has(subject))
      all.set(subject, { subject, records: 0, oldest, newest, connections: new Set(), past: false })
  const applicants = subjects.prepare('SELECT applicant FROM subject WHERE ref = ?').pluck()
  const held = new Set(engine.erasure.holds.all().map(({ subject }) => subject))
  const isDue = ({ subject, past }: Found, applicant: string | null): boolean => {
    const owner = linkedTo.get(subject)
    if (over) return owner !== undefined ? over.has(owner) : applicant === null ? past : over.has(subject)
    return owner === undefined ? past : all.get(owner)?.past === true
  }
  const lines = [...all.values()].flatMap((found): Line[] => {
    const { subject, past, connections, ...counted } = found
    // Days decide at once; who is an applicant is looked up only where it matters.
    if (!over && !past) return []
    const applicant = applicants.get(subject) as string | null | undefined
    // Already erased.
    if (applicant === undefined || !isDue(found, applicant)) return []
    const owner = linkedTo.get(subject)
    const relationship = over && relationshipIn(over, owner ?? subject)
    const whose = owner === undefined ? applicant : (applicants.get(owner) as string | null | undefined)
    const colleague = whose ? retained[whose] : undefined
    return [
      {
        ...counted,
        subject,
        ...(applicant !== null && { applicantId: applicant }),
        connections: [...connections],
        ...(relationship && { relationship }),
        ...(colleague !== undefined && { colleague }),
        held: colleague !== undefined || held.has(subject) || (owner !== undefined && held.has(owner))
      }
    ]
  })
  return {
    ...planOf(lines, now),
    passed: passedHolds(engine, now).map(({ hold }) => hold),
    ...(over && { undated: undatedIn(history) })
  }
}

function relationshipIn(over: ReadonlyMap<number, Over>, subject: number): Relationship | undefined {
  const row = over.get(subject)
  return row && relationshipOf(row)
}

/** When the retention of a line began. */
const begun = ({ relationship, newest }: Line): number => (relationship ? Date.parse(relationship.on) : newest)

function planOf(lines: Line[], now: number): Omit<RetentionPlan, 'passed'> & { readonly going: readonly number[] } {
  lines.sort((a, b) => begun(a) - begun(b))
  const going = lines.filter((line) => !line.held)
  const kept = lines.filter((line) => line.held)
  const sum = (some: readonly RetentionLine[]): number => some.reduce((total, { records }) => total + records, 0)
  return {
    at: now,
    lines: lines.slice(0, maxRetentionLines).map(({ subject: _subject, ...line }) => line),
    subjects: going.length,
    records: sum(going),
    heldSubjects: kept.length,
    heldRecords: sum(kept),
    digest: hash(
      'sha256',
      JSON.stringify(
        going.map(({ subject, applicantId = null, records, newest }) => [subject, applicantId, records, newest])
      )
    ),
    going: going.map(({ subject }) => subject)
  }
}
