/** The words for a team's roles. */
import { teamRoles, type TeamRole } from '#contract/team.ts'

const labels: Readonly<Record<TeamRole, string>> = { analyst: 'Analyst', reviewer: 'Reviewer', supervisor: 'Supervisor', auditor: 'Auditor' }

export const roleLabel = (role: TeamRole): string => labels[role]
export const roleOptions = teamRoles.map((value) => ({ value, label: labels[value] }))
