/**
 * Compares the files of copies with what the history names, and checks their content: all of them on demand, and a few at a time in the
 * background, so that each is checked within 30 days. Nothing is repaired or deleted here. What is found of a file counts only if its copy was
 * not erased meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { maxFaultyCopies, type CopiesVerified, type CopyCondition } from '#contract/documents/documents.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import { createTurns } from '#kit/async/in-turn.ts'
import { createSchedule } from '#kit/async/schedule.ts'
import type { Clock } from '#kit/clock.ts'
import type { CheckedCounts, CheckedFile, FoundFile } from '#wire/history/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { copyParts, faultOf, isThere, namesIn, othersBeside } from './vault.ts'

const day = 86_400_000
/** Milliseconds after which a file is checked again. The rest of 30 days is for those that are due on the same day. */
const dueAfter = 20 * day
/** Files that are checked in the background at a time, and milliseconds between two of them. */
const atATime = 2000
const pause = 20
/** Files whose results are written together. */
const together = 25
/** Milliseconds: after the history was opened, and between two looks. */
const rhythm = { first: 5000, every: 3_600_000 }
/** Milliseconds between two announcements of how far a check is. */
const announceEvery = 1000

export interface CopyCheckParts {
  readonly dataFolder: string
  readonly clock: Clock
  readonly history: () => Promise<Result<HistoryStore, Failure>>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  /** What is known has changed. */
  readonly changed: () => void
}

export interface CopyChecks {
  /** What is known of all files. Failures: those of the history. */
  condition(): Promise<Result<CopyCondition, Failure>>
  /** Compares the names. Failures: those of the history. */
  compare(): Promise<Result<CopyCondition, Failure>>
  /** Checks the content of all. Failures: those of the history, and `documents-unchecked` if the console ends. */
  verify(): Promise<Result<CopiesVerified, Failure>>
  /** Checks some of those that are due. Never fails: the next look goes on. */
  checkSome(): Promise<void>
  /** A file could not be opened: records what is wrong with it, before its next check. Never fails. */
  faulty(file: CheckedFile): Promise<void>
  /** A history is open: compares soon, and checks what is due from then on. */
  opened(): void
  start(): void
  close(): Promise<void>
}

const none: CheckedCounts = { checked: 0, missing: 0, damaged: 0 }
const sum = (one: CheckedCounts, other: CheckedCounts): CheckedCounts => ({
  checked: one.checked + other.checked,
  missing: one.missing + other.missing,
  damaged: one.damaged + other.damaged
})

/** How a check goes through files. */
interface Walk extends Pick<CopyCheckParts, 'dataFolder' | 'clock'> {
  readonly isClosed: () => boolean
  /** Files that were checked before this time are left out. */
  readonly before: number
  readonly most: number
  /** After each file; false ends it. */
  readonly goOn: () => Promise<boolean>
  readonly done: (counts: CheckedCounts) => void
}

/** What is wrong with a file, looked at twice: it may have been named or erased during the first look. */
async function found(dataFolder: string, file: CheckedFile): Promise<FoundFile> {
  const fault = (await faultOf(dataFolder, file)) && (await faultOf(dataFolder, file))
  return { name: file.name, ...(fault && { fault }) }
}

/** Checks files and records what was found. Failures: those of the history, `documents-unchecked`. */
async function walk(
  { documents }: HistoryStore,
  { dataFolder, clock, isClosed, before, most, goOn, done }: Walk
): Promise<Failure | undefined> {
  let [after, left]: [string | undefined, number] = ['', most]
  let isWanted = true
  while (after !== undefined && left > 0 && isWanted) {
    const page = await documents.toCheck({ before, now: clock.now() }, after, Math.min(together, left))
    if (!page.ok) return page.failure
    const results: FoundFile[] = []
    for (const file of page.value.files) {
      if (isClosed()) return failure('documents-unchecked')
      results.push(await found(dataFolder, file))
      isWanted = await goOn()
      if (!isWanted) break
    }
    const counts = await documents.checked(results, clock.now())
    if (!counts.ok) return counts.failure
    done(counts.value)
    left -= page.value.files.length
    after = page.value.last
  }
  return undefined
}

/** What the history names of a part of the folder, what is there, and the names there that no copy of this history has. */
export async function partOf(documents: HistoryStore['documents'], dataFolder: string, part: string) {
  // The names first: a file is there before its name is.
  const known = await documents.namesIn(part)
  if (!known.ok) return known
  const folder = await namesIn(dataFolder, part)
  const ours = new Set(known.value.names)
  const unknown = folder.names.filter((name) => !ours.has(name))
  // One may have been kept meanwhile.
  const kept = unknown.length > 0 ? await documents.named(unknown) : ok([])
  if (!kept.ok) return kept
  const late = new Set(kept.value)
  return ok({ known: known.value, folder, unnamed: unknown.filter((name) => !late.has(name)) })
}

interface Compared {
  /** Names that were looked for, and those that are missing now and were not before. */
  readonly names: number
  readonly lost: number
  /** Files that no copy of this history has. */
  readonly others: number
}

