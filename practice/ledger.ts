/**
 * The service's own log of received requests, for comparison with a client's history: one entry for each
 * request with a complete body, written before any byte of the response.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { OperationId } from '#contract/verification/operations.ts'

/** A header by which a test identifies its own requests; stored in the ledger, otherwise ignored. */
export const markerHeader = 'x-request'

export interface LedgerEntry {
  /** 1 for the first request of this service. */
  readonly id: number
  /** Unix milliseconds. */
  readonly time: number
  readonly method: string
  readonly path: string
  /** Null if the path belongs to no operation. */
  readonly operation: OperationId | null
  /** SHA-256 of the body's bytes, in hex: allows comparison without personal data. */
  readonly digest: string
  /** Whether the request passed every check: a real service would have processed it. */
  readonly accepted: boolean
  /** Number of credential headers in the request. */
  readonly credentials: number
  readonly marker?: string
}

export interface Ledger {
  add(entry: Omit<LedgerEntry, 'id' | 'time'>): LedgerEntry
  /** All entries of the file; without a file, the last 500,000. */
  entries(): readonly LedgerEntry[]
  close(): void
}

const mostInMemory = 500_000

/** The digest of a body as stored in the ledger. */
export function bodyDigest(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/** Reads a ledger file: one JSON object per line. */
export function readLedger(file: string): LedgerEntry[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LedgerEntry)
}

/**
 * Opens a ledger, in a file (appended to) or in memory.
 *
 * Each entry is written synchronously, so it survives the end of this process. It is not synced to
 * disk, since no test here cuts the power.
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
