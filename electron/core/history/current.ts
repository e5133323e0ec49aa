/**
 * Determines which history the console uses: the encrypted file, one in memory for this session if no keychain can
 * hold a key, or none, with the reason.
 */
import { existsSync } from 'node:fs'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { KeychainState } from '#contract/app/app-state.ts'
import type { HistoryState } from '#contract/history/records.ts'
import type { Result } from '#contract/failures/result.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { copyId } from './folder-keys.ts'
import { masterKeyAccount, openHistory, setAsideHistory } from './open.ts'
import { finishRestoring } from './unfinished-restore.ts'
import { keepKey } from '#core/secrets/key-bytes.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { statfs } from 'node:fs/promises'

interface SpaceWatch {
  /** Starts watching, if not already watching. */
  watch(): void
  stop(): void
}

/** Milliseconds between two tests: about the time a user needs to free space and return to the window. */
const testEvery = 10_000
/** Bytes that must be free; with less, the next records would fill the disk again. */
const requiredBytes = 16 * 1024 * 1024

/** Calls `onSpace` once after each `watch()`, when the folder's disk has 16 MiB for this user again. Never fails. */
function watchForSpace(folder: string, onSpace: () => void): SpaceWatch {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const look = async (): Promise<void> => {
    const found = await statfs(folder).catch(() => undefined)
    if (timer === undefined || !found || found.bavail * found.bsize < requiredBytes) return
    stop()
    onSpace()
  }
  return {
    watch() {
      timer ??= setInterval(() => void look(), testEvery).unref()
    },
    stop
  }
}

export interface CurrentHistory {
  state(): HistoryState
  /** The open history, or why there is none. */
  store(): Result<HistoryStore, Failure>
  /** Waits for an opening in progress, so that requests at start wait instead of failing. */
  ready(): Promise<Result<HistoryStore, Failure>>
  /** Opens what can be opened; called at start and after the user has fixed a problem. */
  open(): Promise<HistoryState>
  /** Leaves the files unchanged and opens a history in memory, for work that cannot wait for a keychain. */
  openForSession(): Promise<HistoryState>
  /** Renames the current files, deletes nothing, and opens a new history. */
  setAside(): Promise<Result<HistoryState, Failure>>
  /** Closes the history while `work` runs, then opens what is there. */
  whileClosed(work: () => Promise<void>): Promise<HistoryState>
  /** Opens the files with a key that is not from the keychain but from the recovery key. */
  openWithKey(masterKey: Buffer): Promise<HistoryState>
  /**
   * Closes the history and keeps it closed until `unbar`, for a lock. False if it stays open, because it could not be opened
   * again: it is in memory, or its key is.
   */
  bar(): Promise<boolean>
  /** Opens the history again after `bar`. */
  unbar(): Promise<HistoryState>
  close(): Promise<void>
}

interface CurrentHistoryParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly session: SecretStore
  readonly launch: LaunchWorker
  readonly clock: Clock
  /** Called whenever the state has changed. */
  readonly changed: (state: HistoryState) => void
  /** Called when the history that was open may have been replaced by another one or by none. */
  readonly replaced: () => void
}

const keychainFailure: Readonly<Record<Exclude<KeychainState, 'ready'>, Failure>> = {
  unchecked: failure('keychain-hung'),
  absent: failure('keychain-absent'),
  locked: failure('keychain-locked'),
  denied: failure('keychain-denied'),
  hung: failure('keychain-hung')
}

/** Openings, one after another; requests wait for the last one. */
function createOpenings() {
  let opening: Promise<HistoryState> | undefined
  /** No opening is in progress. */
  const finished = async (): Promise<void> => {
    while (opening) await opening
  }
  /** Makes a change after those that were asked for before it. From now on, requests wait for its end. */
  const waitedFor = (change: () => Promise<HistoryState>): Promise<HistoryState> => {
    const before = opening
    const changing = (async () => {
      await before?.catch(() => undefined)
      return change()
    })().finally(() => {
      if (opening === changing) opening = undefined
    })
    opening = changing
    return changing
  }

  return { finished, waitedFor, inProgress: () => opening }
}

