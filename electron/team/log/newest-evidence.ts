/**
 * The last event of each subject that is evidence, a decision or a challenge of one, kept within the transaction that adds events: what voids
 * an approval. The rule is that of contract/evidence/rule.ts. Of events that are not shared only their kind is known, so
 * each of them that may be evidence counts.
 */
import { evidenceResolution, isEvidence } from '#contract/evidence/rule.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { valuesOf, type SharedEvent } from './content.ts'
import { placeOf } from './places.ts'

interface CheckRow {
  readonly begun: number
  readonly ended: number | null
  readonly evidence: number | null
}

export class NewestEvidence {
  private readonly check
  private readonly subjectAt
  private readonly note
  private readonly mark

  constructor(db: Db) {
    this.check = db.prepare('SELECT begun, ended, evidence FROM check_end WHERE ref = ? AND record = ?')
    this.subjectAt = db.prepare('SELECT subject FROM entry WHERE place = ?').pluck()
    this.note = db.prepare(
      'INSERT INTO newest_evidence VALUES (?, ?, ?) ON CONFLICT (ref, subject) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq'
    )
    this.mark = db.prepare('UPDATE check_end SET evidence = ? WHERE ref = ? AND record = ?')
  }

  /** Before a link moves its verification: whose it is counts. @param ref Of the installation in the file. */
  onAdded(ref: number, seq: number, event: SharedEvent): void {
    const { kind, subject, record } = event
    if (kind === 'decision.made' || kind === 'challenge.recorded') this.add(ref, subject, seq)
    else if (record === null) return
    else if (kind === 'record.ended' || kind === 'record.resolved') this.onEnding(ref, seq, event, record)
    else if (
      (kind === 'link.made' || kind === 'link.removed') &&
      (!isShared(event) || this.row(ref, record)?.evidence != null)
    )
      this.add(ref, subject, seq)
  }

  private onEnding(ref: number, seq: number, event: SharedEvent, record: number): void {
    const check = this.row(ref, record)
    // Its beginning is not shared, so nobody can link it either.
    if (!check || !isShared(event)) return this.add(ref, event.subject, seq)
    if (!isEvidenceOf(event, check)) return
    this.mark.run(seq, ref, record)
    this.add(ref, (this.subjectAt.get(placeOf(ref, check.begun)) as number | null | undefined) ?? event.subject, seq)
  }

  private row(ref: number, record: number): CheckRow | undefined {
    return this.check.get(ref, record) as CheckRow | undefined
  }

  private add(ref: number, subject: number | null, seq: number): void {
    if (subject !== null) this.note.run(ref, subject, seq)
  }
}

const isShared = ({ plain }: SharedEvent): boolean => plain !== null

/** Of two endings of one verification, the first counts. */
function isEvidenceOf({ kind, plain }: SharedEvent, { ended, evidence }: CheckRow): boolean {
  const said = valuesOf(plain)
  if (!said || evidence !== null) return false
  if (kind === 'record.resolved') return ended !== null && said['as'] === evidenceResolution
  const outcome = outcomeIds.find((id) => id === said['outcome'])
  const { status } = (said['reply'] ?? {}) as { readonly status?: unknown }
  return (
    ended === null &&
    outcome !== undefined &&
    isEvidence({ state: outcome, ...(typeof status === 'number' && { status }) })
  )
}
