/** Colleagues' decisions with the evidence that each rests on, in pages of what has changed: for the figures of the overview. */
import type { ColleagueCase, ColleagueCases, ColleagueEvent } from '#wire/history/colleagues.ts'
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { placeOf, refOf, seqOf } from '#team/log/places.ts'
import { subjectStates } from '#team/storage/states.ts'
import { plainOf } from './forms.ts'
import type { SubjectPlace } from './received-events.ts'
import type { ShownEntries } from './shown.ts'

/** Cases of a page; entries of one subject, the newest: who has more is no honest member. */
const most = { cases: 500, entries: 2000 } as const
const [check, decision] = [codeOfEntry('check'), codeOfEntry('decision')]
const [answer, challenge] = [codeOfEntry('approval-answered'), codeOfEntry('challenge')]

/** Exported for `EXPLAIN QUERY PLAN`. */
export const caseStatements = {
  // Links move checks, so the last place alone does not say that nothing has changed.
  // Answers are under the subjects of those who gave them.
  decided: `SELECT d.ref, d.subject AS number, coalesce(n.seq, 0) || ' ' || s.state || ' ' || (SELECT count(*) || ' ' || max(e.place)
      FROM entry e WHERE e.ref = d.ref AND e.subject = d.subject) || ' ' || (SELECT count(*) FROM subject o
      JOIN entry a ON a.ref = o.ref AND a.subject = o.number WHERE o.applicant = s.applicant AND a.kind = ${answer}) AS stamp, s.applicant
    FROM (SELECT DISTINCT ref, subject FROM entry WHERE kind = ${decision}) d
    LEFT JOIN newest_evidence n ON n.ref = d.ref AND n.subject = d.subject
    JOIN subject s ON s.ref = d.ref AND s.number = d.subject WHERE s.state <> ${subjectStates.erased}`,
  entries: `SELECT place, kind, record FROM entry WHERE ref = ? AND subject = ? AND kind IN (${check}, ${decision}, ${challenge})
    ORDER BY at DESC, place DESC LIMIT ${most.entries}`
} as const

/** What second persons said of decisions about an applicant, by installation and number. */
export interface SecondReader {
  /** Changes whenever what was found before may differ. */
  readonly stamp: string
  of(
    applicantId: string
  ): ReadonlyMap<
    string,
    { readonly answers: readonly { readonly at: number; readonly agrees: boolean; readonly installation: string }[] }
  >
}

interface Known {
  readonly stamp: string
  readonly key: string
}

/** Reads the file of received events for one reader, who says what it has. Throws SQLite's errors. */
export class ColleaguesCases {
  private readonly shown: ShownEntries
  private readonly changes
  private readonly decided
  private readonly entries
  private readonly evidence
  private version = 0
  private changed: string | undefined
  /** Subjects that were given, by their places. */
  private known = new Map<number, Known>()
  private pending = new Set<string>()

  constructor(db: Db, shown: ShownEntries) {
    this.shown = shown
    this.changes = db.prepare('SELECT total_changes()').pluck()
    this.decided = db.prepare(caseStatements.decided)
    this.entries = db.prepare(caseStatements.entries)
    this.evidence = db.prepare('SELECT evidence FROM check_end WHERE ref = ? AND record = ?').pluck()
  }

  /** @param version That of the page before; 0 at the start. @param second What second persons said; absent if nobody was asked. */
  page(version: number, second?: SecondReader): ColleagueCases {
    const whole = version !== this.version || version === 0
    if (whole) {
      this.changed = undefined
      this.known = new Map()
      this.pending = new Set()
    }
    this.look(second?.stamp ?? '')
    const keys = [...this.pending].slice(0, most.cases)
    for (const key of keys) this.pending.delete(key)
    if (whole || keys.length > 0) this.version += 1
    return {
      version: this.version,
      whole,
      cases: keys.map((key) => this.case(key, second)),
      more: this.pending.size > 0
    }
  }

