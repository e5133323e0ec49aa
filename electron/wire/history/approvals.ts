/** The history's interface for approvals: what this installation asked and answered, and what it has. */
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
  /** Of this installation, which the history does not know, and what a signature of an answer is for: the team, or this audit trail. */
  readonly installation: string
  readonly scope: string
  /** The newest evidence of each colleague. What was recorded here before needs no name. */
  readonly evidence: readonly NamedEvent[]
  readonly note: string
}

/** An answer to a request for approval, with everything that its signature covers but its name and time. */
interface AnswerWords {
  /** Fingerprint of the team, or the origin of the audit trail that asks. */
  readonly scope: string
  readonly asked: NamedEvent
  readonly agrees: boolean
  /** Of the digest of the name, and the public key with its signature over the answer; all hex. */
  readonly salt: string
  readonly signer: string
  readonly signature: string
}

export interface AnswerDraft extends AnswerWords {
  readonly applicantId: string
  readonly note: string
}

/** A colleague's answer that arrived, as it is kept. */
export interface ArrivedAnswer extends AnswerDraft {
  readonly answer: NamedEvent
  /** By the clock of its installation, in Unix milliseconds. */
  readonly at: number
  readonly by: string
  /** Newer evidence is known than what was asked about. */
  readonly void?: true
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
  readonly scope: string
  readonly decision: NamedEvent
  readonly evidence: readonly NamedEvent[]
  /** What was decided. */
  readonly decided: {
    readonly operator: string
    readonly decision: Decision
    /** It needs a second person. */
    readonly proposed?: true
    readonly reasons: readonly string[]
    readonly note: string
  }
}
export type OwnAnswer = OwnEvent & AnswerWords

export interface ApprovalTask {
  /** Applicants about whom all requests, all answers and the newest evidence are wanted. */
  readonly evidenceOf: readonly string[]
  /** What is wanted about others: the newest requests and answers, as many as a list shows, or all of one of them. */
  readonly others?: 'newest' | 'asks' | 'answers' | undefined
  /** Numbers of events whose hashes are wanted. */
  readonly hashesOf: readonly number[]
}

/** What this installation has, newest first. */
export interface OwnApprovals {
  readonly asks: readonly OwnAsk[]
  readonly answers: readonly OwnAnswer[]
  /** Answers of colleagues to these requests that are kept: installation and number, and whether they came too late to count. */
  readonly received: readonly (readonly [installation: string, seq: number, isVoid: boolean])[]
  /** The last event about an applicant that is evidence or a decision, and the number of its subject. */
  readonly newest: readonly {
    readonly applicantId: string
    readonly seq: number
    readonly hash: string
    readonly subject: number
  }[]
  readonly hashes: readonly (readonly [seq: number, hash: string])[]
}

/** How many answers are new, and how many of those came after newer evidence. */
export interface KeptAnswers {
  readonly kept: number
  readonly void: number
}

export interface ApprovalStore {
  /**
   * Records a request for approval. Failures: `applicant-missing`; `team-approval-refused` if the decision is not the
   * current one, or newer evidence has arrived since.
   */
  ask(draft: AskDraft, by: Hand): Answer<{ readonly seq: number }>
  /** Records an answer; the applicant need not be known here. */
  answer(draft: AnswerDraft, by: Hand): Answer<{ readonly seq: number; readonly hash: string }>
  /** Keeps answers of colleagues to requests of this installation, as void if newer evidence is here; those that are kept already change nothing. */
  receive(answers: readonly ArrivedAnswer[], by: Hand): Answer<KeptAnswers>
  own(task: ApprovalTask): Answer<OwnApprovals>
  /** The request of this installation with a number and a hash in its audit trail; `erased` if its applicant was. */
  askOf(seq: number, hash: string): Answer<OwnAsk | 'erased' | undefined>
}
