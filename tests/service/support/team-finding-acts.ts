/** Findings about the events of an installation, at a real database. */
import { expect } from 'vitest'
import type { FindingOrder, TeamMemberStatus } from '#contract/team/activity.ts'
import { checked } from './acts.ts'
import type { TestConsole } from './console.ts'
import type { TeamDatabase } from './postgres.ts'

const patient = { timeout: 30_000 }

/** The database loses the events of a console that has just shared some. @returns What its supervisor says about it. */
export async function lostEvents(console: TestConsole, { postgres }: TeamDatabase): Promise<FindingOrder> {
  const own = async (): Promise<TeamMemberStatus | undefined> =>
    (await console.get('team.exchange'))?.members.find((member) => member.own)
  await console.get('team.share', { kept: [] })
  await checked(console)
  await expect.poll(async () => (await own())?.events, patient).toBeGreaterThan(0)
  postgres.sql('DELETE FROM veridesk.event; DELETE FROM veridesk.head', 'team')
  await expect
    .poll(async () => (await own())?.findings.map(({ failure }) => failure.code), patient)
    .toEqual(['team-events-rolled-back'])
  return {
    installation: (await own())?.installation ?? '',
    finding: 'team-events-rolled-back',
    reason: 'The administrator restored the backup of Monday'
  }
}
