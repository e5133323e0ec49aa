/** What one verification and each row of a batch have in common: the intent that is recorded, and the order that is sent. */
import type { Connection } from '#contract/connections/connection.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { SendOrder } from '#core/client/send.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'
import type { Clock } from '#kit/clock.ts'
import type { Access, AccessParts, Network } from './access.ts'
import { storable } from './storable.ts'

export interface PreparedParts extends Pick<AccessParts, 'settings'> {
  readonly clock: Clock
  readonly consoleVersion: string
  readonly operator: string
}

/** What is known of one request alone. */
interface Request extends Pick<
  RecordIntent,
  'applicantId' | 'documents' | 'copies' | 'corrections' | 'rerunOf' | 'batchId'
> {
  readonly input: VerificationInput
}

export interface Prepared {
  intent(request: Request): RecordIntent
  order(input: VerificationInput, network: Network, sending: Pick<SendOrder, 'signal' | 'onPhase' | 'lines'>): SendOrder
}

/** Of one operation on one connection, with what was taken for it. */
export function prepared(
  { clock, consoleVersion, operator, settings }: PreparedParts,
  { id, name, baseUrl, mode, colour, mark }: Connection,
  operation: OperationId,
  { credentialFingerprint, order }: Access
): Prepared {
  const { path, fields } = operationOf(operation)
  return {
    intent({ input, applicantId, documents, copies, corrections, rerunOf, batchId }) {
      const stored = storable(input, operation)
      return {
        operation,
        path,
        connection: { id, name, origin: baseUrl, mode, colour, mark },
        input: stored.input,
        linksScrubbed: stored.scrubbed,
        startedAt: clock.now(),
        credentialFingerprint,
        consoleVersion,
        operator,
        timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        applicantId,
        documents,
        copies,
        corrections,
        rerunOf,
        batchId
      }
    },
    order: (input, network, sending) => ({
      ...order,
      ...network,
      path,
      body: Object.fromEntries(fields.map((field) => [field.name, input[field.name] ?? ''])),
      limits: settings(),
      clock,
      ...sending
    })
  }
}
