/** Batches of the open history: created from a checked file, listed, started, halted, resolved. */
import { toFinish } from '#contract/batches/batches.ts'
import type {
  BatchColumns,
  AgainKind,
  BatchAgain,
  BatchCheck,
  BatchMessages,
  BatchListQuery,
  BatchOrder,
  BatchResolution,
  BatchRowsPage,
  BatchRowsQuery,
  BatchSummary
} from '#contract/batches/batches.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { scrubLink } from '#contract/links/links.ts'
import { fail, ok } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { BatchStore } from '#wire/history/batches.ts'
import type { Masker } from '#core/masking/masker.ts'
import type { Policies } from '#core/policies/policies.ts'
import { recentSince } from './checks.ts'
import type { CopyNeed } from '#contract/documents/documents.ts'
import { copyNeed } from './copy-need.ts'
import { createBatch } from './creation.ts'
import type { HeldChecks } from './held-checks.ts'
import type { LinkRun } from './link-check.ts'
import { inBatches, inHistory, type Answer, type HistoryParts } from './open-history.ts'
import type { Running, RunningParts, StartConfirmation } from './running.ts'
import { colleagueGuard, type GuardParts } from './shared/colleague-guard.ts'

export interface BatchRunParts
  extends
    HistoryParts,
    GuardParts,
    Pick<RunningParts, 'clock' | 'operator' | 'consoleVersion' | 'connection' | 'announce' | 'copies'> {
  readonly auditTrail: Pick<AuditTrail, 'viewed'>
  /** Limits an order. */
  readonly policies?: Pick<Policies, 'limited'>
  /** What finds the credentials of all connections in a text. */
  readonly own?: () => Promise<Pick<Masker, 'holds'>>
}

/** What a batch is created from. */
export interface CreatedFrom {
  readonly held: HeldChecks
  links(checkId: string, connectionId: string): LinkRun | undefined
  /** Creating a batch takes precedence over counting its rows. */
  stopCounting(): void
  forgetChosen(): Promise<void>
}

export interface BatchRuns {
  /** Failures: also `batch-encoding-unchosen`, and `batch-unfinished`, unless the order says that another batch of the same file is wanted. */
  create(order: BatchOrder): Answer<BatchSummary>
  /** What copies of the documents of a checked file would take; null where the connection keeps none. */
  copyNeed(checkId: string, connectionId: string): Answer<CopyNeed | null>
  list(query: BatchListQuery): Answer<readonly BatchSummary[]>
  show(id: string): Answer<BatchSummary>
  /** Rows for display: links without their signatures, as in records. Files contain the cells unchanged. */
  rows(query: BatchRowsQuery, visit?: string): Answer<BatchRowsPage>
  columns(id: string): Answer<BatchColumns>
  messages(id: string): Answer<BatchMessages>
  againCounts(id: string): Answer<BatchAgain>
  /** Fails without `afterRestore` for a batch that is held after a restore; see `isHeld`. */
  start(id: string, person?: StartConfirmation): Answer<BatchSummary>
  /** Returns at once; `ended` resolves when the rows in progress have ended. */
  halt(id: string, state: 'paused' | 'cancelled'): Answer<BatchSummary>
  resolve(id: string, rows: readonly number[] | undefined, as: BatchResolution): Answer<BatchSummary>
  /** Of one kind of rows, if it is given. */
  again(id: string, kind?: AgainKind): Answer<BatchSummary>
  /** The answer, and every window is told of the batch. */
  announced(answer: Answer<BatchSummary>): Answer<BatchSummary>
}

/** Why a batch of these rows is not created: a batch of them is continued, not sent again. */
async function creationRefusal(
  store: BatchStore,
  { another, connectionId }: BatchOrder,
  { sha256, reading: { operations } }: BatchCheck
): Promise<Failure | undefined> {
  if (another) return undefined
  const found = await store.unfinished({ sha256, operations, connectionId })
  if (!found.ok) return found.failure
  const batch = found.value
  return batch && failure('batch-unfinished', { id: batch.id, name: batch.name, count: toFinish(batch) })
}

const copyNeedOf = (
  parts: BatchRunParts,
  checked: ReturnType<HeldChecks['get']>,
  connectionId: string
): Answer<CopyNeed | null> =>
  inHistory(parts, async (history) => {
    if (!checked.ok) return checked
    const connection = await parts.connection(connectionId)
    if (!connection.ok) return connection
    const { good, duplicates, reading } = checked.value.check
    const of = { operations: reading.operations, rows: good - duplicates }
    const need = await copyNeed(parts.copies, history, connection.value, of)
    return need.ok ? ok(need.value ?? null) : need
  })

