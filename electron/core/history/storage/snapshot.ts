/**
 * The two files that are backed up, as they are at one moment, copied while the history goes on working.
 *
 * Why it is done in this way: the files are locked to their one connection (`locking_mode=EXCLUSIVE`), so no
 * other connection can read them, and two connections would have two snapshots, one for each file, that
 * nothing binds together. `VACUUM INTO` on the one connection blocks every request for as long as it runs.
 * But in WAL mode a database file itself changes at checkpoints only. So, in one turn of the worker:
 *
 * 1. both logs are brought into their files and emptied (`wal_checkpoint(TRUNCATE)`), and
 * 2. automatic checkpoints are switched off.
 *
 * From then on both files stand still, at the same moment between two groups of writes: the keys that the
 * evidence needs are in the one, the evidence in the other. What is written meanwhile goes into the logs and
 * is read from there. The standing files are copied byte for byte by the system's thread pool, so that the
 * worker only waits for callbacks; then checkpoints are switched on again. `VACUUM INTO` and the check run
 * elsewhere, on that copy (`backup.ts`).
 */
import { close, closeSync, fstatSync, openSync, read } from 'node:fs'
import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { failed, type Failure, type FailureDetails } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { failureOf, pathOf, type Db, type FileName } from './files.ts'

export const copied = ['history', 'subjects'] as const
type Copied = (typeof copied)[number]

const readAt = promisify(read)
const piece = 1024 * 1024
/** SQLite's own default: pages in a log after which it is brought into its file. */
const usual = 1000
/** SQLite never uses the page in which its locks lie, and Windows lets nobody read it meanwhile. */
const lockPage = { from: 0x40000000, bytes: 4096 }

export class Snapshots {
  private readonly dbs: Readonly<Record<FileName, Db>>
  /**
   * Closing any descriptor of a file drops the process's POSIX locks on it, SQLite's among them. So each is
   * opened once, and closed when SQLite has closed the file.
   */
  private readonly descriptors = new Map<Copied, number>()
  private copying: Promise<unknown> | undefined
  private stopped = false

  constructor(dbs: Readonly<Record<FileName, Db>>) {
    this.dbs = dbs
  }

  /** Whether the files must stand still: nothing may bring the logs into them. */
  get busy(): boolean {
    return this.copying !== undefined
  }

  /**
   * Copies both files into a folder that is there and empty, and syncs the copies. Failures: `backup-failed`
   * (also where another copy is in progress, or the history is closed meanwhile), `disk-full`.
   *
   * @param source The folder of the history.
   */
  take(source: string, folder: string): Promise<Result<null, Failure>> {
    if (this.copying || this.stopped) return Promise.resolve(failed('backup-failed', { reason: this.stopped ? 'history-closed' : 'in-progress' }))
    const taking = this.copy(source, folder).finally(() => {
      this.copying = undefined
    })
    this.copying = taking
    return taking
  }

  /** Ends a copy in progress; to be awaited before the files are closed. */
  async stop(): Promise<void> {
    this.stopped = true
    await this.copying?.catch(() => undefined)
  }

  /** Lets the descriptors go. Only after SQLite has closed the files. */
  release(): void {
    this.stopped = true
    for (const descriptor of this.descriptors.values()) {
      // A copy that nobody has stopped may still be reading: its pieces are of no use any more.
      if (this.copying) void this.copying.finally(() => close(descriptor, () => undefined)).catch(() => undefined)
      else closeSync(descriptor)
    }
    this.descriptors.clear()
  }

  private async copy(source: string, folder: string): Promise<Result<null, Failure>> {
    try {
      // Nothing is awaited up to here: both files stand still at the same moment.
      for (const name of copied) this.still(name, source)
      for (const name of copied) await this.copyOne(name, pathOf(folder, name))
      return ok(null)
    } catch (error) {
      if (error instanceof Stopped) return failed('backup-failed', error.why)
      const known = failureOf(error, folder)
      if (!known) throw error
      return known.code === 'disk-full' ? failed('disk-full') : failed('backup-failed', { cause: known })
    } finally {
      for (const name of copied) if (this.dbs[name].open) this.dbs[name].pragma(`wal_autocheckpoint=${usual}`)
    }
  }

  private still(name: Copied, source: string): void {
    const db = this.dbs[name]
    const [log] = db.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number; readonly log: number; readonly checkpointed: number }[]
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
      for (let at = 0; at < size; ) {
        if (this.stopped) throw new Stopped({ reason: 'history-closed' })
        const past = at === lockPage.from ? lockPage.bytes : 0
        at += past
        const end = at < lockPage.from ? Math.min(size, lockPage.from) : size
        if (at >= end) break
        const { bytesRead } = await readAt(from, buffer, 0, Math.min(piece, end - at), at)
        if (bytesRead === 0) throw new Stopped({ reason: 'file-shortened', file: `${name}.db` })
        await file.write(buffer, 0, bytesRead, at)
        at += bytesRead
        // Requests that have arrived come first.
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
