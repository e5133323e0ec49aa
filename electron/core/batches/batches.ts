/** The batch operations that the console offers, on the open history. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { toFinish } from '#contract/batches/batches.ts'
import type {
  BatchCheck,
  BatchColumns,
  BatchFailed,
  BatchFile,
  RecentDuplicates,
  BatchListQuery,
  BatchOrder,
  BatchReading,
  BatchRowsPage,
  BatchRowsQuery,
  BatchResolution,
  BatchSummary
} from '#contract/batches/batches.ts'
import type { BatchLinkCheck, BatchLinkRow, BatchLinksOrder, LinkKind } from '#contract/batches/links.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { scrubLink } from '#contract/links/links.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Documents } from '#core/documents/documents.ts'
import type { Drafts } from '#core/drafts/drafts.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import { safeFileName } from '#core/files/names.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Masker } from '#core/masking/masker.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { createChecks, type Checked } from './checks.ts'
import { writeRows, writeText } from './files.ts'
import { createYieldToUser } from './yield-to-user.ts'
import { startLinkRun, type LinkRun } from './link-check.ts'
import { foundName, invalidName, invalidText } from './invalid-rows.ts'
import { countRecentDuplicates } from './recent-duplicates.ts'
import { createBatch } from './creation.ts'
import { resultsName, resultsText, templateText, writtenFile } from './results.ts'
import { createRunning, type RunningParts, type StartConfirmation } from './running.ts'
import { colleagueGuard, type GuardParts } from './shared/colleague-guard.ts'
import type { LocatedBatch, TeamOfBatches } from './shared/ports.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { BatchStore } from '#wire/history/batches.ts'

export interface BatchesParts extends Omit<RunningParts, 'host' | 'yieldFor' | 'team'>, GuardParts {
  readonly host: Pick<HostPorts, 'showProgress' | 'notify' | 'chooseFile' | 'chooseSavePath'>
  history(): Promise<Result<HistoryStore, Failure>>
  readonly documents: Pick<Documents, 'read'>
  readonly team?: TeamOfBatches
  readonly files: Pick<ChosenFiles, 'write'>
  /** Limits an order, and may refuse files with personal data, also those that a host names. */
  readonly policies?: Pick<Policies, 'limited' | 'exportRefusal'>
  readonly auditTrail: Pick<AuditTrail, 'note' | 'viewed'>
  /** What finds the credentials of all connections in a text. */
  readonly own?: () => Promise<Pick<Masker, 'holds'>>
  /** Where the chosen file is, for the next start: sealed with the drafts. */
  readonly drafts?: Pick<Drafts, 'remember' | 'recall'>
  /** Registers a function that drops personal data from memory when such data is removed. */
  readonly onRemoval: (empty: () => void) => void
}

type Answer<T> = Promise<Result<T, Failure>>
export interface Batches {
  /** For hosts that name files themselves, such as the command line. A window must not name paths. */
  checkFile(path: string, reading: BatchReading): Answer<BatchCheck>
  choose(reading: BatchReading): Answer<BatchCheck | null>
  checkText(name: string, text: string, reading: BatchReading): Answer<BatchCheck>
  /** Reads the file that was chosen last again, if it is still the same; null if none is remembered. Failure: `batch-file-changed`. */
  reopen(sha256: string, reading: BatchReading): Answer<BatchCheck | null>
  recheck(checkId: string, reading: BatchReading): Answer<BatchCheck>
  /** See the channel `batches.recentDuplicates`. */
  recentDuplicates(checkId: string, connectionId: string): Answer<RecentDuplicates | null>
  /** Starts to check the links of a file; one check at a time. */
  checkLinks(order: BatchLinksOrder): Answer<BatchLinkCheck>
  stopLinks(checkId: string): Answer<BatchLinkCheck>
  linkRows(checkId: string, limit: number, kind?: LinkKind): Answer<readonly BatchLinkRow[]>
  saveLinks(checkId: string): Answer<{ readonly path: string; readonly rows: number } | null>
  saveInvalid(checkId: string): Answer<{ readonly path: string; readonly rows: number } | null>
  /** Like `saveInvalid`, to a path that the host names. */
  saveInvalidTo(checkId: string, path: string): Answer<{ readonly path: string; readonly rows: number }>
  /** Failures: also `batch-unfinished`, unless the order says that another batch of the same file is wanted. */
  create(order: BatchOrder): Answer<BatchSummary>
  list(query: BatchListQuery): Answer<readonly BatchSummary[]>
  show(id: string): Answer<BatchSummary>
  /** Rows for display: links without their signatures, as in records. Files contain the cells unchanged. */
  rows(query: BatchRowsQuery, visit?: string): Answer<BatchRowsPage>
  columns(id: string): Answer<BatchColumns>
  failed(id: string): Answer<BatchFailed>
  /** Fails without `afterRestore` for a batch that is held after a restore; see `isHeld`. */
  start(id: string, person?: StartConfirmation): Answer<BatchSummary>
  /** Returns at once; `ended` resolves when the rows in progress have ended. */
  halt(id: string, state: 'paused' | 'cancelled'): Answer<BatchSummary>
  /** The user is active in the window: batches start no row for a moment. */
  yieldToUser(): Answer<null>
  ended(id: string): Promise<void>
  resolve(id: string, rows: readonly number[] | undefined, as: BatchResolution): Answer<BatchSummary>
  again(id: string): Answer<BatchSummary>
  /** The answer, and every window is told of the batch. */
  announced(answer: Answer<BatchSummary>): Answer<BatchSummary>
  save(id: string, file: BatchFile): Answer<{ readonly path: string; readonly rows: number } | null>
  /** Like `save`, to a path that the host names. */
  saveTo(id: string, file: BatchFile, path: string): Answer<{ readonly path: string; readonly rows: number }>
  template(operation: OperationId): Answer<{ readonly path: string } | null>
  /** Pauses every running batch, as for a lock; rows in progress end by themselves. */
  pauseAll(): void
  /** Resolves when no batch runs. False if results are in memory only, because the disk is full. */
  idle(): Promise<boolean>
  /** True while a batch runs, is pausing or is about to start. The history must not be replaced meanwhile. */
  busy(): boolean
  close(): Promise<void>
}

