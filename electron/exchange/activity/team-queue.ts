/** What waits at colleagues and not here, in pages, longest first, with who claimed it. */
import {
  colleagueEntryKinds,
  type TeamQueue,
  type TeamQueueCursor,
  type TeamQueueEntry,
  type TeamQueueQuery
} from '#contract/team/queue.ts'
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { placeOf } from '#team/log/places.ts'
import { codeOfEntryKind, isWaiting, waitingState } from '#team/log/waiting.ts'
import type { ClaimedEntry, ClaimStates } from './claims.ts'
import type { ReceivedDecisions } from './decisions.ts'
import type { MemberNames, ShownEntries } from './shown.ts'
import { answered, standingOf, type Answers } from './standing.ts'

interface WaitingRow extends TeamQueueCursor {
  readonly state: number
}
interface Candidate extends WaitingRow {
  readonly installation: string
  readonly kind: number
  readonly applicantId?: string
}

/** What is known of some applicants besides colleagues' events. */
export type KnownOf = (applicantIds: readonly string[]) => Promise<{
  /** Those that this installation has itself: they wait in its own queue, or were decided there. */
  readonly here: ReadonlySet<string>
  /** What second persons said of decisions about the others. */
  readonly answers: Answers
}>

/** Exported for `EXPLAIN QUERY PLAN`. */
export const waitingStatements = {
  page: `SELECT since, ref, kind, number, state FROM waiting WHERE ${isWaiting}
    AND (since, ref, kind, number) > (?, ?, ?, ?) ORDER BY since, ref, kind, number LIMIT ?`,
  lastCheck: `SELECT place FROM entry WHERE ref = ? AND subject = ? AND +kind = ${codeOfEntry('check')}
    ORDER BY at DESC, place DESC LIMIT 1`
} as const
/** Rows of one read, and rows that may be passed over for one page. */
const most = { read: 200, passed: 2000, bytes: 16 * 1024 * 1024 } as const
const isApplicant = (kind: number): boolean => kind === codeOfEntryKind('applicant')

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class ColleaguesQueue {
  private readonly shown: ShownEntries
  private readonly decisions: ReceivedDecisions
  private readonly rows
  private readonly stateOf
  private readonly lastCheck
  private readonly begun

  constructor(db: Db, shown: ShownEntries, decisions: ReceivedDecisions) {
    this.shown = shown
    this.decisions = decisions
    this.rows = db.prepare(waitingStatements.page)
    this.stateOf = db.prepare(
      `SELECT since, ref, kind, number, state FROM waiting WHERE ref = ? AND kind = ? AND number = ? AND ${isWaiting}`
    )
    this.lastCheck = db.prepare(waitingStatements.lastCheck).pluck()
    this.begun = db.prepare('SELECT begun FROM check_end WHERE ref = ? AND record = ?').pluck()
  }

  async page(
    { limit, after, claimed = 'all' }: TeamQueueQuery,
    { names, claims }: { readonly names: MemberNames; readonly claims: ClaimStates },
    known: KnownOf
  ): Promise<NonNullable<TeamQueue>> {
    const entries: TeamQueueEntry[] = []
    let last: TeamQueueCursor = after ?? { since: -1, ref: 0, kind: 0, number: 0 }
    let passed = 0
    let bytes = 0
    for (;;) {
      const rows = this.rows.all(last.since, last.ref, last.kind, last.number, most.read) as WaitingRow[]
      const candidates = rows.map((row) => this.candidate(row))
      const { here, answers } = await known([
        ...new Set(
          candidates.flatMap((each) =>
            each?.applicantId !== undefined && isApplicant(each.kind) ? [each.applicantId] : []
          )
        )
      ])
      for (const [index, row] of rows.entries()) {
        if (entries.length === limit || passed > most.passed || bytes > most.bytes)
          return { entries, next: last, name: claims.name, handles: claims.handles, supervises: claims.supervises }
        const candidate = candidates[index]
        this.shown.events.bytes = 0
        const isHere =
          candidate?.applicantId !== undefined && isApplicant(candidate.kind) && here.has(candidate.applicantId)
        const entry = candidate && !isHere ? this.entry(candidate, { names, claims, answers }) : undefined
        bytes += this.shown.events.bytes
        if (entry && isChosen(entry, claimed)) entries.push(entry)
        else passed += 1
        const { since, ref, kind, number } = row
        last = { since, ref, kind, number }
      }
      if (rows.length < most.read)
        return { entries, name: claims.name, handles: claims.handles, supervises: claims.supervises }
    }
  }

  private candidate(row: WaitingRow): Candidate | undefined {
    const installation = this.shown.installation(row.ref)
    if (installation === undefined) return undefined
    if (!isApplicant(row.kind)) return { ...row, installation }
    const applicantId = applicantIdSchema.safeParse(this.shown.events.subject(row.ref, row.number).applicant).data
    return applicantId === undefined ? undefined : { ...row, installation, applicantId }
  }

  private entry(
    row: Candidate,
    { names, claims, answers }: { readonly names: MemberNames; readonly claims: ClaimStates; readonly answers: Answers }
  ): TeamQueueEntry | undefined {
    const kind = isApplicant(row.kind) ? this.kindOf(row, answers) : 'unresolved'
    const entryKind = colleagueEntryKinds[row.kind]
    if (!kind || !entryKind) return undefined
    const begun = isApplicant(row.kind) ? undefined : (this.begun.get(row.ref, row.number) as number | undefined)
    const place =
      begun === undefined ? (this.lastCheck.get(row.ref, row.number) as number | undefined) : placeOf(row.ref, begun)
    const check = place === undefined ? undefined : this.shown.at(place, names)
    const applicantId = row.applicantId ?? check?.applicantId
    const entry = { installation: row.installation, kind: entryKind, number: row.number }
    const claimed: ClaimedEntry = entryKind === 'applicant' && applicantId !== undefined ? { applicantId } : entry
    return {
      entry,
      member: names.get(row.installation) ?? row.installation,
      kind,
      since: row.since,
      ...(applicantId !== undefined && { applicantId }),
      ...(check?.what.kind === 'check' && { check: { ...check.what, at: check.at } }),
      ...claims.of(claimed)
    }
  }

  /** The state of an applicant in the whole team; undefined if somebody has decided, or another row stands for it. */
  private kindOf(
    { applicantId = '', since, ref, number }: Candidate,
    answers: Answers
  ): TeamQueueEntry['kind'] | undefined {
    const rows = this.shown.events
      .subjectsOf(applicantId)
      .flatMap(
        (each) =>
          (this.stateOf.get(each.ref, codeOfEntryKind('applicant'), each.number) as WaitingRow | undefined) ?? []
      )
    // Several installations have the same applicant: the row that waits longest stands for all.
    const isFirst = rows.every(
      (each) =>
        each.since > since || (each.since === since && (each.ref > ref || (each.ref === ref && each.number >= number)))
    )
    if (!isFirst) return undefined
    if (rows.some(({ state }) => waitingState(state) === 'outdated')) return 'outdated'
    const decisions = this.decisions.of(applicantId)
    const [strictest] = standingOf(decisions.map((each) => answered(each, [each.installation, each.seq], answers)))
    if (!strictest) return 'open'
    return strictest.decision === 'escalate' ? 'escalated' : undefined
  }
}

function isChosen({ claim }: TeamQueueEntry, claimed: TeamQueueQuery['claimed'] & string): boolean {
  if (claimed === 'all') return true
  return claimed === 'free' ? !claim : claimed === 'own' ? claim?.own === true : claim?.own === false
}
