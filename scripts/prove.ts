/**
 * The long proofs, with the fault really injected. Each writes its figures to docs/figures/ and docs/proof.md anew.
 *
 *   npm run prove -- [--only NAME[,NAME]] [--scale 0.01] [--no-write]
 *
 * NAME is a section of scripts/prove/sections.ts. --scale does each fault that part of its full number of times, as a
 * trial: then nothing is written. Ends with 1 where anything was not as it must be.
 */
import { join } from 'node:path'
import { writeFigurePages } from './figures/pages.ts'
import { runSections } from './figures/run.ts'
import { proofSections } from './prove/sections.ts'

const root = join(import.meta.dirname, '..')
process.exitCode = await runSections({ command: 'prove', root, sections: proofSections, args: process.argv.slice(2), context: (run) => run, onKept: () => writeFigurePages(root) })
