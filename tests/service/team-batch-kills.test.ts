/** A batch that a team runs, while its installations and its database are killed. */
import { expect, it } from 'vitest'
import { hasPostgres } from './support/postgres.ts'
import { teamKillRounds } from './support/team-batch-kills.ts'
import { counted } from './support/times.ts'

it.skipIf(!hasPostgres)(
  'sends each row of a team’s batch once at most through kills of installations and of PostgreSQL',
  { timeout: 300_000 },
  async ({ task }) => {
    const report = await teamKillRounds({
      kills: 4,
      database: 4,
      rows: 200,
      installations: 3,
      atOnce: 6,
      within: 2500,
      random: Math.random
    })
    const { kills, rows, requests, doubled, lost, unlabelled } = report
    counted(task, { kills, rows, 'requests in the ledger': requests, 'sent twice': doubled, lost, unlabelled })
    expect(report).toMatchObject({ kills: 4, databaseKills: 1, rows: 200, doubled: 0, lost: 0, unlabelled: 0 })
    expect(report.answered).toBeGreaterThan(0)
  }
)
