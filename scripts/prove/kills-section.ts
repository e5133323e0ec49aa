/** Kills a batch at random moments repeatedly, and compares it with the service's ledger. */
import type { Measured, SectionRun } from '../figures/section.ts'
import { killRounds, type KillReport } from './kills.ts'

/** Kills per batch; then a new one is created, so that no history grows beyond a day's work. */
const killsEach = 100
/** Rows for each kill: enough that the batch is still running when it comes. */
const rowsEach = 160

type Count = Exclude<keyof KillReport, 'chainIntact'>

/** Kills 1,000 times. Errors: rows sent twice, lost or unlabelled, and chains that do not verify. */
export async function proveKills({ sized, progress }: SectionRun): Promise<Measured> {
  const wanted = sized(1000)
  const reports: KillReport[] = []
  let done = 0
  while (done < wanted) {
    const round = Math.min(killsEach, wanted - done)
    reports.push(
      await killRounds({
        kills: round,
        rows: round * rowsEach,
        atOnce: 8,
        within: 200,
        random: Math.random,
        onKill: () => void (done += 1)
      })
    )
    progress(`${done} kills`)
  }
  const sum = (name: Count): number => reports.reduce((total, report) => total + report[name], 0)
  const broken = reports.filter((report) => !report.chainIntact).length
  const bad = (['doubled', 'lost', 'unlabelled'] as const)
    .filter((name) => sum(name) > 0)
    .map((name) => `${sum(name)} rows were ${name}`)
  const counts = ['kills', 'rows', 'answered', 'unknown', 'requests', 'doubled', 'lost', 'unlabelled'] as const
  return {
    table: {
      columns: [
        'kills',
        'rows',
        'answered',
        'unknown, labelled',
        'requests in the ledger',
        'sent twice',
        'lost',
        'unlabelled',
        'chain of events'
      ],
      rows: [[...counts.map(sum), broken === 0 ? 'intact' : `**broken in ${broken}**`]]
    },
    faults: [...bad, ...(broken > 0 ? [`the chain of ${broken} histories is broken`] : [])]
  }
}
