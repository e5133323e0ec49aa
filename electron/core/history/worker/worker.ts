/** The history's thread: messages in, messages out. Writes that arrive together are committed together. */
import { failed, type Failure } from '#contract/failures.ts'
import type { HistoryFilter, HistoryPageQuery, RecordEnding, Resolution } from '#contract/records.ts'
import { ok, type Result } from '#contract/result.ts'
import type { HistoryStore } from '#core/history/api/store.ts'
import type { RecordIntent } from '#core/history/api/record-intent.ts'
import { serve } from '#core/workers/rpc.ts'
import { applicantMethods } from './applicants-methods.ts'
import { auditMethods } from './audit-methods.ts'
import { batchMethods } from './batches-methods.ts'
import { openEngine, type EngineOptions } from '#core/history/engine/opening.ts'
import type { Engine, Write } from '#core/history/engine/engine.ts'
import { needsColumns } from '#core/history/search/queries.ts'
import { fileNames, guarded } from '#core/history/storage/files.ts'
import { dataManagementMethods } from './data-management-methods.ts'

type Answered = Result<unknown, Failure>
interface Waiting {
  readonly write: Write<unknown>
  readonly settle: (result: Answered) => void
}

let engine: Engine | undefined
let openedWith: EngineOptions | undefined
let waiting: Waiting[] = []
let reading: (() => void)[] = []
let flushing = false
let lastWrite = 0
let lastRead = 0
let written = 0

/** Milliseconds without a write after which the index is caught up at leisure. */
const leisure = 40
/** Milliseconds after a question in which another is likely, as when somebody types: it must not wait for a long step of the index. */
const asking = 200
/** Writes without leisure after which the caches are made small: a long batch must not fill the memory with pages that it will not read. */
const manyWrites = 500
/** Milliseconds without a write after which the caches have their size again. */
const calm = 2000

const closed = (): Answered => failed('history-unavailable', { reason: 'closed' })

// One turn of the event loop hands over every message that has arrived; the flush follows it.
function schedule(): void {
  if (flushing) return
  flushing = true
  setImmediate(flush)
}

function flush(): void {
  flushing = false
  const group = waiting
  const readers = reading
  waiting = []
  reading = []
  if (group.length > 0) {
    const results = engine ? engine.commit(group.map(({ write }) => write)) : group.map(closed)
    group.forEach(({ settle }, index) => settle(results[index] ?? closed()))
    lastWrite = performance.now()
    noteWrites(group.length)
  }
  if (readers.length > 0) lastRead = performance.now()
  for (const read of readers) read()
  index()
}

let calmTimer: NodeJS.Timeout | undefined
function noteWrites(count: number): void {
  if (written < manyWrites && written + count >= manyWrites) engine?.writing(true)
  written += count
  calmTimer ??= setTimeout(function look() {
    calmTimer = performance.now() - lastWrite < calm ? setTimeout(look, calm).unref() : undefined
    if (calmTimer) return
    if (written >= manyWrites) engine?.writing(false)
    written = 0
  }, calm).unref()
}

let indexTimer: NodeJS.Timeout | undefined
function index(): void {
  if (!engine || engine.behind <= 0) return
  const busy = performance.now() - lastWrite < leisure
  if (busy && !engine.pressed) {
    indexTimer ??= setTimeout(() => {
      indexTimer = undefined
      index()
    }, leisure)
    return
  }
  const { behind, pressed } = engine
  const asked = performance.now() - lastRead < asking
  const events = asked ? (pressed ? 48 : 16) : busy ? 96 : 48
  guarded(fileNames.search, () => engine?.indexer.step(events))
  // A step that got nowhere (a full disk) is tried again with the next request, not at once.
  if (engine.behind < behind) schedule()
}

/** Reads the applicants' ids while nobody asks yet, so that the first search need not. */
function warm(): void {
  if (engine?.applicantIds.warm()) setTimeout(warm, leisure).unref()
}

/** Records whose columns are read at a time, between two requests. */
const columnsStep = 5000
let awaiting: (() => void)[] = []

/** Reads the columns of a history that was just opened, a few at a time: no request waits for all of them that does not need them. */
function readColumns(): void {
  const read = engine && guarded(fileNames.history, () => engine?.columns.step(columnsStep))
  // Where it fails, whoever waits meets the fault in the words of its own question.
  if (read?.ok && read.value) {
    setImmediate(readColumns)
    return
  }
  const waiters = awaiting
  awaiting = []
  for (const go of waiters) go()
}

const write = (job: Write<unknown>): Promise<Answered> =>
  new Promise((settle) => {
    waiting.push({ write: job, settle })
    schedule()
  })

const read = (job: (open: Engine) => Answered): Promise<Answered> =>
  new Promise((settle, reject) => {
    reading.push(() => {
      try {
        const answer = engine ? guarded(fileNames.history, () => job(engine as Engine)) : closed()
        settle(answer.ok ? (answer.value as Answered) : answer)
      } catch (error) {
        reject(error)
      }
    })
    schedule()
  })

/** As `read`, once every record's columns are there; other requests are answered meanwhile. */
const readWhole = async (job: (open: Engine) => Answered): Promise<Answered> => {
  if (engine && !engine.columns.isWhole) await new Promise<void>((go) => awaiting.push(go))
  return read(job)
}

serve({
  open: (options: EngineOptions): Answered => {
    if (engine) return failed('internal', { reason: 'open-already' })
    const result = openEngine(options)
    if (!result.ok) return result
    engine = result.value.engine
    openedWith = options
    warm()
    setImmediate(readColumns)
    schedule()
    return ok({ records: engine.records, interrupted: result.value.interrupted, ...(engine.readOnly && { readOnly: true }) })
  },
  begin: (intent: RecordIntent) => write((writer) => writer.begin(intent)),
  finish: (id: string, ending: RecordEnding) => write((writer) => writer.finish(id, ending)),
  resolve: (id: string, as: Resolution, note: string, at: number) =>
    write((writer) => {
      const settled = writer.resolve(id, as, note, at)
      if (settled.ok) engine?.batches.follow(id)
      return settled
    }),
  ...batchMethods((job) => write((writer) => (engine ? job(engine.batches, writer) : closed())), read),
  ...applicantMethods((job) => write((writer) => (engine ? job(engine, writer) : closed())), read, readWhole),
  ...auditMethods((job) => write((writer) => (engine ? job(engine, writer) : closed())), read),
  page: (query: HistoryPageQuery) => (needsColumns(query) ? readWhole : read)(({ queries }) => ok(queries.page(query))),
  counts: (filter: HistoryFilter) => readWhole(({ queries }) => ok(queries.counts(filter))),
  record: (id: string) =>
    read(({ queries, applicants }) => {
      const record = queries.record(id)
      return record.ok ? ok({ ...record.value, applicant: applicants.read.ofRecord(id) }) : record
    }),
  earlier: (same: Parameters<HistoryStore['earlier']>[0], since: number) => read(({ queries }) => ok(queries.earlier(same, since))),
  ...dataManagementMethods(
    (job) => write((writer) => (engine ? job(engine, writer) : closed())),
    (job) => read((open) => (openedWith ? job(open, openedWith) : closed())),
    (job) => readWhole((open) => (openedWith ? job(open, openedWith) : closed()))
  ),
  verify: () => read((open) => ok(open.verify())),
  integrity: () => read((open) => ok(open.integrity())),
  close: async () => {
    await engine?.snapshots.stop()
    return read((open) => {
      open.close()
      engine = undefined
      return ok(null)
    })
  }
})
