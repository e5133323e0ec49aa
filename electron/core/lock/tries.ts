/**
 * Wrong passphrases cost time. Their number is on disk before an attempt is verified, so neither a crash nor a restart gives
 * one away; after a start the whole wait begins again, so that no clock that can be set shortens it.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { openDataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#core/files/own-names.ts'
import type { Clock } from '#core/ports/clock.ts'

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
  /** An attempt is about to be verified: it counts as wrong until `right`. */
  begin(): Promise<void>
  /** It could not be verified: it does not count. */
  undo(): Promise<void>
  /** The attempt was right. */
  right(): Promise<void>
  /** Whether a passphrase is set, as far as this file knows; the keychain decides. */
  isProtected(): boolean
  setProtected(value: boolean): Promise<void>
}

const schema = z.strictObject({ passphrase: z.boolean(), wrong: z.int().min(0).max(1_000_000) })

/** `lock.json` of the data folder. Never fails: without a usable file, only this session counts. */
export async function openTries(folder: string, clock: Clock): Promise<Tries> {
  const file = await openDataFile<z.output<typeof schema>>({
    path: join(folder, ownFiles.lock), format: 'veridesk-lock', version: 1, schema, migrate: (data) => data, defaults: { passphrase: false, wrong: 0 }, now: clock.now()
  })
  let state = file.data()
  const steady = (): number => clock.monotonic()
  let until = steady() + waitAfter(state.wrong) * 1000
  async function keep(next: typeof state): Promise<void> {
    state = next
    if (file.refresh().ok) await file.write(next)
  }
  return {
    wrong: () => state.wrong,
    wait: () => Math.max(0, Math.ceil((until - steady()) / 1000)),
    async begin() {
      await keep({ ...state, wrong: state.wrong + 1 })
      until = steady() + waitAfter(state.wrong) * 1000
    },
    async undo() {
      await keep({ ...state, wrong: state.wrong - 1 })
      until = steady() + waitAfter(state.wrong) * 1000
    },
    async right() {
      until = steady()
      await keep({ ...state, wrong: 0 })
    },
    isProtected: () => state.passphrase,
    setProtected: (value) => (state.passphrase === value ? Promise.resolve() : keep({ ...state, passphrase: value }))
  }
}
