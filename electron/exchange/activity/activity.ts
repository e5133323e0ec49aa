/** What colleagues did, in pages: all of it, or what concerns one applicant. */
import { spellings } from '#kit/text/folding.ts'
import {
  teamDeedKinds,
  type TeamActivity,
  type TeamActivityQuery,
  type TeamApplicantQuery,
  type TeamCursor,
  type TeamEntry
} from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { subjectStates } from '#team/storage/states.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { byTime, newest, Positions, type Position } from './positions.ts'
import type { ReceivedEvents, SubjectPlace } from './received-events.ts'
import type { MemberNames, ShownEntries } from './shown.ts'

/** At most so many positions after one, in order. */
type Source = (after: Position, limit: number) => readonly Position[]

interface Paging {
  readonly limit: number
  readonly after?: TeamCursor | undefined
}

/** Exported for `EXPLAIN QUERY PLAN`. */
export const startingStatement = `SELECT ref, number FROM subject WHERE likeness >= ? AND likeness < ? AND state = ${subjectStates.here}
  ORDER BY likeness, ref, number LIMIT 200`

/** A page ends early after so many bytes of events, or entries that cannot be shown: a member can make both many. */
const most = { bytes: 16 * 1024 * 1024, hidden: 1000 } as const

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class Activity {
  private readonly events: ReceivedEvents
  private readonly shown: ShownEntries
  private readonly refOf
  private readonly positions: Positions
  private readonly startingWith

  constructor(db: Db, shown: ShownEntries) {
    this.events = shown.events
    this.shown = shown
    this.refOf = db.prepare('SELECT ref FROM installation WHERE id = ?').pluck()
    this.positions = new Positions(db)
    this.startingWith = db.prepare(startingStatement)
  }

  /** Newest first, by the clocks of the installations. */
  activity({ kinds, installation, applicant, ...paging }: TeamActivityQuery, names: MemberNames): TeamActivity {
    const ref = installation === undefined ? undefined : (this.refOf.get(installation) as number | undefined)
    if (installation !== undefined && ref === undefined) return { entries: [] }
    if (applicant !== undefined) return this.ofApplicants(applicant, { kinds, ref }, paging, names)
    const codes = [...new Set(kinds?.length ? kinds : teamDeedKinds)].map(codeOfEntry)
    const source: Source = (after, limit) =>
      merged(
        codes.flatMap((code) =>
          ref === undefined
            ? this.positions.after('ofKind', [code], after, limit)
            : this.positions.after('ofInstallation', [ref, code], after, limit)
        ),
        limit
      )
    return this.page(source, paging, names)
  }

  /** Entries about an applicant of all installations, with the checks that they linked to it. */
  applicant({ applicantId, ...paging }: TeamApplicantQuery, names: MemberNames): TeamActivity {
    const subjects = this.events.subjectsOf(applicantId)
    return this.page(
      (after, limit) =>
        merged(
          subjects.flatMap(({ ref, number }) => this.positions.after('ofSubject', [ref, number], after, limit)),
          limit
        ),
      paging,
      names
    )
  }

  /** Of applicants whose IDs begin with a text, as people see it: the first ones, since each has a place of its own to read from. */
  private ofApplicants(
    start: string,
    { kinds, ref }: { readonly kinds: TeamActivityQuery['kinds']; readonly ref: number | undefined },
    paging: Paging,
    names: MemberNames
  ): TeamActivity {
    const found = spellings(start).flatMap((each) => this.startingWith.all(each, `${each}\u{10FFFF}`) as SubjectPlace[])
    const subjects = [...new Map(found.map((each) => [`${each.ref} ${each.number}`, each])).values()].filter(
      (each) => ref === undefined || each.ref === ref
    )
    const source: Source = (after, limit) =>
      merged(
        subjects.flatMap((each) => this.positions.after('ofSubject', [each.ref, each.number], after, limit)),
        limit
      )
    return this.page(source, paging, names, kinds?.length ? (entry) => kinds.includes(entry.what.kind) : undefined)
  }

  private page(
    source: Source,
    { limit, after = newest }: Paging,
    names: MemberNames,
    isWanted: (entry: TeamEntry) => boolean = () => true
  ): TeamActivity {
    const entries: TeamEntry[] = []
    let last = after
    let hidden = 0
    this.events.bytes = 0
    for (;;) {
      const found = source(last, limit + 1)
      for (const position of found) {
        if (entries.length === limit || this.events.bytes > most.bytes || hidden > most.hidden)
          return { entries, next: last }
        const entry = this.shown.at(position.place, names)
        if (entry && isWanted(entry)) entries.push(entry)
        else hidden += 1
        last = position
      }
      if (found.length <= limit) return { entries }
    }
  }
}

const merged = (positions: readonly Position[], limit: number): readonly Position[] =>
  [...positions].sort(byTime).slice(0, limit)
