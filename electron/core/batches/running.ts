/** The batches that run in this process: starts, progress events, endings. */
import type { BatchDraft, BatchStore } from '#wire/history/batches.ts'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { heldBy } from '#contract/batches/held-batches.ts'
import type { Connection } from '#contract/connections/connection.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { ok, type Result, fail } from '#contract/failures/result.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { spaceRefusal } from './copy-need.ts'
import { createLateRows } from './late-rows.ts'
import { createRate, secondsLeft } from './pace.ts'
import { prepareRows, type PreparedRows, type RowParts } from './row-sending.ts'
import { startRun, type Run, type RunEnd, type RunnerParts } from './runner.ts'
import type { SharedRun, TeamOfBatches } from './shared/ports.ts'

export interface RunningParts extends RowParts {
  connection(id: string): Promise<Result<Connection, Failure>>
  /** Milliseconds during which no row is started because the user is active. */
  yieldFor(now: number): number
  announce(event: ConsoleEvent): void
  readonly host: Pick<HostPorts, 'showProgress' | 'notify'>
  /** Undefined without a team. */
  readonly team?: Pick<TeamOfBatches, 'run'>
  readonly policies?: Pick<Policies, 'limited'>
  random(): number
  /** A row has begun whose copies are wanted beside the batch, or a batch that has such rows is no longer held. */
  onWanted(): void
}

/** What the user has confirmed. */
export interface StartConfirmation {
  /** The name of a live connection, as typed. */
  readonly confirmation?: string
  /** True to continue a batch of a restored history. */
  readonly afterRestore?: boolean
}

/** The history that a batch is in. */
export type StartedIn = Pick<HistoryStore, 'batches' | 'sharedBatches' | 'documents'>

export interface Running {
  /** Starts a batch that is not running. On failure, nothing was sent. */
  start(history: StartedIn, batch: BatchSummary, person: StartConfirmation): Promise<Result<BatchSummary, Failure>>
  /** Starts no further row; false if the batch is not running. */
  halt(id: string, state: 'paused' | 'cancelled'): boolean
  /** Cancels a batch that is not running. Results that a full disk kept from being written are written first. */
  cancel(store: BatchStore, id: string): Promise<Result<BatchSummary, Failure>>
  /** Adds the state that only this process has to a stored batch. */
  withLiveState(store: BatchStore, batch: BatchSummary): BatchSummary
  /** Rows of a running batch that are recorded and not sent yet: they wait for their turn. */
  recordedAhead(id: string): ReadonlySet<number>
  /** Resolves when the batch has stopped running. */
  ended(id: string): Promise<void>
  /** Starts no further row of any batch, without a person's request; rows in progress end by themselves. */
  pauseAll(): void
  /** Resolves when no batch runs. False if results are in memory only, because the disk is full. */
  idle(): Promise<boolean>
  /** Whether any batch is running, halting or about to start. */
  busy(): boolean
  /** Halts all batches, allows rows in progress a few seconds, and waits until their results are written. */
  close(): Promise<void>
}

/** Milliseconds between two events for one batch. */
const announceInterval = 250
/** Milliseconds allowed for rows in progress when the application closes; then they are aborted. */
const closeGrace = 3000

interface Live {
  readonly run: Run
  /** Set if a user halted it; not when the console closes. */
  asked?: true
  readonly rate: ReturnType<typeof createRate>
  readonly over: Promise<void>
  /** It was asked to end. */
  halted(): void
}

/** The run of a batch that a team shares: each row is recorded with its number, by which others find its outcome. */
const ofTeam = (alone: RunnerParts, { store, mayBeSent }: SharedRun): RunnerParts => ({
  ...alone,
  store,
  intentOf: (row, taken) => ({ ...alone.intentOf(row, taken), batchRow: row.row }),
  send: async (row, signal) =>
    (await mayBeSent())
      ? alone.send(row, signal)
      : { outcome: 'not-sent', endedAt: alone.clock.now(), failure: failure('cancelled-before-sending') }
})

/** What only this process knows of a batch that runs. */
function whileRunning(batch: BatchSummary, { run, rate: measured }: Live, now: number): BatchSummary {
  const rate = measured.perSecond(now)
  const halting = run.halting()
  const left = batch.counts.waiting + batch.counts.open
  // A few more rows are recorded ahead than are sent at once: until it is their turn, they are waiting.
  const open = Math.min(batch.counts.open, batch.atOnce)
  return {
    ...batch,
    counts: { ...batch.counts, open, waiting: left - open },
    ...(rate !== undefined && { rate }),
    ...(rate !== undefined && rate > 0 && { secondsLeft: secondsLeft(left, rate, batch.pace) }),
    ...(halting && { ending: halting === 'paused' ? 'pausing' : 'cancelling' })
  }
}

