/** What the spend guard finds in this history: the same verification answered recently, or sent with an outcome that nobody knows. */
import { codeOfState } from '../projections/columns.ts'
import { canonicalUnknown } from '#wire/history/record-payloads.ts'
import type { Reader } from '../records/reader.ts'
import type { Restored } from '../records/restored.ts'
import type { Writer } from '../records/writer.ts'
import type { Indexer } from './indexer.ts'

export interface SpendGuardParts {
  readonly reader: Reader
  readonly indexer: Indexer
  readonly restored: Restored
  readonly writer: Pick<Writer, 'openOf'>
}

const [open, unknown] = [codeOfState('open'), codeOfState('unknown')]
/** Records of one verification that are looked at, newest first. */
const most = 50

export class SpendGuard {
  private readonly parts: SpendGuardParts

  constructor(parts: SpendGuardParts) {
    this.parts = parts
  }

  /**
   * The record of the same verification whose outcome is unknown and not resolved, or that is in progress. However old it is: time does
   * not tell whether it was processed.
   *
   * @param batch Its own requests in progress do not count: a file may contain a row twice.
   */
  unresolved(check: string, batch?: string): number | undefined {
    const { reader, indexer, writer } = this.parts
    const unknownOne = indexer.recordsOf(canonicalUnknown(check), most).find((seq) => {
      const record = reader.standing(seq)
      return record?.state === unknown && record.resolved === null
    })
    return (
      unknownOne ??
      writer.openOf(check).find((seq) => {
        const record = reader.standing(seq)
        return record?.state === open && (batch === undefined || record.batch !== batch)
      })
    )
  }

  /**
   * The newest record of the same verification that started at or after `since` and was answered.
   *
   * @param batches Their own answers do not count: a row that was answered with 503 may be sent again.
   */
  answered(check: string, since: number, batches?: ReadonlySet<string>): number | undefined {
    const { reader, indexer } = this.parts
    return indexer.recordsOf(check, most).find((seq) => {
      const record = reader.standing(seq)
      return (
        record !== undefined && record.started_at >= since && (record.batch === null || !batches?.has(record.batch))
      )
    })
  }

  /** When the same verification was sent, at or after `since`, with a record in another file only. */
  sentElsewhere(check: string, since: number): number | undefined {
    return this.parts.restored.sent(this.parts.indexer.digest(check), since)
  }
}
