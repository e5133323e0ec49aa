/** Channels of a team: access to its database, its members, joining and leaving, what is shared, and what colleagues did. */
import {
  teamAdmitSchema,
  teamCreateSchema,
  teamFileSchema,
  teamJoinSchema,
  teamRecoverSchema,
  teamRemoveSchema,
  teamRoleSchema,
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

export const teamChannels = {
  /** Null without a team. Asks nobody. */
  'team.state': channel<TeamState | null>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'team.chooseFile': channel<ChosenTeamFile>()({ input: teamFileSchema, maxBytes: kibibyte, late: 'take' }),
  'team.access': channel<TeamAccess>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'team.create': channel<TeamCreated>()({ input: teamCreateSchema, maxBytes: 512 * kibibyte, late: 'take' }),
  'team.invite': channel<TeamFile>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'team.join': channel<TeamFile>()({ input: teamJoinSchema, maxBytes: 1024 * kibibyte, late: 'take' }),
  /** As a supervisor, by the recovery key of the team. */
  'team.recover': channel<TeamMembers>()({ input: teamRecoverSchema, maxBytes: 512 * kibibyte, late: 'take' }),
  'team.admit': channel<TeamMembers>()({ input: teamAdmitSchema, maxBytes: 64 * kibibyte, late: 'take' }),
  'team.members': channel<TeamMembers>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'team.changeRole': channel<TeamMembers>()({ input: teamRoleSchema, maxBytes: kibibyte, late: 'take' }),
  'team.remove': channel<TeamRemoval>()({ input: teamRemoveSchema, maxBytes: kibibyte, late: 'take' }),
  'team.leave': channel<null>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  /** The first time, sharing begins. */
  'team.share': channel<TeamState | null>()({ input: teamSharingSchema, maxBytes: 128 * kibibyte, late: 'take' }),
  /** How the exchange goes; null without a team. */
  'team.exchange': channel<TeamExchange | null>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'team.activity': channel<TeamActivity>()({
    input: teamActivitySchema.extend({ visit: visitSchema }),
    maxBytes: 2 * kibibyte
  }),
  'team.check': channel<TeamCheck | null>()({
    input: teamCheckSchema.extend({ visit: visitSchema }),
    maxBytes: kibibyte
  }),
  'team.queue': channel<TeamQueue>()({ input: teamQueueSchema.extend({ visit: visitSchema }), maxBytes: kibibyte }),
  'team.claims': channel<TeamClaims>()({ input: teamClaimsSchema, maxBytes: 256 * kibibyte }),
  'team.applicant': channel<TeamApplicant>()({
    input: teamApplicantSchema.extend({ visit: visitSchema }),
    maxBytes: 2 * kibibyte
  }),
  /** Requests for approval, of colleagues and of this installation; null without a team. */
  'team.approvals': channel<TeamApprovals>()({
    input: approvalsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 2 * kibibyte
  }),
  'team.askApproval': channel<null>()({ input: approvalRequestSchema, maxBytes: 256 * kibibyte }),
  'team.answerApproval': channel<null>()({ input: approvalAnswerSchema, maxBytes: 64 * kibibyte }),
  /** Null without a team. */
  'team.overview': channel<TeamOverview | null>()({
    input: teamOverviewSchema.extend({ visit: visitSchema }),
    maxBytes: kibibyte
  }),
  /** As a supervisor. The finding stays, and holds no shared batch any more. It may be one that only a colleague’s installation has. Failures: `team-change-refused`, `team-missing`. */
  'team.acknowledgeFinding': channel<null>()({ input: acknowledgeFindingSchema, maxBytes: 4 * kibibyte, late: 'take' }),
  'team.saveProof': channel<SavedTeamProof>()({ input: teamProofSchema, maxBytes: kibibyte, late: 'take' })
}
