/** The lock with the console's parts: what it empties, what it waits for, and how the history comes back. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LockState } from '#contract/lock/lock.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Recoveries } from '#core/backup/recoveries.ts'
import type { Batches } from '#core/batches/batches.ts'
import type { Removals } from '#core/data-removal/removals.ts'
import { recoveryFileName } from '#core/history/copy-folders.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import type { CurrentHistory } from '#core/history/current.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { SettingsFile } from '#core/settings/settings.ts'
import type { Updates } from '#core/updates/updates.ts'
import type { Runs } from '#core/verification/runs.ts'
import { createAdmission, type Admission } from './admission.ts'
import type { Dialogs } from './dialogs.ts'
import type { Gate } from './gate.ts'
import { watchIdle, type IdleWatch } from './idle.ts'
import { createLock, type Lock } from './lock.ts'
import type { Phase } from './phase.ts'
import type { ProtectedSecrets } from './protected-secrets.ts'
import type { Tries } from './tries.ts'
import { Session } from 'node:inspector/promises'
import { within } from '#kit/async/within.ts'

/** Milliseconds for a collection; a large heap takes a fraction of them. */
const limit = 5000

/**
 * Collects garbage completely. OpenSSL zeroes the keys of key objects only when these are collected, which may be hours later;
 * and memory of the JavaScript heap returns to the system. V8 offers this to programs through its inspector only; nothing
 * happens if that is not there.
 */
async function collectGarbage(): Promise<void> {
  try {
    const session = new Session()
    session.connect()
    await within(limit, session.post('HeapProfiler.collectGarbage'))
    session.disconnect()
  } catch {
    // Built without an inspector: everything is collected later.
  }
}

export interface ConsoleLockParts {
  readonly host: HostPorts
  readonly phase: Phase
  readonly gate: Gate
  readonly dialogs: Dialogs
  readonly settings: SettingsFile
  readonly removals: Removals
  readonly batches: Pick<Batches, 'pauseAll' | 'busy' | 'idle' | 'copyOn'>
  readonly runs: Pick<Runs, 'writeLate'>
  readonly updates: Pick<Updates, 'quiet' | 'state'>
  readonly data: { exclusively<T>(work: () => Promise<T>): Promise<T>; readonly recoveries: Recoveries }
  readonly history: CurrentHistory
  readonly keychain: SecretStore
  readonly folderSecrets: ProtectedSecrets
  readonly tries: Tries
  readonly auditTrail: AuditTrail
  /** Whether what is written now is still there after a restart. */
  lasting(): boolean
  /** Drops what core holds besides the history: credentials that can be restored, the team with its keys. */
  drop(): Promise<void>
  /** The history is open again. */
  back(): void
  changed(): void
}

export interface ConsoleLock {
  readonly lock: Lock
  readonly admission: Admission
  readonly idle: IdleWatch
  /** Opens the history at the start; stays locked if its key is under a passphrase. */
  openAtStart(): Promise<void>
}

export function createConsoleLock(parts: ConsoleLockParts): ConsoleLock {
  const { host, phase, gate, history, keychain, folderSecrets: secrets, tries, auditTrail } = parts

  const working = (): LockState['working'] =>
    parts.batches.busy() ? 'batch' : gate.isBusy() || parts.updates.state().checking ? 'request' : undefined
  const pauseBatches = (): void => {
    if (parts.settings.current().lockBatch === 'pause') parts.batches.pauseAll()
  }
  const lock = createLock({
    clock: host.clock,
    phase,
    announceLocking: () => host.announce({ kind: 'locking' }),
    empty: () => parts.removals.announce('locked'),
    hold() {
      parts.dialogs.cancel()
      pauseBatches()
    },
    working,
    async drained() {
      await gate.quiet()
      // One that was being started runs only now.
      if (!phase.isOpen()) pauseBatches()
      const rows = await parts.batches.idle()
      // What goes on by itself may read the keychain or the history. Until it ends, unlocking closes nothing.
      await parts.updates.quiet()
      await parts.data.exclusively(() => Promise.resolve())
      return (await parts.runs.writeLate()) && rows
    },
    async wipe() {
      await parts.drop()
      // Whatever uses the history by schedule, and may have begun since, ends first; it may have asked for the team.
      const closed = await parts.data.exclusively(() => history.bar())
      await parts.drop()
      secrets.forget()
      if (closed) await keychain.rest?.()
      await collectGarbage()
      return closed
    },
    async reopen() {
      if (keychain.state() !== 'ready') await keychain.probe()
      await history.unbar()
      parts.back()
    },
    note: (event) =>
      auditTrail.note(
        event.kind === 'locked'
          ? { kind: 'console.locked', plain: { why: event.why } }
          : { kind: 'console.unlocked', plain: { by: event.by } }
      ),
    opened() {
      void parts.runs.writeLate()
      parts.batches.copyOn()
    },
    tried: () => ({
      by: tries.isProtected() ? 'passphrase' : 'session',
      wrong: tries.wrong(),
      waitSeconds: tries.wait(),
      ...(existsSync(join(historyFolder(host.dataFolder), recoveryFileName)) && { recovery: true })
    }),
    changed: parts.changed
  })
  const admission = createAdmission({
    secrets,
    tries,
    masterKeyOf: (key) => parts.data.recoveries.masterKeyOf(key),
    isOnFile: parts.lasting,
    noteFailed: (count) => auditTrail.note({ kind: 'unlock.failed', plain: { tries: count } }),
    noteChanged: (change) => auditTrail.note({ kind: 'passphrase.changed', plain: { change } })
  })

  async function openAtStart(): Promise<void> {
    // Before anything is answered. The keychain may know of a passphrase that the file does not.
    if (tries.isProtected()) lock.startLocked()
    else await history.open()
    const found = history.state()
    if (!tries.isProtected() && !(found.state === 'failed' && found.failure.code === 'locked')) return
    if (!tries.isProtected()) lock.startLocked()
    await tries.setProtected(true)
    await history.bar()
  }

  return {
    lock,
    admission,
    openAtStart,
    idle: watchIdle({
      clock: host.clock,
      minutes: () => (host.sample || host.kind === 'cli' ? 0 : parts.settings.current().lockMinutes),
      onIdle: () => void lock.lock('idle')
    })
  }
}
