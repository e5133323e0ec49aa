/** Every state of a batch, and how it is reached: the rows of the state tables. */
import type { BatchState, BatchSummary } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { RowResult } from '#wire/history/batches.ts'
import { bodyDigest, type LedgerEntry } from '#practice/ledger.ts'
import { groundConnection, makeApplicantBatch, type Ground } from '../../../scripts/batch-ground.ts'

/** `creation`: its rows are being written, and it is not visible yet. */
export type Reached = BatchState | 'creation'

const ids = ['S-1', 'S-2', 'PRACTICE-cut', ...Array.from({ length: 37 }, (_, index) => `S-${index + 3}`)]
const refused = Array.from({ length: 10 }, (_, index) => `PRACTICE-401.${index}`)

export const shown = async ({ batches }: Ground, id: string): Promise<BatchSummary> => {
  const batch = await batches.show(id)
  if (!batch.ok) throw new Error(sentencesOf(batch.failure).what)
  return batch.value
}

async function begun(
  ground: Ground,
  rows: readonly string[],
  until: (batch: BatchSummary) => boolean,
  pace = 0
): Promise<string> {
  const id = await makeApplicantBatch(ground, rows, { atOnce: 4, pace })
  const started = await ground.batches.start(id)
  if (!started.ok) throw new Error(sentencesOf(started.failure).what)
  while (!until(await shown(ground, id))) await new Promise((resolve) => setTimeout(resolve, 20))
  return id
}

const halted =
  (pace: number, state: 'paused' | 'cancelled') =>
  async (ground: Ground): Promise<string> => {
    const id = await begun(ground, ids, ({ counts }) => counts.answered > 0, pace)
    await ground.batches.halt(id, state)
    await ground.batches.ended(id)
    return id
  }

/** Brings a new batch into a state; returns its id. A batch in creation has none yet. */
export const reach: Readonly<Record<Reached, (ground: Ground) => Promise<string>>> = {
  async creation(ground) {
    const text = ['applicant_id', ...Array.from({ length: 30_000 }, (_, index) => `C-${index}`)].join('\n')
    const check = await ground.batches.checkText('rows.csv', text, { operations: ['get-applicant-details'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    void ground.batches.create({
      checkId: check.value.checkId,
      connectionId: groundConnection.id,
      name: 'Creation',
      atOnce: 1,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    })
    return ''
  },
  made: (ground) => makeApplicantBatch(ground, ids),
  // Slow enough to be running when it is examined.
  running: (ground) => begun(ground, ids, ({ counts }) => counts.answered > 0, 600),
  paused: halted(600, 'paused'),
  cancelled: halted(600, 'cancelled'),
  stopped: (ground) => begun(ground, [...refused, ...ids], ({ state }) => state === 'stopped'),
  finished: (ground) => begun(ground, ids, ({ state }) => state === 'finished')
}

/** Rows that contradict the service's ledger; empty if every row is correct. */
export async function faultsAgainst(ledger: readonly LedgerEntry[], ground: Ground, id: string): Promise<string[]> {
  const reached = new Map<string, number>()
  for (const { digest } of ledger) reached.set(digest, (reached.get(digest) ?? 0) + 1)
  const rows: RowResult[] = []
  for (let more = true; more;) {
    const read = await ground.store.batches.results(id, { after: rows.at(-1)?.row ?? 0, limit: 500, records: true })
    if (!read.ok) throw new Error(sentencesOf(read.failure).what)
    rows.push(...read.value.rows)
    more = read.value.more
  }
  return rows.flatMap(({ row, state, cells, record }) => {
    const digest = bodyDigest(JSON.stringify({ applicant_id: cells[0] }))
    const times = reached.get(digest) ?? 0
    const left = ['answered', 'invalid-response', 'unknown'].includes(state)
    if (times > 1) return [`row ${row} was sent ${times} times`]
    if (times > 0 && !left) return [`row ${row} was sent and says “${state}”`]
    if (state === 'answered' && times === 0) return [`row ${row} was answered without a request`]
    if (left && record?.state !== state)
      return [`row ${row} says “${state}”, its record “${record?.state ?? 'nothing'}”`]
    return state === 'open' ? [`row ${row} has no outcome`] : []
  })
}
