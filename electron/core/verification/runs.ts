/**
 * The steps of one verification: validate the input, query the spend guard, require the confirmation of a live one, write and sync the intent, send the
 * request once, write and sync the result. Always in this order.
 */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { Connection, ConnectionMode } from '#contract/connections/connection.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { applicantFieldOf, type OperationId } from '#contract/verification/operations.ts'
import { unknownAgainOn, type EarlierCheck, type RecordDetail, type RecordEnding } from '#contract/history/records.ts'
import type { RunRequest } from '#contract/history/queries.ts'
import type { RunEnding } from '#contract/verification/run-ending.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { TeamEntry } from '#contract/team/activity.ts'
import { inputFaults, type VerificationInput } from '#contract/verification/verification.ts'
import type { SendOrder } from '#core/client/send.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'
import { nothingTaken, type Copies, type TakenCopies } from '#core/documents/copies.ts'
import { takeAccess, type AccessParts } from './access.ts'
import type { Masker } from '#core/masking/masker.ts'
import { textFaults } from '#core/masking/own-secrets.ts'
import { prepared, type PreparedParts } from './prepared.ts'
import { storable } from './storable.ts'

/** Results of single verifications that a full disk kept from being written: paid for, and otherwise lost with the window that shows them. */
interface LateResults {
  add(store: HistoryStore, recordId: string, ending: RecordEnding): void
  /** Writes them; false if some still wait for space. One that fails for another reason stays unknown, as after a crash. */
  write(): Promise<boolean>
}

/** @param written Called after a result was written. */
function createLateResults(written: () => void): LateResults {
  const waiting = new Map<string, { readonly store: HistoryStore; readonly ending: RecordEnding }>()
  return {
    add: (store, recordId, ending) => void waiting.set(recordId, { store, ending }),
    async write() {
      for (const [recordId, { store, ending }] of [...waiting]) {
        const done = await store.finish(recordId, ending)
        if (!done.ok && done.failure.code === 'disk-full') continue
        waiting.delete(recordId)
        if (done.ok) written()
      }
      return waiting.size === 0
    }
  }
}

/** A request as colleagues know it: their connections to the same service have other IDs. */
interface SameRequest {
  readonly operation: OperationId
  readonly input: VerificationInput
  readonly origin: string
  readonly applicantId?: string | undefined
  readonly since: number
}

/** Dependencies of verifications. */
export interface RunParts extends AccessParts, PreparedParts {
  /** The connection; starts the practice service if it is the bundled one. */
  connection(id: string): Promise<Result<Connection, Failure>>
  /** What a recent check of its links saw behind them, by field. */
  seenDocuments?(connectionId: string, operation: OperationId, input: VerificationInput): RecordIntent['documents']
  /** Keeps copies of its documents, where its connection says so. */
  readonly copies?: Copies
  history(): Promise<Result<HistoryStore, Failure>>
  /** A check of a colleague with the same input; undefined without a team. */
  readonly colleagues?: (same: SameRequest) => Promise<Result<TeamEntry | undefined, Failure>>
  send(order: SendOrder): Promise<RecordEnding>
  announce(event: ConsoleEvent): void
  /** What finds the credentials of all connections in a text. */
  readonly own?: () => Promise<Masker>
}

export interface Runs {
  /** Runs one verification. On failure, nothing was sent and nothing recorded. */
  run(request: RunRequest): Promise<Result<RunEnding, Failure>>
  /** What the spend guard knows of the same verification; nothing if it may be sent. */
  earlier(
    same: Pick<RunRequest, 'connectionId' | 'operation' | 'input'>
  ): Promise<Result<EarlierCheck | undefined, Failure>>
  /** Cancels a verification; false if it had already ended. */
  cancel(runId: string): boolean
  /** Whether any is in progress. */
  busy(): boolean
  /** Writes results that a full disk kept from being written; false if some still wait for space. */
  writeLate(): Promise<boolean>
  /** Cancels all and waits until their results are written. */
  close(): Promise<void>
}

/**
 * Why the spend guard holds a verification back. If the guard cannot be queried, it is held back as well. One rule for every
 * entrance: what was answered may be repeated by choice, and an outcome that nobody knows has a question of its own.
 */
