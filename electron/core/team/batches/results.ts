/** Results of a shared batch, in the order of its file, with the outcomes of all installations. */
import type { ReceivedOutcome, ReceivedRow } from '#team/thread/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ResultRow, ResultSource } from '#core/batches/results.ts'
import type { RowsWanted } from '#wire/history/batches.ts'
import type { TeamBatchWorker } from '#team/thread/batches.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface WholeBatch {
  readonly id: string
  /** The installation that shared it; undefined for this one. */
  readonly from: string | undefined
  readonly worker: Pick<TeamBatchWorker, 'page' | 'outcomes' | 'twice' | 'intents' | 'figures' | 'names'>
  /** The batch here; undefined if nothing of it was run here. */
  readonly own: ResultSource | undefined
}

/** What a row is called whose outcome is missing. */
interface Standing {
  /** Rows with an intent; undefined if the database cannot be asked. */
  readonly intents: ReadonlyMap<number, string> | undefined
  /** Somebody runs the batch. */
  readonly isRunning: boolean
}

/**
 * Rows that were begun, or are about to be, are in progress while somebody runs the batch; otherwise nobody sends them any
 * more, and their outcome is unknown. Without the database, they are with the team.
 */
export function missingOutcome(
  row: number,
  begun: boolean,
  { intents, isRunning }: Standing
): 'open' | 'unknown' | 'shared' {
  if (!begun && !intents?.has(row)) return 'shared'
  return isRunning ? 'open' : 'unknown'
}

const isHere = ({ state }: ResultRow): boolean => state !== 'shared' && state !== 'waiting'

/** A row as a colleague shared it. */
const asShared = ({ row, state, cells = [], closed }: ReceivedRow): ResultRow => ({
  row,
  tries: 0,
  cells,
  state: state === 'waiting' ? 'shared' : state,
  ...(closed === 'erased' && { remark: 'The applicant was erased.' })
})

function withOutcome(
  row: ResultRow,
  outcome: ReceivedOutcome | undefined,
  stands: Standing,
  by: string | undefined
): ResultRow {
  const remark = by ?? row.remark
  const ended = outcome && outcome.state !== 'open' ? outcome.state : undefined
  return {
    ...row,
    state: ended ?? missingOutcome(row.row, outcome !== undefined, stands),
    ...(outcome && { record: recordOf(outcome) }),
    ...(remark !== undefined && { remark })
  }
}

export function wholeResults({ id, from, worker, own }: WholeBatch): ResultSource {
  let known: { readonly names: Readonly<Record<string, string>>; readonly isRunning: boolean | undefined } | undefined

  async function know(): Answer<NonNullable<typeof known>> {
    if (known) return ok(known)
    const names = await worker.names()
    if (!names.ok) return names
    // Without the database, what was received is shown.
    const figures = await worker.figures(id)
    return ok(
      (known = {
        names: names.value,
        isRunning: figures.ok ? figures.value.runner?.isRunning === true : undefined
      })
    )
  }

  /** The next rows as they were shared, with what is known here. */
  async function page(wanted: RowsWanted): Answer<{ readonly rows: readonly ResultRow[]; readonly more: boolean }> {
    const all = { after: wanted.after, limit: wanted.limit, records: wanted.records }
    if (from === undefined) return own ? own.results(id, all) : ok({ rows: [], more: false })
    const given = await worker.page(id, from, wanted.after, wanted.limit)
    if (!given.ok) return given
    const last = given.value.at(-1)?.row
    const here =
      own && last !== undefined
        ? await own.results(id, { ...all, limit: given.value.length })
        : ok({ rows: [], more: false })
    if (!here.ok) return here
    const ownRows = new Map(here.value.rows.map((row) => [row.row, row]))
    const rows = given.value.map((row) => {
      const mine = ownRows.get(row.row)
      return mine && isHere(mine) ? mine : asShared(row)
    })
    return ok({ rows, more: given.value.length === wanted.limit })
  }

  async function standing(rows: readonly ResultRow[], isRunning: boolean | undefined): Promise<Standing> {
    const [first, last] = [rows[0]?.row, rows.at(-1)?.row]
    if (isRunning === undefined || first === undefined || last === undefined)
      return { intents: undefined, isRunning: true }
    const found = await worker.intents(id, first, last)
    return {
      intents: found.ok ? new Map(found.value.map(({ row, installation }) => [row, installation])) : undefined,
      isRunning: isRunning || !found.ok
    }
  }

  async function withOutcomes(rows: readonly ResultRow[]): Answer<readonly ResultRow[]> {
    const open = rows.filter(({ state }) => state === 'shared')
    const [first, last] = [open[0], open.at(-1)]
    if (!first || !last) return ok(rows)
    const facts = await know()
    if (!facts.ok) return facts
    const found = await worker.outcomes(id, first.row, last.row)
    if (!found.ok) return found
    const outcomes = new Map(found.value.map((outcome) => [outcome.row, outcome]))
    const stands = await standing(open, facts.value.isRunning)
    const nameOf = (installation: string | undefined): string | undefined =>
      installation && `Run by ${facts.value.names[installation] ?? installation}.`
    return ok(
      rows.map((row) => {
        if (row.state !== 'shared') return row
        const outcome = outcomes.get(row.row)
        return withOutcome(row, outcome, stands, nameOf(outcome?.installation ?? stands.intents?.get(row.row)))
      })
    )
  }

  /** Rows that two installations have sent say so, with both records. */
  async function withTwice(rows: readonly ResultRow[]): Answer<readonly ResultRow[]> {
    const [first, last] = [rows[0]?.row, rows.at(-1)?.row]
    if (first === undefined || last === undefined) return ok(rows)
    const found = await worker.twice(id, first, last)
    if (!found.ok || found.value.length === 0) return found.ok ? ok(rows) : found
    const facts = await know()
    if (!facts.ok) return facts
    const nameOf = (installation: string): string => facts.value.names[installation] ?? installation
    const twice = new Map(found.value.map((each) => [each.row, each]))
    return ok(
      rows.map((row) => {
        const both = twice.get(row.row)
        return both
          ? {
              ...row,
              warning: `Sent twice: by ${nameOf(both.installation)} (record ${both.record}) and by ${nameOf(both.other)} (record ${both.otherRecord}).`
            }
          : row
      })
    )
  }

  return {
    async results(_, wanted) {
      for (let after = wanted.after; ;) {
        const read = await page({ ...wanted, after })
        if (!read.ok) return read
        const outcomes = await withOutcomes(read.value.rows)
        if (!outcomes.ok) return outcomes
        const whole = await withTwice(outcomes.value)
        if (!whole.ok) return whole
        const { states } = wanted
        const rows = states ? whole.value.filter(({ state }) => states.includes(state)) : whole.value
        if (rows.length > 0 || !read.value.more) return ok({ rows, more: read.value.more })
        after = whole.value.at(-1)?.row ?? after
      }
    }
  }
}

const recordOf = ({
  recordId,
  startedAt,
  status,
  took,
  message
}: ReceivedOutcome): NonNullable<ResultRow['record']> => ({
  id: recordId,
  startedAt,
  ...(status !== undefined && { status }),
  ...(took !== undefined && { took }),
  ...(message !== undefined && { fullMessage: message })
})
