/** What the rows of a batch are recorded and sent with: the same way as a single verification. */
import type { Connection } from '#contract/connections/connection.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { firstOperation, type OperationId } from '#contract/verification/operations.ts'
import { linkFacts } from '#contract/links/links.ts'
import { fieldsOfRows, fromRows } from '#contract/verification/recipes.ts'
import type { LinePool } from '#core/client/line.ts'
import type { SendOrder } from '#core/client/send.ts'
import { isOfDocument, linksOf, type Copies, type TakenCopies } from '#core/documents/copies.ts'
import { takeAccess, type AccessParts } from '#core/verification/access.ts'
import { prepared, type Prepared, type PreparedParts } from '#core/verification/prepared.ts'
import { storable } from '#core/verification/storable.ts'
import type { BatchDraft, TakenRow } from '#wire/history/batches.ts'
import { createRowValidator } from './reading/validate.ts'
import type { RunnerParts } from './runner.ts'
import { colleagueGuard, type GuardParts } from './shared/colleague-guard.ts'

export interface RowParts extends AccessParts, PreparedParts, GuardParts {
  /** Keeps copies of their documents, where the connection says so. */
  readonly copies?: Pick<Copies, 'take' | 'freeBytes'>
  send(order: SendOrder): Promise<RecordEnding>
}

export type PreparedRows = { readonly lines: LinePool } & Pick<
  RunnerParts,
  'intentOf' | 'send' | 'refusal' | 'guardOf' | 'copiesOf' | 'wantedOf'
>

/** The history, as far as copies need it before a row begins. */
export type CopyHistory = Parameters<Copies['take']>[1]

/** Whether a connection keeps copies of what these operations name by links. */
export const keepsCopies = (
  { copies = 'off' }: Pick<Connection, 'copies'>,
  operations: readonly OperationId[]
): boolean => copies !== 'off' && fieldsOfRows(operations).some(({ kind }) => kind === 'url')

/** What all rows share; obtained once per start, and asked before each row whether it still stands. */
export async function prepareRows(
  parts: RowParts,
  draft: BatchDraft,
  id: string,
  connection: Connection,
  documents: CopyHistory
): Promise<Result<PreparedRows, Failure>> {
  const { clock } = parts
  const access = await takeAccess(parts, connection)
  if (!access.ok) return access
  const { operations } = draft
  const ways = new Map(operations.map((id) => [id, prepared(parts, connection, id, access.value)]))
  const own = fromRows(operations)
  /** What a row sends next: it is never taken with nothing left. */
  const next = ({ left }: TakenRow): { readonly operation: OperationId; readonly way: Prepared } => {
    const [operation = firstOperation] = left
    return { operation, way: ways.get(operation) ?? prepared(parts, connection, operation, access.value) }
  }
  // What stops a row was decided when the batch was created.
  const validate = createRowValidator({ operations, rounded: 'keep' }, draft.layout)
  const colleagues = colleagueGuard(parts, connection.baseUrl)
  /** What is sent next of a row. */
  const inputOf = (row: TakenRow, operation: OperationId) => own.input(operation, validate(row.cells).input)
  /** Copies of documents: required ones before a row begins, others beside the batch. Nothing where none are kept. */
  function copying(): Pick<PreparedRows, 'copiesOf' | 'wantedOf'> {
    const { copies } = parts
    if (!copies || !keepsCopies(connection, operations)) return {}
    if (connection.copies !== 'required')
      return {
        wantedOf(row) {
          const { operation } = next(row)
          return linksOf(operation, inputOf(row, operation)).map(({ field, url }) => {
            const expires = linkFacts(url, clock.now()).expiresAt
            return { field, ...(expires !== undefined && { expires }) }
          })
        }
      }
    return {
      async copiesOf(row, stop) {
        const { operation } = next(row)
        const of = { connection, operation, applicantId: undefined, row: { batchId: id, row: row.row }, stop }
        const found = await copies.take({ ...of, input: inputOf(row, operation) }, documents)
        if (!found.ok) return found
        const taken = found.value
        const [first] = taken.missed
        const local = taken.missed.find(({ failure: why }) => !isOfDocument(why))
        if (local) {
          await taken.drop()
          return fail(local.failure)
        }
        if (!first) return ok({ taken })
        return ok({ taken, unsent: failure('document-copy-failed', { cause: first.failure }) })
      }
    }
  }
  const { createLinePool } = await import('#core/client/line.ts')
  const lines = createLinePool(() => clock.monotonic())
  return ok({
    lines,
    refusal: access.value.order.refusal,
    async guardOf(row: TakenRow) {
      const minutes = parts.settings().spendGuardMinutes
      // Who takes over a shared batch does not know what its sharer has chosen.
      const skipsRecent = draft.shared ? draft.skipRecent === true : draft.skipRecent !== false
      if (!skipsRecent || minutes === 0) return {}
      const recentDuplicates = clock.now() - minutes * 60_000
      // The runner of a shared batch knows by its intents who has sent which row.
      if (!colleagues || draft.shared) return { recentDuplicates }
      const { operation } = next(row)
      const { input, applicantId } = validate(row.cells)
      const stored = storable(own.input(operation, input), operation).input
      return { recentDuplicates, colleague: await colleagues(operation, stored, applicantId) }
    },
    ...copying(),
    intentOf(row: TakenRow, taken?: TakenCopies) {
      const { operation, way } = next(row)
      const { documents, corrections } = row
      const { input, applicantId } = validate(row.cells)
      return way.intent({
        input: own.input(operation, input),
        applicantId,
        documents: taken?.seen ?? (documents && own.byField(operation, documents)),
        copies: taken?.copies,
        corrections,
        batchId: id
      })
    },
    async send(row: TakenRow, signal: AbortSignal): Promise<RecordEnding> {
      const network = await access.value.way()
      if (!network.ok) return { outcome: 'not-sent', endedAt: clock.now(), failure: network.failure }
      const { operation, way } = next(row)
      const input = own.input(operation, validate(row.cells).input)
      return parts.send(way.order(input, network.value, { signal, onPhase: () => undefined, lines }))
    }
  })
}
