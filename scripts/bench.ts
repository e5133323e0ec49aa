/**
 * Measures what docs/benchmarks.md says, side by side in one run; writes docs/figures/ and that page.
 *
 *   npm run bench -- [--only NAME[,NAME]] [--scale 0.01] [--folder DIR --key 64-HEX-DIGITS] [--no-write]
 *
 * NAME is a section of scripts/bench/sections.ts. --scale measures with that part of the full sizes, as a trial: then
 * nothing is written. With --folder, the large history is one made by `npm run seed`, which must hold 1,000,000
 * records, or in a trial that part of them; otherwise it is made, and removed. Ends with 1 where an aim was missed.
 */
import { join } from 'node:path'
import { benchSections } from './bench/sections.ts'
import { createSeededHistories } from './bench/seeded-histories.ts'
import { writeFigurePages } from './figures/pages.ts'
import { runSections } from './figures/run.ts'

const root = join(import.meta.dirname, '..')
const histories = createSeededHistories()
try {
  process.exitCode = await runSections({
    command: 'bench', root, sections: benchSections, args: process.argv.slice(2),
    options: { folder: { type: 'string' }, key: { type: 'string' } }, onKept: () => writeFigurePages(root),
    context: (run, { folder, key }) => ({
      ...run,
      history: (records) =>
        records === run.sized(1_000_000, 1000) && typeof folder === 'string' && typeof key === 'string'
          ? histories.given(folder, key, records)
          : histories.of(records, run.progress)
    })
  })
} finally {
  histories.dispose()
}
