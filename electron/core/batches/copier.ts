/**
 * Copies the documents of rows beside their batch: rows never wait for it. What is left to copy is in the history, so it goes on after
 * a pause, a restart and the end of the batch, and each document ends as kept or missed.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { fromRows } from '#contract/verification/recipes.ts'
import { copiesAtOnce, isOfDocument, missedBecause, type Copies } from '#core/documents/copies.ts'
import type { Clock } from '#kit/clock.ts'
import type { WantedCopy } from '#wire/history/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { createRowValidator } from './reading/validate.ts'

export interface CopierParts {
  readonly clock: Clock
  readonly operator: string
  readonly copies: Pick<Copies, 'one'>
  history(): Promise<Result<CopierHistory, Failure>>
  /** Whether a connection keeps no copies, as it is now. */
  areCopiesOff(connectionId: string): boolean
  /** Milliseconds during which no document is fetched because the user is active. */
  yieldFor(now: number): number
  /** Records have copies, or are without one; `unstored`: batches with a document that could not be stored. */
  onEnd(unstored: readonly string[]): void
}

type CopierHistory = {
  readonly batches: Pick<HistoryStore['batches'], 'draft'>
  readonly documents: Pick<HistoryStore['documents'], 'wanted' | 'keep' | 'missed'>
}

export interface Copier {
  /** Copies what is left, unless it was paused. Does nothing while it works. */
  poke(): void
  /** Ends what is in progress, which is left for later, and does nothing more until `resume`. */
  pause(): Promise<void>
  resume(): void
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>
}

/** Entries that are read at a time: those that another one has overtaken by the expiry of its link wait for these. */
const page = 16
/** Milliseconds. */
const longestRest = 200
const announceInterval = 1000

const placeOf = ({ batchId, row, field }: WantedCopy): string => `${batchId} ${row} ${field}`

/** The link of an entry, and the connection that its batch is sent with. */
async function linkOf(
  { batches }: Pick<CopierHistory, 'batches'>,
  { batchId, operation, field, cells }: WantedCopy
): Promise<Result<{ readonly connectionId: string; readonly url: string }, Failure>> {
  const draft = await batches.draft(batchId)
  if (!draft.ok) return draft
  const { operations, layout, connection } = draft.value
  const { input } = createRowValidator({ operations, rounded: 'keep' }, layout)(cells)
  const url = fromRows(operations).input(operation, input)[field] ?? ''
  return { ok: true, value: { connectionId: connection.id, url } }
}

/**
 * Whether there will be no copy, now or later. What says nothing about the document or the disk, such as settings that cannot be read, is
 * no reason to give it up; a connection that was removed does not come back.
 */
const isOver = (why: Failure): boolean =>
  isOfDocument(why) || ['document-copy-failed', 'disk-full', 'connection-missing'].includes(why.code)

/** Keeps one; false if nothing can be copied now, and it is left. */
async function copy(
  { clock, copies, operator, areCopiesOff }: Pick<CopierParts, 'clock' | 'copies' | 'operator' | 'areCopiesOff'>,
  unstored: Set<string>,
  store: CopierHistory,
  entry: WantedCopy,
  ends: AbortSignal
): Promise<boolean> {
  const { recordId, field, keys, earlier } = entry
  const link = await linkOf(store, entry)
  if (!link.ok) return false
  // What was wanted before they were switched off is not copied either.
  const taken = areCopiesOff(link.value.connectionId)
    ? failed('document-copies-off')
    : await copies.one({ ...link.value, field, keys, earlier, stop: ends })
  if (ends.aborted) {
    if (taken.ok) await taken.value.drop()
    return false
  }
  const at = clock.now()
  if (!taken.ok) {
    const { code } = taken.failure
    if (!isOver(taken.failure)) return false
    if (code === 'document-copy-failed' || code === 'disk-full') unstored.add(entry.batchId)
    return (await store.documents.missed({ recordId, field, reason: missedBecause(taken.failure) }, at)).ok
  }
  const { type, bytes, sha256, name, took } = taken.value
  const of = {
    recordId,
    field,
    when: 'beside',
    under: keys.under,
    type,
    bytes,
    sha256,
    name,
    ...(took !== undefined && { took })
  } as const
  const kept = await store.documents.keep(of, { at, operator })
  await (kept.ok ? taken.value.finish() : taken.value.drop())
  // An applicant may be erased meanwhile: there is nothing left to copy.
  return kept.ok || ['document-copied', 'document-copy-failed', 'record-missing'].includes(kept.failure.code)
}

export function createCopier(parts: CopierParts): Copier {
  const { clock } = parts
  let stop = new AbortController()
  let working: Promise<void> | undefined
  let told = -Infinity
  const unstored = new Set<string>()
  function tellNow(): void {
    parts.onEnd([...unstored])
    unstored.clear()
  }
  function tell(): void {
    if (clock.monotonic() - told < announceInterval) return
    told = clock.monotonic()
    tellNow()
  }
  /** It was asked for while it worked: rows have begun after it looked. */
  let again = false
  let wake = (): void => undefined

  /** Copies until nothing is left, or nothing can be copied. */
  async function work(store: CopierHistory, stopped: AbortSignal): Promise<void> {
    const closed = new AbortController()
    const ends = AbortSignal.any([stopped, closed.signal])
    const underway = new Map<string, Promise<void>>()
    let isStuck = false
    const begin = (entry: WantedCopy): void => {
      const place = placeOf(entry)
      underway.set(
        place,
        copy(parts, unstored, store, entry, ends).then((done) => {
          underway.delete(place)
          isStuck ||= !done
          tell()
        })
      )
    }
    while (!ends.aborted && !isStuck) {
      again = false
      const found = await store.documents.wanted(page)
      if (!found.ok) {
        // The history was closed: what is in progress could not be recorded.
        closed.abort()
        break
      }
      const waiting = found.value.filter((entry) => !underway.has(placeOf(entry)))
      if (waiting.length === 0 && underway.size === 0) break
      for (const entry of waiting) {
        while (underway.size >= copiesAtOnce) await Promise.race(underway.values())
        for (let rest = parts.yieldFor(clock.monotonic()); rest > 0; rest = parts.yieldFor(clock.monotonic()))
          await new Promise((resolve) => setTimeout(resolve, Math.min(rest, longestRest)))
        if (ends.aborted || isStuck) break
        // Another attempt of the same row takes the copy of this one.
        if (!underway.has(placeOf(entry))) begin(entry)
      }
      const asked = new Promise<void>((resolve) => (wake = resolve))
      if (underway.size > 0 && !again) await Promise.race([asked, ...underway.values()])
    }
    await Promise.all(underway.values())
    if (told > -Infinity) tellNow()
    told = -Infinity
  }

  async function run(ends: AbortSignal): Promise<void> {
    do {
      again = false
      const store = await parts.history()
      if (!store.ok) break
      await work(store.value, ends)
      // Another one was opened meanwhile.
      const now = await parts.history()
      again ||= now.ok && now.value !== store.value
    } while (again && !ends.aborted)
  }

  function poke(): void {
    if (stop.signal.aborted) return
    again = true
    wake()
    working ??= run(stop.signal).finally(() => {
      working = undefined
      // It was paused and resumed while the last one ended.
      if (again) poke()
    })
  }
  const idle = async (): Promise<void> => {
    while (working) await working
  }
  return {
    poke,
    idle,
    async pause() {
      stop.abort()
      await idle()
    },
    resume() {
      if (stop.signal.aborted) stop = new AbortController()
      poke()
    }
  }
}
