/** The words for a team's roles, and for how its exchange goes. */
import { teamRoles, type TeamRole } from '#contract/team/team.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { teamFindingKinds, type TeamExchange, type TeamFindingKind } from '#contract/team/activity.ts'
import { words } from './words.ts'

const labels: Readonly<Record<TeamRole, string>> = {
  analyst: words.analyst,
  reviewer: words.reviewer,
  supervisor: words.supervisor,
  auditor: words.auditor
}

export const roleLabel = (role: TeamRole): string => labels[role]
export const roleOptions = teamRoles.map((value) => ({ value, label: labels[value] }))
export const memberRoleLabel = (role: TeamRole | 'removed'): string =>
  role === 'removed' ? words.removed : labels[role]

export const exchangeLabels: Readonly<Record<TeamExchange['state'], string>> = {
  starting: words.connectingToTheDatabase,
  connected: words.connected,
  offline: words.theDatabaseDoesNotAnswer,
  stopped: words.stopped
}

/** Of a finding that a supervisor can deal with; undefined for another one. */
export const findingKind = ({ code }: Failure): TeamFindingKind | undefined =>
  teamFindingKinds.find((kind) => kind === code)
export const findingLabels: Readonly<Record<TeamFindingKind, string>> = {
  'team-events-rolled-back': words.fewerEventsThanBefore,
  'team-events-withheld': words.fewerEventsThanAnotherInstallation,
  'team-events-forked': words.twoHistoriesSigned,
  'team-views-differ': words.anotherEventAtAnotherInstallation,
  'team-events-refused': words.eventsRefused,
  'team-given-again': words.lostWhatWasShared,
  'team-intents-lost': words.lostWhichRowsWereSent,
  'team-row-sent-twice': words.rowSentTwice,
  'team-exchange-awaited': words.hasNotExchangedSince
}
