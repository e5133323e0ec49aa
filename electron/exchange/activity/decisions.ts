/** Colleagues' decisions about an applicant, read from what was received. */
import type { Db } from '#wire/sqlite/files.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { seqOf } from '#team/log/places.ts'
import { plainOf } from './forms.ts'
import type { ReceivedEvents } from './received-events.ts'
import type { ShownEntries } from './shown.ts'
import type { KnownDecision } from './standing.ts'

/** Of an installation: the newest ones, so many or so many bytes. Older ones were replaced long ago, or it is no honest member. */
const most = { decisions: 100, bytes: 8 * 1024 * 1024 } as const
/** Exported for `EXPLAIN QUERY PLAN`. */
export const decisionsStatement = `SELECT at, place FROM entry WHERE ref = ? AND subject = ? AND kind = ${codeOfEntry('decision')}
  ORDER BY place DESC LIMIT ${most.decisions}`
export const challengedStatement = `SELECT 1 FROM entry WHERE ref = ? AND subject = ? AND kind = ${codeOfEntry('challenge')}
  AND place > ? LIMIT 1`

export class ReceivedDecisions {
  private readonly events: ReceivedEvents
  private readonly shown: ShownEntries
  private readonly ofSubject
  private readonly challenged

  constructor(db: Db, shown: ShownEntries) {
    this.events = shown.events
    this.shown = shown
    this.ofSubject = db.prepare(decisionsStatement)
    this.challenged = db.prepare(challengedStatement)
  }

  /** Whether a colleague decided about an applicant at all; opens no event. */
  about(applicantId: string): boolean {
    return this.events.subjectsOf(applicantId).some(({ ref, number }) => this.ofSubject.get(ref, number) !== undefined)
  }

  of(applicantId: string): readonly KnownDecision[] {
    const found: KnownDecision[] = []
    const bytes = new Map<number, number>()
    for (const { ref, number } of this.events.subjectsOf(applicantId)) {
      const installation = this.shown.installation(ref)
      if (installation === undefined) continue
      for (const { at, place } of this.ofSubject.all(ref, number) as {
        readonly at: number
        readonly place: number
      }[]) {
        this.events.bytes = bytes.get(ref) ?? 0
        if (this.events.bytes > most.bytes) break
        const event = this.events.get(ref, seqOf(place))
        bytes.set(ref, this.events.bytes)
        const plain = event && this.events.plain(event, plainOf.decision)
        if (event && plain)
          found.push({
            installation,
            seq: event.seq,
            hash: event.hash.toString('hex'),
            at,
            operator: plain.operator,
            decision: plain.decision,
            supersedes: plain.supersedes ?? [],
            ...(plain.requires === 1 && { proposed: true as const }),
            // Of earlier decisions nobody asks: only the last one of an installation can stand.
            ...(this.challenged.get(ref, number, place) !== undefined && { challenged: true as const })
          })
      }
    }
    return found
  }
}
