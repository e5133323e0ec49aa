/** The questions that shared batches ask the team's database. Every answer is checked for its form. */
import { createHash } from 'node:crypto'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { limits, refusals } from '#core/team/database/version-1.ts'
import type { TeamLine } from '#core/team/transport/line.ts'
import { askingRows, bytesOf, type ShownRow } from '#core/team/transport/rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A part of a batch that an installation holds, until its lease ends or somebody with a later fence has it. */
export interface Held {
  readonly n: number
  readonly fence: number
}
export interface Attempt {
  readonly row: number
  /** A UUID; repeated with the same one, an intent stays one. */
  readonly attempt: string
}

/** How far a batch is, by installation. */
export interface BatchFigures {
  readonly chunks: number
  readonly done: number
  readonly installations: readonly { readonly installation: string; readonly intents: number; readonly holds: number }[]
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
  /** For each row, whether it may be sent; `ended` if the lease has ended: then nothing is stored. */
  intend(batch: string, held: Held, attempts: readonly Attempt[]): Answer<readonly boolean[] | 'ended'>
  /** What this installation holds, from an earlier process of it. */
  mine(batch: string): Answer<readonly Held[]>
  /** How many installations hold a part of any of these batches. */
  holders(batches: readonly string[]): Answer<number>
  figures(batch: string): Answer<BatchFigures>
  /** Rows of a stretch for which there is an intent, and whose. */
  intents(batch: string, from: number, to: number): Answer<readonly { readonly row: number; readonly installation: string }[]>
}

/** The ID under which the shares of a batch are leased. Nobody else has it: it is derived from that of the batch. */
export function lanesId(batch: string): string {
  const hex = createHash('sha256').update(JSON.stringify(['veridesk/team/lanes', 1, batch])).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

const countOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
const heldOf = ({ n, fence }: ShownRow): Held | undefined => {
  const [part, number] = [countOf(n), countOf(fence)]
  return part === undefined || number === undefined ? undefined : { n: part, fence: number }
}
const isStale = ({ code, details }: Failure): boolean => code === 'team-database-refused' && details?.['sqlState'] === refusals.staleLease

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
      return one(rows(({ row_count: all, chunk_rows: size }) => {
        const [count, chunkRows] = [countOf(all), countOf(size)]
        return count === undefined || chunkRows === undefined ? undefined : { rows: count, chunkRows }
      }, 1, 'SELECT row_count, chunk_rows FROM veridesk.batch WHERE batch = $1', [batch]))
    },
    async take(batch, seconds) {
      const taken = await rows(heldOf, 1, 'SELECT n, fence FROM veridesk.take_chunk($1, $2)', [batch, seconds])
      return taken.ok ? ok(taken.value[0]) : taken
    },
    isOver: async (batch) => {
      const open = await one(rows(({ open: left }) => countOf(left), 1, 'SELECT count(*) AS open FROM veridesk.chunk WHERE batch = $1 AND NOT done', [batch]))
      return open.ok ? ok(open.value === 0) : open
    },
    renew: (batch, { n, fence }, seconds) => unlessStale(line.query('SELECT veridesk.renew_chunk($1, $2, $3, $4)', [batch, n, fence, seconds])),
    leave: (batch, { n, fence }, done) => unlessStale(line.query('SELECT veridesk.leave_chunk($1, $2, $3, $4)', [batch, n, fence, done])),
    async intend(batch, { n, fence }, attempts) {
      const given = (value: unknown): value is boolean[] => Array.isArray(value) && value.length === attempts.length && value.every((each) => typeof each === 'boolean')
      const answer = await one(rows(({ may }) => (given(may) ? { may } : undefined), 1, 'SELECT veridesk.intend($1, $2, $3, $4, $5) AS may', [
        batch, n, fence, attempts.map(({ row }) => row), attempts.map(({ attempt }) => attempt)
      ]))
      if (!answer.ok) return isStale(answer.failure) ? ok('ended') : answer
      return ok(answer.value.may)
    },
    mine: (batch) => rows(heldOf, limits.chunks, 'SELECT n, fence FROM veridesk.chunk WHERE batch = $1 AND NOT done AND owner = veridesk.my_installation()', [batch]),
    holders: (batches) =>
      one(rows(({ count }) => countOf(count), 1, 'SELECT count(DISTINCT owner) AS count FROM veridesk.chunk WHERE batch = ANY($1::uuid[]) AND NOT done AND until > clock_timestamp()', [batches])),
    async figures(batch) {
      const chunks = await one(rows(({ all, done }) => {
        const [count, ended] = [countOf(all), countOf(done)]
        return count === undefined || ended === undefined ? undefined : { chunks: count, done: ended }
      }, 1, 'SELECT count(*) AS all, count(*) FILTER (WHERE done) AS done FROM veridesk.chunk WHERE batch = $1', [batch]))
      if (!chunks.ok) return chunks
      const installations = await rows(({ installation, intents, holds }) => {
        const [id, sent, held] = [bytesOf(installation, 16), countOf(intents), countOf(holds)]
        return id && sent !== undefined && held !== undefined ? { installation: id.toString('hex'), intents: sent, holds: held } : undefined
      }, 4000, `SELECT installation, sum(intents)::bigint AS intents, sum(holds)::bigint AS holds FROM (
          SELECT installation, 1 AS intents, 0 AS holds FROM veridesk.intent WHERE batch = $1
          UNION ALL SELECT owner, 0, 1 FROM veridesk.chunk WHERE batch = $1 AND NOT done AND until > clock_timestamp()) AS part
        GROUP BY installation ORDER BY installation`, [batch])
      return installations.ok ? ok({ ...chunks.value, installations: installations.value }) : installations
    },
    intents: (batch, from, to) =>
      rows(({ row_no: number, installation }) => {
        const [row, id] = [countOf(number), bytesOf(installation, 16)]
        return row !== undefined && id ? { row, installation: id.toString('hex') } : undefined
      }, to - from + 1, 'SELECT row_no, installation FROM veridesk.intent WHERE batch = $1 AND row_no BETWEEN $2 AND $3 ORDER BY row_no', [batch, from, to])
  }
}
