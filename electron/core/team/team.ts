/**
 * The team of this installation: access to its database, its members, joining and leaving. The rest of core knows a team
 * by this module alone, and loads it when it is first asked for. Each action is documented where it is defined.
 */
import type { TeamAdmission, TeamCreation, TeamFileKind, TeamJoining, TeamRemovalOrder, TeamRoleChange } from '#contract/team.ts'
import type { TeamParts } from './installation/actions.ts'
import { readTeamFile } from './installation/chosen-file.ts'
import { createOwnTeam, joinTeam, leaveTeam, prepareAccess, teamState } from './installation/joining.ts'
import { admitToTeam, giveRole, inviteToTeam, listMembers, removeFromTeam } from './installation/members.ts'

export type Team = ReturnType<typeof createTeam>

export const createTeam = (parts: TeamParts) => ({
  state: () => teamState(parts),
  read: (path: string, kind: TeamFileKind) => readTeamFile(path, kind),
  access: () => prepareAccess(parts),
  create: (order: TeamCreation) => createOwnTeam(parts, order),
  invite: () => inviteToTeam(parts),
  join: (order: TeamJoining) => joinTeam(parts, order),
  admit: (order: TeamAdmission) => admitToTeam(parts, order),
  members: () => listMembers(parts),
  changeRole: (order: TeamRoleChange) => giveRole(parts, order),
  remove: (order: TeamRemovalOrder) => removeFromTeam(parts, order),
  leave: () => leaveTeam(parts)
})
