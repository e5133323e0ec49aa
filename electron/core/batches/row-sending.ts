/** What the rows of a batch are recorded and sent with: the same way as a single verification. */
import type { Connection } from '#contract/connections/connection.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import type { LinePool } from '#core/client/line.ts'
import type { SendOrder } from '#core/client/send.ts'
import { takeAccess, type AccessParts } from '#core/verification/access.ts'
import { prepared, type PreparedParts } from '#core/verification/prepared.ts'
import { storable } from '#core/verification/storable.ts'
import type { BatchDraft, TakenRow } from '#wire/history/batches.ts'
import { createRowValidator } from './reading/validate.ts'
import type { RunnerParts } from './runner.ts'
import { colleagueGuard, type GuardParts } from './shared/colleague-guard.ts'

export interface RowParts extends AccessParts, PreparedParts, GuardParts {
  send(order: SendOrder): Promise<RecordEnding>
}

export type PreparedRows = { readonly lines: LinePool } & Pick<RunnerParts, 'intentOf' | 'send' | 'refusal' | 'guardOf'>

/** What all rows share; obtained once per start, and asked before each row whether it still stands. */
export async function prepareRows(
  parts: RowParts,
  draft: BatchDraft,
  id: string,
  connection: Connection
): Promise<Result<PreparedRows, Failure>> {
  const { clock } = parts
  const access = await takeAccess(parts, connection)
  if (!access.ok) return access
  const { intent, order } = prepared(parts, connection, draft.operation, access.value)
  // What stops a row was decided when the batch was created.
  const validate = createRowValidator({ operation: draft.operation, rounded: 'keep' }, draft.layout)
  const colleagues = colleagueGuard(parts, draft.operation, connection.baseUrl)
  const { createLinePool } = await import('#core/client/line.ts')
  const lines = createLinePool(() => clock.monotonic())
  return ok({
    lines,
    refusal: access.value.order.refusal,
    async guardOf({ cells }: TakenRow) {
      const minutes = parts.settings().spendGuardMinutes
      // Who takes over a shared batch does not know what its sharer has chosen.
      const skipsRecent = draft.shared ? draft.skipRecent === true : draft.skipRecent !== false
      if (!skipsRecent || minutes === 0) return {}
      const recentDuplicates = clock.now() - minutes * 60_000
      // The runner of a shared batch knows by its intents who has sent which row.
      if (!colleagues || draft.shared) return { recentDuplicates }
      const { input, applicantId } = validate(cells)
      return { recentDuplicates, colleague: await colleagues(storable(input, draft.operation).input, applicantId) }
    },
    intentOf: ({ cells, documents, corrections }: TakenRow) =>
      intent({ ...validate(cells), documents, corrections, batchId: id }),
    async send({ cells }: TakenRow, signal: AbortSignal): Promise<RecordEnding> {
      const network = await access.value.way()
      if (!network.ok) return { outcome: 'not-sent', endedAt: clock.now(), failure: network.failure }
      return parts.send(order(validate(cells).input, network.value, { signal, onPhase: () => undefined, lines }))
    }
  })
}
