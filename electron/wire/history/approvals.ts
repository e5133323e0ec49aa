/** The history's interface for approvals in a team: what this installation asked and answered, and what it has. */
import type { Decision } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Hand, NamedDecision } from './applicants.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** An event of any installation: its number there and its hash (hex). */
export type NamedEvent = NamedDecision

/** A request for approval of a decision of this installation. */
export interface AskDraft {
  readonly applicantId: string
  /** The number of the decision's event. */
  readonly decision: number
  /** Of this installation, which the history does not know. */
  readonly installation: string
  /** The newest evidence of each colleague. What was recorded here before needs no name. */
  readonly evidence: readonly NamedEvent[]
  readonly note: string
}

export interface AnswerDraft {
  readonly applicantId: string
  readonly asked: NamedEvent
  readonly agrees: boolean
  readonly note: string
  /** The public key, and its signature over the answer; both hex. */
  readonly signer: string
  readonly signature: string
}

/** A colleague's answer that arrived, as it is kept. */
export interface ArrivedAnswer {
  readonly applicantId: string
  /** Fingerprint of the team. */
  readonly team: string
  readonly asked: NamedEvent
  readonly answer: NamedEvent
  readonly agrees: boolean
  /** By the clock of its installation, in Unix milliseconds. */
  readonly at: number
  readonly by: string
  readonly note: string
  readonly signer: string
  readonly signature: string
}

interface OwnEvent {
  readonly seq: number
  /** Hex. */
  readonly hash: string
  readonly at: number
  readonly operator: string
  readonly applicantId: string
  readonly note: string
}
export interface OwnAsk extends OwnEvent {
  readonly decision: NamedEvent
  readonly evidence: readonly NamedEvent[]
  /** What was decided. */
  readonly decided: {
    readonly operator: string
    readonly decision: Decision
    readonly reasons: readonly string[]
    readonly note: string
  }
}
export interface OwnAnswer extends OwnEvent {
  readonly asked: NamedEvent
  readonly agrees: boolean
  readonly signer: string
  readonly signature: string
}

export interface ApprovalTask {
  /** Requests and answers about this applicant alone. */
  readonly applicantId?: string | undefined
  /** Applicants whose newest evidence is wanted. */
  readonly evidenceOf: readonly string[]
  /** Numbers of events whose hashes are wanted. */
  readonly hashesOf: readonly number[]
}

/** What this installation has, newest first. */
export interface OwnApprovals {
  readonly asks: readonly OwnAsk[]
  readonly answers: readonly OwnAnswer[]
  /** Answers of colleagues that are kept: installation and number. */
  readonly received: readonly (readonly [installation: string, seq: number])[]
  /** The last event about an applicant that is evidence or a decision. */
  readonly newest: readonly { readonly applicantId: string; readonly seq: number; readonly hash: string }[]
  readonly hashes: readonly (readonly [seq: number, hash: string])[]
}

export interface ApprovalStore {
  /**
   * Records a request for approval. Failures: `applicant-missing`; `team-approval-refused` if the decision is not the
   * current one, or newer evidence has arrived since.
   */
  ask(draft: AskDraft, by: Hand): Answer<{ readonly seq: number }>
  /** Records an answer; the applicant need not be known here. */
  answer(draft: AnswerDraft, by: Hand): Answer<{ readonly seq: number }>
  /** Keeps answers of colleagues to requests of this installation; those that are kept already change nothing. @returns How many are new. */
  receive(answers: readonly ArrivedAnswer[], by: Hand): Answer<number>
  own(task: ApprovalTask): Answer<OwnApprovals>
}
