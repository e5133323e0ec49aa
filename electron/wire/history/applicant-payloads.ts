/** Payloads of events about applicants and messages. "Plain" never contains personal data. */
import type { DecidedSet, Decision, ReadingMeaning, ReadingUsed } from '#contract/applicants/applicants.ts'
import type { Relationship } from '#contract/applicants/relationships.ts'
import type { ReviewOutcome } from '#contract/applicants/reviews.ts'
import type { ColleagueEntry } from '#contract/team/queue.ts'
import type { NamedDecision } from './applicants.ts'

export interface ByPlain {
  readonly operator: string
}
export interface DecisionPlain extends ByPlain {
  readonly decision: Decision
  /** The last event of the evidence that was seen, and the seqs of its records. */
  readonly evidence: number
  readonly records: readonly number[]
  readonly readings: readonly ReadingUsed[]
  readonly due?: number
  /** The decisions of colleagues that its author knew, and that it replaces. */
  readonly supersedes?: readonly NamedDecision[]
  readonly set?: DecidedSet
}
export interface DecisionSealed {
  readonly reasons: readonly string[]
  readonly note: string
}
export interface AskedPlain extends ByPlain {
  /** Of this installation. */
  readonly decision: NamedDecision
  /** The newest evidence of each colleague that the request knows. */
  readonly evidence: readonly NamedDecision[]
}
export interface AskedSealed {
  readonly note: string
}
export interface AnsweredPlain extends ByPlain {
  /** The request. */
  readonly asked: NamedDecision
  readonly agrees: boolean
  /** The public key, and its signature over the answer; both hex. */
  readonly signer: string
  readonly signature: string
}
/** A colleague's answer to a request of this installation, with everything that its signature is over. */
export interface AnswerReceivedPlain extends ByPlain {
  /** Fingerprint of the team. */
  readonly team: string
  /** The request and the answer, each in its installation. */
  readonly asked: NamedDecision
  readonly answer: NamedDecision
  readonly agrees: boolean
  /** When it was answered, by the clock there, and under which name. */
  readonly at: number
  readonly by: string
  readonly signer: string
  readonly signature: string
}
/** Names the applicant: whoever answers may have nothing else about them. */
export interface AnsweredSealed {
  readonly applicantId: string
  readonly note: string
}
export interface NoteSealed {
  readonly text: string
}
export interface TagsSealed {
  readonly tags: readonly string[]
}
export interface DuePlain extends ByPlain {
  readonly due: number | null
}
export interface RelationshipPlain extends ByPlain, Relationship {}
export interface RiskPlain extends ByPlain {
  /** Its code in the settings. */
  readonly class: string
  readonly months: number
}
export interface ExpirySealed {
  readonly document: string
  readonly expires: string
}
export interface ReviewPlain extends ByPlain {
  /** The class that the applicant had, and the day that follows from it; null without one. */
  readonly class: string | null
  readonly next: string | null
  /** The day for which it was scheduled; null if it was not. */
  readonly due: string | null
  readonly outcome: ReviewOutcome
}
/** What a person wrote with a change. */
export interface NotedSealed {
  readonly note: string
}
export interface AssigneePlain extends ByPlain {
  readonly assigned: boolean
  /** Only a claim that came too late was removed. */
  readonly late?: true | undefined
  /** The installation of the colleague to whom it was handed over. */
  readonly to?: string | undefined
  /** An entry of a colleague’s queue; the event then has neither applicant nor record of this history. */
  readonly of?: ColleagueEntry | undefined
}
/** Sealed, although it names a colleague: a user may type anything, and only a sealed text can be erased. */
export interface AssigneeSealed {
  readonly assignee: string
}
export interface MessagePlain {
  readonly operation: string
  readonly status: number
}
export interface MessageSealed {
  readonly message: string
}
export interface ReadingPlain extends ByPlain {
  readonly message: number
  readonly version: number
  /** Absent if the interpretation before was taken back. */
  readonly means?: ReadingMeaning
}
export interface ReadingSealed {
  readonly note: string
}

/** Maximum characters of a message in the catalogue; the full message is in its records. */
export const keptWording = 2000
