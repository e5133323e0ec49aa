/** Shared batches in the team's worker: a line of their own to the database, and no question while something is wrong with it. */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { ShownHead } from '#team/log/database.ts'
import { teamTables } from '#team/log/database.ts'
import type { KnownMember } from '../log/known-members.ts'
import type { OwnHistory } from '#team/thread/ports.ts'
import type { Received } from '../log/received.ts'
import { holdsSharedWork, isCovered } from '#team/log/standing.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { TeamLine } from '#team/transport/line.ts'
import type { Answer, Attempt, ClaimStage, OwnClaim, Stretch } from '#team/thread/batch-ports.ts'
import type { BatchWork, Runner } from '#team/thread/batches.ts'
import { batchTables, plansAnew, type BatchTables } from './database.ts'
import type { ReceivedBatches } from './reading.ts'

export interface BatchWorkParts {
  readonly installation: string
  /** Names the database in failures. */
  readonly host: string
  readonly store: Received
  readonly reading: ReceivedBatches
  readonly history: Pick<OwnHistory, 'read'>
  /** Ends with a whole round of the exchange that begins from now on. */
  whole(): Answer<boolean>
  /** Opens a line; reads the list of members. */
  open(): Answer<TeamLine>
  /** Reads the list of members anew if it has changed. Failure: `team-change-refused` for those who were removed. */
  prepare(line: TeamLine): Answer<null>
  /** All members, and former ones, as the list says. */
  members(): readonly KnownMember[]
}

/** A line of its own to the database: opened when something is asked, and again after it was lost. */
function createBatchLine({ host, open }: Pick<BatchWorkParts, 'host' | 'open'>) {
  let line: TeamLine | undefined
  let opening: Answer<TeamLine> | undefined
  let isClosed = false

  async function connected(): Answer<TeamLine> {
    if (line) return ok(line)
    const opened = await (opening ??= open())
    opening = undefined
    if (!opened.ok) return opened
    if (isClosed) {
      await opened.value.close()
      return failed('team-database-lost', { host })
    }
    if (line) return ok(line)
    const mine = (line = opened.value)
    // Every later question waits for it; if it is refused, the batch is only slower.
    void mine.query(plansAnew)
    void mine.lost.then(() => {
      if (line === mine) line = undefined
    })
    return opened
  }

  return {
    connected,
    async close(): Promise<void> {
      isClosed = true
      await line?.close()
    }
  }
}

/** Whether this installation may run shared batches now. */
function createStanding({ installation, host, store, history, members }: BatchWorkParts) {
  const frozen = (): Result<null, Failure> => {
    const found = onReceived(() => store.findings.all().find(holdsSharedWork))
    if (!found.ok) return found
    return found.value ? failed('team-batch-frozen', { cause: found.value.failure }) : ok(null)
  }

  /**
   * A database that lost events may have lost intents, too. The exchange notices it with its next look; nobody becomes the
   * runner before this has looked itself.
   */
  async function looked(open: TeamLine): Answer<null> {
    const known = onReceived(() => ({
      heads: store.heads().map(({ id, seq }) => ({ id, seq })),
      shared: store.shared?.seq ?? 0
    }))
    if (!known.ok) return known
    const shown = await teamTables(open, host).heads()
    if (!shown.ok) return shown
    const own = await history.read({ after: 0, events: 0, bytes: 0 })
    if (!own.ok) return own
    const faults = headFaults(shown.value, [...known.value.heads, { id: installation, seq: known.value.shared }], {
      installation,
      last: own.value.last.seq
    })
    const left = onReceived(() => faults.find(({ of, fault }) => !isCovered(store.findings.of(of), fault)))
    if (!left.ok) return left
    return left.value ? failed('team-batch-frozen', { cause: left.value.fault }) : frozen()
  }

  /** Who was removed, or only reads by now, sends no further row. */
  function allowed(): Result<null, Failure> {
    const found = onReceived(() => members().find(({ installation: id }) => id === installation)?.role)
    if (!found.ok) return found
    if (found.value === 'auditor') return failed('team-batch-unusable', { reason: 'auditor' })
    return found.value === undefined || found.value === 'removed'
      ? failed('team-batch-unusable', { reason: 'removed' })
      : ok(null)
  }

  /** Somebody else runs the batch. */
  const runsElsewhere = ({ installation: of, since }: Runner): Failure =>
    failure('team-batch-runs', {
      member: members().find(({ installation: id }) => id === of)?.name ?? of,
      installation: of,
      runningSince: since
    })

  /** What the log says about a claim of this installation. */
  function placeOf(
    others: ReturnType<ReceivedBatches['claims']>,
    { over, event }: OwnClaim,
    stage: ClaimStage
  ): Result<'mine' | 'wait' | 'beside', Failure> {
    const next = others.find((each) => (each.over[installation] ?? 0) >= event)
    if (next) return fail(runsElsewhere({ installation: next.installation, since: next.at }))
    const counting = others.filter(({ stands }) => stands)
    // Who has claimed it meanwhile without knowing of a claim that counts already does not begin.
    if (stage === 'running' || counting.length === 0) return ok('mine')
    if (counting.some((each) => each.event > (over[each.installation] ?? 0))) return ok('beside')
    return ok(stage === 'waited' ? 'mine' : 'wait')
  }

  return { frozen, looked, allowed, runsElsewhere, placeOf }
}

