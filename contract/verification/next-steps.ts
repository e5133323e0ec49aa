/**
 * What a verification's end means for the person who looks at it, where it is no answer about the applicant: one table for
 * the result, the record's page and the history's list. Pure.
 */
import type { ReplyRecord, Resolution } from '../history/records.ts'
import { operationOf, type FieldDeclaration, type OperationId } from './operations.ts'
import { outcomeOf, type RecordState } from './outcomes.ts'
import { askedWait } from './retry-after.ts'

export type NextStepTone = 'neutral' | 'warning' | 'danger'

/** What the first button does. */
export type FirstStep =
  | 'credentials'
  | 'connection'
  | 'base-url'
  | 'edit'
  | 'resend'
  | 'wait'
  | 'raw'
  | 'cause'
  | 'resolve'

interface NextStepDeclaration {
  readonly id: string
  readonly title: string
  readonly tone: NextStepTone
  /** `{connection}` and `{wait}` are filled in where it is shown; a failure of the record says more than both sentences. */
  readonly impact: string
  readonly nextStep: string
  readonly first: FirstStep
  /** It stands beside the answer, which may be about the person, and not in its place. */
  readonly beside?: true
}

export const nextSteps = [
  {
    id: 'credentials-refused',
    title: 'Credentials not accepted',
    tone: 'danger',
    impact:
      'The service answered, but did not look at the applicant. Every request on {connection} will be refused until the credentials are replaced.',
    nextStep: 'Replace the credentials of {connection}, or ask your provider whether they were revoked.',
    first: 'credentials'
  },
  {
    id: 'access-refused',
    title: 'Access refused',
    tone: 'danger',
    impact:
      'The service accepted the credentials of {connection}, but does not allow this request. Nothing was verified.',
    nextStep: 'Check the settings of {connection}, or ask your provider whether this operation is part of your plan.',
    first: 'connection'
  },
  {
    id: 'operation-unknown',
    title: 'The service does not know this operation',
    tone: 'danger',
    impact: 'The address of the request does not exist at the service of {connection}. Nothing was verified.',
    nextStep: 'Compare the base URL of {connection} with the one that your provider states.',
    first: 'base-url'
  },
  {
    id: 'request-faulty',
    title: 'The service found the request faulty',
    tone: 'warning',
    impact: 'The answer may be about the request and not about the applicant.',
    nextStep: 'Read the message, correct the request and send it again.',
    first: 'edit',
    beside: true
  },
  {
    id: 'busy-wait',
    title: 'Too many requests',
    tone: 'warning',
    impact: 'This request was refused. Nothing was verified. The service asks to wait {wait} (Retry-After).',
    nextStep: 'Send it again in {wait}. For many rows, set a rate limit in the batch.',
    first: 'wait'
  },
  {
    id: 'busy',
    title: 'Too many requests',
    tone: 'warning',
    impact: 'This request was refused. Nothing was verified. The service does not say how long to wait.',
    nextStep: 'Wait a minute, then send it again. For many rows, set a rate limit in the batch.',
    first: 'resend'
  },
  {
    id: 'service-failed',
    title: 'The service could not answer',
    tone: 'warning',
    impact: 'The service reports a fault of its own. It may have begun with the request.',
    nextStep: 'Send it again later. If it happens again, tell your provider the time and the status.',
    first: 'resend'
  },
  {
    id: 'invalid-response',
    title: 'Invalid response',
    tone: 'warning',
    impact: outcomeOf('invalid-response').meaning,
    nextStep: 'Read the raw response, and contact the provider.',
    first: 'raw'
  },
  {
    id: 'not-sent',
    title: 'Not sent',
    tone: 'neutral',
    impact: 'Nothing reached the service.',
    nextStep: 'You can send it again at any time.',
    first: 'cause'
  },
  {
    id: 'unknown',
    title: 'Unknown outcome',
    tone: 'danger',
    impact: 'The provider may have processed the request. Veridesk does not send it again automatically.',
    nextStep: 'Ask the provider whether it was processed, then resolve it here.',
    first: 'resolve'
  }
] as const satisfies readonly NextStepDeclaration[]

export type NextStepId = (typeof nextSteps)[number]['id']
export type NextStep = NextStepDeclaration & { readonly id: NextStepId }

const byId = new Map<string, NextStep>(nextSteps.map((step) => [step.id, step]))
const stepOf = (id: NextStepId): NextStep => byId.get(id) as NextStep

/** What of a record says how it ended. */
export interface Ended {
  readonly state: RecordState
  readonly status?: number | undefined
  readonly message?: string | undefined
  readonly resolved?: { readonly as: Resolution } | undefined
  readonly startedAt?: number | undefined
  readonly took?: number | undefined
  readonly reply?: Pick<ReplyRecord, 'status' | 'headers'> | undefined
}

/** Nobody watches a countdown of a day: a longer wait counts as none stated. */
const longestWait = 86_400_000

/** When a service that asked to wait takes the request again, in Unix milliseconds; undefined if it did not say. */
export function takesAgainAt({ startedAt, took, reply }: Ended): number | undefined {
  if (startedAt === undefined) return undefined
  const answeredAt = startedAt + (took ?? 0)
  const wait = askedWait(reply, answeredAt)
  return wait === undefined || wait > longestWait ? undefined : answeredAt + wait
}

/** By status, whether or not the body could be read: a gateway answers with a page. */
function ofStatus(ended: Ended): NextStepId | undefined {
  const { status = 0, message } = ended
  if (status === 401) return 'credentials-refused'
  if (status === 403) return 'access-refused'
  if (status === 405 || (status === 404 && (message ?? '').trim() === '')) return 'operation-unknown'
  if (status === 429) return takesAgainAt(ended) === undefined ? 'busy' : 'busy-wait'
  return status === 408 || status >= 500 ? 'service-failed' : undefined
}

const ofState: Partial<Record<RecordState, NextStepId>> = {
  'invalid-response': 'invalid-response',
  'not-sent': 'not-sent',
  'unknown': 'unknown'
}

/** The row for a verification; undefined for one in progress and for an answer that may be about the applicant. */
export function nextStepOf(ended: Ended): NextStep | undefined {
  const { state, status } = ended
  const isReply = state === 'answered' || state === 'invalid-response'
  const id = (isReply ? ofStatus(ended) : undefined) ?? ofState[state]
  if (id) return stepOf(id)
  return state === 'answered' && (status === 400 || status === 422) ? stepOf('request-faulty') : undefined
}

/** The title and tone of a verification in lists: those of its next step, if it has one in place of an answer. */
export function outcomeTitle(ended: Ended & { readonly state: Exclude<RecordState, 'open'> }): {
  readonly title: string
  readonly tone: NextStepTone
} {
  const step = nextStepOf(ended)
  if (step && !step.beside) return step
  const { label, tone } = outcomeOf(ended.state)
  return { title: label, tone: step?.tone ?? tone }
}

/** The field of the request that a message of the service names, by its name, label or one of its other names. */
export function namedField(operation: OperationId, message: string): FieldDeclaration | undefined {
  const text = message.toLowerCase()
  const says = (name: string): boolean => name.length > 3 && text.includes(name.toLowerCase())
  const { fields } = operationOf(operation)
  return fields.find(({ name }) => says(name)) ?? fields.find(({ label, aliases }) => [label, ...aliases].some(says))
}

/** Impact or next step with the names in it. */
export const filledStep = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
