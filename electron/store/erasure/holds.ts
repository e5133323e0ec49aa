/** Legal holds, derived from their events. There are few, so they have no table. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { LegalHold } from '#contract/data-management/data-management.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { addMonths } from '#contract/applicants/reviews.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { HoldOrder } from '#wire/history/erasure.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Subject, Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'

/** An authority may extend the five years after a relationship by five more. */
const maxHoldMonths = 120

interface HeldSubject {
  readonly subject: number
  readonly hold: LegalHold
}

/** What the last event about somebody's hold says. */
export interface HoldState extends LegalHold {
  readonly subject: number
  readonly key: Buffer
  readonly held: boolean
  /** Number and time of the event. */
  readonly event: number
  readonly eventAt: number
}

interface HoldPlain {
  readonly operator: string
  /** When it was placed or lifted, if a restore carried it over from another file. */
  readonly since?: number
}
type HoldSealed = Pick<LegalHold, 'applicantId' | 'reason' | 'until' | 'reference'>

interface HoldParts {
  readonly history: Db
  readonly subjects: Subjects
}

interface HoldRow {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number
  readonly plain: string
  readonly sealed: Buffer
}
const holdEvents = `SELECT seq, at, kind, subject, plain, sealed FROM event WHERE kind IN ('hold.placed', 'hold.lifted')
  AND ${inAuditTrail}`

export class Holds {
  private readonly parts: HoldParts
  private readonly every
  private readonly lastOf

  constructor(parts: HoldParts) {
    this.parts = parts
    this.every = parts.history.prepare(`${holdEvents} ORDER BY seq`)
    this.lastOf = parts.history.prepare(`${holdEvents} AND subject = ? ORDER BY seq DESC LIMIT 1`)
  }

  private stateOf({ seq, at, kind, subject, plain, sealed }: HoldRow): HoldState | undefined {
    const key = this.parts.subjects.key(subject)
    if (!key) return undefined
    const opened = unseal(key, kind, sealed)
    const said = opened ? (JSON.parse(opened.payload) as HoldSealed) : { applicantId: '', reason: '' }
    const { operator, since = at } = JSON.parse(plain) as HoldPlain
    return { subject, key, held: kind === 'hold.placed', event: seq, eventAt: at, ...said, at: since, by: operator }
  }

  /** The last state of everybody who is or was held and was not erased, oldest first. */
  states(): HoldState[] {
    const last = new Map<number, HoldRow>()
    for (const row of this.every.all() as HoldRow[]) {
      last.delete(row.subject)
      last.set(row.subject, row)
    }
    return [...last.values()].flatMap((row) => this.stateOf(row) ?? [])
  }

  /** The hold of one subject; undefined without one. */
  of(subject: number): Pick<LegalHold, 'at' | 'by' | 'reason'> | undefined {
    const row = this.lastOf.get(subject) as HoldRow | undefined
    const state = row && this.stateOf(row)
    return state?.held ? { at: state.at, by: state.by, reason: state.reason } : undefined
  }

  /** The current holds, oldest first. */
  all(): HeldSubject[] {
    return this.states().flatMap(({ subject, held, key: _key, event: _event, eventAt: _eventAt, ...hold }) =>
      held ? [{ subject, hold }] : []
    )
  }

  list(): LegalHold[] {
    return this.all().map(({ hold }) => hold)
  }

  /**
   * Places, changes or lifts a hold; no effect if it is already as requested.
   * Failures: `applicant-missing`; `hold-until-invalid`, if its last day has passed or is more than 10 years away.
   */
  set(applicantId: string, held: boolean, order: HoldOrder, writer: Writer): Result<null, Failure> {
    const subject = this.parts.subjects.ofApplicant(applicantId)
    const key = subject === undefined ? undefined : this.parts.subjects.key(subject)
    if (subject === undefined || !key) return failed('applicant-missing')
    const { reason, until, reference } = order
    const row = this.lastOf.get(subject) as HoldRow | undefined
    const last = row && this.stateOf(row)
    const now = last?.held ? last : undefined
    const isSame = now?.reason === reason && now.until === until && now.reference === (reference || undefined)
    if (held ? isSame : !now) return ok(null)
    const date = isoDue(today(order.at))
    if (until !== undefined && (until < date || until > addMonths(date, maxHoldMonths)))
      return failed('hold-until-invalid')
    this.append(
      { ref: subject, key },
      held,
      { applicantId, reason, ...(until !== undefined && { until }), ...(reference && { reference }) },
      order.at,
      { operator: order.operator },
      writer
    )
    return ok(null)
  }

  /** Takes over a state from another file of this history: from now on, with who did it and when. */
  carry({ applicantId, held, reason, until, reference, by, at }: HoldState, now: number, writer: Writer): void {
    this.append(
      this.parts.subjects.forCheck(applicantId),
      held,
      { applicantId, reason, ...(until !== undefined && { until }), ...(reference !== undefined && { reference }) },
      now,
      { operator: by, since: at },
      writer
    )
  }

  private append(
    { ref, key }: Subject,
    held: boolean,
    payload: HoldSealed,
    at: number,
    plain: HoldPlain,
    writer: Writer
  ): void {
    writer.append(
      { at: Math.trunc(at), kind: held ? 'hold.placed' : 'hold.lifted', subject: ref, record: null, plain },
      { key, payload }
    )
  }
}
