/**
 * Wrong passphrases cost time. Their number is on disk before an attempt is verified, so neither a crash nor a restart gives
 * one away. The wait is measured on a clock that nobody can set, from the start of the computer on: it goes on in the next
 * process. After the computer's own restart at least the time since then has passed, so no wait becomes shorter than it is.
 */
import { open } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { openDataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { fileText } from '#core/files/versioned.ts'
import type { Clock } from '#kit/clock.ts'

/** Attempts without a wait. */
export const freeTries = 5
/** Seconds to wait after the fifth wrong attempt, the sixth, and so on; the last applies to all that follow. */
const waits = [30, 60, 120, 300, 600, 900] as const

/** Seconds until the next attempt, after so many wrong ones in a row. */
export function waitAfter(wrong: number): number {
  if (wrong < freeTries) return 0
  return waits[Math.min(wrong - freeTries, waits.length - 1)] ?? 0
}

export interface Tries {
  /** Wrong attempts in a row. */
  wrong(): number
  /** Seconds until the next attempt is accepted; 0 if it is now. */
  wait(): number
  /**
   * An attempt is about to be verified: it counts as wrong until `right`. Failures: those of writing a file; the attempt
   * must not be verified then.
   */
  begin(): Promise<Result<null, Failure>>
  /** It could not be verified: it does not count. */
  undo(): Promise<void>
  /** The attempt was right. */
  right(): Promise<void>
  /** Whether a passphrase is set, as far as this file knows; the keychain decides. */
  isProtected(): boolean
  setProtected(value: boolean): Promise<void>
}

/** `at`: of the last attempt that counted, in seconds since the computer's start. */
const schema = z.strictObject({ passphrase: z.boolean(), wrong: z.int().min(0).max(1_000_000), at: z.number().min(0) })

/**
 * `lock.json` of the data folder. Without a usable file, only this session counts.
 *
 * @param sinceStart Seconds since the computer's start.
 */
export async function openTries(
  folder: string,
  clock: Pick<Clock, 'now'>,
  sinceStart: () => number = uptime
): Promise<Tries> {
  const named = { path: join(folder, ownFiles.lock), format: 'veridesk-lock', version: 1 }
  const file = await openDataFile<z.output<typeof schema>>({
    ...named,
    schema,
    defaults: { passphrase: false, wrong: 0, at: 0 },
    now: clock.now()
  })
  let state = file.data()

  async function keep(next: typeof state): Promise<Result<null, Failure>> {
    // Who can make the file unusable can reset it as well.
    const written = file.refresh().ok ? await file.write(next) : ok(null)
    // A full disk has no space for another file, but the one that is there has its block already.
    if (!written.ok && !(written.failure.code === 'disk-full' && (await overwrite(named.path, fileText(named, next)))))
      return written
    state = next
    return ok(null)
  }
  /** Counts in this session at least. */
  async function keepOrRemember(next: typeof state): Promise<void> {
    await keep(next)
    state = next
  }
  const sinceLast = (): number => (sinceStart() >= state.at ? sinceStart() - state.at : sinceStart())

  return {
    wrong: () => state.wrong,
    wait: () => Math.max(0, Math.ceil(waitAfter(state.wrong) - sinceLast())),
    begin: () => keep({ ...state, wrong: state.wrong + 1, at: sinceStart() }),
    undo: () => keepOrRemember({ ...state, wrong: state.wrong - 1 }),
    right: () => keepOrRemember({ ...state, wrong: 0 }),
    isProtected: () => state.passphrase,
    setProtected: (value) =>
      state.passphrase === value ? Promise.resolve() : keepOrRemember({ ...state, passphrase: value })
  }
}

/** Writes into the existing file; false if that is impossible, too. */
async function overwrite(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'r+').catch(() => undefined)
  if (!file) return false
  try {
    await file.writeFile(text)
    await file.truncate(Buffer.byteLength(text))
    await file.sync()
    return true
  } catch {
    return false
  } finally {
    await file.close()
  }
}
