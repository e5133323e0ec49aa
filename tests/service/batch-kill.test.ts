/** A batch that is killed repeatedly neither loses, duplicates nor forgets a row. */
import { expect, it } from 'vitest'
import { killRounds } from './support/batch-kills.ts'
import { counted } from './support/times.ts'

it('keeps every row of a batch through kills at random moments', { timeout: 120_000 }, async ({ task }) => {
  const report = await killRounds({ kills: 15, rows: 2400, atOnce: 8, within: 200, random: Math.random })
  const { kills, rows, requests, doubled, lost, unlabelled } = report
  counted(task, { kills, rows, 'requests in the ledger': requests, 'sent twice': doubled, lost, unlabelled })
  expect(report).toMatchObject({ kills: 15, rows: 2400, doubled: 0, lost: 0, unlabelled: 0, chainIntact: true })
  expect(report.answered + report.unknown).toBe(2400)
  // Kills without a request in progress would prove little.
  expect(report.unknown).toBeGreaterThan(0)
})
