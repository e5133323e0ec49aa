/**
 * What waits at colleagues: applicants without a decision and unknown outcomes, by the rules of the local queue, and which
 * events are claims. Kept up to date within the transaction that adds the events.
 */
import { z } from 'zod'
import { decisions } from '#contract/applicants/applicants.ts'
import { isEvidence } from '#contract/evidence/rule.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import { resolutions } from '#contract/history/records.ts'
import { colleagueEntryKinds, type ColleagueEntry, type TeamQueueEntry } from '#contract/team/queue.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { readContent, valuesOf, type SharedEvent } from './content.ts'
import { mostEvents } from './database.ts'
import { placeOf } from './places.ts'

/** The number of a state in the file. New ones are appended. */
const states = ['not-waiting', 'open', 'escalated', 'outdated', 'unresolved'] as const satisfies readonly (
  | TeamQueueEntry['kind']
  | 'not-waiting'
)[]
export function waitingState(code: number): TeamQueueEntry['kind'] | undefined {
  const state = states[code]
  return state === 'not-waiting' ? undefined : state
}
export const codeOfEntryKind = (kind: ColleagueEntry['kind']): number => colleagueEntryKinds.indexOf(kind)
const codeOf = (state: (typeof states)[number]): number => states.indexOf(state)
export const claimKind = 'assignee.changed'

/** The entry waits. An index has the same words. */
export const isWaiting = `state <> ${codeOf('not-waiting')}`

export const waitingTables = `
  -- Entries of colleagues' queues: "kind" is the number of its kind (codeOfEntryKind), "number" that of the applicant or the record
  -- at its installation, "since" by its clock; "decision" is the event of its installation's last one.
  CREATE TABLE waiting (
    ref INTEGER NOT NULL, kind INTEGER NOT NULL, number INTEGER NOT NULL, state INTEGER NOT NULL,
      since INTEGER NOT NULL, decision INTEGER, PRIMARY KEY (ref, kind, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX waiting_since ON waiting (since, ref, kind, number, state) WHERE ${isWaiting};
  -- Claims, handovers and releases.
  CREATE TABLE claim_event (place INTEGER PRIMARY KEY) STRICT;`

export const orderTable = `
  -- The order of claims, as the database shows it.
  CREATE TABLE claim_order (n INTEGER PRIMARY KEY, installation TEXT NOT NULL, seq INTEGER NOT NULL, UNIQUE (installation, seq)) STRICT;`

const endedForm = z.object({
  outcome: z.enum(outcomeIds),
  reply: z.object({ status: z.int() }).nullable().optional().catch(undefined)
})
const resolvedForm = z.object({ as: z.enum(resolutions) })
const decisionForm = z.object({ decision: z.enum(decisions) })

interface CheckRow {
  readonly begun: number
  readonly ended: number | null
  readonly resolved: number | null
  /** Of the applicant that it is linked to, or its own. */
  readonly subject: number
  readonly at: number
}

/** Statements on the file of received events. Throws SQLite's errors. */
export class WaitingEntries {
  private readonly row
  private readonly put
  private readonly drop
  private readonly claim
  private readonly check
  private readonly content

  constructor(db: Db) {
    this.row = db.prepare('SELECT state, since, decision FROM waiting WHERE ref = ? AND kind = ? AND number = ?')
    this.put = db.prepare(
      `INSERT INTO waiting VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (ref, kind, number) DO UPDATE SET state = excluded.state, since = excluded.since,
        decision = excluded.decision`
    )
    this.drop = db.prepare('DELETE FROM waiting WHERE ref = ? AND kind = ? AND number = ?')
    this.claim = db.prepare('INSERT INTO claim_event VALUES (?)')
    this.check = db.prepare(
      `SELECT c.begun, c.ended, c.resolved, coalesce(e.subject, c.subject) AS subject, e.at FROM check_end c
        JOIN entry e ON e.place = c.ref * ${mostEvents} + c.begun WHERE c.ref = ? AND c.record = ?`
    )
    this.content = db.prepare('SELECT content FROM event WHERE place = ?').pluck()
  }

