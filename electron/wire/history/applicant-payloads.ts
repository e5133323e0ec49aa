/** Payloads of events about applicants and messages. "Plain" never contains personal data. */
import type { DecidedSet, Decision, ReadingMeaning, ReadingUsed } from '#contract/applicants/applicants.ts'
import type { ChecklistNamed, Checks } from '#contract/applicants/checklists.ts'
import type { FocusClass, Seen, SeenEntry } from '#contract/applicants/seen.ts'
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
  /** Absent if there was none for the decision. */
  readonly checklist?: ChecklistNamed | undefined
  readonly due?: number
  /** The decisions of colleagues that its author knew, and that it replaces. */
  readonly supersedes?: readonly NamedDecision[]
  readonly set?: DecidedSet
  readonly seen?: Seen
  /** How many other people have to agree: 0 or 1, and the SHA-256 of the rule that says so, hex; no rule, no hash. */
  readonly requires: 0 | 1
  readonly rule?: string
}
/** A version of a checklist, recorded when it is first answered: `text` as `checklistText` makes it. */
export interface ChecklistPlain {
  readonly ref: number
  readonly text: string
}
/** Answers to a checklist; absent if there was none. */
interface ChecksSealed {
  readonly checks?: Checks | undefined
}
export interface DecisionSealed extends ChecksSealed {
  readonly seenList?: readonly SeenEntry[]
  readonly focus?: FocusClass | undefined
  readonly reasons: readonly string[]
  readonly note: string
}
export interface ReviewSealed extends ChecksSealed {
  readonly note: string
}
export interface AskedPlain extends ByPlain {
  /** Fingerprint of the team, or the origin of this audit trail: what answers are signed for. */
  readonly scope: string
  /** Of this installation. */
  readonly decision: NamedDecision
  /** The newest evidence of each colleague that the request knows. */
  readonly evidence: readonly NamedDecision[]
}
export interface AskedSealed {
  readonly note: string
}
export interface AnsweredPlain extends ByPlain {
  readonly scope: string
  /** The request. */
  readonly asked: NamedDecision
  readonly agrees: boolean
  /** Of the digest of the operator's name, and the public key with its signature over the answer; all hex. */
  readonly salt: string
  readonly signer: string
  readonly signature: string
}
/** A colleague's answer to a request of this installation, with everything that its signature is over. */
export interface AnswerReceivedPlain extends AnsweredPlain {
  /** The answer, in its installation. */
  readonly answer: NamedDecision
  /** When it was answered, by the clock there, and under which name. */
  readonly at: number
  readonly by: string
  /** Newer evidence was known when it arrived: it counts for nothing. */
  readonly void?: true
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
  /** The day that it was where it was done: what expires on the next one is still valid, whatever day it is in UTC. */
  readonly on: string
  /** The class that the applicant had, and the day that follows from it; null without one. */
  readonly class: string | null
  readonly next: string | null
  /** The day for which it was scheduled; null if it was not. */
  readonly due: string | null
  readonly outcome: ReviewOutcome
  /** Absent if there was none for reviews. */
  readonly checklist?: ChecklistNamed | undefined
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
