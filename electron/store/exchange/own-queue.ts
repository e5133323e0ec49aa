/** What a team asks about this installation's work queue: its claims, and which applicants and records it has. */
import type { ExchangeStore, OwnClaim } from '#wire/history/exchange.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Events } from '../events/events.ts'
import type { AssigneePlain, AssigneeSealed } from '#wire/history/applicant-payloads.ts'
import { codeOfApplicant } from '../projections/applicants.ts'
import { uuidBytes, uuidText } from '#kit/bytes.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import { KeptEvents } from './kept-events.ts'

interface ClaimRow {
  readonly seq: number
  readonly at: number
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
}

/** Claims in one answer. */
const page = 4096

export class OwnQueue {
  private readonly subjects: Subjects
  private readonly events: Events
  private readonly keptEvents: KeptEvents
  private readonly after
  private readonly isKnown
  private readonly numberOf
  private readonly idOf

  constructor(history: Db, subjects: Subjects, events: Events) {
    this.subjects = subjects
    this.events = events
    this.keptEvents = new KeptEvents(history)
    this.after = history.prepare(
      `SELECT seq, at, subject, record, plain FROM event WHERE kind = 'assignee.changed' AND ${inAuditTrail}
        AND seq > ? ORDER BY seq LIMIT ${page}`
    )
    this.isKnown = history.prepare(
      `SELECT 1 FROM applicant WHERE subject = ? AND (state <> ${codeOfApplicant('no-evidence')} OR decision IS NOT NULL)`
    )
    this.numberOf = history.prepare('SELECT seq FROM record WHERE id = ?').pluck()
    this.idOf = history.prepare('SELECT id FROM record WHERE seq = ?').pluck()
  }

  claims({ after, kept }: Parameters<ExchangeStore['claims']>[0]): OwnClaim[] {
    const isKept = this.keptEvents.of(kept)
    return (this.after.all(after) as ClaimRow[]).flatMap((row) =>
      isKept({ ...row, kind: 'assignee.changed' }) ? [] : (this.claim(row) ?? [])
    )
  }

  private claim({ seq, at, subject, record }: ClaimRow): OwnClaim | undefined {
    const { plain, sealed } = this.events.get<AssigneePlain, AssigneeSealed>(seq)
    const { operator, assigned, late, to, of } = plain
    const applicantId = record === null && subject !== null ? this.subjects.applicantOf(subject) : undefined
    const what = of ? { of } : record !== null ? { record } : applicantId === undefined ? undefined : { applicantId }
    return (
      what && {
        seq,
        at,
        operator,
        assigned,
        ...(late && { late }),
        ...(to !== undefined && { to }),
        ...what,
        ...(sealed && { assignee: sealed.assignee })
      }
    )
  }

  present(applicantIds: readonly string[]): string[] {
    return applicantIds.filter((id) => {
      const subject = this.subjects.ofApplicant(id)
      return subject !== undefined && this.isKnown.get(subject) !== undefined
    })
  }

  records(which: Parameters<ExchangeStore['records']>[0]): { readonly id: string; readonly number: number }[] {
    if ('ids' in which)
      return which.ids.flatMap((id) => {
        const bytes = uuidBytes(id)
        const number = bytes && (this.numberOf.get(bytes) as number | undefined)
        return number === undefined ? [] : [{ id, number }]
      })
    return which.numbers.flatMap((number) => {
      const bytes = this.idOf.get(number) as Buffer | undefined
      return bytes ? [{ id: uuidText(bytes), number }] : []
    })
  }
}