/** Intents in the database, compared with the log. */
function createIntentChecks({ installation, store, reading }: BatchWorkParts, frozen: () => Result<null, Failure>) {
  /** Rows of a stretch that were begun, here or at colleagues, and have no intent, are a finding, unless that is known since a loss. @returns Rows with an intent. */
  async function compare(tables: BatchTables, id: string, { from, to, own }: Stretch): Answer<ReadonlySet<number>> {
    const found = await tables.intents(id, from, to)
    if (!found.ok) return found
    const intents = new Set(found.value.map(({ row }) => row))
    const lost = onReceived(() =>
      [...reading.begun(id, from, to), ...own.map(({ row, event }) => ({ row, event, installation }))].filter(
        ({ row, installation: of, event }) => !intents.has(row) && !store.losses.covers(of, event)
      )
    )
    if (!lost.ok) return lost
    const noted = noteLost(id, lost.value)
    if (!noted.ok) return noted
    const sound = frozen()
    return sound.ok ? ok(intents) : sound
  }

  /** Shared batches are on hold from now on, if there is any. */
  function noteLost(
    id: string,
    lost: readonly { readonly row: number; readonly installation: string }[]
  ): Result<null, Failure> {
    return onReceived(() => {
      for (const of of new Set(lost.map((each) => each.installation))) {
        const rows = lost.flatMap(({ row, installation: by }) => (by === of ? [row] : []))
        store.findings.note(
          of,
          [
            failure('team-intents-lost', {
              installation: of,
              batchId: id,
              number: Math.min(...rows),
              rows: rows.length
            })
          ],
          Date.now()
        )
      }
      return null
    })
  }

  /** The database says whose intents it has stored: an answer alone is not believed. */
  async function intend(
    tables: BatchTables,
    id: string,
    fence: number,
    attempts: readonly Attempt[]
  ): Answer<readonly boolean[] | 'ended'> {
    const answer = await tables.intend(id, fence, attempts)
    if (!answer.ok || answer.value === 'ended') return answer
    const given = attempts.filter((_, index) => answer.value[index])
    const rows = given.map(({ row }) => row)
    if (rows.length === 0) return answer
    const stored = await tables.intents(id, Math.min(...rows), Math.max(...rows))
    if (!stored.ok) return stored
    const owners = new Map(stored.value.map(({ row, installation: of }) => [row, of]))
    const noted = noteLost(
      id,
      rows.filter((row) => owners.get(row) !== installation).map((row) => ({ row, installation }))
    )
    if (!noted.ok) return noted
    const sound = frozen()
    return sound.ok ? answer : sound
  }

  return { compare, intend }
}

