/** The history's thread: messages in, messages out. Writes that arrive together are committed together. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { openEngine } from '../engine/opening.ts'
import type { EngineOptions } from '#wire/history/engine-options.ts'
import type { Engine, Write } from '../engine/engine.ts'
import type { Writer } from '../records/writer.ts'
import { fileNames, guarded } from '#wire/sqlite/files.ts'
import { newLineKey } from '#kit/sealing/line.ts'
import { serve } from '#wire/rpc.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'
import { startLoading, type Loading } from './loading.ts'
import { historyMethods, type Access, type WithKey } from './methods.ts'

type Answer<T> = Promise<Result<T, Failure>>
interface Waiting {
  readonly write: Write<unknown>
  readonly resolve: (result: Result<unknown, Failure>) => void
}

let engine: Engine | undefined
let openedWith: EngineOptions | undefined
let waiting: Waiting[] = []
let reading: (() => void)[] = []
let flushing = false
let lastWrite = -Infinity
let lastRead = 0
/** Writes of the last commit. */
let lastGroup = 0
/** Since when writes are counted for their pace, how many there were, and whether those before left time between them. */
let pace = { from: 0, writes: 0, leavesGaps: false }
let written = 0

/** Milliseconds without a write after which the index is caught up. */
const idleDelay = 40
/**
 * Events that a batch lets wait, and that are then indexed between two of its writes. Writes that arrive almost one by
 * one are delayed by no more than the rows that are recorded ahead make up for; otherwise larger steps cost less in all.
 */
const gapEvents = (writes: number): number => (writes <= 2 ? 32 : 128)
/**
 * Milliseconds from one write to the next, on average of so many, above which a batch leaves gaps to index in. With a
 * quicker service the writes are what it waits for, and the index follows at its end.
 */
const gaps = { from: 1, writes: 64 } as const
/**
 * Milliseconds after a query in which another is likely, for example while the user types, and must not wait for a
 * long step of the index.
 */
const queryDelay = 200
/**
 * Writes without a break after which the caches are shrunk: a long batch must not fill memory with pages it will not
 * read.
 */
const manyWrites = 500
/** Milliseconds without a write after which the caches regain their size. */
const calmDelay = 2000

const closed = (): Result<never, Failure> => failed('history-unavailable', { reason: 'closed' })

// One turn of the event loop delivers every message that has arrived; the flush follows it.
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
    group.forEach(({ resolve }, index) => resolve(results[index] ?? closed()))
    notePace(group.length)
    lastWrite = performance.now()
    lastGroup = group.length
    noteWrites(group.length)
  }
  for (const read of readers) read()
  index()
}

/** Before `lastWrite` is set. A pause ends the count: the next writes belong to something else. */
function notePace(count: number): void {
  const now = performance.now()
  if (now - lastWrite > idleDelay) pace = { from: now, writes: 0, leavesGaps: false }
  else pace.writes += count
  if (pace.writes >= gaps.writes) pace = { from: now, writes: 0, leavesGaps: now - pace.from > gaps.from * pace.writes }
}

let calmTimer: NodeJS.Timeout | undefined
function noteWrites(count: number): void {
  if (written < manyWrites && written + count >= manyWrites) engine?.writing(true)
  written += count
  calmTimer ??= setTimeout(function look() {
    calmTimer = performance.now() - lastWrite < calmDelay ? setTimeout(look, calmDelay).unref() : undefined
    if (calmTimer) return
    if (written >= manyWrites) engine?.writing(false)
    written = 0
  }, calmDelay).unref()
}

/** Indexes a little between two writes of a batch, unless the next one has arrived. */
function indexInGap(): void {
  if (!flushing) guarded(fileNames.search, () => engine?.indexer.step(gapEvents(lastGroup)))
}

