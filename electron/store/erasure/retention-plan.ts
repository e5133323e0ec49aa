/** Finds data past its retention period: subjects whose records and rows are all older than their connection's rule. */
import { hash } from 'node:crypto'
import { maxRetentionLines, type RetentionLine, type RetentionPlan } from '#contract/data-management/data-management.ts'
import type { RetentionRules } from '#wire/history/erasure.ts'
import type { Db } from '#wire/sqlite/files.ts'
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
  due: boolean
}

/**
 * A subject is erased as a whole or not at all, because its records share one key. It is due when its newest record
 * of each connection is past that connection's period; a connection without a rule retains it.
 */
export function retentionPlan(
  engine: { readonly dbs: { readonly history: Db; readonly subjects: Db }; readonly erasure: Erasure },
  rules: RetentionRules,
  now: number
): RetentionPlan & { readonly going: readonly number[] } {
  const { history, subjects } = engine.dbs
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
    const found = all.get(subject) ?? { subject, records: 0, oldest, newest, connections: new Set<string>(), due: true }
    found.records += records
    found.oldest = Math.min(found.oldest, oldest)
    found.newest = Math.max(found.newest, newest)
    found.connections.add(connection)
    const days = rules[connection] ?? rules['*']
    found.due &&= days !== undefined && newest + days * day <= now
    all.set(subject, found)
  }
  const applicants = subjects.prepare('SELECT applicant FROM subject WHERE ref = ?').pluck()
  const held = new Set(engine.erasure.holds.all().map(({ subject }) => subject))
  // A verification linked to an applicant is retained as long as the applicant and erased with it.
  const linkedTo = new Map(engine.erasure.links().map(({ subject, applicant }) => [subject, applicant]))
  const lines: (RetentionLine & { readonly subject: number })[] = []
  for (const { subject, records, oldest, newest, connections, due } of all.values()) {
    const applicant = applicants.get(subject) as string | null | undefined
    // Already erased.
    if (!due || applicant === undefined) continue
    const owner = linkedTo.get(subject)
    if (owner !== undefined && all.get(owner)?.due === false) continue
    const isHeld = held.has(subject) || (owner !== undefined && held.has(owner))
    lines.push({
      subject,
      ...(applicant !== null && { applicantId: applicant }),
      records,
      oldest,
      newest,
      connections: [...connections],
      held: isHeld
    })
  }
  lines.sort((a, b) => a.newest - b.newest)
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
