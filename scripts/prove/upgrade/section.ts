/** Kills the upgrade of each data folder that tests/fixtures keeps of an earlier schema. */
import type { Measured, SectionRun } from '../../figures/section.ts'
import { keptFolders } from './kept-folders.ts'
import { isOld, killUpgrades, upgradePoints, type Moment } from './kills.ts'

/** Kills at random moments, for each folder. */
const randomKills = 100
/** Milliseconds in which such a kill comes, counted from the beginning of the opening. */
const within = 250

/** Errors: everything that the next start after a kill did not complete. */
export async function proveUpgrades({ sized, progress }: SectionRun): Promise<Measured> {
  const rows: (string | number)[][] = []
  const faults: string[] = []
  for (const kept of keptFolders()) {
    if (!(await isOld(kept.history))) continue
    const points = await upgradePoints(kept.history)
    const atPoints: readonly Moment[] = points.map((_, at) => ({ point: at + 1 })).slice(0, sized(points.length))
    for (const [how, moments] of [
      ['at each point', atPoints],
      [
        'at random moments',
        Array.from({ length: sized(randomKills) }, (): Moment => ({ after: Math.random() * within }))
      ]
    ] as const) {
      const found = await killUpgrades(
        kept.history,
        moments,
        (done) => void (done % 50 === 0 && progress(`${kept.name}: ${done} kills ${how}`))
      )
      rows.push([kept.name, how, found.kills, found.inTheMiddle, found.tooLate, found.faults.length])
      faults.push(...found.faults.map((fault) => `${kept.name}: ${fault}`))
    }
  }
  return {
    table: {
      columns: [
        'data folder',
        'killed',
        'kills',
        'with steps still due',
        'ended before the kill',
        'not completed by the next start'
      ],
      rows
    },
    faults
  }
}
