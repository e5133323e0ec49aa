/** What the rest of core asks the team's worker about shared batches. */
import type { Answer } from './ports.ts'
import type { ReceivedBatch, ReceivedOutcome, ReceivedRow, SentTwice } from './reading.ts'
import type { BatchWork } from './work.ts'

/** Shared batches: what was received of them, and what a run asks of the database. */
export interface TeamBatchWorker extends Omit<BatchWork, 'close'> {
  /** All that colleagues shared, the newest first. */
  received(): Answer<readonly ReceivedBatch[]>
  /** One of them; undefined if there is none, or two members claim it. */
  find(id: string): Answer<ReceivedBatch | undefined>
  page(id: string, sharer: string, after: number, limit: number): Answer<readonly ReceivedRow[]>
  outcomes(id: string, from: number, to: number): Answer<readonly ReceivedOutcome[]>
  /** Rows of a stretch that two installations have sent. */
  twice(id: string, from: number, to: number): Answer<readonly SentTwice[]>
  /** Names of members by installation, of those who were removed, too. */
  names(): Answer<Readonly<Record<string, string>>>
}
