/**
 * Rows that two installations have sent. No rule allows it, and a database that hides events from one of them and answers
 * falsely can still bring it about: it is a finding as soon as the second one's event arrives.
 */
import type { SentTwice } from '#team/thread/batches.ts'
import { failure } from '#contract/failures/failures.ts'
import type { BegunRow } from '#wire/history/shared-batches.ts'
import type { Received } from '../log/received.ts'
import { onReceivedWhile } from '#team/storage/on-received.ts'
import type { Answer } from '#team/thread/batch-ports.ts'
import type { ReceivedBatches } from './reading.ts'

interface TwiceParts {
  readonly installation: string
  readonly store: Received
  readonly reading: ReceivedBatches
  /** Rows from one to another that this installation has begun. */
  begun(id: string, from: number, to: number): Answer<readonly BegunRow[]>
}

/** Rows that are looked at together. */
const atOnce = 500

/** @returns Looks at what has arrived since it was called last. One call after another; never throws the file's errors. */
export function createTwice({ installation: self, store, reading, begun }: TwiceParts): () => Promise<void> {
  async function look(): Promise<void> {
    for (let found = reading.arrived(atOnce); found; found = reading.arrived(atOnce)) {
      const { id, rows } = found
      const [from, to] = [rows[0] ?? 0, rows.at(-1) ?? 0]
      const own = await begun(id, from, to)
      if (!own.ok) return
      const sent = [
        ...reading
          .outcomes(id, from, to)
          .flatMap(({ row, installation, recordId, state }) =>
            state === 'not-sent' ? [] : [{ row, installation, record: recordId }]
          ),
        ...own.value.flatMap(({ row, recordId, sent: isSent }) =>
          isSent ? [{ row, installation: self, record: recordId }] : []
        )
      ]
      const twice = rows.flatMap((row): readonly SentTwice[] => {
        const [first, ...more] = sent.filter((each) => each.row === row)
        // An installation that joined again has its history under two numbers.
        const second = more.find(({ record }) => record !== first?.record)
        return first && second ? [{ ...first, other: second.installation, otherRecord: second.record }] : []
      })
      reading.noteTwice(id, rows, twice)
      for (const { row, ...first } of twice.filter(
        ({ installation }, index) => twice.findIndex((each) => each.installation === installation) === index
      ))
        store.findings.note(
          first.installation,
          [
            failure('team-row-sent-twice', {
              ...first,
              batchId: id,
              number: row,
              rows: reading.countTwice(first.installation)
            })
          ],
          Date.now()
        )
    }
  }
  let turn: Promise<unknown> = Promise.resolve()
  return async () => {
    turn = turn.then(() => onReceivedWhile(look))
    await turn
  }
}
