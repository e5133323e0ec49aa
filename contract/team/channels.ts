/** Channels of a team: access to its database, its members, joining and leaving, what is shared, and what colleagues did. */
import {
  teamAdmitSchema,
  teamConfirmSchema,
  teamCreateSchema,
  teamEntrySchema,
  teamFileSchema,
  teamJoinSchema,
  teamRecoverSchema,
  teamRemoveSchema,
  teamRoleSchema,
  teamRuleSchema,
  teamSharingSchema,
  type ChosenTeamFile,
  type TeamAccess,
  type TeamCreated,
  type TeamFile,
  type TeamMembers,
  type TeamRemoval,
  type TeamState
} from './team.ts'
import {
  acknowledgeFindingSchema,
  teamActivitySchema,
  teamApplicantSchema,
  teamCheckSchema,
  type TeamActivity,
  type TeamApplicant,
  type TeamCheck,
  type TeamExchange
} from './activity.ts'
import { approvalAnswerSchema, approvalRequestSchema, approvalsQuerySchema, type TeamApprovals } from './approvals.ts'
import { teamClaimsSchema, teamQueueSchema, type TeamClaims, type TeamQueue } from './queue.ts'
import { teamOverviewSchema, teamProofSchema, type SavedTeamProof, type TeamOverview } from './overview.ts'
import { visitSchema } from '../evidence/audit.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'
import type { BatchSummary } from '../batches/batches.ts'
import type { TeamRecipe } from '../verification/saved-recipes.ts'
import { teamBatchTakeOverSchema, teamBatchSchema, type TeamBatch, type TeamBatchProgress } from './batches.ts'

