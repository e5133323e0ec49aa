/** What the history's worker offers for batches, by the names that `batches-port.ts` calls. */
import type { BatchListQuery, BatchRowsQuery, BatchResolution, BatchState } from '#contract/batches.ts'
import type { Failure } from '#contract/failures.ts'
import type { OperationId } from '#contract/operations.ts'
import { ok, type Result } from '#contract/result.ts'
import type { VerificationInput } from '#contract/verification.ts'
import type { BatchDraft, BatchStep, NewRow, RowsWanted } from '#core/history/api/batches.ts'
import type { Batches } from '#core/history/batches/batches.ts'
import type { Engine } from '#core/history/engine/engine.ts'
import type { Writer } from '#core/history/records/writer.ts'

type Answered = Result<unknown, Failure>
type Ask = (job: (open: Engine) => Answered) => Promise<Answered>
type Do = (job: (batches: Batches, writer: Writer) => Answered) => Promise<Answered>

export const batchMethods = (write: Do, read: Ask) => ({
  'batch.make': (draft: BatchDraft) => write((batches) => batches.make(draft)),
  'batch.add': (id: string, rows: readonly NewRow[], recentDuplicates?: number) => write((batches) => batches.add(id, rows, recentDuplicates)),
  'batch.seal': (id: string) => write((batches, writer) => batches.seal(id, writer)),
  'batch.discard': (id: string) => write((batches) => batches.discard(id)),
  'batch.again': (id: string, at: number) => write((batches, writer) => batches.again(id, at, writer)),
  // Written together, in one group; each has its own answer.
  'batch.steps': (steps: readonly (readonly [id: string, step: BatchStep])[]) =>
    Promise.all(steps.map(([id, step]) => write((batches, writer) => batches.step(id, step, writer)))),
  'batch.become': (id: string, state: BatchState, at: number, reason?: Failure) =>
    write((batches, writer) => batches.become(id, state, at, reason, writer)),
  'batch.resolve': (id: string, rows: readonly number[] | undefined, as: BatchResolution, at: number) =>
    write((batches, writer) => batches.resolve(id, rows, as, at, writer)),
  'batch.show': (id: string) => read(({ batches }) => batches.read.show(id)),
  'batch.draft': (id: string) => read(({ batches }) => batches.read.draft(id)),
  'batch.failed': (id: string) => read(({ batches }) => batches.failed(id)),
  'batch.recentDuplicates': (of: { operation: OperationId; connectionId: string }, checks: readonly VerificationInput[], since: number) =>
    read(({ queries }) => ok(checks.map((input) => ['answered', 'sent'].includes(queries.earlier({ ...of, input }, since)?.kind ?? '')))),
  'batch.list': (query: BatchListQuery) => read(({ batches }) => ok(batches.read.list(query))),
  'batch.rows': (query: BatchRowsQuery) => read(({ batches }) => batches.read.rows(query)),
  'batch.results': (id: string, wanted: RowsWanted) => read(({ batches }) => batches.read.results(id, wanted)),
  'batch.take': (id: string, after: number, limit: number) => read(({ batches }) => batches.read.take(id, after, limit))
})
