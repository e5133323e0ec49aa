/** Reads the answers of an applicant from which the standing ones are taken, without opening them. */
import { standingAnswers, type PlacedAnswer } from '#contract/applicants/standing.ts'
import { codeOfState } from '../projections/columns.ts'
import { evidenceEvent } from '../projections/evidence-rule.ts'

export interface Answered extends PlacedAnswer {
  /** Number of the message in the catalogue, or the HTTP status below zero if it is not there. */
  readonly said: number
}
export interface AnsweredRow {
  readonly approved: number | null
  readonly answers: string | null
}

const said = 'coalesce(r.message, -coalesce(r.status, 0))'
/** Whether a record `r` has an answer that is evidence. */
export const isAnswer = `r.state = ${codeOfState('answered')} AND ${evidenceEvent} IS NOT NULL`

/** Columns of an applicant `a`: what `standingOf` reads. A record that was linked later became evidence of this applicant then. */
export const answeredColumns = `
  (SELECT json_extract(plain, '$.evidence') FROM event
    WHERE seq = a.decision AND json_extract(plain, '$.decision') = 'approve'
      -- A proposal approves nobody before a second person agrees.
      AND (json_extract(plain, '$.requires') IS NOT 1
        OR (SELECT json_extract(plain, '$.agrees') FROM event WHERE seq = a.answer) IS 1)) AS approved,
  (SELECT group_concat(answer) FROM (
    SELECT r.operation || ':' || r.seq || ':' || r.ended || ':' || ${said} AS answer
      FROM record r WHERE r.subject = a.subject AND ${isAnswer}
    UNION ALL SELECT r.operation || ':' || r.seq || ':' || max(r.ended, l.event) || ':' || ${said}
      FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = a.subject AND ${isAnswer})) AS answers`

/** The standing answers, the newest first. */
export function standingOf({ approved, answers }: AnsweredRow): Answered[] {
  const all = (answers?.split(',') ?? []).map((answer): Answered => {
    const [operation = 0, seq = 0, since = 0, message = 0] = answer.split(':').map(Number)
    return { operation, seq, since, said: message }
  })
  return standingAnswers(all, approved ?? 0)
}
