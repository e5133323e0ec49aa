/**
 * Copies the two files of a backup, consistent at one moment, while the history stays in use.
 *
 * The files are locked to one connection each (`locking_mode=EXCLUSIVE`), so no other connection can read them, and
 * the two connections would have two independent snapshots. `VACUUM INTO` on such a connection blocks every request
 * while it runs. But in WAL mode a database file changes only at checkpoints. So, in one turn of the worker:
 *
 * 1. both logs are written to their files and emptied (`wal_checkpoint(TRUNCATE)`), and
 * 2. automatic checkpoints are switched off.
 *
 * From then on both files stay unchanged, in the state of the same moment between two groups of writes: one contains
 * the keys that the evidence needs, the other the evidence. New writes go to the logs and are read from there. The
 * unchanged files are copied byte for byte by the system's thread pool, so that the worker only waits for callbacks;
 * then checkpoints are switched on again. `VACUUM INTO` and the check run elsewhere, on that copy (`backup.ts`).
 */
import { close, closeSync, fstatSync, openSync, read } from 'node:fs'
import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { failed, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { failureOf, pathOf, type Db, type FileName } from '#wire/sqlite/files.ts'

export const copied = ['history', 'subjects'] as const
type Copied = (typeof copied)[number]

const readAt = promisify(read)
const piece = 1024 * 1024
/** SQLite's default: pages in a log after which it is checkpointed. */
const defaultCheckpoint = 1000
/** SQLite never uses the page of its lock bytes, and Windows prevents reading it while they are locked. */
const lockPage = { from: 0x40000000, bytes: 4096 }

export class Snapshots {
  private readonly dbs: Readonly<Record<FileName, Db>>
  /**
   * Closing any descriptor of a file drops the process's POSIX locks on it, including SQLite's. So each is opened
   * once, and closed after SQLite has closed the file.
   */
  private readonly descriptors = new Map<Copied, number>()
  private copying: Promise<unknown> | undefined
  private stopped = false

  constructor(dbs: Readonly<Record<FileName, Db>>) {
    this.dbs = dbs
  }

  /** Whether the files must stay unchanged: the logs must not be checkpointed. */
  get busy(): boolean {
    return this.copying !== undefined
  }

  /**
   * Copies both files into an existing empty folder and syncs the copies. Failures: `backup-failed` (also while
   * another copy is in progress, or if the history is closed meanwhile), `disk-full`.
   *
   * @param source The folder of the history.
   */
  take(source: string, folder: string): Promise<Result<null, Failure>> {
    if (this.copying || this.stopped)
      return Promise.resolve(failed('backup-failed', { reason: this.stopped ? 'history-closed' : 'in-progress' }))
    const taking = this.copy(source, folder).finally(() => {
      this.copying = undefined
    })
    this.copying = taking
    return taking
  }

  /** Ends a copy in progress; await before closing the files. */
  async stop(): Promise<void> {
    this.stopped = true
    await this.copying?.catch(() => undefined)
  }

  /** Closes the descriptors. Only after SQLite has closed the files. */
  release(): void {
    this.stopped = true
    for (const descriptor of this.descriptors.values()) {
      // A copy that was not stopped may still be reading; its result is no longer needed.
      if (this.copying) void this.copying.finally(() => close(descriptor, () => undefined)).catch(() => undefined)
      else closeSync(descriptor)
    }
    this.descriptors.clear()
  }

  private async copy(source: string, folder: string): Promise<Result<null, Failure>> {
    try {
      // Nothing is awaited before this, so both files are unchanged from the same moment.
      for (const name of copied) this.still(name, source)
      for (const name of copied) await this.copyOne(name, pathOf(folder, name))
      return ok(null)
    } catch (error) {
      if (error instanceof Stopped) return failed('backup-failed', error.why)
      const known = failureOf(error, folder)
      if (!known) throw error
      return known.code === 'disk-full' ? failed('disk-full') : failed('backup-failed', { cause: known })
    } finally {
      for (const name of copied)
        if (this.dbs[name].open) this.dbs[name].pragma(`wal_autocheckpoint=${defaultCheckpoint}`)
    }
  }

  private still(name: Copied, source: string): void {
    const db = this.dbs[name]
    const [log] = db.pragma('wal_checkpoint(TRUNCATE)') as {
      readonly busy: number
      readonly log: number
      readonly checkpointed: number
    }[]
    if (!log || log.busy !== 0 || log.log !== log.checkpointed) throw new Stopped({ reason: 'log-not-empty' })
    db.pragma('wal_autocheckpoint=0')
    if (!this.descriptors.has(name)) this.descriptors.set(name, openSync(pathOf(source, name), 'r'))
  }

  private async copyOne(name: Copied, to: string): Promise<void> {
    const from = this.descriptors.get(name)
    if (from === undefined) throw new Stopped({ reason: 'history-closed' })
    const { size } = fstatSync(from)
    const buffer = Buffer.allocUnsafe(piece)
    const file = await open(to, 'wx', 0o600)
    try {
      for (let at = 0; at < size;) {
        if (this.stopped) throw new Stopped({ reason: 'history-closed' })
        const past = at === lockPage.from ? lockPage.bytes : 0
        at += past
        const end = at < lockPage.from ? Math.min(size, lockPage.from) : size
        if (at >= end) break
        const { bytesRead } = await readAt(from, buffer, 0, Math.min(piece, end - at), at)
        if (bytesRead === 0) throw new Stopped({ reason: 'file-shortened', file: `${name}.db` })
        await file.write(buffer, 0, bytesRead, at)
        at += bytesRead
        // Lets pending requests run first.
        await setImmediate()
      }
      await file.truncate(size)
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

class Stopped extends Error {
  readonly why: FailureDetails<'backup-failed'>
  constructor(why: FailureDetails<'backup-failed'>) {
    super('the copy was stopped')
    this.why = why
  }
}
