/** What copies of the documents of rows would take, before any of them is sent. */
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

/** Why a batch that requires copies is not started: there is no space for them. */
export const spaceRefusal = (
  { name }: Pick<Connection, 'name'>,
  { required, documents, bytes, freeBytes }: CopyNeed
): Failure | undefined =>
  required && bytes > freeBytes
    ? failure('batch-copies-space', { name, count: documents, limitBytes: Math.floor(freeBytes / mebibyte) * mebibyte })
    : undefined
