/**
 * The long proofs, with real injected faults. Each writes its figures to docs/figures/ and docs/proof.md.
 *
 *   npm run prove -- [--only NAME[,NAME]] [--scale 0.01] [--no-write]
 *
 * NAME is a section of scripts/prove/sections.ts. --scale injects that fraction of the full number of faults for a
 * trial run, which writes nothing. Exits with 1 if a result was wrong.
 */
import { join } from 'node:path'
import { writeFigurePages } from './figures/pages.ts'
import { runSections } from './figures/run.ts'
import { proofSections } from './prove/sections.ts'

const root = join(import.meta.dirname, '..')
process.exitCode = await runSections({
  command: 'prove',
  root,
  sections: proofSections,
  args: process.argv.slice(2),
  context: (run) => run,
  onKept: () => writeFigurePages(root)
})
