/** Questions to the team's database whose answers are checked row by row: they may come from anybody. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamLine } from './line.ts'

/** A row before it is checked. */
export type ShownRow = Readonly<Record<string, unknown>>

/** Asks for rows: `read` gives undefined for one that has another form, and `most` is how many an honest database shows. */
export type AskRows = <Row>(
  read: (row: ShownRow) => Row | undefined,
  most: number,
  text: string,
  values?: readonly unknown[]
) => Promise<Result<readonly Row[], Failure>>

/** Failures of what it asks: the line's; `team-answer-unusable`. @param host Names the database in failures. */
export const askingRows =
  (line: Pick<TeamLine, 'query'>, host: string): AskRows =>
  async (read, most, text, values = []) => {
    const unusable = failed('team-answer-unusable', { host, reason: 'rows' })
    const answer = await line.query<ShownRow>(text, values)
    if (!answer.ok) return answer
    // A server can answer one question with several results, of which the driver makes no rows.
    if (!Array.isArray(answer.value)) return unusable
    const found = answer.value.flatMap((each) => read(each) ?? [])
    return found.length === answer.value.length && found.length <= most ? ok(found) : unusable
  }

/** Bytes of a row, of a length if one is given. */
export const bytesOf = (value: unknown, length?: number): Buffer | undefined =>
  Buffer.isBuffer(value) && (length === undefined || value.length === length) ? value : undefined