const endTitles = {
  finished: 'Batch finished',
  cancelled: 'Batch cancelled',
  stopped: 'Batch stopped',
  paused: 'Batch paused'
} as const

function notifyEnd(host: RunningParts['host'], { id, counts }: BatchSummary, state: RunEnd['state']): void {
  const numbers = [
    `${counts.answered} answered`,
    `${counts['invalid-response']} invalid response`,
    `${counts['not-sent']} not sent`,
    `${counts.unknown} unknown`,
    `${counts.waiting} waiting`
  ]
  host.notify(endTitles[state], numbers.join(', '), { page: 'batch', id })
}

/** The connection of a batch that may start: it is as it was, and a person confirmed what needs it. */
async function startable(
  parts: Pick<RunningParts, 'connection' | 'copies'>,
  history: StartedIn,
  batch: BatchSummary,
  state: BatchSummary['state'],
  { confirmation, afterRestore }: StartConfirmation
): Promise<Result<Connection, Failure>> {
  if (state === 'cancelled' || state === 'finished') return failed('batch-not-startable', { reason: state })
  const connection = await parts.connection(batch.connection.id)
  if (!connection.ok) return connection
  const { name, mode } = connection.value
  if (mode !== batch.connection.mode)
    return failed('batch-connection-changed', { before: batch.connection.mode, now: mode })
  const held = heldBy(batch)
  if (held && afterRestore !== true) return fail(held)
  if (mode === 'live' && confirmation !== name) return failed('batch-confirmation-missing', { name })
  const full = await spaceRefusal(parts.copies, history, connection.value, batch)
  return full ? fail(full) : connection
}

/** The run of a batch that its team shares; undefined if it does not. */
async function sharedRunOf(
  { team }: Pick<RunningParts, 'team'>,
  { batches: store, sharedBatches: journal }: StartedIn,
  id: string,
  draft: BatchDraft
): Promise<Result<SharedRun | undefined, Failure>> {
  const { shared } = draft
  if (!shared) return ok(undefined)
  return (await team?.run({ id, draft: { ...draft, shared }, store, journal })) ?? failed('team-missing')
}

/** Starts no further row of any batch. */
function pauseAll(live: ReadonlyMap<string, Live>): void {
  for (const { run, halted } of live.values()) {
    run.halt('paused')
    halted()
  }
}

/** A state that a person asks for, in which a batch is held no longer: copies that its rows want are made. */
async function moveOn(
  { onWanted }: Pick<RunningParts, 'onWanted'>,
  late: ReturnType<typeof createLateRows>,
  store: BatchStore,
  id: string,
  state: 'running' | 'cancelled'
): Promise<Result<BatchSummary, Failure>> {
  const before = await store.show(id)
  const moved = await late.setState(store, id, state, 'person')
  if (before.ok && heldBy(before.value)) onWanted()
  return moved
}

/** Halts all batches, allows rows in progress a few seconds, then aborts them. */
async function endAll(live: ReadonlyMap<string, Live>): Promise<void> {
  const all = [...live.values()]
  pauseAll(live)
  const timer = setTimeout(() => {
    for (const { run } of all) run.abort()
  }, closeGrace)
  await Promise.allSettled(all.map((each) => each.over))
  clearTimeout(timer)
}

/**
 * Starts the rows. `changed` is called after each interval in which some have ended, and lists of records are told after four of these in
 * which some have; `stop` ends both.
 */
function startRows(
  parts: RunningParts,
  store: BatchStore,
  batch: BatchSummary,
  rows: Omit<PreparedRows, 'lines'>,
  shared: SharedRun | undefined,
  changed: () => void
): Pick<Live, 'run' | 'rate'> & { stop(): void } {
  const { clock } = parts
  const rate = createRate(clock.monotonic())
  // Each is over when it was told: rows may all end in intervals after which lists are not told.
  let [dirty, isListStale] = [true, true]
  // A batch may be older than the policy.
  const { atOnce, pace } = parts.policies?.limited(batch) ?? batch
  const alone: RunnerParts = {
    clock,
    store,
    id: batch.id,
    atOnce,
    pace,
    ...rows,
    onWanted: parts.onWanted,
    retryBusy: () => parts.settings().retryBusy,
    yieldFor: (now) => parts.yieldFor(now),
    random: () => parts.random(),
    onEnd() {
      dirty = isListStale = true
      rate.note()
    }
  }
  let asked = 0
  const timer = setInterval(() => {
    asked += 1
    if (isListStale && asked % 4 === 0) {
      isListStale = false
      parts.announce({ kind: 'history-changed' })
    }
    if (!dirty) return
    dirty = false
    changed()
  }, announceInterval)
  return { run: startRun(shared ? ofTeam(alone, shared) : alone), rate, stop: () => clearInterval(timer) }
}