  /** Notes what has changed since the last look. */
  private look(answers: string): void {
    const changed = `${this.changes.get() as number} ${answers}`
    if (changed === this.changed) return
    this.changed = changed
    const gone = new Map(this.known)
    for (const row of this.decided.iterate()) {
      const { ref, number, stamp, applicant } = row as SubjectPlace & {
        readonly stamp: string
        readonly applicant: string | null
      }
      const place = placeOf(ref, number)
      const applicantId = applicantIdSchema.safeParse(applicant).data
      const now = {
        stamp: `${stamp} ${answers}`,
        key: applicantId === undefined ? `subject ${place}` : `applicant ${applicantId}`
      }
      const before = this.known.get(place)
      gone.delete(place)
      if (before?.stamp === now.stamp && before.key === now.key) continue
      if (before) this.pending.add(before.key)
      this.pending.add(now.key)
      this.known.set(place, now)
    }
    for (const [place, { key }] of gone) {
      this.known.delete(place)
      this.pending.add(key)
    }
  }

  private case(key: string, second?: SecondReader): ColleagueCase {
    const [kind = '', id = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
    const subjects =
      kind === 'applicant'
        ? this.shown.events.subjectsOf(id)
        : this.known.get(Number(id))?.key === key
          ? [{ ref: refOf(Number(id)), number: seqOf(Number(id)) }]
          : []
    const events = subjects.flatMap(({ ref, number }) => this.eventsOf(ref, number))
    const isProposed = events.some((event) => event.kind === 'decided' && event.proposed)
    return {
      key,
      ...(kind === 'applicant' && { applicantId: id }),
      events:
        kind === 'applicant' && second && isProposed ? [...events, ...this.answers(events, second.of(id))] : events
    }
  }

  private answers(events: readonly ColleagueEvent[], found: ReturnType<SecondReader['of']>): ColleagueEvent[] {
    return events.flatMap((event) => {
      if (event.kind !== 'decided' || !event.proposed) return []
      const { place: decided } = event
      const installation = this.shown.installation(refOf(decided))
      const second = installation === undefined ? undefined : found.get(`${installation} ${seqOf(decided)}`)
      return (second?.answers ?? []).map(({ at, agrees, installation: by }) => ({
        kind: 'answered' as const,
        place: decided,
        // Nobody answers what is not decided yet, whatever their clock says.
        at: Math.max(at, event.at),
        decision: decided,
        agrees,
        by
      }))
    })
  }

  private eventsOf(ref: number, number: number): readonly ColleagueEvent[] {
    const rows = this.entries.all(ref, number) as {
      readonly place: number
      readonly kind: number
      readonly record: number | null
    }[]
    return rows.flatMap(({ place, kind, record }) =>
      kind === decision
        ? this.decision(place)
        : kind === challenge
          ? this.challenge(place)
          : this.check(place, ref, record)
    )
  }

  private decision(place: number): ColleagueEvent | [] {
    const event = this.shown.events.get(refOf(place), seqOf(place))
    const plain = event && this.shown.events.plain(event, plainOf.decision)
    if (!event || !plain) return []
    const { decision: made, operator = '', evidence = 0, requires, seen, set } = plain
    return {
      kind: 'decided',
      place,
      at: event.at,
      decision: made,
      operator,
      proposed: requires === 1,
      evidence: placeOf(event.ref, evidence),
      seen,
      set
    }
  }

  private challenge(place: number): ColleagueEvent | [] {
    const event = this.shown.events.get(refOf(place), seqOf(place))
    return event ? { kind: 'challenged', place, at: event.at } : []
  }

  /** Evidence when it has arrived there, or was resolved. */
  private check(begun: number, ref: number, record: number | null): ColleagueEvent | [] {
    const seq = this.evidence.get(ref, record) as number | null | undefined
    const event = seq == null ? undefined : this.shown.events.get(ref, seq)
    const what = event && this.shown.at(begun, new Map())?.what
    if (!event || what?.kind !== 'check') return []
    const { operation, connection, status, message } = what
    return { kind: 'evidence', place: placeOf(ref, event.seq), at: event.at, operation, connection, status, message }
  }
}
