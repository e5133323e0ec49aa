/** Payloads of events about records. "Plain" never contains personal data. */
import { linkIdentity } from '#contract/links/links.ts'
import type { CorrectedCell } from '#contract/batches/rows.ts'
import type { SeenDocument } from '#contract/documents/documents.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Outcome } from '#contract/verification/outcomes.ts'
import { contextOf, type RecordContext } from '#contract/history/record-context.ts'
import type { RecordEnding, Resolution } from '#contract/history/records.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { RecordIntent } from './record-intent.ts'

export interface BegunPlain extends RecordContext {
  readonly id: string
  readonly operation: string
  /** The connection's number in this file; a separate event records the snapshot. */
  readonly connection: number
  readonly rerunOf?: string
  readonly batchId?: string
  /** Of a batch that a team shares. */
  readonly batchRow?: number
}
export interface BegunSealed {
  readonly input: VerificationInput
  readonly applicantId?: string
  /** The documents behind its links as a check saw them, by field. */
  readonly documents?: Readonly<Record<string, SeenDocument>>
  /** Cells of its row in a batch that a person corrected. */
  readonly corrections?: readonly CorrectedCell[]
}
export interface EndedPlain {
  readonly outcome: Outcome
  readonly took?: number
  readonly failureCode?: string
  /** Null without a response. */
  readonly reply: {
    readonly status: number
    readonly bytes: number
    readonly truncated: boolean
    /** The digest of the values of the sealed response, hex: so the chain covers the response as well. */
    readonly values: string
  } | null
}
export interface EndedSealed {
  /** At most `shortMessage` characters; the full message is stored with the body. */
  readonly message?: string
  readonly statusText?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly failure?: Failure
}
export interface BodySealed {
  readonly body: string
  /** The full message, if it is longer than the short one. */
  readonly message?: string
  /** The bytes, base64, if they are not the text's. */
  readonly raw?: string
}
export interface ResolvedPlain {
  readonly as: Resolution
  readonly operator: string
}
export interface ResolvedSealed {
  readonly note: string
}

/** Characters of a message in lists; see RecordSummary in the contract. */
export const shortMessage = 300

/** The purpose that a sealed body is bound to. */
export const bodyPurpose = 'reply.body'

export const begunPlain = (id: string, intent: RecordIntent, connection: number): BegunPlain => ({
  id,
  operation: intent.operation,
  connection,
  ...contextOf(intent),
  rerunOf: intent.rerunOf,
  batchId: intent.batchId,
  batchRow: intent.batchRow
})

/** @param values Digest of the values of the sealed response; absent without one. */
export const endedPlain = (
  { outcome, took, failure, reply }: RecordEnding,
  values: string | undefined
): EndedPlain => ({
  outcome,
  took,
  failureCode: failure?.code,
  reply:
    reply && values !== undefined
      ? { status: reply.status, bytes: reply.bytes, truncated: reply.truncated, values }
      : null
})

export const endedSealed = ({ message, reply, failure }: RecordEnding): EndedSealed => ({
  message: message?.slice(0, shortMessage),
  statusText: reply?.statusText,
  headers: reply?.headers,
  failure
})

/** Maximum searchable text of one response: far above any real answer, and a limit on the index. */
const searchableReply = 1024 * 1024

/** The searchable text of a request. */
export const askedText = (id: string, { input, applicantId }: BegunSealed): string =>
  [id, ...new Set([...Object.values(input), ...(applicantId === undefined ? [] : [applicantId])])].join('\n')

/** A JSON body as people see it: many services write letters beyond ASCII as escapes. */
const unescaped = (body: string): string =>
  body.includes('\\u')
    ? body.replace(/\\(?:u([0-9a-f]{4})|.)/gis, (whole, code?: string) =>
        code === undefined ? whole : String.fromCharCode(Number.parseInt(code, 16))
      )
    : body

/** The searchable text of a response; a message contained verbatim in the body is not indexed twice. */
export function answeredText(message: string | undefined, body: string | undefined): string {
  const text = unescaped(body?.slice(0, searchableReply) ?? '')
  return !message || text.includes(message) ? text : `${message.slice(0, searchableReply)}\n${text}`
}

/** A canonical text for a file behind a link of a connection. */
export const canonicalDocument = (connectionId: string, sha256: string): string =>
  JSON.stringify(['document', connectionId, sha256])

/** A canonical text for those of equal verifications whose outcome is unknown. */
export const canonicalUnknown = (check: string): string => JSON.stringify(['unknown', check])

/** A canonical text for equal verifications, independent of field order and link signatures. */
/** The values of a check in this form. */
export const sentValues = (check: string | undefined): readonly string[] =>
  check === undefined ? [] : (JSON.parse(check) as [string, string, [string, string][]])[2].map(([, value]) => value)
export const canonicalCheck = (operation: string, connectionId: string, input: VerificationInput): string =>
  JSON.stringify([
    operation,
    connectionId,
    Object.entries(input)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, linkIdentity(value)])
  ])
