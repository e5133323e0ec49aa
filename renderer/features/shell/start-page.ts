/** Where the start leads, by what there is to do. */
import type { Settings } from '#contract/settings/settings.ts'
import type { TeamRole } from '#contract/team/team.ts'

export interface StartFacts {
  readonly choice: Settings['startPage']
  /** The first steps are finished or were dismissed. */
  readonly firstRunDone: boolean
  readonly connections: number
  /** Records of the history. */
  readonly recorded: number
  /** Without a team its only person counts as supervisor; `undefined` while it is not known. */
  readonly role: TeamRole | 'alone' | undefined
  /** Items of the queue. */
  readonly waiting: number
  /** The name of the last page's route; empty if there was none. */
  readonly last: string
}

/** The name of a route. */
export function startPage({ choice, firstRunDone, connections, recorded, role, waiting, last }: StartFacts): string {
  if (recorded === 0) return !firstRunDone && connections === 0 ? 'welcome' : 'new-verification'
  if (choice !== 'automatic') return choice === 'last' ? last || 'queue' : choice
  if (role === 'alone' || role === 'supervisor') return 'overview'
  return waiting > 0 ? 'queue' : last || 'queue'
}
