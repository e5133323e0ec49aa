/** The batches that run in this process: starts, progress events, endings. */
import type { BatchDraft, BatchStore, RowFinish, TakenRow } from '#wire/history/batches.ts'
import type { BatchState, BatchSummary } from '#contract/batches/batches.ts'
import { heldBy } from '#contract/batches/held-batches.ts'
import type { Connection } from '#contract/connections/connection.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { ok, type Result, fail } from '#contract/failures/result.ts'
import type { LinePool } from '#core/client/line.ts'
import type { SendOrder } from '#core/client/send.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { takeAccess, type AccessParts } from '#core/verification/access.ts'
import { prepared, type PreparedParts } from '#core/verification/prepared.ts'
import { storable } from '#core/verification/storable.ts'
import { createRate, secondsLeft } from './pace.ts'
import { createRowValidator } from './reading/validate.ts'
import { startRun, type Run, type RunEnd, type RunnerParts } from './runner.ts'
import { colleagueGuard, type GuardParts } from './shared/colleague-guard.ts'
import type { SharedOrder, SharedRun, TeamOfBatches } from './shared/ports.ts'

export interface RunningParts extends AccessParts, PreparedParts, GuardParts {
  connection(id: string): Promise<Result<Connection, Failure>>
  send(order: SendOrder): Promise<RecordEnding>
  /** Milliseconds during which no row is started because the user is active. */
  yieldFor(now: number): number
  announce(event: ConsoleEvent): void
  readonly host: Pick<HostPorts, 'showProgress' | 'notify'>
  /** Undefined without a team. */
  readonly team?: Pick<TeamOfBatches, 'run'>
  readonly policies?: Pick<Policies, 'limited'>
  random(): number
}

/** What the user has confirmed. */
export interface StartConfirmation {
  /** The name of a live connection, as typed. */
  readonly confirmation?: string
  /** True to continue a batch of a restored history. */
  readonly afterRestore?: boolean
}

/** The history that a batch is in. */
export type StartedIn = Pick<HistoryStore, 'batches' | 'sharedBatches'>

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

/**
 * What could not be written to a history because the disk was full. Kept per history, since another one, such as
 * after a restore, does not have these rows.
 */
interface Late {
  /** Results of rows, by batch. */
  readonly endings: Map<string, readonly RowFinish[]>
  /** States that batches ended in, by batch. */
  readonly states: Map<string, Pick<BatchSummary, 'state' | 'reason'>>
}

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
  intentOf: (row) => ({ ...alone.intentOf(row), batchRow: row.row }),
  send: async (row, signal) =>
    (await mayBeSent())
      ? alone.send(row, signal)
      : { outcome: 'not-sent', endedAt: alone.clock.now(), failure: failure('cancelled-before-sending') }
})

