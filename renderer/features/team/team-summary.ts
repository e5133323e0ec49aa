/** What the exchange with the team comes to, for the mark beside the person's name: one tone and one sentence. */
import type { TeamExchange } from '#contract/team/activity.ts'
import { memberRoleLabel } from './team-words.ts'
import { words } from './words.ts'

export interface TeamSummary {
  /** In sync; not reachable; a conflict or an alarm. */
  readonly tone: 'good' | 'warning' | 'danger'
  readonly text: string
  /** The connection is being made: not in sync yet, and nothing to tell. */
  readonly starting?: true
  /** When everything was last in sync, if that is known. */
  readonly at?: number
  /** What this installation is in the team. */
  readonly role: string
}

/** @param now Unix milliseconds. */
export function teamSummary(exchange: TeamExchange, now = Date.now()): TeamSummary {
  const own = exchange.members.find((member) => member.own)
  const role = own ? words.roleInTheTeam({ role: memberRoleLabel(own.role) }) : words.inATeam
  if (exchange.state === 'starting')
    return { tone: 'warning', text: words.connectingToTheDatabase, role, starting: true }
  const alarm = exchange.members.some(({ findings }) => findings.some(({ acknowledged }) => !acknowledged))
  if (alarm || exchange.clock) return { tone: 'danger', text: words.theTeamNeedsAttention, role }
  if (exchange.state !== 'connected')
    return {
      tone: 'warning',
      text: words.teamDatabaseNotReachable,
      role,
      ...(exchange.at !== undefined && { at: exchange.at })
    }
  const seconds = exchange.at === undefined ? 0 : Math.max(0, Math.round((now - exchange.at) / 1000))
  return { tone: 'good', text: words.inSyncAgo({ seconds }), role }
}