/** A chosen file, to be read again after a restart. */
const chosenFileSchema = z.strictObject({ path: z.string(), bytes: z.number(), sha256: z.string() })
type ChosenFile = z.output<typeof chosenFileSchema>

const minute = 60_000
/** Milliseconds after which counting recently answered rows is abandoned; the window keeps showing "at most". */
const countTimeout = 30_000
/** Milliseconds between two progress events. */
const progressInterval = 200

/** Builds the batch operations of a console. Runs nothing until a batch is started. */
export function createBatches(parts: BatchesParts): Batches {
  const { clock, host } = parts
  const checks = createChecks()
  parts.onRemoval(checks.forget)
  /** The check of links, and the file as it was read for it. */
  let linked: { readonly check: Checked['check']; readonly run: LinkRun } | undefined
  function forgetLinks(): void {
    linked?.run.stop()
    linked = undefined
  }
  parts.onRemoval(forgetLinks)
  const linksOf = (checkId: string): Result<{ readonly checked: Checked; readonly run: LinkRun }, Failure> => {
    const checked = checks.get(checkId)
    if (!checked.ok) return checked
    return linked?.check === checked.value.check
      ? ok({ checked: checked.value, run: linked.run })
      : failed('batch-links-none')
  }
  /** The results of a check on a connection; a check that is still running is stopped. */
  function linksFor(checkId: string, connectionId: string): LinkRun | undefined {
    const found = linksOf(checkId)
    if (!found.ok || found.value.run.state().connectionId !== connectionId) return undefined
    found.value.run.stop()
    return found.value.run
  }
  const yieldToUser = createYieldToUser()
  const running = createRunning({ ...parts, yieldFor: (now) => yieldToUser.left(now) })

  const by = (): Hand => ({ at: clock.now(), operator: parts.operator })
  const inHistory = async <T>(ask: (history: HistoryStore) => Answer<T>): Answer<T> => {
    const history = await parts.history()
    return history.ok ? ask(history.value) : history
  }
  const within = <T>(ask: (store: BatchStore) => Answer<T>): Answer<T> => inHistory(({ batches }) => ask(batches))
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
  const show = (id: string): Answer<BatchSummary> => within((store) => shown(store, store.show(id)))

  /** A batch with its rows: of this history alone, or of a team. */
  async function locate(store: BatchStore, id: string): Answer<LocatedBatch> {
    const [batch, draft] = [await show(id), await store.draft(id)]
    if (!batch.ok || !draft.ok) return (await parts.team?.locate(id)) ?? (batch.ok ? failed('batch-missing') : batch)
    const found = { batch: batch.value, draft: draft.value }
    return parts.team && batch.value.shared ? parts.team.results(found, store) : ok({ ...found, source: store })
  }

  const saveTo: Batches['saveTo'] = (id, file, path) =>
    within(async (store) => {
      const located = await locate(store, id)
      if (!located.ok) return located
      const { batch, draft, source } = located.value
      const text = resultsText(source, batch, draft, file)
      const written = await writeRows(parts, path, text.pieces)
      if (!written.ok) return written
      await parts.auditTrail.note({
        kind: 'export.made',
        plain: { what: 'batch', format: file, rows: text.rows(), batchId: id }
      })
      return writtenFile(path, text.rows())
    })

  const saveInvalidTo: Batches['saveInvalidTo'] = async (checkId, path) => {
    const checked = checks.get(checkId)
    if (!checked.ok) return checked
    const text = invalidText(checked.value)
    const written = await writeRows(parts, path, text.pieces)
    if (!written.ok) return written
    await parts.auditTrail.note({
      kind: 'export.made',
      plain: { what: 'invalid rows', format: 'csv', rows: text.rows() }
    })
    return writtenFile(path, text.rows())
  }

  const remember = async (chosen: ChosenFile | undefined): Promise<void> =>
    parts.drafts?.remember(chosen && JSON.stringify(chosen))
  async function remembered(): Promise<ChosenFile | undefined> {
    const fact = await parts.drafts?.recall()
    return fact === undefined ? undefined : chosenFileSchema.parse(JSON.parse(fact))
  }

  /** Identifies the latest count; a new one ends the previous one. */
  let counting: symbol | undefined
  const recentDuplicates: Batches['recentDuplicates'] = (checkId, connectionId) =>
    within(async (store) => {
      const mine = (counting = Symbol('count'))
      const checked = checks.get(checkId)
      if (!checked.ok) return checked
      const minutes = parts.settings().spendGuardMinutes
      if (minutes === 0) return ok(null)
      const begun = clock.monotonic()
      let last = begun
      return countRecentDuplicates({
        ...checked.value,
        store,
        connectionId,
        since: clock.now() - minutes * minute,
        over: () => counting !== mine || clock.monotonic() - begun > countTimeout,
        onProgress(rows) {
          if (clock.monotonic() - last < progressInterval) return
          last = clock.monotonic()
          parts.announce({ kind: 'recent-duplicates-progress', checkId, rows })
        }
      })
    })

  return {
    checkFile: (path, reading) => checks.file(path, reading),
    async choose(reading) {
      const path = await host.chooseFile('Choose a file with one request per line', ['csv', 'tsv', 'txt'])
      if (path === undefined) return ok(null)
      const checked = await checks.file(path, reading)
      if (checked.ok) await remember({ path, bytes: checked.value.bytes, sha256: checked.value.sha256 })
      return checked
    },
    async reopen(sha256, reading) {
      const chosen = await remembered()
      if (chosen?.sha256 !== sha256) return ok(null)
      const changed = failed('batch-file-changed', { file: basename(chosen.path) })
      // A file of another size is not read to the end only to find out.
      const found = await stat(chosen.path).catch(() => undefined)
      if (!found?.isFile() || found.size !== chosen.bytes) return changed
      const checked = await checks.file(chosen.path, reading)
      return checked.ok && checked.value.sha256 !== sha256 ? changed : checked
    },
    checkText: (name, text, reading) => checks.text(name, text, reading),
    recheck: (checkId, reading) => checks.again(checkId, reading),
    recentDuplicates,
    async saveInvalid(checkId) {
      const checked = checks.get(checkId)
      if (!checked.ok) return checked
      const path = await host.chooseSavePath(
        'Save invalid rows',
        safeFileName(invalidName(checked.value.check.fileName)),
        ['csv']
      )
      return path === undefined ? ok(null) : saveInvalidTo(checkId, path)
    },
    saveInvalidTo,
    async checkLinks(order) {
      const checked = checks.get(order.checkId)
      if (!checked.ok) return checked
      forgetLinks()
      const { check } = checked.value
      const run = startLinkRun(checked.value, order, {
        clock,
        documents: parts.documents,
        history: parts.history,
        onProgress: (state) => parts.announce({ kind: 'link-check', check: state })
      })
      if (!run.ok) return run
      linked = { check, run: run.value }
      void run.value.ended.then(() => {
        const { done, fine, figures } = run.value.state()
        return parts.auditTrail.note({
          kind: 'links.checked',
          plain: {
            of: 'file',
            operation: check.reading.operation,
            links: done,
            findings: done - fine,
            figures,
            sha256: check.sha256
          }
        })
      })
      return ok(run.value.state())
    },
    async stopLinks(checkId) {
      const found = linksOf(checkId)
      if (!found.ok) return found
      found.value.run.stop()
      return ok(found.value.run.state())
    },
    async linkRows(checkId, limit, kind) {
      const found = linksOf(checkId)
      return found.ok ? ok(found.value.run.rows(limit, kind)) : found
    },
    async saveLinks(checkId) {
      const found = linksOf(checkId)
      if (!found.ok) return found
      const { checked, run } = found.value
      const path = await host.chooseSavePath(
        'Save rows with findings',
        safeFileName(foundName(checked.check.fileName)),
        ['csv']
      )
      if (path === undefined) return ok(null)
      const text = invalidText(checked, ({ row }) => run.faultsOf(row))
      const written = await writeRows(parts, path, text.pieces)
      if (!written.ok) return written
      await parts.auditTrail.note({
        kind: 'export.made',
        plain: { what: 'rows with link findings', format: 'csv', rows: text.rows() }
      })
      return writtenFile(path, text.rows())
    },
    create: (asked) =>
      within(async (store) => {
        const order = parts.policies?.limited(asked) ?? asked
        // A count is for display only; creating the batch takes precedence.
        counting = undefined
        const checked = checks.get(order.checkId)
        if (!checked.ok) return checked
        const connection = await parts.connection(order.connectionId)
        if (!connection.ok) return connection
        const { check } = checked.value
        const unfinished = order.another
          ? ok(undefined)
          : await store.unfinished({
              sha256: check.sha256,
              operation: check.reading.operation,
              connectionId: order.connectionId
            })
        if (!unfinished.ok) return unfinished
        if (unfinished.value)
          return failed('batch-unfinished', {
            id: unfinished.value.id,
            name: unfinished.value.name,
            count: toFinish(unfinished.value)
          })
        const { id, name, baseUrl, mode, colour, mark } = connection.value
        const minutes = parts.settings().spendGuardMinutes
        const created = await changed(
          store,
          createBatch({
            store,
            order,
            ...checked.value,
            own: await parts.own?.(),
            links: linksFor(order.checkId, order.connectionId),
            operator: parts.operator,
            consoleVersion: parts.consoleVersion,
            now: clock.now(),
            connection: { id, name, origin: baseUrl, mode, colour, mark },
            recentDuplicates: minutes === 0 ? undefined : clock.now() - minutes * minute,
            colleagues: colleagueGuard(parts, checked.value.check.reading.operation, baseUrl)
          })
        )
        if (created.ok) await remember(undefined)
        return created
      }),
    list: (query) =>
      within(async (store) => {
        const batches = await store.list(query)
        return batches.ok ? ok(batches.value.map((batch) => running.withLiveState(store, batch))) : batches
      }),
    show,
    rows: (query, visit) =>
      within(async (store) => {
        const page = await store.rows(query)
        if (!page.ok) return page
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
      within(async (store) => {
        const draft = await store.draft(id)
        if (!draft.ok) return draft
        const { columns, mapping, applicantColumn } = draft.value.layout
        return ok({ columns, mapping, applicantColumn })
      }),
    failed: (id) => within((store) => store.failed(id)),
    start: (id, person = {}) =>
      inHistory(async (history) => {
        const batch = await history.batches.show(id)
        return batch.ok ? running.start(history, batch.value, person) : batch
      }),
    halt: (id, state) =>
      within(async (store) => {
        const batch = await store.show(id)
        if (!batch.ok) return batch
        if (running.halt(id, state)) return changed(store, Promise.resolve(batch))
        // Not running, so there is nothing to pause and cancelling takes effect at once.
        const over = batch.value.state === 'finished' || batch.value.state === 'cancelled'
        return state === 'paused' || over
          ? shown(store, Promise.resolve(batch))
          : changed(store, running.cancel(store, id))
      }),
    yieldToUser: async () => {
      yieldToUser.yieldToUser(clock.monotonic())
      return ok(null)
    },
    ended: (id) => running.ended(id),
    resolve: (id, rows, as) =>
      within(async (store) => {
        const resolved = await changed(store, store.resolve(id, rows, as, by()))
        if (resolved.ok) parts.announce({ kind: 'history-changed' })
        return resolved
      }),
    announced: (answer) => within((store) => changed(store, answer)),
    again: (id) => within((store) => changed(store, store.again(id, by()))),
    async save(id, file) {
      const found = await within((store) => locate(store, id))
      if (!found.ok) return found
      const name = safeFileName(resultsName(found.value.batch, file))
      const path = await host.chooseSavePath('Save results', name, [file === 'lossless' ? 'jsonl' : 'csv'])
      return path === undefined ? ok(null) : saveTo(id, file, path)
    },
    saveTo,
    async template(operation) {
      const path = await host.chooseSavePath('Save template', `${operation} template.csv`, ['csv'])
      if (path === undefined) return ok(null)
      const written = await writeText(parts.files, path, templateText(operationOf(operation).fields))
      return written.ok ? ok({ path }) : written
    },
    pauseAll: () => running.pauseAll(),
    idle: () => running.idle(),
    busy: () => running.busy(),
    async close() {
      const ended = linked?.run.ended
      forgetLinks()
      await ended
      await running.close()
    }
  }
}