let indexTimer: NodeJS.Timeout | undefined
function index(): void {
  if (!engine || engine.behind <= 0) return
  const busy = performance.now() - lastWrite < idleDelay
  if (busy && !engine.pressed) {
    if (pace.leavesGaps && engine.behind >= gapEvents(lastGroup)) setImmediate(indexInGap)
    indexTimer ??= setTimeout(() => {
      indexTimer = undefined
      index()
    }, idleDelay)
    return
  }
  const { behind, pressed } = engine
  const asked = performance.now() - lastRead < queryDelay
  const events = asked ? (pressed ? 48 : 16) : busy ? 256 : 48
  guarded(fileNames.search, () => engine?.indexer.step(events))
  // A step that made no progress (full disk) is retried with the next request, not at once.
  if (engine.behind < behind) schedule()
}

/** Records whose columns are loaded at a time, between two requests. */
const columnsStep = 5000
let columns: Loading | undefined

/** Begins to load what the requests of a newly opened history will need. */
function load(open: Engine): void {
  const writing = (): boolean => performance.now() - lastWrite < idleDelay
  // If a step fails, the waiting requests report the error themselves.
  const stepOf = (file: string, step: () => boolean) => (): boolean => {
    const more = engine === open ? guarded(file, step) : undefined
    return more?.ok === true && more.value
  }
  columns = startLoading({
    step: stepOf(fileNames.history, () => open.columns.step(columnsStep)),
    writing,
    pause: idleDelay
  })
  startLoading({ step: stepOf(fileNames.subjects, () => open.applicantIds.warm()), writing, pause: idleDelay })
  startLoading({ step: stepOf(fileNames.history, () => open.nameSearch.warm()), writing, pause: idleDelay })
}

const write = <T>(job: (open: Engine, writer: Writer) => Result<T, Failure>): Answer<T> =>
  new Promise((resolve) => {
    waiting.push({
      write: (writer) => (engine ? job(engine, writer) : closed()),
      resolve: resolve as Waiting['resolve']
    })
    schedule()
  })

const readInBackground: Access['read'] = <T>(
  job: (open: Engine, options: EngineOptions) => Result<T, Failure>
): Answer<T> =>
  new Promise((resolve, reject) => {
    reading.push(() => {
      try {
        const [open, options] = [engine, openedWith]
        const answer = open && options ? guarded(fileNames.history, () => job(open, options)) : closed()
        resolve(answer.ok ? answer.value : answer)
      } catch (error) {
        reject(error)
      }
    })
    schedule()
  })

const read: Access['read'] = (job) =>
  readInBackground((...open) => {
    lastRead = performance.now()
    return job(...open)
  })

/** Like `read`, after every record's columns have been loaded; other requests are answered meanwhile. */
const readWhole: Access['read'] = async (job) => {
  if (engine && !engine.columns.isWhole) await columns?.whole()
  return read(job)
}

const line = newLineKey()
/** Runs a step with a key as it was sent, and zeroes it. */
const withKey: WithKey = (sent, work) => {
  const key = typeof sent === 'string' ? sent : line.open(sent)
  try {
    return work(key)
  } finally {
    if (typeof key !== 'string') key.fill(0)
  }
}

serve<HistoryWorker>({
  publicKey: () => line.publicKey,
  open: (options) => {
    if (engine) return failed('internal', { reason: 'open-already' })
    const { masterKey } = options
    const result =
      masterKey === undefined
        ? openEngine(options)
        : withKey(masterKey, (key) => openEngine({ ...options, masterKey: key }))
    if (!result.ok) return result
    engine = result.value.engine
    openedWith = options
    load(result.value.engine)
    schedule()
    return ok({
      records: engine.records,
      interrupted: result.value.interrupted,
      ...(engine.readOnly && { readOnly: true })
    })
  },
  ...historyMethods({ write, read, readInBackground, readWhole, hurryColumns: () => columns?.hurry(), withKey }),
  close: async () => {
    await engine?.snapshots.stop()
    return read((open) => {
      open.close()
      engine = undefined
      return ok(null)
    })
  }
})
