/** The questions that shared batches ask the team's database. Every answer is checked for its form. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { refusals } from '#team/database/schema.ts'
import type { Attempt } from '#team/thread/batch-ports.ts'
import type { BatchFigures, Runner } from '#team/thread/batches.ts'
import type { TeamLine } from '#team/transport/line.ts'
import { askingRows, bytesOf, type ShownRow } from '#team/transport/rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface BatchTables {
  /** Who runs it now: this installation, if nobody else did. */
  take(batch: string, seconds: number): Answer<Runner & { readonly fence: number }>
  /** A sign of life. @returns False for who is the runner no more. */
  renew(batch: string, fence: number, seconds: number): Answer<boolean>
  leave(batch: string, fence: number): Answer<unknown>
  /** For each row, whether it may be sent; `ended` for who is the runner no more: then nothing is stored. */
  intend(batch: string, fence: number, attempts: readonly Attempt[]): Answer<readonly boolean[] | 'ended'>
  figures(batch: string): Answer<BatchFigures>
  /** Rows of a stretch for which there is an intent, and whose. */
  intents(
    batch: string,
    from: number,
    to: number
  ): Answer<readonly { readonly row: number; readonly installation: string }[]>
}

/**
 * Asked once of each line of shared batches. A plan that the server keeps for `intend` was made while the batch had few
 * intents, and reads all of them with each call. Planning takes less than a millisecond.
 */
export const plansAnew = 'SET plan_cache_mode = force_custom_plan'

/** Installations of one answer, at most. */
const mostRunners = 4000

const countOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
const runnerOf = ({ installation, since }: ShownRow): Runner | undefined => {
  const id = bytesOf(installation, 16)
  return id && since instanceof Date ? { installation: id.toString('hex'), since: since.getTime() } : undefined
}
const isOver = ({ code, details }: Failure): boolean =>
  code === 'team-database-refused' && details?.['sqlState'] === refusals.otherRunner

/** @param host Names the database in failures. */
export function batchTables(line: Pick<TeamLine, 'query'>, host: string): BatchTables {
  const rows = askingRows(line, host)
  /** One row, or `team-answer-unusable`. */
  const one = async <T>(asked: Answer<readonly T[]>): Answer<T> => {
    const answer = await asked
    if (!answer.ok) return answer
    const [first] = answer.value
    return first === undefined ? failed('team-answer-unusable', { host, reason: 'rows' }) : ok(first)
  }
  return {
    take: (batch, seconds) =>
      one(
        rows(
          (shown) => {
            const [runner, fence] = [runnerOf(shown), countOf(shown['fence'])]
            return runner && fence !== undefined ? { ...runner, fence } : undefined
          },
          1,
          'SELECT fence, installation, since FROM veridesk.take_batch($1, $2)',
          [batch, seconds]
        )
      ),
    async renew(batch, fence, seconds) {
      const renewed = await line.query('SELECT veridesk.renew_batch($1, $2, $3)', [batch, fence, seconds])
      return renewed.ok ? ok(true) : isOver(renewed.failure) ? ok(false) : renewed
    },
    leave: (batch, fence) => line.query('SELECT veridesk.leave_batch($1, $2)', [batch, fence]),
    async intend(batch, fence, attempts) {
      const given = (value: unknown): value is boolean[] =>
        Array.isArray(value) && value.length === attempts.length && value.every((each) => typeof each === 'boolean')
      const answer = await one(
        rows(({ may }) => (given(may) ? { may } : undefined), 1, 'SELECT veridesk.intend($1, $2, $3, $4) AS may', [
          batch,
          fence,
          attempts.map(({ row }) => row),
          attempts.map(({ attempt }) => attempt)
        ])
      )
      if (!answer.ok) return isOver(answer.failure) ? ok('ended') : answer
      return ok(answer.value.may)
    },
    async figures(batch) {
      const runner = await rows(
        (shown) => {
          const last = runnerOf(shown)
          return last && { ...last, isRunning: shown['running'] === true }
        },
        1,
        `SELECT installation, since, until > clock_timestamp() AS running FROM veridesk.runner WHERE batch = $1
          ORDER BY fence DESC LIMIT 1`,
        [batch]
      )
      if (!runner.ok) return runner
      const installations = await rows(
        ({ installation, intents }) => {
          const [id, count] = [bytesOf(installation, 16), countOf(intents)]
          return id && count !== undefined ? { installation: id.toString('hex'), intents: count } : undefined
        },
        mostRunners,
        `SELECT installation, sum(intents)::bigint AS intents FROM veridesk.runner WHERE batch = $1
          GROUP BY installation HAVING sum(intents) > 0 ORDER BY installation`,
        [batch]
      )
      return installations.ok ? ok({ runner: runner.value[0], installations: installations.value }) : installations
    },
    intents: (batch, from, to) =>
      rows(
        ({ row_no: number, installation }) => {
          const [row, id] = [countOf(number), bytesOf(installation, 16)]
          return row !== undefined && id ? { row, installation: id.toString('hex') } : undefined
        },
        to - from + 1,
        'SELECT row_no, installation FROM veridesk.intent WHERE batch = $1 AND row_no BETWEEN $2 AND $3 ORDER BY row_no',
        [batch, from, to]
      )
  }
}
