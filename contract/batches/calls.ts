/** The operations of a row, of a batch that sends several for each. */
import { shortOperations } from '../verification/recipes.ts'
import type { BatchCall } from './batches.ts'

/** What stopped a row and what of it was not sent; undefined if it did not stop. */
export function stoppedWords(calls: readonly BatchCall[]): string | undefined {
  const notSent = calls.filter(({ state, recordId }) => state === 'not-sent' && recordId === undefined)
  const last = calls.findLast(({ state, recordId }) => recordId !== undefined || state === 'unknown')
  if (notSent.length === 0 || !last) return undefined
  const why =
    last.state === 'unknown'
      ? `an unknown outcome of ${shortOperations([last.operation])}`
      : last.status === undefined
        ? shortOperations([last.operation])
        : `HTTP ${last.status} for ${shortOperations([last.operation])}`
  return `Stopped after ${why}. Not sent: ${shortOperations(notSent.map(({ operation }) => operation))}.`
}
