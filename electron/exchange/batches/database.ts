/** The questions that shared batches ask the team's database. Every answer is checked for its form. */
import type { Attempt, Held } from '#team/thread/batch-ports.ts'
import { createHash } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { limits, refusals } from '#team/database/version-1.ts'
import type { TeamLine } from '#team/transport/line.ts'
import { askingRows, bytesOf, type ShownRow } from '#team/transport/rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface BatchParts {
  readonly chunks: number
  readonly done: number
  /** Every part up to this row is done, and gets no further intent. */
  readonly wholeUntil: number
  /** Of each installation that holds any. */
  readonly holds: readonly { readonly installation: string; readonly holds: number }[]
}
/** Intents of an installation, of all rows that were asked about. */
export interface CountedIntents {
  readonly installation: string
  readonly intents: number
  /** Of them, those up to the row that was named. */
  readonly until: number
}

export interface BatchTables {
  /** Makes it known, if nobody has. @returns Its terms as the database has them. */
  share(batch: string, rows: number, chunkRows: number): Answer<{ readonly rows: number; readonly chunkRows: number }>
  /** A part that nobody holds; undefined if there is none now. */
  take(batch: string, seconds: number): Answer<Held | undefined>
  /** Whether every part is done. */
  isOver(batch: string): Answer<boolean>
  /** False if somebody else holds it now. */
  renew(batch: string, held: Held, seconds: number): Answer<boolean>
  leave(batch: string, held: Held, done: boolean): Answer<boolean>
  /** Parts that are done, of a batch with few. */
  done(batch: string): Answer<readonly number[]>
  /** It was called done, and is not. */
  reopen(batch: string, n: number): Answer<unknown>
  /** For each row, whether it may be sent; `ended` if the lease has ended: then nothing is stored. */
  intend(batch: string, held: Held, attempts: readonly Attempt[]): Answer<readonly boolean[] | 'ended'>
  /** What this installation holds, from an earlier process of it. */
  mine(batch: string): Answer<readonly Held[]>
  /** How many installations hold a part of any of these batches. */
  holders(batches: readonly string[]): Answer<number>
  parts(batch: string): Answer<BatchParts>
  /** Of rows after one, by installation. */
  countIntents(batch: string, after: number, until: number): Answer<readonly CountedIntents[]>
  /** Rows of a stretch for which there is an intent, and whose. */
  intents(
    batch: string,
    from: number,
    to: number
  ): Answer<readonly { readonly row: number; readonly installation: string }[]>
}

/**
 * Asked once of each line of shared batches. A plan that the server keeps for `intend` was made while the batch had few
 * intents, and reads all of them with each call. Planning takes less than a millisecond. docs/decisions/0020-shared-batches.md.
 */
export const plansAnew = 'SET plan_cache_mode = force_custom_plan'

/** The ID under which the shares of a batch are leased. Nobody else has it: it is derived from that of the batch. */
export function lanesId(batch: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['veridesk/team/lanes', 1, batch]))
    .digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-'
  )
}

/** Installations of one answer, at most. */
const holders = 4000

const countOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
const heldOf = ({ n, fence }: ShownRow): Held | undefined => {
  const [part, number] = [countOf(n), countOf(fence)]
  return part === undefined || number === undefined ? undefined : { n: part, fence: number }
}
const isStale = ({ code, details }: Failure): boolean =>
  code === 'team-database-refused' && details?.['sqlState'] === refusals.staleLease

