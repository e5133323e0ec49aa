/**
 * The long proofs, with the fault really injected; writes docs/proof.md.
 *
 *   npm run prove -- [--kills 1000] [--no-write]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machine } from './bench/measure.ts'
import { withSection } from './bench/page.ts'
import { killRounds, type KillReport } from './prove/kills.ts'
import { trailSection } from './prove/trail.ts'

const page = new URL('../docs/proof.md', import.meta.url)
const { values } = parseArgs({ options: { 'kills': { type: 'string', default: '1000' }, 'no-write': { type: 'boolean', default: false } } })

/** Kills that one batch is put through; then another is made, so that no history grows beyond a day's work. */
const killsEach = 100

async function kills(): Promise<string> {
  const wanted = Number(values.kills)
  const reports: KillReport[] = []
  let done = 0
  while (done < wanted) {
    const round = Math.min(killsEach, wanted - done)
    reports.push(await killRounds({ kills: round, rows: round * 160, atOnce: 8, within: 200, random: Math.random, onKill: () => process.stderr.write(`\r${(done += 1)} kills`) }))
  }
  process.stderr.write('\n')
  const sum = (name: Exclude<keyof KillReport, 'chainIntact'>): number => reports.reduce((total, report) => total + report[name], 0)
  const shown = (name: Exclude<keyof KillReport, 'chainIntact'>): string => sum(name).toLocaleString('en')
  if (sum('doubled') + sum('lost') + sum('unlabelled') > 0 || reports.some((report) => !report.chainIntact)) process.exitCode = 1
  return [
    '## A batch killed at random moments',
    '',
    'Each time the process is ended with SIGKILL, then the batch is started again; a quarter of the kills fall into opening, recovery and making. At the end every row and record is held against the ledger of the service.',
    '',
    '| kills | rows | answered | unknown, labelled | requests in the ledger | doubled | lost | unlabelled | chain of events |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|---|',
    `| ${shown('kills')} | ${shown('rows')} | ${shown('answered')} | ${shown('unknown')} | ${shown('requests')} | ${shown('doubled')} | ${shown('lost')} | ${shown('unlabelled')} | ${reports.every((report) => report.chainIntact) ? 'intact' : '**broken**'} |`,
    ''
  ].join('\n')
}

/** Changes of the trail's files that are tried. */
const trailChanges = 10_000

const sections = [await kills(), trailSection(trailChanges)]
const head = `# Proof\n\nWritten by \`npm run prove\`; never by hand.\n\nMachine: ${machine()}. ${new Date().toISOString().slice(0, 10)}.\n`
if (!values['no-write']) {
  let before = head
  try {
    before = readFileSync(page, 'utf8').replace(/^Machine: .*$/m, `Machine: ${machine()}. ${new Date().toISOString().slice(0, 10)}.`)
  } catch {
    // The first proof makes the page.
  }
  writeFileSync(page, sections.reduce((text, section) => withSection(text, section), before))
}
process.stdout.write(sections.join('\n'))
