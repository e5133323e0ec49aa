/** What copies of the documents of rows would take, before any of them is sent. */
import type { BatchSummary } from '#contract/batches/batches.ts'
import type { Connection } from '#contract/connections/connection.ts'
import type { CopyNeed } from '#contract/documents/documents.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { fieldsOfRows } from '#contract/verification/recipes.ts'
import { copiesAtOnce, type Copies } from '#core/documents/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { keepsCopies } from './row-sending.ts'

/** Bytes of a document, as long as there is no copy to go by. */
const usual = 2_000_000
const mebibyte = 1024 * 1024

/** Undefined where the connection keeps none of them. Failures: those of the history. */
export async function copyNeed(
  copies: Pick<Copies, 'freeBytes'> | undefined,
  { documents }: { readonly documents: Pick<HistoryStore['documents'], 'typical'> },
  connection: Pick<Connection, 'copies'>,
  { operations, rows }: { readonly operations: readonly OperationId[]; readonly rows: number }
): Promise<Result<CopyNeed | undefined, Failure>> {
  if (!copies || !keepsCopies(connection, operations)) return ok(undefined)
  const typical = await documents.typical()
  if (!typical.ok) return typical
  const count = rows * fieldsOfRows(operations).filter(({ kind }) => kind === 'url').length
  const bytes = Math.round(count * (typical.value.bytes ?? usual))
  const { took } = typical.value
  return ok({
    required: connection.copies === 'required',
    documents: count,
    bytes,
    ...(took !== null && { seconds: (count * took) / copiesAtOnce / 1000 }),
    freeBytes: await copies.freeBytes()
  })
}

/** Why a batch that requires copies is not started: there is no space for those that its rows do not have yet. */
export async function spaceRefusal(
  copies: Pick<Copies, 'freeBytes'> | undefined,
  history: { readonly documents: Pick<HistoryStore['documents'], 'typical'> } & Pick<HistoryStore, 'batches'>,
  connection: Pick<Connection, 'name' | 'copies'>,
  { id, operations, counts }: Pick<BatchSummary, 'id' | 'operations' | 'counts'>
): Promise<Failure | undefined> {
  const found = await copyNeed(copies, history, connection, { operations, rows: counts.waiting })
  if (!found.ok) return found.failure
  const need = found.value
  if (!need?.required || need.bytes <= need.freeBytes) return undefined
  const kept = await history.batches.copiesKept(id)
  if (!kept.ok) return kept.failure
  const count = Math.max(0, need.documents - kept.value)
  const limitBytes = Math.floor(need.freeBytes / mebibyte) * mebibyte
  return (need.bytes / need.documents) * count > need.freeBytes
    ? failure('batch-copies-space', { name: connection.name, count, limitBytes })
    : undefined
}
