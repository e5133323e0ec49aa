/** What the payloads of events hold, in the words of the contract. "Plain" never holds personal data. */
import { linkIdentity } from '#contract/links.ts'
import type { RecordedFailure } from '#contract/failures.ts'
import type { Outcome } from '#contract/outcomes.ts'
import type { RecordEnding, Resolution } from '#contract/records.ts'
import type { VerificationInput } from '#contract/verification.ts'
import type { RecordIntent } from '#core/history/api/record-intent.ts'

export interface BegunPlain {
  readonly id: string
  readonly path: string
  readonly operation: string
  /** The connection's number in this file, noted in the chain by its own event. */
  readonly connection: number
  readonly linksScrubbed: boolean
  readonly credentialFingerprint: string
  readonly consoleVersion: string
  readonly operator: string
  readonly rerunOf?: string
  readonly batchId?: string
}
export interface BegunSealed {
  readonly input: VerificationInput
  readonly applicantId?: string
}
export interface EndedPlain {
  readonly outcome: Outcome
  readonly took?: number
  readonly failureCode?: string
  readonly reply?: {
    readonly status: number
    readonly bytes: number
    readonly truncated: boolean
    /** The sealed body's commitment in hex: the chain covers the body, too. */
    readonly body: string
  }
}
export interface EndedSealed {
  /** At most `shortMessage` characters; the rest is with the body. */
  readonly message?: string
  readonly statusText?: string
  readonly headers?: readonly (readonly [string, string])[]
  /** Version 0.1 stored its sentences. */
  readonly failure?: RecordedFailure
}
export interface BodySealed {
  readonly body: string
  /** The full message, where it is longer than a list shows. */
  readonly message?: string
}
export interface SettledPlain {
  readonly as: Resolution
  /** Version 0.1 did not record who resolved it. */
  readonly operator?: string
}
export interface SettledSealed {
  readonly note: string
}

/** Characters of a message that a list shows; from the contract's RecordSummary. */
export const shortMessage = 300

/** What a sealed body is bound to. */
export const bodyPurpose = 'reply.body'

export const begunPlain = (id: string, intent: RecordIntent, connection: number): BegunPlain => ({
  id,
  path: intent.path,
  operation: intent.operation,
  connection,
  linksScrubbed: intent.linksScrubbed,
  credentialFingerprint: intent.credentialFingerprint,
  consoleVersion: intent.consoleVersion,
  operator: intent.operator,
  rerunOf: intent.rerunOf,
  batchId: intent.batchId
})

export const endedPlain = ({ outcome, took, failure, reply }: RecordEnding, body: string): EndedPlain => ({
  outcome,
  took,
  failureCode: failure?.code,
  reply: reply && { status: reply.status, bytes: reply.bytes, truncated: reply.truncated, body }
})

export const endedSealed = ({ message, reply, failure }: RecordEnding): EndedSealed => ({
  message: message?.slice(0, shortMessage),
  statusText: reply?.statusText,
  headers: reply?.headers,
  failure
})

/** Most text of one reply that is searchable; far above any real answer, and a bound on the index. */
const searchableReply = 1024 * 1024

/** The searchable text of what was asked. */
export const askedText = (id: string, { input, applicantId }: BegunSealed): string =>
  [id, ...new Set([...Object.values(input), ...(applicantId === undefined ? [] : [applicantId])])].join('\n')

/** The searchable text of what came back; a message that stands in the body word for word is not indexed twice. */
export function answeredText(message: string | undefined, body: string | undefined): string {
  const text = body?.slice(0, searchableReply) ?? ''
  return !message || text.includes(message) ? text : `${message.slice(0, searchableReply)}\n${text}`
}

/** One spelling of equal checks, whatever the order of their fields and the signatures of their links. */
export const canonicalCheck = (operation: string, connectionId: string, input: VerificationInput): string =>
  JSON.stringify([
    operation,
    connectionId,
    Object.entries(input)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, linkIdentity(value)])
  ])