/** Compares the names in the folder with those of the history, and records what is missing. Failures: as of `walk`. */
async function compareNames(
  { documents }: HistoryStore,
  { dataFolder, isClosed }: Pick<Walk, 'dataFolder' | 'isClosed'>
): Promise<Result<Compared, Failure>> {
  let [others, names, lost] = [await othersBeside(dataFolder), 0, 0]
  for (const part of copyParts) {
    if (isClosed()) return failed('documents-unchecked')
    const found = await partOf(documents, dataFolder, part)
    if (!found.ok) return found
    const { known, folder, unnamed } = found.value
    const files = new Set([...folder.names, ...folder.waiting])
    const missing: string[] = []
    for (const name of known.names) if (!files.has(name) && !(await isThere(dataFolder, name))) missing.push(name)
    const back = known.missing.filter((name) => files.has(name))
    if (missing.length + back.length > 0) {
      const counted = await documents.compared(missing, back)
      if (!counted.ok) return counted
      lost += counted.value
    }
    others += folder.others + unnamed.length
    names += known.names.length
  }
  return ok({ names, lost, others })
}

/** Checks some of the files that are due, until something urgent waits. @returns What was counted until it ended. */
async function checkDue(
  store: HistoryStore,
  common: Pick<Walk, 'dataFolder' | 'clock' | 'isClosed'>,
  isUrgent: () => boolean
): Promise<CheckedCounts> {
  let counts = none
  await walk(store, {
    ...common,
    before: common.clock.now() - dueAfter,
    most: atATime,
    // Nobody waits for it, and it lets a person's check go first.
    goOn: async () => {
      await sleep(pause, undefined, { ref: false })
      return !isUrgent()
    },
    done: (more) => void (counts = sum(counts, more))
  })
  return counts
}

/** Looks at one file and records what is wrong with it; a whole one is left to its next check. */
async function recordFault(
  { dataFolder, clock, history }: Pick<CopyCheckParts, 'dataFolder' | 'clock' | 'history'>,
  file: CheckedFile,
  noted: (counts: CheckedCounts) => Promise<void>
): Promise<void> {
  const store = await history()
  const result = await found(dataFolder, file)
  const counts = store.ok && result.fault ? await store.value.documents.checked([result], clock.now()) : undefined
  if (counts?.ok && counts.value.checked > 0) await noted(counts.value)
}

export function createCopyChecks(parts: CopyCheckParts): CopyChecks {
  const { dataFolder, clock, history, auditTrail, changed } = parts
  const inTurn = createTurns()
  let closed = false
  const common = { dataFolder, clock, isClosed: () => closed }
  let others: number | undefined
  let checking: CopyCondition['checking']
  let isCompared = false
  /** Checks of all files that somebody waits for. */
  let urgent = 0

  const noted = async ({ checked, missing, damaged }: CheckedCounts): Promise<void> => {
    await auditTrail.note({ kind: 'documents.verified', plain: { checked, missing, damaged } })
    changed()
  }

  async function condition(): Promise<Result<CopyCondition, Failure>> {
    const store = await history()
    const known = store.ok ? await store.value.documents.condition(maxFaultyCopies) : store
    return known.ok
      ? ok({ ...known.value, ...(others !== undefined && { others }), ...(checking && { checking }) })
      : known
  }

  async function compare(): Promise<Result<CopyCondition, Failure>> {
    const store = await history()
    if (!store.ok) return store
    const compared = await compareNames(store.value, common)
    if (!compared.ok) return compared
    const { names: checked, lost: missing } = compared.value
    const isOther = others !== compared.value.others
    others = compared.value.others
    if (missing > 0) await noted({ checked, missing, damaged: 0 })
    else if (isOther) changed()
    return condition()
  }

  async function verify(): Promise<Result<CopiesVerified, Failure>> {
    const store = await history()
    if (!store.ok) return store
    const names = await compare()
    if (!names.ok) return names
    let counts = none
    let announced = 0
    const total = names.value.files
    checking = { done: 0, total }
    changed()
    const fault = await walk(store.value, {
      ...common,
      before: Number.MAX_SAFE_INTEGER,
      most: Infinity,
      goOn: async () => true,
      done(more) {
        counts = sum(counts, more)
        checking = { done: counts.checked, total: Math.max(total, counts.checked) }
        if (performance.now() - announced < announceEvery) return
        announced = performance.now()
        changed()
      }
    })
    checking = undefined
    if (fault) {
      changed()
      return { ok: false, failure: fault }
    }
    await noted(counts)
    const after = await condition()
    return after.ok ? ok({ ...after.value, checked: counts.checked }) : after
  }

  async function checkSome(): Promise<void> {
    const store = await history()
    const counts = store.ok ? await checkDue(store.value, common, () => urgent > 0) : none
    if (counts.checked > 0) await noted(counts)
  }

  const schedule = createSchedule(
    () =>
      inTurn(async () => {
        if (!isCompared) isCompared = (await compare()).ok
        await checkSome()
      }).catch(() => undefined),
    rhythm
  )
  return {
    condition,
    compare,
    verify() {
      urgent += 1
      return inTurn(verify).finally(() => (urgent -= 1))
    },
    checkSome: () => inTurn(checkSome),
    faulty: (file) => recordFault(parts, file, noted),
    opened() {
      isCompared = false
      others = undefined
      schedule.look()
    },
    start: () => schedule.start(),
    async close() {
      closed = true
      await schedule.close()
      await inTurn(async () => undefined)
    }
  }
}
