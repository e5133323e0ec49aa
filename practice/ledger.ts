/**
 * The service's own account of what reached it, to hold beside a client's history: one entry for each
 * request whose whole body came, written before any byte of a reply.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { OperationId } from '#contract/operations.ts'

/** A header by which a test marks its own requests; kept in the ledger, otherwise ignored. */
export const markerHeader = 'x-request'

export interface LedgerEntry {
  /** 1 for the first request of this service. */
  readonly id: number
  /** Unix milliseconds. */
  readonly time: number
  readonly method: string
  readonly path: string
  /** Null where the path is no operation's. */
  readonly operation: OperationId | null
  /** SHA-256 of the body's bytes, in hex: enough to compare, no personal data. */
  readonly digest: string
  /** Whether the request passed every check, so that a real service would have processed it. */
  readonly accepted: boolean
  /** How many credential headers it carried. */
  readonly credentials: number
  readonly marker?: string
}

export interface Ledger {
  add(entry: Omit<LedgerEntry, 'id' | 'time'>): LedgerEntry
  /** All entries, from the file where there is one; without a file the last 500,000. */
  entries(): readonly LedgerEntry[]
  close(): void
}

const mostInMemory = 500_000

/** The digest that the ledger keeps of a body. */
export function bodyDigest(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/** Reads a ledger's file: one JSON object a line. */
export function readLedger(file: string): LedgerEntry[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as LedgerEntry)
}

/**
 * Opens a ledger, in a file (appended to) or in memory.
 *
 * Each entry is handed to the system at once with a blocking write, so it survives the end of this
 * process; it is not synced to the disk, since no test here pulls the plug.
 */
export function openLedger(file: string | undefined, now: () => number): Ledger {
  const handle = file === undefined ? undefined : openSync(file, 'a')
  let kept: LedgerEntry[] = []
  let count = 0
  return {
    add(entry) {
      const whole: LedgerEntry = { id: ++count, time: now(), ...entry }
      if (handle !== undefined) {
        writeSync(handle, `${JSON.stringify(whole)}\n`)
      } else {
        kept.push(whole)
        if (kept.length > mostInMemory * 1.1) kept = kept.slice(-mostInMemory)
      }
      return whole
    },
    entries: () => (file === undefined ? kept.slice(-mostInMemory) : readLedger(file)),
    close() {
      if (handle !== undefined) closeSync(handle)
    }
  }
}
