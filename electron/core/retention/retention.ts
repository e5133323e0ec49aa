/** Retention, legal holds and erasure: what the history does by itself, carried on to every copy of it. */
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import type { ErasurePreview, ErasureReceipt, LegalHold, RetentionPlan } from '#contract/keeping.ts'
import type { Settings } from '#contract/settings.ts'
import { ok, type Result } from '#contract/result.ts'
import { copiesOfKeys, copyFolders, rememberErased, sweepUnfinished } from '#core/backup/folders.ts'
import { codeOf, reasonOf, writeAtomically } from '#core/files/write.ts'
import { copyPort } from '#core/history/keeping-port.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import type { Clock, HistoryStore, LaunchWorker, SecretStore } from '#core/ports.ts'
import type { ErasureIntent, ErasureScope } from './store.ts'

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
  readonly changed: () => void
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
  /** Carries out what a crash has interrupted before a key was destroyed in the history itself. Never fails: it is tried at each opening. */
  resume(): Promise<void>
  saveReceipt(id: string): Answer<{ readonly path: string } | null>
}

export function createRetention(parts: RetentionParts): Retention {
  const { dataFolder } = parts

  const ask = async <T>(work: (store: HistoryStore['keeping']['retention']) => Answer<T>): Answer<T> => {
    const store = parts.store()
    return store.ok ? work(store.value.keeping.retention) : store
  }

  /** Takes the keys out of every kept copy, before the history itself forgets them. */
  async function clearCopies(digests: readonly string[]): Answer<{ readonly rewritten: number; readonly notReached: string[] }> {
    const files = await copiesOfKeys(dataFolder)
    if (files.length === 0) return ok({ rewritten: 0, notReached: [] })
    const key = await parts.keychain.get(masterKeyAccount)
    if (!key.ok) return key
    const copies = copyPort(parts.launch)
    const notReached: string[] = []
    let rewritten = 0
    try {
      for (const file of files) {
        const done = key.value === undefined ? failed('history-key-missing') : await copies.forget(file, key.value, digests)
        if (!done.ok && done.failure.code === 'disk-full') return done
        if (!done.ok) notReached.push(relative(dataFolder, file))
        else if (done.value > 0) rewritten += 1
      }
    } finally {
      copies.end()
    }
    return ok({ rewritten, notReached })
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
    if (!erased.ok) await ask((store) => store.abandon(intended.value))
    return erased
  }

  /** From the intent to the receipt. Each step may have been done before, up to where a crash came. */
  async function carryOut({ id, ...intent }: ErasureIntent): Answer<ErasureReceipt> {
    const scope = await ask((store) => store.scopeOf(intent.subjects))
    if (!scope.ok) return scope
    try {
      await rememberErased(dataFolder, scope.value.digests)
      // Half-made copies hold keys as well, and nobody rewrites them.
      await sweepUnfinished(dataFolder)
    } catch (error) {
      if (codeOf(error) === 'unknown') throw error
      return failed('erasure-copies', { detail: reasonOf(error) })
    }
    const copies = await clearCopies(scope.value.digests)
    if (!copies.ok) return copies
    const { rewritten: backupsRewritten, notReached: copiesNotReached } = copies.value
    const erased = await ask((store) => store.erase({ ...intent, intent: id, backupsRewritten, copiesNotReached }))
    await dropOldIndexes().catch(() => undefined)
    parts.changed()
    return erased
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
      const { records, linked, batchRows, oldest, newest, hold } = scope.value
      const backups = (await copiesOfKeys(dataFolder)).length
      return ok({ applicantId, records, linked, batchRows, oldest, newest, backups, ...(hold && { hold }) })
    },
    erase: (applicantId, confirmation, reason) =>
      parts.exclusively(async () => {
        if (confirmation !== applicantId) return failed('erasure-unconfirmed')
        const scope = await ask((store) => store.scope(applicantId))
        return scope.ok ? eraseNow(scope.value, 'request', reason) : scope
      }),
    receipts: () => ask((store) => store.receipts()),
    resume: () =>
      parts.exclusively(async () => {
        const intended = await ask((store) => store.intended())
        if (intended.ok) for (const intent of intended.value) await carryOut(intent)
      }),
    saveReceipt: async (id) => {
      const receipts = await ask((store) => store.receipts())
      if (!receipts.ok) return receipts
      const receipt = receipts.value.find((one) => one.id === id)
      if (!receipt) return failed('record-missing')
      const path = await parts.chooseSavePath('Save the receipt of the erasure', `erasure-${id}.json`, ['json'])
      if (path === undefined) return ok(null)
      const written = await writeAtomically(path, `${JSON.stringify({ format: 'veridesk-erasure-receipt', version: 1, ...receipt }, null, 2)}\n`)
      return written.ok ? ok({ path }) : failed('file-unwritable', { file: basename(path), detail: written.failure.what.replace(/\.$/, '') })
    }
  }
}
