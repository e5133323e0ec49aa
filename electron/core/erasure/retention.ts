/** Retention, legal holds and erasure: what the history does by itself, carried on to every copy of it. */
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import type { ErasurePreview, ErasureReceipt, LegalHold, RetentionPlan } from '#contract/data-management.ts'
import type { Settings } from '#contract/settings.ts'
import { ok, type Result } from '#contract/result.ts'
import { erasedListPath, listedReceipt, readErased, rememberEnded, rememberErased, rememberReceipts } from './store/erased-list.ts'
import { copiesOfKeys, copyFolders, sweepUnfinished } from '#core/history/copy-folders.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import { codeOf } from '#core/files/write.ts'
import { copyPort } from '#core/history/data-management-port.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import type { Clock } from '#core/ports/clock.ts'
import type { HistoryStore } from '#core/history/api/store.ts'
import type { LaunchWorker } from '#core/ports/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { ErasureIntent, ErasureScope, UnclearedErasure } from '#core/history/api/erasure.ts'

export interface RetentionParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly launch: LaunchWorker
  readonly clock: Clock
  readonly operator: string
  readonly settings: () => Settings
  readonly store: () => Result<HistoryStore, Failure>
  /** Keeps backups and erasures from running at the same time. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly files: ChosenFiles
  readonly changed: () => void
  /** Told as soon as keys are destroyed, whoever asked for it. */
  readonly erased: () => void
}

type Answer<T> = Promise<Result<T, Failure>>

export interface Retention {
  plan(): Answer<RetentionPlan>
  run(seen: { readonly subjects: number; readonly records: number; readonly reason: string }): Answer<ErasureReceipt>
  holds(): Answer<readonly LegalHold[]>
  hold(applicantId: string, held: boolean, reason: string): Answer<readonly LegalHold[]>
  preview(applicantId: string): Answer<ErasurePreview>
  erase(applicantId: string, confirmation: string, reason: string): Answer<ErasureReceipt>
  receipts(): Answer<readonly ErasureReceipt[]>
  /** Carries out what a crash has interrupted, unless a hold has come meanwhile. Never fails: it is tried at each opening. */
  resume(): Promise<void>
  saveReceipt(id: string): Answer<{ readonly path: string } | null>
}

