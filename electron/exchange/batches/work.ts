/** Shared batches in the team's worker: a line of their own to the database, and no question while something is wrong with it. */
import type { Attempt, Held } from '#team/thread/batch-ports.ts'
import type { BatchWork } from '#team/thread/batches.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ShownHead } from '#team/log/database.ts'
import { teamTables } from '#team/log/database.ts'
import type { KnownMember } from '../log/known-members.ts'
import type { OwnHistory } from '#team/thread/ports.ts'
import type { Received } from '../log/received.ts'
import { holdsSharedWork, isCovered } from '#team/log/standing.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { TeamLine } from '#team/transport/line.ts'
import { batchTables, lanesId, plansAnew, type BatchTables } from './database.ts'
import { createFigures } from './figures.ts'
import type { Answer, BatchTerms, OwnClaim, PartRows, ConfirmedPart } from '#team/thread/batch-ports.ts'
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
  /** The role of this installation as the list says. */
  role(): KnownMember['role'] | undefined
}

export function createBatchWork({
  installation,
  host,
  store,
  reading,
  history,
  whole,
  open,
  prepare,
  role
}: BatchWorkParts): BatchWork {
  let line: TeamLine | undefined
  let opening: Answer<TeamLine> | undefined
  let isClosed = false
  const figures = createFigures()

  const frozen = (): Result<null, Failure> => {
    const found = onReceived(() => store.findings.all().find(holdsSharedWork))
    if (!found.ok) return found
    return found.value ? failed('team-batch-frozen', { cause: found.value.failure }) : ok(null)
  }

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

  async function asking<T>(work: (tables: BatchTables, open: TeamLine) => Answer<T>): Answer<T> {
    const before = frozen()
    if (!before.ok) return before
    const found = await connected()
    return found.ok ? work(batchTables(found.value, host), found.value) : found
  }

  /**
   * A database that lost events may have lost intents, too. The exchange notices it with its next look; nothing is leased
   * before this has looked itself.
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

  /** Who was removed, or only reads by now, takes no further rows. */
  async function allowed(line: TeamLine): Answer<null> {
    const prepared = await prepare(line)
    if (!prepared.ok) return prepared
    const found = onReceived(role)
    if (!found.ok) return found
    if (found.value === 'auditor') return failed('team-batch-unusable', { reason: 'auditor' })
    return found.value === undefined || found.value === 'removed'
      ? failed('team-batch-unusable', { reason: 'removed' })
      : ok(null)
  }

  async function shared(tables: BatchTables, id: string, rows: number, chunkRows: number): Answer<null> {
    const found = await tables.share(id, rows, chunkRows)
    if (!found.ok) return found
    // Any member can name any batch first.
    return found.value.rows === rows && found.value.chunkRows === chunkRows
      ? ok(null)
      : failed('team-batch-unusable', { reason: 'terms' })
  }

  async function giveBack(tables: BatchTables, id: string): Answer<null> {
    const mine = await tables.mine(id)
    if (!mine.ok) return mine
    for (const held of mine.value) {
      const left = await tables.leave(id, held, false)
      if (!left.ok) return left
    }
    return ok(null)
  }

  /** Rows of a stretch that were begun, here or at colleagues, and have no intent, unless that is known since a loss. */
  async function compareIntents(tables: BatchTables, id: string, { from, to, own }: PartRows): Answer<null> {
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
    return noted.ok ? frozen() : noted
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

  /** What the log says about a part that this installation has claimed. */
  function placeOf(id: string, { part, over, event }: OwnClaim, waited: boolean): ConfirmedPart['place'] {
    const others = reading.claims(id, part)
    const standing = others.filter(({ stands }) => stands)
    if (
      others.some((each) => (each.over[installation] ?? 0) >= event) ||
      standing.some((each) => each.event > (over[each.installation] ?? 0))
    )
      return 'lost'
    return standing.length > 0 && !waited ? 'wait' : 'mine'
  }

  /** The database says whose intents it has stored: an answer alone is not believed. */
  async function intend(
    tables: BatchTables,
    id: string,
    held: Held,
    attempts: readonly Attempt[]
  ): Answer<readonly boolean[] | 'ended'> {
    const answer = await tables.intend(id, held, attempts)
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

  const idOf = (id: string, of: 'rows' | 'lanes'): string => (of === 'rows' ? id : lanesId(id))

  return {
    open: ({ id, rows, chunkRows, lanes }: BatchTerms) =>
      asking(async (tables, at) => {
        const steps = [
          () => allowed(at),
          () => looked(at),
          () => shared(tables, id, rows, chunkRows),
          () => shared(tables, lanesId(id), lanes, 1),
          () => giveBack(tables, id),
          () => giveBack(tables, lanesId(id))
        ]
        for (const step of steps) {
          const done = await step()
          if (!done.ok) return done
        }
        return ok(null)
      }),
    compare: (id, rows) => asking((tables) => compareIntents(tables, id, rows)),
    take: (id, seconds) =>
      asking<Held | 'wait' | 'over'>(async (tables, at) => {
        const may = await allowed(at)
        if (!may.ok) return may
        const sound = await looked(at)
        if (!sound.ok) return sound
        const held = await tables.take(id, seconds)
        if (!held.ok) return held
        if (held.value) return ok(held.value)
        const over = await tables.isOver(id)
        return over.ok ? ok(over.value ? 'over' : 'wait') : over
      }),
    rows: async (id, sharer, from, to) => onReceived(() => reading.toSend(id, sharer, from, to)),
    spent: async (id, sharer, { row, subject }) =>
      onReceived(() => {
        if (reading.begun(id, row, row).length > 0) return 'begun'
        return store.subjects.isErased(installation, subject) ||
          (sharer !== undefined && reading.isErased(id, sharer, row))
          ? 'erased'
          : undefined
      }),
    claims: async (id, part) =>
      onReceived(() =>
        Object.fromEntries(
          reading.claims(id, part).flatMap(({ installation: of, event, stands }) => (stands ? [[of, event]] : []))
        )
      ),
    confirm: (id, claim, given) =>
      asking<ConfirmedPart | undefined>(async (tables) => {
        const isWhole = await whole()
        if (!isWhole.ok) return isWhole
        if (!isWhole.value) return ok(undefined)
        const compared = await compareIntents(tables, id, given)
        if (!compared.ok) return compared
        return onReceived(() => ({
          place: placeOf(id, claim, given.waited),
          begun: reading.begun(id, given.from, given.to).map(({ row }) => row)
        }))
      }),
    watch: (id, claims) =>
      asking<readonly boolean[] | undefined>(async () => {
        const isWhole = await whole()
        if (!isWhole.ok) return isWhole
        // Who has claimed a part meanwhile without knowing of this claim does not begin.
        return isWhole.value
          ? onReceived(() =>
              claims.map(
                ({ part, event }) => !reading.claims(id, part).some(({ over }) => (over[installation] ?? 0) >= event)
              )
            )
          : ok(undefined)
      }),
    unsent: (id, sharer, from, to) =>
      asking(async (tables) => {
        const isWhole = await whole()
        if (!isWhole.ok) return isWhole
        const found = await tables.intents(id, from, to)
        if (!found.ok) return found
        return onReceived(() => {
          const taken = new Set([...found.value, ...reading.begun(id, from, to)].map(({ row }) => row))
          const left = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
            (row) => !taken.has(row)
          )
          const given = sharer === undefined || left.length === 0 ? undefined : reading.toSend(id, sharer, from, to)
          const may = given && new Set(given.rows.map(({ row }) => row))
          return {
            awaited: !isWhole.value || (given?.awaited ?? false),
            rows: may ? left.filter((row) => may.has(row)) : left
          }
        })
      }),
    reopen: (id, part) =>
      asking(async (tables) => {
        const done = await tables.reopen(id, part)
        return done.ok ? ok(null) : done
      }),
    intend: (id, held, attempts) => asking((tables) => intend(tables, id, held, attempts)),
    takeLane: (id, seconds) =>
      asking(async (tables) => {
        const held = await tables.take(lanesId(id), seconds)
        if (!held.ok || held.value) return held
        // A share is never done: without any, nobody would send a row.
        const done = await tables.done(lanesId(id))
        if (!done.ok) return done
        for (const n of done.value) {
          const again = await tables.reopen(lanesId(id), n)
          if (!again.ok) return again
        }
        return done.value.length > 0 ? tables.take(lanesId(id), seconds) : held
      }),
    renew: (id, of, held, seconds) =>
      asking(async (tables) => {
        const renewed: boolean[] = []
        for (const each of held) {
          const done = await tables.renew(idOf(id, of), each, seconds)
          if (!done.ok) return done
          renewed.push(done.value)
        }
        return ok(renewed)
      }),
    // Also while batches are on hold: nobody should have to wait for the end of the lease afterwards.
    async leave(id, of, held, done) {
      const found = await connected()
      return found.ok ? batchTables(found.value, host).leave(idOf(id, of), held, done) : found
    },
    runners: (id) => asking((tables) => tables.holders([id, lanesId(id)])),
    figures: (id) => asking((tables) => figures(tables, id)),
    intents: (id, from, to) => asking((tables) => tables.intents(id, from, to)),
    async close() {
      isClosed = true
      await line?.close()
    }
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
