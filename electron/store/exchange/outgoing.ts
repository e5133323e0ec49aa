/** Reads events as they leave this installation: what the chain hashed, and the sealed parts as they are stored. */
import type { ExchangePage, ExchangeTask, OutgoingEvent, OwnSubject, OwnWork } from '#wire/history/exchange.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import { genesis } from '#wire/history/chain.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { FourEyes } from '../applicants/four-eyes.ts'
import type { Subjects } from '../storage/subjects.ts'
import { KeptEvents } from './kept-events.ts'
import { inAuditTrail } from '../events/event-index.ts'

/** What an event costs besides its texts and sealed parts. */
const eventBytes = 256

interface Proposed {
  readonly seq: number
  readonly subject: number
  readonly person: string | null
}
interface Counted {
  readonly person: string | null
  readonly count: number
}

export class Outgoing {
  private readonly known: Subjects
  private readonly keptEvents: KeptEvents
  private readonly after
  private readonly hashOf
  private readonly connectionIds
  private readonly checks
  private readonly decisions
  private readonly proposals
  private readonly fourEyes

  constructor(history: Db, subjects: Subjects, fourEyes: Pick<FourEyes, 'answerTo'>) {
    this.known = subjects
    this.fourEyes = fourEyes
    this.keptEvents = new KeptEvents(history)
    this.checks = history.prepare(
      `SELECT json_extract(e.plain, '$.operator') AS person, count(*) AS count FROM record r
        JOIN event e ON e.seq = r.begun WHERE r.started_at >= ? AND r.started_at < ? GROUP BY 1`
    )
    this.decisions = history.prepare(
      `SELECT json_extract(plain, '$.operator') AS person, count(*) AS count FROM event
        WHERE kind = 'decision.made' AND ${inAuditTrail} AND at >= ? AND at < ? AND json_extract(plain, '$.requires') = 0 GROUP BY 1`
    )
    this.proposals = history.prepare(
      `SELECT seq, subject, json_extract(plain, '$.operator') AS person FROM event
        WHERE kind = 'decision.made' AND ${inAuditTrail} AND at >= ? AND at < ? AND json_extract(plain, '$.requires') = 1`
    )
    this.after = history.prepare(
      `SELECT e.seq, at, kind, subject, e.record, plain, links, lower(hex(hash)) AS hash,
         lower(hex(digests)) AS digests, e.sealed, b.sealed AS reply
       FROM event e LEFT JOIN reply_body b ON e.kind = 'record.ended' AND b.record = e.record WHERE e.seq > ? ORDER BY e.seq LIMIT ?`
    )
    this.connectionIds = history.prepare('SELECT DISTINCT id FROM connection').pluck()
    this.hashOf = history.prepare('SELECT lower(hex(hash)) FROM event WHERE seq = ?').pluck()
  }

  /** At least one event, if there is one and one is wanted, however large it is. */
  page({ after, events: most, bytes, kept }: ExchangeTask, last: KnownHead): ExchangePage {
    const events: OutgoingEvent[] = []
    const isKept = this.keptEvents.of(kept)
    let size = 0
    if (most > 0)
      for (const row of this.after.iterate(after, most) as IterableIterator<OutgoingEvent>) {
        const { sealed, reply, ...rest } = row
        // Without its key, a sealed part is nothing but bytes.
        const opens = (sealed ?? reply) !== null && row.subject !== null && this.known.key(row.subject) !== undefined
        const event = {
          ...rest,
          sealed: opens ? sealed : null,
          reply: opens ? reply : null,
          ...(isKept(row) && { kept: true as const })
        }
        size += eventBytes + row.plain.length + (event.sealed?.length ?? 0) + (event.reply?.length ?? 0)
        if (size > bytes && events.length > 0) break
        events.push(event)
      }
    return {
      last,
      before: after === 0 ? genesis.hash.toString('hex') : (this.hashOf.get(after) as string | undefined),
      events
    }
  }

  /** Subjects by their numbers; those whose keys were destroyed are missing. */
  subjects(numbers: readonly number[]): OwnSubject[] {
    return numbers.flatMap((number) => {
      const key = this.known.key(number)
      const applicantId = this.known.applicantOf(number)
      // A copy: an erasure overwrites the key in memory.
      return key ? [{ number, key: Buffer.from(key), ...(applicantId !== undefined && { applicantId }) }] : []
    })
  }

  /** What people did in a period, for the overview of the team. @param from Unix milliseconds; the end is exclusive. */
  work(from: number, until: number): OwnWork {
    const people = new Map<string, { checks: number; decisions: number }>()
    const of = (person: string | null): { checks: number; decisions: number } => {
      const known = people.get(person ?? '') ?? { checks: 0, decisions: 0 }
      people.set(person ?? '', known)
      return known
    }
    for (const { person, count } of this.checks.all(from, until) as Counted[]) of(person).checks = count
    for (const { person, count } of this.decisions.all(from, until) as Counted[]) of(person).decisions = count
    // One that needs a second person counts once somebody agrees, as everywhere.
    for (const { seq, subject, person } of this.proposals.all(from, until) as Proposed[])
      if (this.fourEyes.answerTo(subject, seq)?.agrees) of(person).decisions += 1
    return [...people].map(([person, work]) => ({ person, ...work }))
  }

  /** IDs of all connections that verifications were ever made over. */
  connections(): readonly string[] {
    return this.connectionIds.all() as string[]
  }
}
