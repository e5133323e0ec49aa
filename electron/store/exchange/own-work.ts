/** What this installation did in a period, for the overview of its team. */
import type { OwnWork } from '#wire/history/exchange.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { inAuditTrail } from '../events/event-index.ts'

interface Counted {
  readonly person: string | null
  readonly count: number
}

export class OwnWorkReader {
  private readonly checks
  private readonly decisions

  constructor(history: Db) {
    this.checks = history.prepare(
      `SELECT json_extract(e.plain, '$.operator') AS person, count(*) AS count FROM record r JOIN event e ON e.seq = r.begun WHERE r.started_at >= ? AND r.started_at < ? GROUP BY 1`
    )
    this.decisions = history.prepare(
      `SELECT json_extract(plain, '$.operator') AS person, count(*) AS count FROM event WHERE kind = 'decision.made' AND ${inAuditTrail} AND at >= ? AND at < ? GROUP BY 1`
    )
  }

  /** By person. @param from Unix milliseconds; the end is exclusive. */
  in(from: number, until: number): OwnWork {
    const people = new Map<string, { checks: number; decisions: number }>()
    const of = (person: string | null): { checks: number; decisions: number } => {
      const known = people.get(person ?? '') ?? { checks: 0, decisions: 0 }
      people.set(person ?? '', known)
      return known
    }
    for (const { person, count } of this.checks.all(from, until) as Counted[]) of(person).checks = count
    for (const { person, count } of this.decisions.all(from, until) as Counted[]) of(person).decisions = count
    return [...people].map(([person, work]) => ({ person, ...work }))
  }
}
