/** The order of claims as the team's database gives it, and as it was last read here. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OwnClaim } from '#wire/history/exchange.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { limits } from '../database/schema.ts'
import { onReceived } from '../storage/on-received.ts'
import type { TeamLine } from '../transport/line.ts'
import { askingRows, bytesOf, type ShownRow } from '../transport/rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A claim with its number. */
export interface NumberedClaim {
  readonly n: number
  readonly installation: string
  readonly seq: number
}

export interface ClaimTables {
  /** Numbers claims of this installation that are committed. Repeating it changes nothing. */
  number(seqs: readonly number[]): Answer<null>
  /** Claims from a number on, in order: at most a page. */
  from(n: number): Answer<readonly NumberedClaim[]>
}

/** Claims in one answer. */
const page = 2000
/** Events of an installation have smaller numbers. */
const mostEvents = 2 ** 40

/** Numbers of the database arrive as texts. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,13}$/.test(value) ? Number(value) : 0
  return number > 0 && number < mostEvents ? number : undefined
}

function claimOf({ n, installation, seq }: ShownRow): NumberedClaim | undefined {
  const [place, id, number] = [numberOf(n), bytesOf(installation, 16), numberOf(seq)]
  return place !== undefined && id && number !== undefined
    ? { n: place, installation: id.toString('hex'), seq: number }
    : undefined
}

/** @param host Names the database in failures. */
export function claimTables(line: Pick<TeamLine, 'query'>, host: string): ClaimTables {
  const rows = askingRows(line, host)
  return {
    async number(seqs) {
      const done = await rows(() => true, 1, 'SELECT veridesk.order_claims($1::bigint[])', [seqs])
      return done.ok ? ok(null) : done
    },
    from: (n) =>
      rows(
        claimOf,
        page,
        `SELECT n, installation, seq FROM veridesk.claim_order WHERE n >= $1 ORDER BY n LIMIT ${page}`,
        [n]
      )
  }
}

/** Statements on the file of received events. Throws SQLite's errors. */
export class ClaimOrder {
  private readonly db: Db
  private readonly newest
  private readonly add
  private readonly clear
  private readonly rows
  private readonly newestOf

  constructor(db: Db) {
    this.db = db
    this.newest = db.prepare('SELECT n, installation, seq FROM claim_order ORDER BY n DESC LIMIT 1')
    this.add = db.prepare('INSERT INTO claim_order VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    this.clear = db.prepare('DELETE FROM claim_order')
    this.rows = db.prepare('SELECT n, installation, seq FROM claim_order ORDER BY n')
    this.newestOf = db.prepare('SELECT max(seq) FROM claim_order WHERE installation = ?').pluck()
  }

  last(): NumberedClaim | undefined {
    return this.newest.get() as NumberedClaim | undefined
  }

  /** The newest claim of an installation that has a number; 0 without any. Numbers are given in the order of its events. */
  lastOf(installation: string): number {
    return (this.newestOf.get(installation) as number | null) ?? 0
  }

  /** All, in order. */
  all(): IterableIterator<NumberedClaim> {
    return this.rows.iterate() as IterableIterator<NumberedClaim>
  }

  /** @returns How many are new. */
  put(claims: readonly NumberedClaim[]): number {
    if (claims.length === 0) return 0
    return this.db
      .transaction(() =>
        claims.reduce((sum, { n, installation, seq }) => sum + this.add.run(n, installation, seq).changes, 0)
      )
      .immediate()
  }

  /** The database shows another order: it lost what it had, and it is read again. */
  forget(): void {
    this.clear.run()
  }
}

export interface ClaimParts {
  readonly installation: string
  readonly tables: ClaimTables
  readonly store: ClaimOrder
  readonly history: {
    /** Claims of this installation after an event, in order. */
    claims(after: number): Answer<readonly OwnClaim[]>
  }
}

export interface ClaimRound {
  /** Claims of any installation that have a number since. */
  readonly claims: number
  readonly more: boolean
}

/**
 * Gives the committed claims of this installation their numbers, and reads the numbers of all others. Failures: those of
 * the line, of the file and of the history.
 *
 * @param sent The last event of this installation that the database has.
 */
export async function orderClaims(parts: ClaimParts, sent: number): Answer<ClaimRound> {
  const { installation, tables, store, history } = parts
  const first = await readOrder(parts)
  if (!first.ok || first.value.more || sent === 0) return first
  const numbered = onReceived(() => store.lastOf(installation))
  if (!numbered.ok) return numbered
  const own = await history.claims(numbered.value)
  if (!own.ok) return own
  const waiting = own.value.flatMap(({ seq }) => (seq <= sent ? [seq] : []))
  if (waiting.length === 0) return first
  const given = await tables.number(waiting.slice(0, limits.claims))
  if (!given.ok) return given
  const again = await readOrder(parts)
  return again.ok
    ? ok({ claims: first.value.claims + again.value.claims, more: again.value.more || waiting.length > limits.claims })
    : again
}

/** The last number is read again: if it is of another claim, the database lost some, and the next round reads all of them. */
async function readOrder({ tables, store }: Pick<ClaimParts, 'tables' | 'store'>): Answer<ClaimRound> {
  const known = onReceived(() => store.last())
  if (!known.ok) return known
  const last = known.value
  const rows = await tables.from(last?.n ?? 1)
  if (!rows.ok) return rows
  const [first, ...others] = rows.value
  const isSame = !last || (first?.n === last.n && first.installation === last.installation && first.seq === last.seq)
  return onReceived(() => {
    if (!isSame) {
      store.forget()
      return { claims: 1, more: false }
    }
    const claims = store.put(last ? others : rows.value)
    // Who shows a full page of nothing new is not asked again at once.
    return { claims, more: claims > 0 && rows.value.length === page }
  })
}
