/** What a team costs and how much its database can do. */
import type { Row } from '../../figures/format.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { measureCatchUp } from './catch-up.ts'
import { measureGone } from './database-gone.ts'
import { measureLargeTeam } from './large-team.ts'
import { measurePropagation } from './propagation.ts'

/** Events of first catch-ups; installations; seconds of each load. */
const sizes = { catchUps: [100_000, 300_000], members: 20, decisions: 20, simulated: 200, loads: [[400, 60], [2000, 20]], readers: 8, checks: 300 } as const

/** The requirement asks for more than these sizes; the words of the rows say what was run, and nothing is extrapolated. */
export async function measureTeam({ sized, progress }: BenchRun): Promise<Measured> {
  const rows: Row[] = []
  for (const events of sizes.catchUps) rows.push(...(await measureCatchUp(2 * sized(events / 2, 500), progress)).rows)
  rows.push(...(await measurePropagation({ installations: sized(sizes.members, 3), decisions: sized(sizes.decisions, 2) }, progress)))
  const large = await measureLargeTeam({ installations: sized(sizes.simulated, 10), loads: sizes.loads.map(([perSecond, seconds]) => ({ perSecond: sized(perSecond, 20), seconds: sized(seconds, 4) })), readers: sizes.readers }, progress)
  const gone = await measureGone(sized(sizes.checks, 5), progress)
  return {
    rows: [...rows, ...large.rows, ...gone.rows],
    notRun: [
      { name: 'the first catch-up of 1,000,000 events', why: `preparing and sharing them takes longer than a run here may; ${sizes.catchUps.map((events) => events.toLocaleString('en')).join(' and ')} were measured` },
      { name: `${sizes.loads[0][0]} events a second for 10 minutes, and ${sizes.loads[1][0]} for 60 s`, why: `a run here is shorter; ${sizes.loads.map(([perSecond, seconds]) => `${perSecond} for ${seconds} s`).join(' and ')} were measured` }
    ],
    notes: large.notes,
    faults: [...large.faults, ...gone.faults]
  }
}
