/** What colleagues are doing, counted in the file of received events. Throws SQLite's errors. */
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import { teamOverviewRows, type TeamPeriod } from '#contract/team/overview.ts'
import type { TeamEntry } from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { anchorStates, subjectStates } from '#team/storage/states.ts'
import { refOf, seqOf } from '#team/log/places.ts'
import { plainOf, sealedOf } from './forms.ts'
import type { MemberNames, ShownEntries } from './shown.ts'

/** Events that are read for the figures of people: the newest. A team of 200 records fewer in a day. */
const mostRead = 20_000
/** Applicants whose decisions are compared: those with the newest. */
const mostCompared = 2000

export interface PersonWork {
  readonly installation: string
  readonly person: string
  readonly checks: number
  readonly decisions: number
}

/** A decision of a colleague that counts once a second person agrees. */
export interface Proposal {
  readonly installation: string
  readonly seq: number
  readonly place: number
  readonly applicantId?: string
}

export interface WaitingApplicant {
  readonly installation: string
  readonly applicantId: string
  /** Who handles it, as its installation recorded it; empty if nobody does. */
  readonly assignee: string
}

/** Exported for `EXPLAIN QUERY PLAN`. */
export const workStatements = {
  inPeriod: 'SELECT place FROM entry WHERE kind = ? AND at >= ? AND at < ? ORDER BY at DESC LIMIT ?',
  counts: `SELECT i.id AS installation, count(*) AS count FROM entry e JOIN installation i USING (ref)
      WHERE e.kind = ? AND e.at >= ? AND e.at < ? GROUP BY e.ref`,
  // One that anybody decided about waits for nobody.
  waiting: `SELECT s.ref, i.id AS installation, s.number, s.applicant FROM subject s JOIN installation i USING (ref)
    WHERE s.state = ${subjectStates.here} AND s.applicant IS NOT NULL AND EXISTS (SELECT 1 FROM entry e
      WHERE e.ref = s.ref AND e.subject = s.number AND e.kind = ${codeOfEntry('check')})
      AND NOT EXISTS (SELECT 1 FROM subject d JOIN entry x ON x.ref = d.ref AND x.subject = d.number
        WHERE d.applicant = s.applicant AND x.kind = ${codeOfEntry('decision')}) LIMIT ?`,
  assignee: 'SELECT place FROM entry WHERE ref = ? AND subject = ? AND kind = ? ORDER BY place DESC LIMIT 1',
  unknown:
    'SELECT i.id AS installation, count(*) AS count FROM open_unknown JOIN installation i USING (ref) GROUP BY ref',
  unknowns: `SELECT e.place FROM open_unknown u JOIN check_end c USING (ref, record)
      JOIN entry e ON e.place = u.ref * 1099511627776 + c.begun ORDER BY e.at DESC LIMIT ?`,
  decided: `SELECT DISTINCT s.applicant FROM (SELECT ref, subject, max(at) AS at FROM entry
    WHERE kind = ${codeOfEntry('decision')} GROUP BY ref, subject ORDER BY max(at) DESC LIMIT ?) e
    JOIN subject s ON s.ref = e.ref AND s.number = e.subject WHERE s.applicant IS NOT NULL`,
  confirmed: `SELECT "by" AS installation, "of", a.seq, a.at FROM anchored a WHERE checked = ${anchorStates.same}`
} as const

export class TeamWorkReading {
  private readonly shown: ShownEntries
  private readonly statements

  constructor(db: Db, shown: ShownEntries) {
    this.shown = shown
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    this.statements = {
      inPeriod: prepare(workStatements.inPeriod).pluck(),
      counts: prepare(workStatements.counts),
      waiting: prepare(workStatements.waiting),
      assignee: prepare(workStatements.assignee).pluck(),
      unknown: prepare(workStatements.unknown),
      unknowns: prepare(workStatements.unknowns).pluck(),
      decided: prepare(workStatements.decided).pluck(),
      confirmed: prepare(workStatements.confirmed)
    }
  }

  /** Checks or decisions of a period, by installation. */
  counts(kind: 'check' | 'decision', { from, until }: TeamPeriod): ReadonlyMap<string, number> {
    return counted(this.statements.counts.all(codeOfEntry(kind), from, until))
  }

