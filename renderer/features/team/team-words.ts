/** The words for a team's roles, and for how its exchange goes. */
import { teamRoles, type TeamRole } from '#contract/team/team.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { teamFindingKinds, type TeamExchange, type TeamFindingKind } from '#contract/team/activity.ts'

const labels: Readonly<Record<TeamRole, string>> = {
  analyst: 'Analyst',
  reviewer: 'Reviewer',
  supervisor: 'Supervisor',
  auditor: 'Auditor'
}

export const roleLabel = (role: TeamRole): string => labels[role]
export const roleOptions = teamRoles.map((value) => ({ value, label: labels[value] }))
export const memberRoleLabel = (role: TeamRole | 'removed'): string => (role === 'removed' ? 'Removed' : labels[role])

export const exchangeLabels: Readonly<Record<TeamExchange['state'], string>> = {
  starting: 'Connecting to the database',
  connected: 'Connected',
  offline: 'The database does not answer',
  stopped: 'Stopped'
}

/** Of a finding that a supervisor can deal with; undefined for another one. */
export const findingKind = ({ code }: Failure): TeamFindingKind | undefined =>
  teamFindingKinds.find((kind) => kind === code)
export const findingLabels: Readonly<Record<TeamFindingKind, string>> = {
  'team-events-rolled-back': 'Fewer events than before',
  'team-events-withheld': 'Fewer events than another installation has',
  'team-events-forked': 'Two histories signed',
  'team-views-differ': 'Another event at another installation',
  'team-events-refused': 'Events refused',
  'team-given-again': 'Lost what was shared',
  'team-intents-lost': 'Lost which rows were sent',
  'team-row-sent-twice': 'Row sent twice',
  'team-exchange-awaited': 'Has not exchanged since'
}
