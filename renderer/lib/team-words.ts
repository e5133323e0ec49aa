/** The words for a team's roles, and for how its exchange goes. */
import { teamRoles, type TeamRole } from '#contract/team.ts'
import type { TeamExchange } from '#contract/team-activity.ts'

const labels: Readonly<Record<TeamRole, string>> = { analyst: 'Analyst', reviewer: 'Reviewer', supervisor: 'Supervisor', auditor: 'Auditor' }

export const roleLabel = (role: TeamRole): string => labels[role]
export const roleOptions = teamRoles.map((value) => ({ value, label: labels[value] }))
export const memberRoleLabel = (role: TeamRole | 'removed'): string => (role === 'removed' ? 'Removed' : labels[role])

export const exchangeLabels: Readonly<Record<TeamExchange['state'], string>> = {
  starting: 'Connecting to the database', connected: 'Connected', offline: 'The database does not answer', stopped: 'Stopped'
}