export function createRetention(parts: RetentionParts): Retention {
  const { dataFolder } = parts

  const ask = async <T>(work: (store: HistoryStore['dataManagement']['retention']) => Answer<T>): Answer<T> => {
    const store = parts.store()
    return store.ok ? work(store.value.dataManagement.retention) : store
  }

  /**
   * Takes the keys out of every kept copy. Which of them hold one is noted before the first is rewritten, so that
   * the receipt counts those, too, that were cleared before a crash. Failure: `disk-full`, and the keychain's.
   */
  async function clearCopies({ id, digests, held }: UnclearedErasure): Answer<Pick<ErasureReceipt, 'backupsRewritten' | 'copiesNotReached'>> {
    const files = await copiesOfKeys(dataFolder)
    if (files.length === 0) return ok({ backupsRewritten: 0, copiesNotReached: [] })
    const key = await parts.keychain.get(masterKeyAccount)
    if (!key.ok) return key
    const copies = copyPort(parts.launch)
    const holding = new Set(held)
    const copiesNotReached: string[] = []
    let backupsRewritten = 0
    try {
      for (const file of files) {
        const found = key.value === undefined ? failed('history-key-missing') : await copies.holds(file, key.value, digests)
        if (found.ok && found.value > 0) holding.add(relative(dataFolder, file))
      }
      const noted = holding.size === held.length ? ok(null) : await ask((store) => store.clearing(id, [...holding]))
      if (!noted.ok) return noted
      for (const file of files) {
        const done = key.value === undefined ? failed('history-key-missing') : await copies.forget(file, key.value, digests)
        if (!done.ok && done.failure.code === 'disk-full') return done
        if (!done.ok) copiesNotReached.push(relative(dataFolder, file))
        else if (done.value > 0 || holding.has(relative(dataFolder, file))) backupsRewritten += 1
      }
    } finally {
      copies.end()
    }
    return ok({ backupsRewritten, copiesNotReached })
  }

  /** An index that was set aside with its history still holds texts; it is derived, and made again if ever needed. */
  async function dropOldIndexes(): Promise<void> {
    for (const folder of await copyFolders(dataFolder)) {
      if (dirname(folder) !== dataFolder || !basename(folder).startsWith('history-set-aside-')) continue
      for (const end of ['', '-wal', '-shm', '-journal']) await rm(join(folder, `search.db${end}`), { force: true })
    }
  }

  async function eraseNow({ people, hold, open }: ErasureScope, cause: ErasureReceipt['cause'], reason: string): Answer<ErasureReceipt> {
    if (hold) return failed('erasure-held')
    if (open) return failed('erasure-open-check')
    const decided = { cause, reason, at: parts.clock.now(), operator: parts.operator, subjects: people }
    const intended = await ask((store) => store.intend(decided))
    if (!intended.ok) return intended
    const erased = await carryOut({ ...decided, id: intended.value })
    // The person is told that nothing was erased, and decides again: it is not done later without a word.
    if (!erased.ok) {
      await ask((store) => store.abandon(intended.value))
      await endRefused()
    }
    return erased
  }

  /**
   * What the list has as begun and this history knows nothing of. Keys that are here were not destroyed: it was
   * refused. Those that a restore has taken out, since nobody could say whether they went, go from every copy.
   * What is neither stays as it is: a restore will decide.
   */
  async function settleBegun(): Promise<void> {
    // What fails here stands in the list until it is settled: the next start tries again.
    await outside(async () => {
      await endRefused()
      const { digests: gone, begun, receipts } = await readErased(dataFolder)
      const known = new Set(begun.length === 0 ? [] : gone)
      for (const { id, digests } of begun) {
        if (!digests.every((digest) => known.has(digest))) continue
        await sweepUnfinished(dataFolder)
        const copies = await clearCopies({ id, digests, held: [] })
        if (!copies.ok) continue
        const pending = receipts.get(id)
        if (pending) await rememberReceipts(dataFolder, [{ ...pending, ...copies.value, copiesNotReached: [...copies.value.copiesNotReached], copiesPending: undefined }])
        await rememberEnded(dataFolder, id)
      }
    })
  }

  /** Takes back what the list has as begun of erasures that destroyed nothing. */
  async function endRefused(): Promise<void> {
    await outside(async () => {
      const { begun } = await readErased(dataFolder)
      if (begun.length === 0) return
      const [intended, uncleared] = [await ask((store) => store.intended()), await ask((store) => store.uncleared())]
      if (!intended.ok || !uncleared.ok) return
      const here = new Set([...intended.value, ...uncleared.value].map(({ id }) => id))
      for (const { id, digests } of begun) {
        if (here.has(id)) continue
        const alive = await ask((store) => store.alive(digests))
        if (alive.ok && alive.value > 0) await rememberEnded(dataFolder, id)
      }
    })
  }

  /**
   * From the intent to the receipt. The history goes first, in one step that a hold comes before or not at all; what
   * is outside of it is touched only then, and whatever stops that half-way, the next start goes on with it.
   */
  async function carryOut({ id, ...intent }: ErasureIntent): Answer<ErasureReceipt> {
    // What would stop it behind the step that cannot be taken back is better met before it.
    const writable = await outside(() => rememberErased(dataFolder, []))
    if (writable !== undefined) return failed('erasure-copies', { errno: writable })
    const erased = await ask((store) => store.erase({ ...intent, intent: id, list: erasedListPath(dataFolder) }))
    if (!erased.ok) return erased
    parts.erased()
    parts.changed()
    const uncleared = await ask((store) => store.uncleared())
    if (!uncleared.ok) return failed('erasure-unfinished', { cause: uncleared.failure })
    return clearOutside(uncleared.value.find((one) => one.id === id) ?? { id, digests: [], held: [] })
  }

  /** What holds the destroyed keys outside of the history. May be done twice. Failure: `erasure-unfinished`. */
  async function clearOutside(erasure: UnclearedErasure): Answer<ErasureReceipt> {
    const { id, digests } = erasure
    const fault = await outside(async () => {
      await rememberErased(dataFolder, digests)
      await keepReceipts()
      // Half-made copies hold keys as well, and nobody rewrites them.
      await sweepUnfinished(dataFolder)
    })
    if (fault !== undefined) return failed('erasure-unfinished', { errno: fault })
    const copies = await clearCopies(erasure)
    if (!copies.ok) return failed('erasure-unfinished', { cause: copies.failure })
    await dropOldIndexes().catch(() => undefined)
    const copiesNotReached = [...copies.value.copiesNotReached, ...(await parts.files.sweep()).map(() => 'an unfinished export')]
    const unended = await outside(() => rememberEnded(dataFolder, id))
    if (unended !== undefined) return failed('erasure-unfinished', { errno: unended })
    const cleared = await ask((store) => store.cleared(id, { at: parts.clock.now(), operator: parts.operator, ...copies.value, copiesNotReached }))
    await keepReceipts()
    parts.changed()
    return cleared.ok ? cleared : failed('erasure-unfinished', { cause: cleared.failure })
  }

  /** Lists what receipts say, as far as the list does not: it outlives this history. What fails is done at the next opening. */
  async function keepReceipts(): Promise<void> {
    const here = await ask((store) => store.receipts())
    if (!here.ok || here.value.length === 0) return
    await outside(async () => {
      const { receipts: listed } = await readErased(dataFolder)
      const newer = here.value.map(listedReceipt).filter((one) => JSON.stringify(one) !== JSON.stringify(listed.get(one.id)))
      if (newer.length > 0) await rememberReceipts(dataFolder, newer.reverse())
    })
  }

  /** Newest first: those of this history's audit trail, and those whose audit trail was replaced. */
  async function allReceipts(): Answer<readonly ErasureReceipt[]> {
    const here = await ask((store) => store.receipts())
    if (!here.ok) return here
    const own = new Set(here.value.map(({ id }) => id))
    const replaced: ErasureReceipt[] = []
    const fault = await outside(async () => {
      for (const one of (await readErased(dataFolder)).receipts.values()) if (!own.has(one.id)) replaced.push({ ...one, subjects: [], replaced: true })
    })
    if (fault !== undefined || replaced.length === 0) return here
    return ok([...here.value, ...replaced].sort((a, b) => b.at - a.at))
  }

  const planNow = () => ask((store) => store.plan(parts.settings().retentionDays, parts.clock.now()))

  return {
    plan: async () => {
      const planned = await planNow()
      if (!planned.ok) return planned
      const { going: _going, ...plan } = planned.value
      return ok(plan)
    },
    run: ({ subjects, records, reason }) =>
      parts.exclusively(async () => {
        const planned = await planNow()
        if (!planned.ok) return planned
        if (planned.value.subjects !== subjects || planned.value.records !== records || subjects === 0) return failed('retention-changed')
        const scope = await ask((store) => store.scopeOf(planned.value.going))
        return scope.ok ? eraseNow(scope.value, 'retention', reason) : scope
      }),
    holds: () => ask((store) => store.holds()),
    hold: async (applicantId, held, reason) => {
      const set = await ask((store) => store.hold(applicantId, held, { at: parts.clock.now(), operator: parts.operator, reason }))
      parts.changed()
      return set
    },
    preview: async (applicantId) => {
      const scope = await ask((store) => store.scope(applicantId))
      if (!scope.ok) return scope
      const { records, linked, batchRows, oldest, newest, hold, subjects } = scope.value
      const mentions = await ask((store) => store.mentions(applicantId, subjects))
      if (!mentions.ok) return mentions
      const backups = (await copiesOfKeys(dataFolder)).length
      const leftovers = await parts.files.left()
      return ok({ applicantId, records, linked, batchRows, oldest, newest, backups, mentions: mentions.value, leftovers, ...(hold && { hold }) })
    },
    erase: (applicantId, confirmation, reason) =>
      parts.exclusively(async () => {
        if (confirmation !== applicantId) return failed('erasure-unconfirmed')
        const scope = await ask((store) => store.scope(applicantId))
        return scope.ok ? eraseNow(scope.value, 'request', reason) : scope
      }),
    receipts: allReceipts,
    resume: () =>
      parts.exclusively(async () => {
        const uncleared = await ask((store) => store.uncleared())
        if (uncleared.ok) for (const erasure of uncleared.value) await clearOutside(erasure)
        const intended = await ask((store) => store.intended())
        for (const intent of intended.ok ? intended.value : []) {
          const done = await carryOut(intent)
          // The hold came first: it is not lifted into an erasure.
          if (!done.ok && done.failure.code === 'erasure-held') await ask((store) => store.abandon(intent.id))
        }
        await keepReceipts()
        await settleBegun()
      }),
    saveReceipt: async (id) => {
      const receipts = await allReceipts()
      if (!receipts.ok) return receipts
      const receipt = receipts.value.find((one) => one.id === id)
      if (!receipt) return failed('record-missing')
      const path = await parts.chooseSavePath('Save erasure receipt', `erasure-${id}.json`, ['json'])
      if (path === undefined) return ok(null)
      const written = await parts.files.write(path, `${JSON.stringify({ format: 'veridesk-erasure-receipt', version: 1, ...receipt }, null, 2)}\n`)
      return written.ok ? ok({ path }) : written
    }
  }
}

/** The file system's error code; undefined where it was done. */
async function outside(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (codeOf(error) === 'unknown') throw error
    return codeOf(error)
  }
}

/** What a sentence says, to stand in another. */