export function createBatchRuns(parts: BatchRunParts, running: Running, from: CreatedFrom) {
  const by = (): Hand => ({ at: parts.clock.now(), operator: parts.operator })
  const shown = async (store: BatchStore, answer: Answer<BatchSummary>): Answer<BatchSummary> => {
    const batch = await answer
    return batch.ok ? ok(running.withLiveState(store, batch.value)) : batch
  }
  /** Returns the batch and announces it to every window. */
  const changed = async (store: BatchStore, answer: Answer<BatchSummary>): Answer<BatchSummary> => {
    const batch = await shown(store, answer)
    if (batch.ok) parts.announce({ kind: 'batch-changed', batch: batch.value })
    return batch
  }
  /** A batch with what only this process knows of it. */
  const show = (store: BatchStore, id: string): Answer<BatchSummary> => shown(store, store.show(id))

  async function create(store: BatchStore, asked: BatchOrder): Answer<BatchSummary> {
    const order = parts.policies?.limited(asked) ?? asked
    from.stopCounting()
    const checked = from.held.decided(order.checkId)
    if (!checked.ok) return checked
    const connection = await parts.connection(order.connectionId)
    if (!connection.ok) return connection
    const refusal = await creationRefusal(store, order, checked.value.check)
    if (refusal) return fail(refusal)
    const { id, name, baseUrl, mode, colour, mark } = connection.value
    const created = await changed(
      store,
      createBatch({
        store,
        order,
        ...checked.value,
        own: await parts.own?.(),
        links: from.links(order.checkId, order.connectionId),
        operator: parts.operator,
        consoleVersion: parts.consoleVersion,
        now: parts.clock.now(),
        connection: { id, name, origin: baseUrl, mode, colour, mark },
        recentDuplicates: recentSince(parts),
        colleagues: colleagueGuard(parts, baseUrl)
      })
    )
    if (created.ok) await from.forgetChosen()
    return created
  }

  const channels: BatchRuns = {
    create: (asked) => inBatches(parts, (store) => create(store, asked)),
    copyNeed: (checkId, connectionId) => copyNeedOf(parts, from.held.get(checkId), connectionId),
    list: (query) =>
      inBatches(parts, async (store) => {
        const batches = await store.list(query)
        return batches.ok ? ok(batches.value.map((batch) => running.withLiveState(store, batch))) : batches
      }),
    show: (id) => inBatches(parts, (store) => show(store, id)),
    rows: (query, visit) =>
      inBatches(parts, async (store) => {
        const page = await store.rows(query)
        if (!page.ok) return page
        // Not by the router: the command line asks here as well.
        await parts.auditTrail.viewed({ what: 'batch', batchId: query.id }, visit)
        const ahead = running.recordedAhead(query.id)
        const rows = page.value.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell) => scrubLink(cell).url),
          ...(row.state === 'open' && ahead.has(row.row) && { state: 'waiting' as const })
        }))
        return ok({ ...page.value, rows })
      }),
    columns: (id) =>
      inBatches(parts, async (store) => {
        const draft = await store.draft(id)
        if (!draft.ok) return draft
        const { columns, mapping, applicantColumn } = draft.value.layout
        return ok({ columns, mapping, applicantColumn })
      }),
    messages: (id) => inBatches(parts, (store) => store.messages(id)),
    againCounts: (id) => inBatches(parts, (store) => store.againCounts(id)),
    start: (id, person = {}) =>
      inHistory(parts, async (history) => {
        const batch = await history.batches.show(id)
        return batch.ok ? running.start(history, batch.value, person) : batch
      }),
    halt: (id, state) =>
      inBatches(parts, async (store) => {
        const batch = await store.show(id)
        if (!batch.ok) return batch
        if (running.halt(id, state)) return changed(store, Promise.resolve(batch))
        // Not running, so there is nothing to pause and cancelling takes effect at once.
        const over = batch.value.state === 'finished' || batch.value.state === 'cancelled'
        return state === 'paused' || over
          ? shown(store, Promise.resolve(batch))
          : changed(store, running.cancel(store, id))
      }),
    resolve: (id, rows, as) =>
      inBatches(parts, async (store) => {
        const resolved = await changed(store, store.resolve(id, rows, as, by()))
        if (resolved.ok) parts.announce({ kind: 'history-changed' })
        return resolved
      }),
    again: (id, kind) => inBatches(parts, (store) => changed(store, store.again(id, kind, by()))),
    announced: (answer) => inBatches(parts, (store) => changed(store, answer))
  }
  return { channels, show }
}