async function guarded(
  parts: RunParts,
  request: RunRequest,
  input: VerificationInput,
  history: HistoryStore,
  mode: ConnectionMode
): Promise<Result<EarlierCheck | undefined, Failure>> {
  const minutes = parts.settings().spendGuardMinutes
  const same = { operation: request.operation, connectionId: request.connectionId, input }
  // An outcome that nobody knows is asked about with the guard off as well: no answer is recent then.
  const repeats = minutes === 0 || request.repeatAnyway === true
  const found = await history.earlier(same, repeats ? Infinity : parts.clock.now() - minutes * 60_000)
  if (!found.ok || found.value?.kind !== 'unresolved') return found
  const isAnswered =
    request.unknownAgain !== undefined && (mode !== 'live' || request.unknownAgain === unknownAgainOn(mode))
  return isAnswered ? ok(undefined) : found
}

/** A team that cannot be asked holds nothing back: an installation works without it. */
async function guardedByColleagues(
  parts: RunParts,
  request: RunRequest,
  input: VerificationInput,
  { baseUrl }: Connection
): Promise<TeamEntry | undefined> {
  const minutes = parts.settings().spendGuardMinutes
  if (request.repeatAnyway || minutes === 0 || !parts.colleagues) return undefined
  const { operation, applicantId } = request
  const found = await parts.colleagues({
    operation,
    input,
    origin: baseUrl,
    applicantId,
    since: parts.clock.now() - minutes * 60_000
  })
  return found.ok ? found.value : undefined
}

/** The applicant that a request is about, named by it or by the page. */
function applicantOf({ operation, input, applicantId }: RunRequest): string | undefined {
  const field = applicantFieldOf(operation)
  return field ? input[field] : applicantId
}

/** Why the input of a request cannot be sent. */
async function requestFault(parts: Pick<RunParts, 'own'>, request: RunRequest): Promise<Failure | undefined> {
  const faults = inputFaults(request.operation, request.input)
  if (Object.keys(faults).length > 0) return failure('input-invalid', {}, faults)
  const held = parts.own && (await textFaults({ ...request.input, applicantId: request.applicantId }, parts.own))
  return held && failure('text-holds-credential', { reason: 'text' }, held)
}

/**
 * Copies of the documents, where they are kept; a person is asked before something is sent without one, where that is allowed. Fetching takes up to 30
 * seconds, so the spend guard is asked once more.
 */
async function copied(
  parts: RunParts,
  request: RunRequest,
  input: VerificationInput,
  {
    connection,
    history,
    stop
  }: { readonly connection: Connection; readonly history: HistoryStore; readonly stop: AbortSignal }
): Promise<Result<{ readonly taken: TakenCopies; readonly held?: RunEnding }, Failure>> {
  const { operation } = request
  const order = { connection, operation, input: request.input, applicantId: applicantOf(request), stop }
  const found = parts.copies ? await parts.copies.take(order, history) : ok(nothingTaken)
  if (!found.ok || found.value === nothingTaken) return found.ok ? ok({ taken: nothingTaken }) : found
  const taken = found.value
  const { missed } = taken
  const required = connection.copies === 'required'
  const held: Result<RunEnding | undefined, Failure> = stop.aborted
    ? failed('cancelled-before-sending')
    : missed.length > 0 && (required || request.withoutCopies !== true)
      ? ok({ kind: 'not-copied', missed, required })
      : await heldBack(parts, request, input, connection, history)
  if (held.ok && !held.value) return ok({ taken })
  await taken.drop()
  return held.ok ? ok({ taken, ...(held.value && { held: held.value }) }) : held
}

/** Why nothing is sent before a person was asked; undefined if nothing holds it back. */
async function heldBack(
  parts: RunParts,
  request: RunRequest,
  input: VerificationInput,
  connection: Connection,
  history: HistoryStore
): Promise<Result<RunEnding | undefined, Failure>> {
  const guard = await guarded(parts, request, input, history, connection.mode)
  if (!guard.ok) return guard
  const earlier = guard.value
  if (earlier)
    return ok(
      earlier.kind === 'answered'
        ? { kind: 'recently-answered', earlier: earlier.record }
        : { kind: 'may-have-been-sent', earlier }
    )
  const colleague = await guardedByColleagues(parts, request, input, connection)
  if (colleague) return ok({ kind: 'checked-by-colleague', earlier: colleague })
  if (connection.mode === 'live' && parts.settings().confirmLive && request.confirmation !== connection.name)
    return ok({
      kind: 'live-unconfirmed',
      connection: connection.name,
      repeatAnyway: request.repeatAnyway === true
    })
  return ok(undefined)
}