export function createRunning(parts: RunningParts): Running {
  const live = new Map<string, Live>()
  const starting = new Set<string>()
  const late = createLateRows(parts)

  function withLiveState(store: BatchStore, batch: BatchSummary): BatchSummary {
    const running = live.get(batch.id)
    return running
      ? whileRunning(batch, running, parts.clock.monotonic())
      : { ...batch, ...late.of(store).states.get(batch.id) }
  }

  function announceBatch(store: BatchStore, batch: BatchSummary): void {
    const shown = withLiveState(store, batch)
    parts.announce({ kind: 'batch-changed', batch: shown })
    const { waiting, open } = shown.counts
    parts.host.showProgress(live.has(batch.id) ? 1 - (waiting + open) / Math.max(1, shown.rows) : undefined)
  }

  async function finishRun(store: BatchStore, id: string, { state, reason, unrecorded }: RunEnd): Promise<void> {
    if (unrecorded.length > 0) late.of(store).endings.set(id, unrecorded)
    const wanted = (state === 'paused' || state === 'cancelled') && live.get(id)?.asked === true
    const changed = await late.setState(store, id, state, wanted ? 'person' : 'console', reason)
    live.delete(id)
    if (!changed.ok) late.of(store).states.set(id, { state, ...(reason && { reason }) })
    const batch = changed.ok ? changed : await store.show(id)
    if (batch.ok) announceBatch(store, batch.value)
    else parts.host.showProgress(undefined)
    parts.announce({ kind: 'history-changed' })
    if (batch.ok && (state !== 'paused' || reason)) notifyEnd(parts.host, batch.value, state)
  }

  function launch(store: BatchStore, batch: BatchSummary, prepared: PreparedRows, shared: SharedRun | undefined): void {
    const { id } = batch
    const { lines, ...rows } = prepared
    const { run, rate, stop } = startRows(parts, store, batch, rows, shared, () => {
      void store.show(id).then((shown) => {
        if (shown.ok && live.get(id)?.run === run) announceBatch(store, shown.value)
      })
    })
    const over = run.ended.then(async (end) => {
      stop()
      lines.close()
      await shared?.close()
      await finishRun(store, id, end)
    })
    live.set(id, { run, rate, over, halted: () => shared?.halt() })
  }

  async function begin(
    history: StartedIn,
    batch: BatchSummary,
    person: StartConfirmation
  ): Promise<Result<BatchSummary, Failure>> {
    const store = history.batches
    const connection = await startable(parts, history, batch, withLiveState(store, batch).state, person)
    if (!connection.ok) return connection
    const draft = await store.draft(batch.id)
    if (!draft.ok) return draft
    const prepared = await prepareRows(parts, draft.value, batch.id, connection.value, history)
    if (!prepared.ok) return prepared
    const shared = await sharedRunOf(parts, history, batch.id, draft.value)
    if (!shared.ok) {
      prepared.value.lines.close()
      return shared
    }
    const running = await moveOn(parts, late, store, batch.id, 'running')
    if (!running.ok) {
      await shared.value?.close()
      return running
    }
    launch(store, running.value, prepared.value, shared.value)
    announceBatch(store, running.value)
    return ok(withLiveState(store, running.value))
  }

  return {
    async start(history, batch, person) {
      // A second request while it starts or runs has no effect.
      if (live.has(batch.id) || starting.has(batch.id)) return ok(withLiveState(history.batches, batch))
      starting.add(batch.id)
      return begin(history, batch, person).finally(() => starting.delete(batch.id))
    },
    halt(id, state) {
      const running = live.get(id)
      running?.run.halt(state)
      running?.halted()
      if (running) running.asked = true
      return running !== undefined
    },
    cancel: (store, id) => moveOn(parts, late, store, id, 'cancelled'),
    withLiveState,
    recordedAhead: (id) => live.get(id)?.run.recordedAhead ?? new Set(),
    ended: async (id) => live.get(id)?.over,
    busy: () => live.size > 0 || starting.size > 0,
    pauseAll: () => pauseAll(live),
    async idle() {
      while (live.size > 0) await Promise.allSettled([...live.values()].map(({ over }) => over))
      await late.writeAll()
      return late.isWritten()
    },
    async close() {
      await endAll(live)
      // There may be space now. If not, the next start finds these rows without an outcome.
      await late.writeAll()
    }
  }
}
