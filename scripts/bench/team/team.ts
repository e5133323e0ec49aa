/** What a team costs and how much its database can do. */
import type { Row } from '../../figures/format.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { measureCatchUp } from './catch-up.ts'
import { measureGone } from './database-gone.ts'
import { measureLargeTeam } from './large-team.ts'
import { measurePropagation } from './propagation.ts'

/** Events of first catch-ups; installations; seconds of each load. */
const sizes = {
  catchUps: [100_000, 1_000_000],
  members: 20,
  decisions: 20,
  simulated: 200,
  loads: [
    [400, 600],
    [2000, 60]
  ],
  readers: 8,
  checks: 300
} as const

/** The words of the rows say what was run, and nothing is extrapolated. A whole run takes about half an hour. */
export async function measureTeam({ sized, progress }: BenchRun): Promise<Measured> {
  const rows: Row[] = []
  for (const events of sizes.catchUps) rows.push(...(await measureCatchUp(2 * sized(events / 2, 500), progress)).rows)
  rows.push(
    ...(await measurePropagation(
      { installations: sized(sizes.members, 3), decisions: sized(sizes.decisions, 2) },
      progress
    ))
  )
  const large = await measureLargeTeam(
    {
      installations: sized(sizes.simulated, 10),
      loads: sizes.loads.map(([perSecond, seconds]) => ({
        perSecond: sized(perSecond, 20),
        seconds: sized(seconds, 4)
      })),
      readers: sizes.readers
    },
    progress
  )
  const gone = await measureGone(sized(sizes.checks, 5), progress)
  return {
    rows: [...rows, ...large.rows, ...gone.rows],
    notes: large.notes,
    faults: [...large.faults, ...gone.faults]
  }
}