export function createBatchWork(parts: BatchWorkParts): BatchWork {
  const { installation, host, store, reading, whole, prepare } = parts
  const line = createBatchLine(parts)
  const standing = createStanding(parts)
  const intents = createIntentChecks(parts, standing.frozen)

  async function asking<T>(work: (tables: BatchTables, open: TeamLine) => Answer<T>): Answer<T> {
    const before = standing.frozen()
    if (!before.ok) return before
    const found = await line.connected()
    return found.ok ? work(batchTables(found.value, host), found.value) : found
  }

  async function take(tables: BatchTables, at: TeamLine, id: string, seconds: number): Answer<number> {
    const prepared = await prepare(at)
    if (!prepared.ok) return prepared
    const may = standing.allowed()
    if (!may.ok) return may
    const sound = await standing.looked(at)
    if (!sound.ok) return sound
    const taken = await tables.take(id, seconds)
    if (!taken.ok) return taken
    const { fence, ...runner } = taken.value
    if (runner.installation === installation) return ok(fence)
    const other = onReceived(() => standing.runsElsewhere(runner))
    return other.ok ? fail(other.value) : other
  }

  return {
    take: (id, seconds) => asking((tables, at) => take(tables, at, id, seconds)),
    renew: (id, fence, seconds) => asking((tables) => tables.renew(id, fence, seconds)),
    // Also while batches are on hold: nobody should have to wait for a sign of life afterwards.
    async leave(id, fence) {
      const found = await line.connected()
      return found.ok ? batchTables(found.value, host).leave(id, fence) : found
    },
    compare: (id, stretch) =>
      asking(async (tables) => {
        const found = await intents.compare(tables, id, stretch)
        return found.ok ? ok(null) : found
      }),
    claims: async (id) =>
      onReceived(() =>
        Object.fromEntries(
          reading.claims(id).flatMap(({ installation: of, event, stands }) => (stands ? [[of, event]] : []))
        )
      ),
    confirm: (id, claim, stage) =>
      asking<'mine' | 'wait' | 'beside' | undefined>(async () => {
        const isWhole = await whole()
        if (!isWhole.ok) return isWhole
        if (!isWhole.value) return ok(undefined)
        for (const check of [standing.allowed(), standing.frozen()]) if (!check.ok) return check
        const place = onReceived(() => standing.placeOf(reading.claims(id), claim, stage))
        return place.ok ? place.value : place
      }),
    left: (id, sharer, stretch, { waiting, mine }) =>
      asking(async (tables) => {
        const found = await intents.compare(tables, id, stretch)
        if (!found.ok) return found
        const { from, to } = stretch
        return onReceived(() => {
          const own = new Set(mine)
          const begun = new Set(reading.begun(id, from, to).map(({ row }) => row))
          const free = waiting.filter((row) => !begun.has(row) && (!found.value.has(row) || own.has(row)))
          if (sharer === undefined || free.length === 0) return { rows: free.map((row) => ({ row })), awaited: false }
          const may = new Set(free)
          const { rows, awaited } = reading.toSend(id, sharer, from, to)
          return { rows: rows.filter(({ row }) => may.has(row)), awaited }
        })
      }),
    spent: async (id, sharer, { row, subject }) =>
      onReceived(() => {
        if (reading.begun(id, row, row).length > 0) return 'begun'
        return store.subjects.isErased(installation, subject) ||
          (sharer !== undefined && reading.isErased(id, sharer, row))
          ? 'erased'
          : undefined
      }),
    intend: (id, fence, attempts) => asking((tables) => intents.intend(tables, id, fence, attempts)),
    figures: (id) => asking((tables) => tables.figures(id)),
    free: (id) =>
      asking(async (tables) => {
        const found = await tables.figures(id)
        if (!found.ok) return found
        const { runner } = found.value
        if (!runner?.isRunning || runner.installation === installation) return ok(null)
        const other = onReceived(() => standing.runsElsewhere(runner))
        return other.ok ? fail(other.value) : other
      }),
    intents: (id, from, to) => asking((tables) => tables.intents(id, from, to)),
    close: () => line.close()
  }
}

interface KnownSeq {
  readonly id: string
  readonly seq: number
}

interface HeadFault {
  readonly of: string
  readonly fault: Failure
}

/** Fewer events than are known, or own ones that are not in the history here. */
function headFaults(
  shown: readonly ShownHead[],
  known: readonly KnownSeq[],
  own: { readonly installation: string; readonly last: number }
): readonly HeadFault[] {
  const seqs = new Map(shown.map(({ installation, seq }) => [installation, seq]))
  const lost = known.flatMap(({ id, seq }) => {
    const found = seqs.get(id) ?? 0
    return found < seq
      ? [{ of: id, fault: failure('team-events-rolled-back', { installation: id, found, expected: seq }) }]
      : []
  })
  const ahead = seqs.get(own.installation) ?? 0
  return ahead > own.last
    ? [...lost, { of: own.installation, fault: failure('team-installation-restored', { event: ahead }) }]
    : lost
}