  /** A verified event was added, and noted as an entry. @param ref Of its installation in the file. */
  onAdded(ref: number, seq: number, event: SharedEvent): void {
    const { kind, record, plain } = event
    if (!plain) return
    if (kind === claimKind) this.claim.run(placeOf(ref, seq))
    else if (kind === 'decision.made') this.onDecision(ref, seq, event)
    else if (kind === 'challenge.recorded') this.onChallenge(ref, event)
    else if (record !== null && (kind === 'record.ended' || kind === 'record.resolved' || kind === 'link.made'))
      this.onRecord(ref, seq, event, record)
  }

  private onDecision(ref: number, seq: number, { subject, at, plain }: SharedEvent): void {
    const read = decisionForm.safeParse(valuesOf(plain))
    if (subject !== null && read.success)
      this.put.run(
        ref,
        codeOfEntryKind('applicant'),
        subject,
        read.data.decision === 'escalate' ? codeOf('escalated') : codeOf('not-waiting'),
        dated(at),
        seq
      )
  }

  /** As newer evidence of whoever decided. */
  private onChallenge(ref: number, { subject, at }: SharedEvent): void {
    if (subject !== null) this.onEvidence(ref, subject, dated(at))
  }

  private onRecord(ref: number, seq: number, event: SharedEvent, record: number): void {
    const { kind, subject } = event
    const check = this.check.get(ref, record) as CheckRow | undefined
    if (!check) return
    const { ended, resolved } = check
    // The event itself is usually what is asked for, and is not read again.
    const saying: Saying = (number, form) => (number === seq ? readAs(form, event) : this.said(ref, number, form))
    const isUnknown = (): boolean => ended !== null && saying(ended, endedForm)?.outcome === 'unknown'
    // Of two events where there can be one, the first counts.
    if (kind === 'record.ended' && ended === seq && isUnknown())
      this.put.run(ref, codeOfEntryKind('record'), record, codeOf('unresolved'), check.at, null)
    else if (kind === 'record.resolved' && resolved === seq) this.drop.run(ref, codeOfEntryKind('record'), record)
    const isNews =
      (kind === 'record.ended' && ended === seq) ||
      (kind === 'record.resolved' && resolved === seq) ||
      kind === 'link.made'
    if (isNews && isEnoughOf(check, saying))
      this.onEvidence(ref, kind === 'link.made' ? (subject ?? check.subject) : check.subject, check.at)
  }

  private said<T extends z.ZodType>(ref: number, seq: number, form: T): z.output<T> | undefined {
    const content = this.content.get(placeOf(ref, seq)) as Buffer | undefined
    const event = content && readContent(content)
    return event && event !== 'newer' ? readAs(form, event) : undefined
  }

  private onEvidence(ref: number, subject: number, at: number): void {
    const kind = codeOfEntryKind('applicant')
    const known = this.row.get(ref, kind, subject) as
      | { readonly state: number; readonly since: number; readonly decision: number | null }
      | undefined
    const state = codeOf(known?.decision == null ? 'open' : 'outdated')
    this.put.run(ref, kind, subject, state, known?.state === state ? known.since : dated(at), known?.decision ?? null)
  }
}

/** What an event of the same installation says, by its number. */
type Saying = <T extends z.ZodType>(seq: number, form: T) => z.output<T> | undefined

function readAs<T extends z.ZodType>(form: T, { plain }: SharedEvent): z.output<T> | undefined {
  const read = form.safeParse(valuesOf(plain))
  return read.success ? read.data : undefined
}

/** Whether a check is evidence by what its events say. */
function isEnoughOf({ ended, resolved }: CheckRow, saying: Saying): boolean {
  const ending = ended === null ? undefined : saying(ended, endedForm)
  const as = resolved === null ? undefined : saying(resolved, resolvedForm)?.as
  return (
    ending !== undefined &&
    isEvidence({ state: ending.outcome, status: ending.reply?.status, ...(as && { resolved: { as } }) })
  )
}

/** Beyond these Unix milliseconds there is no date. */
const dated = (at: number): number => Math.min(Math.max(at, 0), 8.64e15)