export function createRunning(parts: RunningParts): Running {
  const { clock } = parts
  const live = new Map<string, Live>()
  const starting = new Set<string>()
  const kept = new Map<BatchStore, Late>()
  const lateOf = (store: BatchStore): Late => {
    const late = kept.get(store) ?? { endings: new Map(), states: new Map() }
    kept.set(store, late)
    return late
  }

  function withLiveState(store: BatchStore, batch: BatchSummary): BatchSummary {
    const running = live.get(batch.id)
    if (!running) return { ...batch, ...lateOf(store).states.get(batch.id) }
    const rate = running.rate.perSecond(clock.monotonic())
    const halting = running.run.halting()
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

  function announceBatch(store: BatchStore, batch: BatchSummary): void {
    const shown = withLiveState(store, batch)
    parts.announce({ kind: 'batch-changed', batch: shown })
    const { waiting, open } = shown.counts
    parts.host.showProgress(live.has(batch.id) ? 1 - (waiting + open) / Math.max(1, shown.rows) : undefined)
  }

  /** Writes the results that an earlier run of this batch could not write. */
  async function recordLate(store: BatchStore, id: string): Promise<Result<null, Failure>> {
    const { endings } = lateOf(store)
    const late = [...(endings.get(id) ?? [])]
    for (let finish = late[0]; finish; finish = late[0]) {
      const done = await store.step(id, { finish })
      if (!done.ok) return done
      late.shift()
      endings.set(id, late)
    }
    endings.delete(id)
    return ok(null)
  }

  /** Writes pending results before the state, or they would be lost when the application closes. */
  async function setState(
    store: BatchStore,
    id: string,
    state: BatchState,
    by: 'person' | 'console',
    reason?: Failure
  ): Promise<Result<BatchSummary, Failure>> {
    const recorded = await recordLate(store, id)
    const changed = recorded.ok
      ? await store.setState(
          id,
          state,
          { at: clock.now(), operator: by === 'person' ? parts.operator : undefined },
          reason
        )
      : recorded
    if (changed.ok) lateOf(store).states.delete(id)
    return changed
  }

  /** What all rows share; obtained once per start, and asked before each row whether it still stands. */
  async function prepare(draft: BatchDraft, id: string, connection: Connection) {
    const access = await takeAccess(parts, connection)
    if (!access.ok) return access
    const { intent, order } = prepared(parts, connection, draft.operation, access.value)
    const validate = createRowValidator(draft.operation, draft.layout)
    const colleagues = colleagueGuard(parts, draft.operation, connection.baseUrl)
    const { createLinePool } = await import('#core/client/line.ts')
    const lines = createLinePool(() => clock.monotonic())
    return ok({
      lines,
      refusal: access.value.order.refusal,
      async guardOf({ cells }: TakenRow) {
        const minutes = parts.settings().spendGuardMinutes
        // Who takes over a shared batch does not know what its sharer has chosen.
        const skipsRecent = draft.shared ? draft.skipRecent === true : draft.skipRecent !== false
        if (!skipsRecent || minutes === 0) return {}
        const recentDuplicates = clock.now() - minutes * 60_000
        // The runner of a shared batch knows by its intents who has sent which row.
        if (!colleagues || draft.shared) return { recentDuplicates }
        const { input, applicantId } = validate(cells)
        return { recentDuplicates, colleague: await colleagues(storable(input, draft.operation).input, applicantId) }
      },
      intentOf: ({ cells, documents }: TakenRow) => intent({ ...validate(cells), documents, batchId: id }),
      async send({ cells }: TakenRow, signal: AbortSignal): Promise<RecordEnding> {
        const network = await access.value.way()
        if (!network.ok) return { outcome: 'not-sent', endedAt: clock.now(), failure: network.failure }
        return parts.send(order(validate(cells).input, network.value, { signal, onPhase: () => undefined, lines }))
      }
    })
  }

  async function finishRun(store: BatchStore, id: string, { state, reason, unrecorded: late }: RunEnd): Promise<void> {
    if (late.length > 0) lateOf(store).endings.set(id, late)
    const wanted = (state === 'paused' || state === 'cancelled') && live.get(id)?.asked === true
    const changed = await setState(store, id, state, wanted ? 'person' : 'console', reason)
    live.delete(id)
    if (!changed.ok) lateOf(store).states.set(id, { state, ...(reason && { reason }) })
    const batch = changed.ok ? changed : await store.show(id)
    if (batch.ok) announceBatch(store, batch.value)
    else parts.host.showProgress(undefined)
    parts.announce({ kind: 'history-changed' })
    if (!batch.ok || (state === 'paused' && !reason)) return
    const { counts } = batch.value
    const numbers = [
      `${counts.answered} answered`,
      `${counts.unreadable + counts['not-sent']} failed`,
      `${counts.unknown} unknown`,
      `${counts.waiting} waiting`
    ]
    parts.host.notify(
      { finished: 'Batch finished', cancelled: 'Batch cancelled', stopped: 'Batch stopped', paused: 'Batch paused' }[
        state
      ],
      numbers.join(', ')
    )
  }

  function launch(
    store: BatchStore,
    batch: BatchSummary,
    prepared: { lines: LinePool } & Pick<RunnerParts, 'intentOf' | 'send' | 'refusal' | 'guardOf'>,
    shared: SharedRun | undefined
  ): void {
    const { id } = batch
    const rate = createRate(clock.monotonic())
    let dirty = true
    const { lines, ...rows } = prepared
    // A batch may be older than the policy.
    const { atOnce, pace } = parts.policies?.limited(batch) ?? batch
    const alone: RunnerParts = {
      clock,
      store,
      id,
      atOnce,
      pace,
      ...rows,
      retryBusy: () => parts.settings().retryBusy,
      yieldFor: (now) => parts.yieldFor(now),
      random: () => parts.random(),
      onEnd() {
        dirty = true
        rate.note()
      }
    }
    const run = startRun(shared ? ofTeam(alone, shared) : alone)
    let asked = 0
    const timer = setInterval(() => {
      asked += 1
      if (dirty && asked % 4 === 0) parts.announce({ kind: 'history-changed' })
      if (!dirty) return
      dirty = false
      void store.show(id).then((shown) => {
        if (shown.ok && live.get(id)?.run === run) announceBatch(store, shown.value)
      })
    }, announceInterval)
    const over = run.ended.then(async (end) => {
      clearInterval(timer)
      lines.close()
      await shared?.close()
      await finishRun(store, id, end)
    })
    live.set(id, { run, rate, over, halted: () => shared?.halt() })
  }

  async function begin(
    { batches: store, sharedBatches: journal }: StartedIn,
    batch: BatchSummary,
    { confirmation, afterRestore }: StartConfirmation
  ): Promise<Result<BatchSummary, Failure>> {
    const { state } = withLiveState(store, batch)
    if (state === 'cancelled' || state === 'finished') return failed('batch-not-startable', { reason: state })
    const connection = await parts.connection(batch.connection.id)
    if (!connection.ok) return connection
    const { name, mode } = connection.value
    if (mode !== batch.connection.mode)
      return failed('batch-connection-changed', { before: batch.connection.mode, now: mode })
    const held = heldBy(batch)
    if (held && afterRestore !== true) return fail(held)
    if (mode === 'live' && confirmation !== name) return failed('batch-confirmation-missing', { name })
    const draft = await store.draft(batch.id)
    if (!draft.ok) return draft
    const prepared = await prepare(draft.value, batch.id, connection.value)
    if (!prepared.ok) return prepared
    const { shared: terms } = draft.value
    const order: SharedOrder | undefined = terms && {
      id: batch.id,
      draft: { ...draft.value, shared: terms },
      store,
      journal
    }
    const shared = order && ((await parts.team?.run(order)) ?? failed('team-missing'))
    if (shared?.ok === false) {
      prepared.value.lines.close()
      return shared
    }
    const running = await setState(store, batch.id, 'running', 'person')
    if (!running.ok) {
      await shared?.value.close()
      return running
    }
    launch(store, running.value, prepared.value, shared?.value)
    announceBatch(store, running.value)
    return ok(withLiveState(store, running.value))
  }

  function pauseAll(): void {
    for (const { run, halted } of live.values()) {
      run.halt('paused')
      halted()
    }
  }
  async function recordAllLate(): Promise<void> {
    for (const [store, { endings }] of kept) for (const id of [...endings.keys()]) await recordLate(store, id)
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
    cancel: (store, id) => setState(store, id, 'cancelled', 'person'),
    withLiveState,
    recordedAhead: (id) => live.get(id)?.run.recordedAhead ?? new Set(),
    ended: async (id) => live.get(id)?.over,
    busy: () => live.size > 0 || starting.size > 0,
    pauseAll,
    async idle() {
      while (live.size > 0) await Promise.allSettled([...live.values()].map(({ over }) => over))
      await recordAllLate()
      return [...kept.values()].every(({ endings, states }) => endings.size === 0 && states.size === 0)
    },
    async close() {
      const all = [...live.values()]
      pauseAll()
      const over = Promise.allSettled(all.map((each) => each.over))
      const timer = setTimeout(() => {
        for (const { run } of all) run.abort()
      }, closeGrace)
      await over
      clearTimeout(timer)
      // There may be space now. If not, the next start finds these rows without an outcome.
      await recordAllLate()
    }
  }
}
