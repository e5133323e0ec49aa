/** Four-eyes approval in a team: a member asks for approval of a decision, and a reviewer or supervisor answers. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { ChecklistAnswered } from '../applicants/checklists.ts'
import { maxNoteLength, type Decision } from '../applicants/applicants.ts'
import type { Failure } from '../failures/failures.ts'
import type { TeamRole } from './team.ts'

/** Roles whose answer counts. An analyst asks, an auditor only reads. */
export const approverRoles: readonly TeamRole[] = ['reviewer', 'supervisor']

/**
 * `incomplete`: what the request rests on has not all arrived here. `void`: evidence was recorded that the request does
 * not name. `invalid`: the request names a decision or evidence that is another one here. The others follow from the
 * answers that count; one that disagrees outweighs those that agree.
 */
export const approvalStates = ['waiting', 'agreed', 'disagreed', 'void', 'incomplete', 'invalid'] as const
export type ApprovalState = (typeof approvalStates)[number]

/**
 * Why an answer does not count: `author` answered their own request, `stranger` is no member, `role` may not approve,
 * `signature` is not the member’s over this request, `same-person` and `unknown-person` have the name of somebody
 * involved, or none.
 */
export type AnswerFault = 'author' | 'stranger' | 'role' | 'signature' | 'same-person' | 'unknown-person'

const installationSchema = z.string().regex(/^[0-9a-f]{32}$/)
/** Most events that a request names: one for each colleague. */
export const maxNamedEvidence = 1000
const nameSchema = { installation: installationSchema, seq: z.int().positive() }

export const approvalsQuerySchema = z.strictObject({
  /** About one applicant; about all if absent. */
  applicantId: applicantIdSchema.optional(),
  /** How many are wanted, newest first; 0 for the number that waits alone. */
  limit: z.int().min(0).max(200)
})
export type ApprovalsQuery = z.output<typeof approvalsQuerySchema>
/** As core asks: requests from before this time are overdue while they wait, in Unix milliseconds; none is if it is absent. */
export interface TimedQuery extends ApprovalsQuery {
  readonly overdueBefore?: number
}
/** Most hours after which a request is overdue. */
export const maxApprovalHours = 720

export const approvalRequestSchema = z.strictObject({
  applicantId: applicantIdSchema,
  /** The decision’s event in this history. */
  decision: z.int().positive(),
  note: z.string().trim().max(maxNoteLength),
  /** Colleagues’ evidence as displayed; refused if newer has arrived. */
  evidence: z.array(z.tuple([installationSchema, z.int().positive()])).max(maxNamedEvidence)
})
export type ApprovalRequest = z.output<typeof approvalRequestSchema>

export const approvalAnswerSchema = z.strictObject({
  applicantId: applicantIdSchema,
  ...nameSchema,
  agrees: z.boolean(),
  note: z.string().trim().max(maxNoteLength)
})
export type ApprovalAnswerOrder = z.output<typeof approvalAnswerSchema>

/** What a reviewer answered. */
export interface ApprovalAnswer {
  readonly installation: string
  readonly seq: number
  /** The member’s name in the team; absent for this installation. */
  readonly member?: string
  readonly operator?: string
  readonly at: number
  readonly agrees: boolean
  /** Absent until its key arrives, and after an erasure. */
  readonly note?: string
  /** Fingerprint of the key that signed it, hex; absent without a valid signature. */
  readonly key?: string
  /** Why it does not count. */
  readonly fault?: AnswerFault
  /** How the reviewer came to the team, by its signed list of members; absent until that was verified here. */
  readonly admission?: {
    /** Who admitted them; null for who created the team. */
    readonly by: string | null
    /** They came with the team's recovery key. */
    readonly byRecoveryKey?: true
    /** Who gave them their present role, if that was later. */
    readonly roleBy?: string
    /** One of these is the member who asks for the approval. */
    readonly byAsker?: true
  }
  /** It has not left this installation yet. */
  readonly unsent?: true
}

/** A request for approval, with what was decided and answered. */
export interface TeamApproval {
  /** Of its event. */
  readonly installation: string
  readonly seq: number
  /** The member’s name in the team; absent for this installation. */
  readonly member?: string
  readonly operator?: string
  /** By the clock of its installation, in Unix milliseconds. */
  readonly at: number
  readonly applicantId: string
  /** The asker’s words. */
  readonly note?: string
  /** Absent if what it names is no decision here. */
  readonly decision?: {
    readonly seq: number
    readonly decision: Decision
    /** It needs a second person: until one agrees, it is a proposal. */
    readonly proposed?: true
    readonly reasons?: readonly string[]
    readonly note?: string
    /** As it was answered, by the labels of its installation; absent without one, and while it is not known what was answered. */
    readonly checklist?: ChecklistAnswered
  }
  readonly state: ApprovalState
  /** It waits for longer than people want, and goes on waiting: no time approves. */
  readonly overdue?: true
  /** Where evidence was recorded that it does not name: members’ names; null for this installation. */
  readonly newer: readonly (string | null)[]
  /** Records that the decision rests on and that are not shared. */
  readonly unshared: number
  readonly answers: readonly ApprovalAnswer[]
  /** It has not left this installation yet: nobody else can see it. */
  readonly unsent?: true
  /** Of this installation: a colleague erased the applicant, so nobody else sees it, now or later. */
  readonly unseen?: true
  /** A newer request of its installation about the applicant replaces it. */
  readonly replaced?: true
  /** Why this installation cannot answer it. */
  readonly refusal?: Failure
}

/** How the reviewer came to the team. */
export function admissionWords({ by, byRecoveryKey, roleBy }: NonNullable<ApprovalAnswer['admission']>): string {
  const admitted = byRecoveryKey
    ? 'Came with the recovery key of the team.'
    : by === null
      ? 'Created the team.'
      : `Admitted by ${by}.`
  return roleBy === undefined ? admitted : `${admitted} Role given by ${roleBy}.`
}

/** Null without a team. */
export type TeamApprovals = {
  /** Newest first. */
  readonly approvals: readonly TeamApproval[]
  /** There are older ones that are not listed. */
  readonly more: boolean
  /** How many wait for an answer that this installation can give. */
  readonly waiting: number
  /** How many of these are overdue. */
  readonly overdue: number
  /** Of this installation; absent until the list of members was read. */
  readonly role?: TeamRole
  /** How many colleagues could answer a request of this installation, by role and name. */
  readonly approvers: number
  /** A colleague erased the applicant that was asked about: nobody in the team sees what is decided here. */
  readonly unseen?: true
  /** Colleagues’ newest evidence about the applicant that was asked about: a request names it. */
  readonly evidence: readonly (readonly [installation: string, seq: number])[]
} | null
