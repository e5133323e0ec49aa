/** Kills the installations that run a shared batch, and their database, at random moments; compares every row with the service's ledger. */
import type { Measured, SectionRun } from '../../figures/section.ts'
import { teamKillRounds, type TeamKillReport } from '../../../tests/service/support/team-batch-kills.ts'

/** Kills per team; then a new team and a new batch are created. Every tenth kill is PostgreSQL's. */
const sizes = { kills: 1000, each: 250, database: 10, installations: 4, atOnce: 8, within: 1000 } as const
/** Rows for each kill: enough that the batch is still running when it comes. */
const rowsEach = 30

type Count = keyof TeamKillReport

/** Errors: rows sent twice, lost or unlabelled. Throws `NotHere` without PostgreSQL. */
export async function proveTeamKills({ sized, progress }: SectionRun): Promise<Measured> {
  const wanted = sized(sizes.kills)
  const reports: TeamKillReport[] = []
  let done = 0
  while (done < wanted) {
    const kills = Math.min(sizes.each, wanted - done)
    const { database, installations, atOnce, within } = sizes
    const report = await teamKillRounds({
      kills,
      rows: kills * rowsEach,
      database,
      installations,
      atOnce,
      within,
      random: Math.random,
      onKill() {
        done += 1
        if (done % 25 === 0) progress(`${done} kills`)
      }
    })
    reports.push(report)
    progress(
      `compared: ${report.rows} rows, ${report.requests} requests, ${report.unknown} unknown, ${report.doubled} sent twice, ${report.lost} lost, ${report.unlabelled} unlabelled`
    )
  }
  const sum = (name: Count): number => reports.reduce((total, report) => total + report[name], 0)
  const counts = [
    'kills',
    'databaseKills',
    'runningKills',
    'rows',
    'answered',
    'unknown',
    'requests',
    'doubled',
    'lost',
    'unlabelled'
  ] as const
  const killed = sum('kills')
  return {
    table: {
      columns: [
        'kills',
        'of them PostgreSQL',
        'of them of installations running the batch',
        'rows',
        'answered',
        'unknown, labelled',
        'requests in the ledger',
        'sent twice',
        'lost',
        'unlabelled'
      ],
      rows: [counts.map((name) => sum(name).toLocaleString('en'))]
    },
    faults: [
      ...(['doubled', 'lost', 'unlabelled'] as const)
        .filter((name) => sum(name) > 0)
        .map((name) => `${sum(name)} rows were ${name}`),
      ...(killed < wanted ? [`${killed} of ${wanted} kills happened`] : [])
    ]
  }
}
