/** A batch killed at random moments, over and over, held against the ledger of the service. */
import { killRounds, type KillReport } from './kills.ts'
import type { Section } from './section.ts'

/** Kills that one batch is put through; then another is made, so that no history grows beyond a day's work. */
const killsEach = 100
/** Rows for each kill: enough that the batch is still running when it comes. */
const rowsEach = 160

type Count = Exclude<keyof KillReport, 'chainIntact'>

export const killsSection: Section = {
  name: 'kills',
  times: 1000,
  async run(wanted, told) {
    const reports: KillReport[] = []
    let done = 0
    while (done < wanted) {
      const round = Math.min(killsEach, wanted - done)
      reports.push(await killRounds({ kills: round, rows: round * rowsEach, atOnce: 8, within: 200, random: Math.random, onKill: () => told((done += 1)) }))
    }
    const sum = (name: Count): number => reports.reduce((total, report) => total + report[name], 0)
    const broken = reports.filter((report) => !report.chainIntact).length
    const bad = (['doubled', 'lost', 'unlabelled'] as const).filter((name) => sum(name) > 0).map((name) => `${sum(name)} rows were ${name}`)
    const counts = ['kills', 'rows', 'answered', 'unknown', 'requests', 'doubled', 'lost', 'unlabelled'] as const
    return {
      title: 'A batch killed at random moments',
      words: 'Each time the process is ended with SIGKILL, then the batch is started again; a quarter of the kills fall into opening, recovery and making. At the end every row and record is held against the ledger of the service.',
      columns: ['kills', 'rows', 'answered', 'unknown, labelled', 'requests in the ledger', 'doubled', 'lost', 'unlabelled', 'chain of events'],
      rows: [[...counts.map(sum), broken === 0 ? 'intact' : `**broken in ${broken}**`]],
      faults: [...bad, ...(broken > 0 ? [`the chain of ${broken} histories is broken`] : [])]
    }
  }
}
