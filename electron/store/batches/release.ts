/** Rows of a shared batch that wait here become the team's again. */
import { states } from '../projections/columns.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import { codeOfRow } from './codes.ts'

interface WaitingHere {
  readonly row: number
  readonly subject: number
  /** State of the record of its last attempt; null if it was not tried. */
  readonly tried: number | null
}

const waiting = codeOfRow('waiting')

/** @returns Gives back the rows of a batch, by its number in the file. Within a transaction. */
export function createRelease(db: Db, subjects: Subjects): (batch: number) => void {
  const left = db.prepare(
    `SELECT r.row, r.subject, h.state AS tried FROM batch_row r LEFT JOIN record h ON h.seq = r.record
      WHERE r.batch = ? AND r.state = ${waiting}`
  )
  const move = db.prepare('UPDATE batch_row SET state = ? WHERE batch = ? AND row = ?')
  const placeOf = ({ subject, tried }: WaitingHere): number => {
    // A row that was tried is not sent by anybody else: it keeps the outcome of its last attempt.
    const outcome = tried === null ? undefined : (states[tried] ?? 'unknown')
    if (outcome) return codeOfRow(outcome === 'open' ? 'unknown' : outcome)
    // Nobody sends a row whose applicant was erased.
    return codeOfRow(subjects.key(subject) ? 'shared' : 'cancelled')
  }
  return (batch) => {
    for (const row of left.all(batch) as WaitingHere[]) move.run(placeOf(row), batch, row.row)
  }
}