  /** Decisions of a period that need a second person, among the newest, with the applicants whose IDs are known. */
  proposals({ from, until }: TeamPeriod): readonly Proposal[] {
    const places = this.statements.inPeriod.all(codeOfEntry('decision'), from, until, mostRead) as number[]
    return places.flatMap((place) => {
      const installation = this.shown.installation(refOf(place))
      const event = this.shown.events.get(refOf(place), seqOf(place))
      const plain = event && this.shown.events.plain(event, plainOf.decision)
      if (!event || installation === undefined || plain?.requires !== 1) return []
      const subject = event.subject === null ? undefined : this.shown.events.subject(event.ref, event.subject)
      const applicantId = applicantIdSchema.safeParse(subject?.applicant).data
      return [{ installation, seq: event.seq, place, ...(applicantId !== undefined && { applicantId }) }]
    })
  }

  /** By person, as far as the newest events go. `more`: there are others. @param open Places of decisions that do not count yet. */
  people(
    { from, until }: TeamPeriod,
    open: ReadonlySet<number> = new Set()
  ): { readonly people: readonly PersonWork[]; readonly more: boolean } {
    const found = new Map<string, PersonWork>()
    let more = false
    for (const kind of ['check', 'decision'] as const) {
      const places = this.statements.inPeriod.all(codeOfEntry(kind), from, until, mostRead) as number[]
      more ||= places.length === mostRead
      for (const place of places) {
        if (open.has(place)) continue
        const [installation, person] = [this.shown.installation(refOf(place)), this.operatorAt(place)]
        if (installation === undefined || person === undefined) continue
        const known = found.get(`${installation} ${person}`) ?? { installation, person, checks: 0, decisions: 0 }
        found.set(
          `${installation} ${person}`,
          kind === 'check' ? { ...known, checks: known.checks + 1 } : { ...known, decisions: known.decisions + 1 }
        )
      }
    }
    return { people: [...found.values()], more }
  }

  private operatorAt(place: number): string | undefined {
    const event = this.shown.events.get(refOf(place), seqOf(place))
    return event && this.shown.events.plain(event, plainOf.any)?.operator
  }

  /** Applicants that colleagues checked and none of them decided about, with whom they are assigned to. */
  waiting(): { readonly applicants: readonly WaitingApplicant[]; readonly more: boolean } {
    const rows = this.statements.waiting.all(teamOverviewRows.waiting + 1) as {
      readonly ref: number
      readonly installation: string
      readonly number: number
      readonly applicant: string
    }[]
    const applicants = rows.slice(0, teamOverviewRows.waiting).map(({ ref, installation, number, applicant }) => ({
      installation,
      applicantId: applicant,
      assignee: this.assigneeOf(ref, number)
    }))
    return { applicants, more: rows.length > teamOverviewRows.waiting }
  }

  private assigneeOf(ref: number, number: number): string {
    const place = this.statements.assignee.get(ref, number, codeOfEntry('assignee')) as number | undefined
    const event = place === undefined ? undefined : this.shown.events.get(ref, seqOf(place))
    if (!event || this.shown.events.plain(event, plainOf.assignee)?.assigned !== true) return ''
    return (
      this.shown.events.sealed(event, this.shown.events.subject(ref, number).key, sealedOf.assignee)?.assignee ?? ''
    )
  }

  /** Checks of colleagues whose outcome is unknown and that nobody has resolved, by installation. */
  unknown(): ReadonlyMap<string, number> {
    return counted(this.statements.unknown.all())
  }

  /** The newest of them. */
  unknowns(names: MemberNames): readonly TeamEntry[] {
    return (this.statements.unknowns.all(teamOverviewRows.unknowns) as number[]).flatMap(
      (place) => this.shown.at(place, names) ?? []
    )
  }

  /** Applicants that colleagues decided about: those with the newest decisions. */
  decided(): { readonly applicants: readonly string[]; readonly more: boolean } {
    const applicants = this.statements.decided.all(mostCompared) as string[]
    return { applicants, more: applicants.length === mostCompared }
  }

  /** What each installation has confirmed: the last event of each other one, and when that arrived here. */
  confirmed(): readonly {
    readonly installation: string
    readonly of: string
    readonly seq: number
    readonly at: number
  }[] {
    return this.statements.confirmed.all() as { installation: string; of: string; seq: number; at: number }[]
  }
}

const counted = (rows: readonly unknown[]): ReadonlyMap<string, number> =>
  new Map(
    (rows as { readonly installation: string; readonly count: number }[]).map(({ installation, count }) => [
      installation,
      count
    ])
  )
