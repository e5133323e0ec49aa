/**
 * Which results of a verification say something about an applicant. Everything based on evidence uses this rule: an
 * applicant's state, the queue, the message catalogue, and whether an approval is still current.
 *
 * Source of the rule: the interface defines the meaning of 200 and 400 for one operation and of no other status, so
 * the meaning of a status is taken from HTTP (RFC 9110, RFC 6585). A status that may concern the applicant counts,
 * because overlooking a finding does more harm than reviewing a decision again.
 */
import type { RecordState } from '../verification/outcomes.ts'
import type { Resolution } from '../history/records.ts'

/** Statuses from `from` to `to`, inclusive, and why an answer with one of them is not evidence. */
export interface TechnicalStatuses {
  readonly from: number
  readonly to: number
  readonly reason: string
}

/**
 * Every other status counts, including 400 and 422 (the service validated the input), 404 and 410 (it may not know
 * the applicant) and 409 (it may have another verification of the applicant).
 */
export const technicalStatuses: readonly TechnicalStatuses[] = [
  { from: 100, to: 199, reason: 'it is an interim reply' },
  { from: 300, to: 399, reason: 'it is a redirect, and Veridesk follows none' },
  { from: 401, to: 403, reason: 'the service did not accept the credentials or the plan' },
  { from: 405, to: 406, reason: 'the service did not accept the form of the request' },
  { from: 407, to: 407, reason: 'a proxy asked for credentials' },
  { from: 408, to: 408, reason: 'the service stopped waiting for the request' },
  { from: 411, to: 411, reason: 'the service did not accept the form of the request' },
  { from: 413, to: 417, reason: 'the service did not accept the form of the request' },
  { from: 421, to: 421, reason: 'the request reached the wrong server' },
  { from: 425, to: 429, reason: 'the service did not accept the request at that time' },
  { from: 431, to: 431, reason: 'the service did not accept the form of the request' },
  { from: 500, to: 599, reason: 'the service failed' },
  { from: 600, to: 999, reason: 'HTTP defines no such status' }
]

/** The states of a record whose result is not evidence by itself, and why. An answer is classified by its status. */
const technicalStates: Readonly<Record<Exclude<RecordState, 'answered'>, string>> = {
  'open': 'it has no outcome yet',
  'invalid-response': 'the reply cannot be read as an answer',
  'not-sent': 'nothing reached the service',
  'unknown': 'nobody knows the outcome'
}

/**
 * How a resolution changes an unknown outcome: a verification that the service carried out has a result, which the
 * history does not contain. A decision made without it must be reviewed.
 */
export const evidenceResolution: Resolution = 'processed'

export interface Ending {
  readonly state: RecordState
  /** HTTP status; absent if there was no response. */
  readonly status?: number | undefined
  readonly resolved?: { readonly as: Resolution } | undefined
}

/** Whether an answer with this status says nothing about an applicant. */
export const isTechnicalStatus = (status: number): boolean =>
  technicalStatuses.some(({ from, to }) => status >= from && status <= to)

/** Why a result says nothing about an applicant, as the rest of a sentence; undefined if it is evidence. */
export function whyNoEvidence({ state, status, resolved }: Ending): string | undefined {
  if (state === 'answered')
    return technicalStatuses.find(({ from, to }) => status !== undefined && status >= from && status <= to)?.reason
  if (state === 'unknown' && resolved?.as === evidenceResolution) return undefined
  return technicalStates[state]
}

export const isEvidence = (ending: Ending): boolean => whyNoEvidence(ending) === undefined
