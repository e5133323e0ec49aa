/**
 * The team of this installation: access to its database, its members, joining and leaving. The rest of core knows a team
 * by this module alone, and loads it when it is first asked for. Each action is documented where it is defined.
 */
import type { TeamAdmission, TeamCreation, TeamFileKind, TeamJoining, TeamRemovalOrder, TeamRoleChange } from '#contract/team.ts'
import type { TeamParts } from './installation/actions.ts'
import { readTeamFile } from './installation/chosen-file.ts'
import { createOwnTeam, joinTeam, leaveTeam, prepareAccess, teamState } from './installation/joining.ts'
import { admitToTeam, giveRole, inviteToTeam, listMembers, removeFromTeam } from './installation/members.ts'
import { createTurns } from '#core/workers/in-turn.ts'

export type Team = ReturnType<typeof createTeam>

export function createTeam(parts: TeamParts) {
  // Two at once could replace the mailbox key twice, and one of the new keys would be lost.
  const inTurn = createTurns()
  return {
    state: () => teamState(parts),
    read: (path: string, kind: TeamFileKind) => readTeamFile(path, kind),
    access: () => inTurn(() => prepareAccess(parts)),
    create: (order: TeamCreation) => inTurn(() => createOwnTeam(parts, order)),
    invite: () => inTurn(() => inviteToTeam(parts)),
    join: (order: TeamJoining) => inTurn(() => joinTeam(parts, order)),
    admit: (order: TeamAdmission) => inTurn(() => admitToTeam(parts, order)),
    members: () => inTurn(() => listMembers(parts)),
    changeRole: (order: TeamRoleChange) => inTurn(() => giveRole(parts, order)),
    remove: (order: TeamRemovalOrder) => inTurn(() => removeFromTeam(parts, order)),
    leave: () => inTurn(() => leaveTeam(parts))
  }
}