/** @param host Names the database in failures. */
export function batchTables(line: Pick<TeamLine, 'query'>, host: string): BatchTables {
  const rows = askingRows(line, host)
  const unusable = failed('team-answer-unusable', { host, reason: 'rows' })
  /** One row, or `unusable`. */
  const one = async <T>(asked: Answer<readonly T[]>): Answer<T> => {
    const answer = await asked
    if (!answer.ok) return answer
    const [first] = answer.value
    return first === undefined ? unusable : ok(first)
  }
  const unlessStale = async (asked: Answer<unknown>): Answer<boolean> => {
    const answer = await asked
    return answer.ok ? ok(true) : isStale(answer.failure) ? ok(false) : answer
  }
  return {
    async share(batch, wanted, chunk) {
      const shared = await line.query('SELECT veridesk.share_batch($1, $2, $3)', [batch, wanted, chunk])
      if (!shared.ok) return shared
      return one(
        rows(
          ({ row_count: all, chunk_rows: size }) => {
            const [count, chunkRows] = [countOf(all), countOf(size)]
            return count === undefined || chunkRows === undefined ? undefined : { rows: count, chunkRows }
          },
          1,
          'SELECT row_count, chunk_rows FROM veridesk.batch WHERE batch = $1',
          [batch]
        )
      )
    },
    async take(batch, seconds) {
      const taken = await rows(heldOf, 1, 'SELECT n, fence FROM veridesk.take_chunk($1, $2)', [batch, seconds])
      return taken.ok ? ok(taken.value[0]) : taken
    },
    isOver: async (batch) => {
      const open = await one(
        rows(
          ({ open: left }) => countOf(left),
          1,
          'SELECT count(*) AS open FROM veridesk.chunk WHERE batch = $1 AND NOT done',
          [batch]
        )
      )
      return open.ok ? ok(open.value === 0) : open
    },
    renew: (batch, { n, fence }, seconds) =>
      unlessStale(line.query('SELECT veridesk.renew_chunk($1, $2, $3, $4)', [batch, n, fence, seconds])),
    leave: (batch, { n, fence }, done) =>
      unlessStale(line.query('SELECT veridesk.leave_chunk($1, $2, $3, $4)', [batch, n, fence, done])),
    done: (batch) =>
      rows(({ n }) => countOf(n), limits.chunks, 'SELECT n FROM veridesk.chunk WHERE batch = $1 AND done ORDER BY n', [
        batch
      ]),
    reopen: (batch, n) => line.query('SELECT veridesk.reopen_chunk($1, $2)', [batch, n]),
    async intend(batch, { n, fence }, attempts) {
      const given = (value: unknown): value is boolean[] =>
        Array.isArray(value) && value.length === attempts.length && value.every((each) => typeof each === 'boolean')
      const answer = await one(
        rows(({ may }) => (given(may) ? { may } : undefined), 1, 'SELECT veridesk.intend($1, $2, $3, $4, $5) AS may', [
          batch,
          n,
          fence,
          attempts.map(({ row }) => row),
          attempts.map(({ attempt }) => attempt)
        ])
      )
      if (!answer.ok) return isStale(answer.failure) ? ok('ended') : answer
      return ok(answer.value.may)
    },
    mine: (batch) =>
      rows(
        heldOf,
        limits.chunks,
        'SELECT n, fence FROM veridesk.chunk WHERE batch = $1 AND NOT done AND owner = veridesk.my_installation()',
        [batch]
      ),
    holders: (batches) =>
      one(
        rows(
          ({ count }) => countOf(count),
          1,
          'SELECT count(DISTINCT owner) AS count FROM veridesk.chunk WHERE batch = ANY($1::uuid[]) AND NOT done AND until > clock_timestamp()',
          [batches]
        )
      ),
    async parts(batch) {
      const parts = await one(
        rows(
          ({ all, done, whole }) => {
            const [chunks, ended, wholeUntil] = [countOf(all), countOf(done), countOf(whole)]
            return chunks === undefined || ended === undefined || wholeUntil === undefined
              ? undefined
              : { chunks, done: ended, wholeUntil }
          },
          1,
          `SELECT count(*) AS all, count(*) FILTER (WHERE done) AS done,
          coalesce(coalesce(min(n) FILTER (WHERE NOT done), count(*)) * (SELECT chunk_rows FROM veridesk.batch WHERE batch = $1), 0) AS whole
        FROM veridesk.chunk WHERE batch = $1`,
          [batch]
        )
      )
      if (!parts.ok) return parts
      const holds = await rows(
        ({ owner, holds: count }) => {
          const [id, held] = [bytesOf(owner, 16), countOf(count)]
          return id && held !== undefined ? { installation: id.toString('hex'), holds: held } : undefined
        },
        holders,
        'SELECT owner, count(*) AS holds FROM veridesk.chunk WHERE batch = $1 AND NOT done AND until > clock_timestamp() GROUP BY owner',
        [batch]
      )
      return holds.ok ? ok({ ...parts.value, holds: holds.value }) : holds
    },
    countIntents: (batch, after, until) =>
      rows(
        ({ installation, intents, known }) => {
          const [id, all, final] = [bytesOf(installation, 16), countOf(intents), countOf(known)]
          return id && all !== undefined && final !== undefined
            ? { installation: id.toString('hex'), intents: all, until: final }
            : undefined
        },
        holders,
        'SELECT installation, count(*) AS intents, count(*) FILTER (WHERE row_no <= $3) AS known FROM veridesk.intent WHERE batch = $1 AND row_no > $2 GROUP BY installation',
        [batch, after, until]
      ),
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