export const teamChannels = {
  /** Null without a team. Asks nobody. */
  'team.state': channel<TeamState | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It says what this computer knows of its team.' }
  }),
  'team.chooseFile': channel<ChosenTeamFile>()({
    input: teamFileSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It only reads the chosen file; using it is a change of the team.' }
  }),
  'team.access': channel<TeamAccess>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed'],
    when: 'It is prepared for the first time.'
  }),
  'team.create': channel<TeamCreated>()({
    input: teamCreateSchema,
    maxBytes: 512 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'team.invite': channel<TeamFile>()({ input: nothing, maxBytes: kibibyte, late: 'take', leaves: ['setting.changed'] }),
  'team.join': channel<TeamFile>()({
    input: teamJoinSchema,
    maxBytes: 1024 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** As a supervisor, by the recovery key of the team. */
  'team.recover': channel<TeamMembers>()({
    input: teamRecoverSchema,
    maxBytes: 512 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'team.admit': channel<TeamMembers>()({
    input: teamAdmitSchema,
    maxBytes: 64 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'team.members': channel<TeamMembers>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists colleagues and their roles, and no applicant.' }
  }),
  'team.changeRole': channel<TeamMembers>()({
    input: teamRoleSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'team.remove': channel<TeamRemoval>()({
    input: teamRemoveSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** Switches two-person admission. Off waits for a second supervisor. */
  'team.changeRule': channel<TeamMembers>()({
    input: teamRuleSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** As the second supervisor. */
  'team.confirm': channel<TeamMembers>()({
    input: teamConfirmSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'team.withdraw': channel<TeamMembers>()({
    input: teamEntrySchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'team.leave': channel<null>()({ input: nothing, maxBytes: kibibyte, late: 'take', leaves: ['setting.changed'] }),
  /** The first time, sharing begins. */
  'team.share': channel<TeamState | null>()({
    input: teamSharingSchema,
    maxBytes: 128 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** How the exchange goes; null without a team. */
  'team.exchange': channel<TeamExchange | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It says how the exchange goes, without personal data.' }
  }),
  'team.activity': channel<TeamActivity>()({
    input: teamActivitySchema.extend({ visit: visitSchema }),
    maxBytes: 2 * kibibyte,
    views: () => ({ what: 'team' })
  }),
  'team.check': channel<TeamCheck | null>()({
    input: teamCheckSchema.extend({ visit: visitSchema }),
    maxBytes: kibibyte,
    views: () => ({ what: 'team' })
  }),
  'team.queue': channel<TeamQueue>()({
    input: teamQueueSchema.extend({ visit: visitSchema }),
    maxBytes: kibibyte,
    views: (_, queue) => (queue === null ? undefined : { what: 'team' })
  }),
  'team.claims': channel<TeamClaims>()({
    input: teamClaimsSchema,
    maxBytes: 256 * kibibyte,
    leaves: { none: 'It says who handles items that the window shows already.' }
  }),
  'team.applicant': channel<TeamApplicant>()({
    input: teamApplicantSchema.extend({ visit: visitSchema }),
    maxBytes: 2 * kibibyte,
    views: ({ applicantId }, found) => (found === null ? undefined : { what: 'applicant', about: { applicantId } })
  }),
  /** Requests for approval, of colleagues and of this installation; null without a team. */
  'team.approvals': channel<TeamApprovals>()({
    input: approvalsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 2 * kibibyte,
    when: 'Requests are asked for, not only how many wait.',
    views: ({ applicantId, limit }, approvals) =>
      approvals === null || limit === 0
        ? undefined
        : applicantId === undefined
          ? { what: 'team' }
          : { what: 'applicant', about: { applicantId } }
  }),
  'team.askApproval': channel<null>()({
    input: approvalRequestSchema,
    maxBytes: 256 * kibibyte,
    leaves: ['approval.asked'],
    announces: () => 'evidence-changed'
  }),
  'team.answerApproval': channel<null>()({
    input: approvalAnswerSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['approval.answered'],
    announces: () => 'evidence-changed'
  }),
  /** Recipes that colleagues share; none without a team. */
  'team.recipes': channel<readonly TeamRecipe[]>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns the names of recipes and who shares them, without an applicant.' }
  }),
  /** Null without a team. */
  'team.overview': channel<TeamOverview | null>()({
    input: teamOverviewSchema.extend({ visit: visitSchema }),
    maxBytes: kibibyte,
    views: (_, overview) => (overview === null ? undefined : { what: 'team' })
  }),
  /**
   * As a supervisor. The finding stays, and holds no shared batch any more. It may be one that only a colleague’s
   * installation has. Failures: `team-change-refused`, `team-missing`.
   */
  'team.acknowledgeFinding': channel<null>()({
    input: acknowledgeFindingSchema,
    maxBytes: 4 * kibibyte,
    late: 'take',
    leaves: ['finding.acknowledged']
  }),
  'team.saveProof': channel<SavedTeamProof>()({
    input: teamProofSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['export.made']
  })
}

/** Batches that a team shares. Their rows, results and endings are those of batches. */
export const teamBatchChannels = {
  /** All that the team shares, the newest first; empty without a team. */
  'teamBatches.list': channel<readonly TeamBatch[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists names of batches and of members, without rows.' }
  }),
  /**
   * A batch that is not running becomes the team’s. Failures: `team-batch-unusable`, `batch-not-startable`,
   * `batch-restored`, `batch-restored-unknown`, `team-missing`.
   */
  'teamBatches.share': channel<BatchSummary>()({
    input: teamBatchSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['batch.shared']
  }),
  /**
   * A batch of the team becomes one here, while nobody else runs it; `batches.start` runs it. Failures:
   * `team-batch-runs`, `team-batch-missing`, `team-batch-unusable`, `team-missing`.
   */
  'teamBatches.takeOver': channel<BatchSummary>()({
    input: teamBatchTakeOverSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['batch.made'],
    when: 'A colleague shared it, and it is not here yet.'
  }),
  /** How far it is, and who runs it. */
  'teamBatches.progress': channel<TeamBatchProgress>()({
    input: teamBatchSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It returns numbers, and names of members.' }
  })
}
