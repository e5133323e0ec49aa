/** Whether a colleague sent the same check before: for the guard against paying twice. */
import type { SameCheck } from '#team/thread/asked.ts'
import { createHash } from 'node:crypto'
import { applicantFieldOf } from '#contract/verification/operations.ts'
import type { TeamEntry } from '#contract/team/activity.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import { canonicalCheck } from '#wire/history/record-payloads.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { subjectStates } from '#team/storage/states.ts'
import { refOf, seqOf } from '#team/log/places.ts'
import { plainOf, sealedOf } from './forms.ts'
import { byTime, newest, Positions, type Position } from './positions.ts'
import type { ReceivedEvents } from './received-events.ts'
import type { MemberNames, ShownEntries } from './shown.ts'

/** How many checks are compared for one answer: of an applicant; of all, and of these, how many may be new. */
const most = { ofApplicant: 2000, compared: 20_000, opened: 2000, prepared: 200, page: 500, bytes: 256 * 1024 } as const

/** Exported for `EXPLAIN QUERY PLAN`. */
export const earlierStatements = {
  ofSubject: `SELECT at, place FROM (SELECT at, place, kind FROM entry WHERE ref = ? AND subject = ? AND at >= ?
    ORDER BY at DESC, place DESC LIMIT ${most.ofApplicant}) WHERE kind = ${codeOfEntry('check')}`,
  // A larger event is none of Veridesk, and only costs time.
  isOpen: `SELECT 1 FROM entry e JOIN check_end c ON c.ref = e.ref AND c.record = e.record
    JOIN subject s ON s.ref = c.ref AND s.number = c.subject
    JOIN event v ON v.place = e.place WHERE e.place = ? AND s.state = ${subjectStates.here} AND length(v.content) <= ${most.bytes}`
} as const

export class EarlierChecks {
  private readonly events: ReceivedEvents
  private readonly shown: ShownEntries
  private readonly ofSubject
  private readonly isOpen
  private readonly positions: Positions
  // In memory alone: a digest on disk would outlast an erasure. What is found is opened again.
  private readonly digests = new Map<number, string>()

  constructor(db: Db, shown: ShownEntries) {
    this.events = shown.events
    this.shown = shown
    this.ofSubject = db.prepare(earlierStatements.ofSubject)
    this.isOpen = db.prepare(earlierStatements.isOpen)
    this.positions = new Positions(db)
  }

  /**
   * The newest check of a colleague with the same operation, service and input that was answered, or may have been sent.
   * Checks whose keys have not arrived are not compared.
   */
  find(same: SameCheck, names: MemberNames): TeamEntry | undefined {
    const { operation, input, origin, since, applicantId } = same
    const wanted = digestOf(operation, origin, input)
    const field = applicantFieldOf(operation)
    const about = field === undefined ? applicantId : input[field]
    const ofApplicant = about === undefined ? [] : this.ofApplicant(about, since)
    const found = this.first(ofApplicant, wanted, names)
    // Any colleague's check of an operation without an applicant can be the same.
    if (field !== undefined) return found
    const other = this.first(this.newest(since), wanted, names)
    return found && (!other || found.at >= other.at) ? found : other
  }

  /**
   * Opens some checks of a time in advance, so that an answer need not wait for them; for moments without other work.
   *
   * @returns Whether more are left.
   */
  prepare(since: number): boolean {
    let opened = 0
    for (const { place } of this.newest(since)) {
      if (this.digests.has(place) || !this.isOpen.get(place)) continue
      if (opened === most.prepared) return true
      opened += 1
      this.remember(place)
    }
    return false
  }

  /** What a check asked, as a digest; of one that says nothing, an empty text. */
  private remember(place: number): string {
    const digest = this.open(place) ?? ''
    if (this.digests.size >= 2 * most.compared) this.digests.clear()
    this.digests.set(place, digest)
    return digest
  }

  private first(candidates: Iterable<Position>, wanted: string, names: MemberNames): TeamEntry | undefined {
    let opened = 0
    for (const { place } of candidates) {
      let digest = this.digests.get(place)
      if (digest === undefined) {
        if (!this.isOpen.get(place)) continue
        opened += 1
        digest = this.remember(place)
      }
      if (digest === wanted && this.open(place) === wanted) {
        const entry = this.shown.at(place, names)
        if (entry && mayHaveBeenSent(entry)) return entry
      }
      if (opened >= most.opened) return undefined
    }
    return undefined
  }

  private ofApplicant(applicantId: string, since: number): readonly Position[] {
    const found = this.events
      .subjectsOf(applicantId)
      .flatMap(({ ref, number }) => this.ofSubject.all(ref, number, since) as Position[])
    return found.sort(byTime)
  }

  private *newest(since: number): Generator<Position> {
    let last = newest
    for (let compared = 0; compared < most.compared; compared += most.page) {
      const found = this.positions.after('ofKind', [codeOfEntry('check')], last, most.page)
      yield* found.filter(({ at }) => at >= since)
      const end = found.at(-1)
      if (!end || end.at < since || found.length < most.page) return
      last = end
    }
  }

  /** A digest of what a check asked; undefined if it is not open. */
  private open(place: number): string | undefined {
    const event = this.events.get(refOf(place), seqOf(place))
    const plain = event && this.events.plain(event, plainOf.begun)
    const key = event && event.subject !== null ? this.events.subject(event.ref, event.subject).key : null
    const input = event && plain && this.events.sealed(event, key, sealedOf.begun)?.input
    const origin = event && plain && input && this.shown.connection(event.ref, plain.connection)?.origin
    return plain && input && origin !== undefined ? digestOf(plain.operation, origin, input) : undefined
  }
}

const digestOf = (operation: string, origin: string, input: VerificationInput): string =>
  createHash('sha256')
    .update(canonicalCheck(operation, origin, input))
    .digest('base64')

/** Whether it reached the service, as far as anybody knows. */
const mayHaveBeenSent = ({ what }: TeamEntry): boolean =>
  what.kind === 'check' && what.outcome !== 'not-sent' && what.resolved !== 'not-processed'