/** The history that is open, or why there is none. */
function createHeld(parts: CurrentHistoryParts, spaceFreed: () => void) {
  const folder = historyFolder(parts.dataFolder)
  let state: HistoryState = { state: 'opening' }
  let store: HistoryStore | undefined
  /** Whether a window may be showing data of a history that was open. */
  let shown = false
  /** The keychain has the key of what is open. */
  let reopens = false
  // A history opened read-only is reopened for writing as soon as there is disk space.
  const space = watchForSpace(folder, spaceFreed)

  const setState = (next: HistoryState, opened?: HistoryStore): HistoryState => {
    state = next
    store = opened
    parts.changed(next)
    return next
  }
  /** Notifies after the change, when requests to the previous history are answered and new ones go to this one. */
  const replacing = async (change: () => Promise<HistoryState>): Promise<HistoryState> => {
    const before = shown
    const next = await change()
    if (before) parts.replaced()
    shown = next.state === 'ready'
    return next
  }

  async function release(): Promise<void> {
    space.stop()
    const present = store
    store = undefined
    await present?.close()
  }

  async function openKept(
    kept: 'file' | 'session',
    secrets = kept === 'file' ? parts.keychain : parts.session
  ): Promise<HistoryState> {
    if (kept === 'file' && !(await finishRestoring(parts.dataFolder)))
      return setState({ state: 'failed', failure: failure('history-unavailable', { reason: 'restore-unfinished' }) })
    const opened = await openHistory({ folder, secrets, launch: parts.launch, clock: parts.clock, kept })
    if (!opened.ok) return setState({ state: 'failed', failure: opened.failure })
    const present = opened.value.store
    if (kept === 'file') await copyId(parts.dataFolder, folder)
    void present.ended.then((reason) => {
      // If it was closed on purpose, it is no longer the current one.
      if (store === present)
        setState({
          state: 'failed',
          failure: failure('history-unavailable', { reason: 'worker-ended', ending: reason })
        })
    })
    const { records: recordsAtOpening, interrupted, readOnly } = opened.value.opened
    if (readOnly) space.watch()
    shown = true
    reopens = kept === 'file' && secrets === parts.keychain
    return setState({ state: 'ready', kept, recordsAtOpening, interrupted, ...(readOnly && { readOnly }) }, present)
  }

  const present = (): Result<HistoryStore, Failure> => {
    if (store) return { ok: true, value: store }
    if (state.state === 'failed') return failed('history-unavailable', { cause: state.failure })
    return failed('history-unavailable', { reason: 'opening' })
  }

  return {
    folder,
    state: () => state,
    store: () => store,
    reopens: () => reopens,
    /** Without telling anybody. */ setOpening: () => void (state = { state: 'opening' }),
    setState,
    replacing,
    release,
    openKept,
    present
  }
}

/** Opens nothing before `open()` is called. */
export function createCurrentHistory(parts: CurrentHistoryParts): CurrentHistory {
  /** Locked: nothing is opened. */
  let barred = false
  const { finished, waitedFor, inProgress } = createOpenings()
  const held = createHeld(parts, () => void open())
  const { folder, setState, replacing, release, openKept, present } = held
  const open = async (): Promise<HistoryState> => (barred ? held.state() : opensNow())
  const opensNow = (): Promise<HistoryState> => inProgress() ?? waitedFor(openNow)

  async function openNow(): Promise<HistoryState> {
    const keychain = parts.keychain.state() === 'unchecked' ? await parts.keychain.probe() : parts.keychain.state()
    const state = held.state()
    // What can be read stays open: without a keychain it could not be reopened.
    if (state.state === 'ready' && state.readOnly && keychain !== 'ready') return state
    if (state.state === 'ready') {
      // A session history that contains records is not discarded in favour of the file.
      const counts = state.kept === 'session' && keychain === 'ready' ? await held.store()?.counts({}) : undefined
      if (!state.readOnly && (!counts?.ok || counts.value.total > 0)) return state
      const again = async (): Promise<HistoryState> => {
        await release()
        return openKept('file')
      }
      // A history opened read-only is the same one; a session history is a different one.
      return state.readOnly ? again() : replacing(again)
    }
    if (keychain === 'ready') return openKept('file')
    // Without its key an existing history stays closed; the user decides whether to work without it.
    if (existsSync(folder)) return setState({ state: 'failed', failure: keychainFailure[keychain] })
    return openKept('session')
  }

  return {
    state: held.state,
    store: present,
    async ready() {
      await finished()
      return present()
    },
    open,
    openForSession: () =>
      waitedFor(async () => (held.state().state === 'ready' ? held.state() : replacing(() => openKept('session')))),
    async setAside() {
      await finished()
      await release()
      const aside = await setAsideHistory(folder, parts.clock, parts.keychain)
      if (!aside.ok) return aside
      held.setOpening()
      return { ok: true, value: await replacing(() => this.open()) }
    },
    whileClosed: (work) =>
      waitedFor(() =>
        replacing(async () => {
          await release()
          setState({ state: 'opening' })
          await work()
          return openNow()
        })
      ),
    openWithKey: (masterKey) =>
      waitedFor(() =>
        replacing(async () => {
          await release()
          const secrets = createSessionSecrets()
          await keepKey(secrets, masterKeyAccount, masterKey)
          return openKept('file', secrets)
        })
      ),
    async bar() {
      await finished()
      if (held.state().state === 'ready' && !(held.reopens() && parts.keychain.state() === 'ready')) return false
      barred = true
      await release()
      setState({ state: 'failed', failure: failure('locked') })
      return true
    },
    async unbar() {
      barred = false
      return open()
    },
    async close() {
      await finished()
      await release()
    }
  }
}
