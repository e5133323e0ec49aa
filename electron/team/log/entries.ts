/**
 * Which received events are shown, and under which subject: kept up to date within the transaction that adds the events.
 * What they say is read when it is shown, since their keys arrive later and may go again.
 */
import { teamDeedKinds, type TeamDeedKind } from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { valuesOf, type SharedEvent } from './content.ts'
import { NewestEvidence } from './newest-evidence.ts'
import { placeOf } from './places.ts'

/** The number of a kind of entry in the file. New kinds are appended to the contract's list. */
export const codeOfEntry = (kind: TeamDeedKind): number => teamDeedKinds.indexOf(kind)

const shown: ReadonlyMap<string, TeamDeedKind> = new Map<string, TeamDeedKind>([
  ['record.begun', 'check'],
  ['decision.made', 'decision'],
  ['note.made', 'note'],
  ['tags.changed', 'tags'],
  ['due.changed', 'due'],
  ['assignee.changed', 'assignee'],
  ['hold.placed', 'hold'],
  ['hold.lifted', 'hold'],
  ['subject.erased', 'erasure'],
  ['approval.asked', 'approval-asked'],
  ['approval.answered', 'approval-answered'],
  ['relationship.changed', 'relationship'],
  ['risk.rated', 'risk'],
  ['expiry.noted', 'expiry'],
  ['review.recorded', 'review'],
  ['challenge.recorded', 'challenge']
])

/** Beyond these Unix milliseconds there is no date. */
const lastDate = 8.64e15

export class Entries {
  private readonly add
  private readonly begin
  private readonly end
  private readonly resolve
  private readonly begun
  private readonly move
  private readonly connect
  private readonly noteChecklist
  private readonly noteVoid
  private readonly newest: NewestEvidence
  private readonly unknown
  private readonly known

  constructor(db: Db) {
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    this.add = prepare('INSERT INTO entry (place, at, kind, ref, subject, record) VALUES (?, ?, ?, ?, ?, ?)')
    // A member can break the rules of a history: of two events where there can be one, the first counts.
    this.begin = prepare(
      'INSERT INTO check_end (ref, record, begun, subject) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
    )
    this.end = prepare('UPDATE check_end SET ended = ? WHERE ref = ? AND record = ? AND ended IS NULL')
    this.resolve = prepare(
      `UPDATE check_end SET resolved = ? WHERE ref = ? AND record = ? AND ended IS NOT NULL AND resolved IS NULL`
    )
    this.begun = prepare('SELECT begun, subject FROM check_end WHERE ref = ? AND record = ?')
    this.move = prepare('UPDATE entry SET subject = ? WHERE place = ?')
    this.newest = new NewestEvidence(db)
    this.unknown = prepare('INSERT INTO open_unknown VALUES (?, ?) ON CONFLICT DO NOTHING')
    this.known = prepare('DELETE FROM open_unknown WHERE ref = ? AND record = ?')
    this.connect = prepare('INSERT INTO connection VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    this.noteVoid = prepare('INSERT INTO void_answer VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    this.noteChecklist = prepare('INSERT INTO checklist VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  }

  /** A verified event was added. @param ref Of its installation in the file. */
  onAdded(ref: number, seq: number, event: SharedEvent): void {
    const { at, kind, subject, record, plain } = event
    this.newest.onAdded(ref, seq, event)
    // Its installation does not share what it says.
    if (!plain) return
    if (kind === 'connection.noted') this.onNoted(this.connect, ref, seq, event)
    else if (kind === 'checklist.noted') this.onNoted(this.noteChecklist, ref, seq, event)
    else if (kind === 'approval.received') this.onReceived(ref, event)
    else if (record !== null) this.onRecord(ref, seq, event, record)
    const entry = shown.get(kind)
    if (entry === undefined) return
    // The subject of an erasure is that of its reason.
    if (entry !== 'erasure' && subject === null) return
    if (entry === 'check' && (record === null || this.begin.run(ref, record, seq, subject).changes === 0)) return
    this.add.run(
      placeOf(ref, seq),
      Math.min(Math.max(at, 0), lastDate),
      codeOfEntry(entry),
      ref,
      entry === 'erasure' ? null : subject,
      entry === 'check' ? record : null
    )
  }

  private onRecord(ref: number, seq: number, { kind, subject, plain }: SharedEvent, record: number): void {
    if (kind === 'record.ended') {
      if (this.end.run(seq, ref, record).changes > 0 && valuesOf(plain)?.['outcome'] === 'unknown')
        this.unknown.run(ref, record)
    } else if (kind === 'record.resolved') {
      if (this.resolve.run(seq, ref, record).changes > 0) this.known.run(ref, record)
    } else if (kind === 'link.made' || kind === 'link.removed') {
      const check = this.check(ref, record)
      // A linked verification is one of its applicant.
      if (check && subject !== null)
        this.move.run(kind === 'link.made' ? subject : check.subject, placeOf(ref, check.begun))
    }
  }

  private onReceived(ref: number, { plain }: SharedEvent): void {
    const { answer, void: isVoid } = valuesOf(plain) ?? {}
    const [installation, seq] = Array.isArray(answer) ? (answer as unknown[]) : []
    if (isVoid === true && typeof installation === 'string' && Number.isSafeInteger(seq))
      this.noteVoid.run(ref, installation, seq)
  }

  /** What other events refer to by its number. */
  private onNoted(statement: ReturnType<Db['prepare']>, ref: number, seq: number, { plain }: SharedEvent): void {
    const number = valuesOf(plain)?.['ref']
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0)
      statement.run(ref, number, placeOf(ref, seq))
  }

  private check(ref: number, record: number): { readonly begun: number; readonly subject: number } | undefined {
    return this.begun.get(ref, record) as { readonly begun: number; readonly subject: number } | undefined
  }
}