/** The record of a verification whose end could not be written: the only copy of its answer. */
const unrecorded = (
  { copies: _copies, ...intent }: RecordIntent,
  begun: Pick<RecordDetail, 'id' | 'seq'>,
  ending: RecordEnding
): RecordDetail => ({
  ...intent,
  ...begun,
  state: ending.outcome,
  took: ending.took,
  status: ending.reply?.status,
  message: ending.message?.slice(0, 300),
  fullMessage: ending.message,
  reply: ending.reply,
  failure: ending.failure
})

/** Creates the verifications of a console. */
export function createRuns(parts: RunParts): Runs {
  const inProgress = new Map<string, { readonly abort: AbortController; readonly ended: Promise<unknown> }>()
  const late = createLateResults(() => parts.announce({ kind: 'history-changed' }))

  async function perform(request: RunRequest, abort: AbortController): Promise<Result<RunEnding, Failure>> {
    const fault = await requestFault(parts, request)
    if (fault) return fail(fault)
    const connection = await parts.connection(request.connectionId)
    if (!connection.ok) return connection
    const history = await parts.history()
    if (!history.ok) return history
    const stored = storable(request.input, request.operation)
    const held = await heldBack(parts, request, stored.input, connection.value, history.value)
    if (!held.ok || held.value) return held as Result<RunEnding, Failure>
    const access = await takeAccess(parts, connection.value)
    if (!access.ok) return access
    const way = await access.value.way()
    if (!way.ok) return way
    const progress = (phase: Extract<ConsoleEvent, { kind: 'run-progress' }>['phase']) =>
      parts.announce({ kind: 'run-progress', runId: request.runId, phase })
    const ground = { connection: connection.value, history: history.value, stop: abort.signal }
    const found = await copied(parts, request, stored.input, ground)
    if (!found.ok) return found
    const { taken, held: uncopied } = found.value
    if (uncopied) return ok(uncopied)
    progress('recording')
    const { intent: intentOf, order } = prepared(parts, connection.value, request.operation, access.value)
    const intent = intentOf({
      input: request.input,
      documents: taken.seen ?? parts.seenDocuments?.(connection.value.id, request.operation, request.input),
      copies: taken.copies,
      applicantId: applicantOf(request),
      rerunOf: request.rerunOf
    })
    const begun = await history.value.begin(intent)
    if (!begun.ok) {
      await taken.drop()
      return begun
    }
    await taken.finish()

    const ending: RecordEnding = abort.signal.aborted
      ? { outcome: 'not-sent', endedAt: parts.clock.now(), failure: failure('cancelled-before-sending') }
      : await parts.send(order(request.input, way.value, { signal: abort.signal, onPhase: progress }))

    // The history reads after it has written: both are asked for at once.
    const [finished, recorded] = await Promise.all([
      history.value.finish(begun.value.id, ending),
      history.value.record(begun.value.id)
    ])
    if (!finished.ok && finished.failure.code === 'disk-full') late.add(history.value, begun.value.id, ending)
    parts.announce({ kind: 'history-changed' })
    if (finished.ok && recorded.ok) return { ok: true, value: { kind: 'recorded', record: recorded.value } }
    const record = unrecorded(intent, begun.value, ending)
    const why = finished.ok ? failure('history-unavailable', { reason: 'unreadable-record' }) : finished.failure
    return { ok: true, value: { kind: 'unrecorded', record, failure: why } }
  }

  return {
    async run(request) {
      if (inProgress.has(request.runId)) return failed('request-refused', { reason: 'in-progress' })
      const abort = new AbortController()
      const ended = perform(request, abort).finally(() => inProgress.delete(request.runId))
      inProgress.set(request.runId, { abort, ended })
      return ended
    },
    async earlier({ connectionId, operation, input }) {
      const connection = await parts.connection(connectionId)
      if (!connection.ok) return connection
      const history = await parts.history()
      if (!history.ok) return history
      const request = { runId: '', connectionId, operation, input: { ...input } }
      return guarded(parts, request, storable(input, operation).input, history.value, connection.value.mode)
    },
    cancel(runId) {
      const run = inProgress.get(runId)
      run?.abort.abort()
      return run !== undefined
    },
    busy: () => inProgress.size > 0,
    writeLate: late.write,
    async close() {
      for (const run of inProgress.values()) run.abort.abort()
      await Promise.allSettled([...inProgress.values()].map((run) => run.ended))
      // There may be space now.
      await late.write()
    }
  }
}
