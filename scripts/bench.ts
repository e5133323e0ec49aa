/**
 * Measures the figures of docs/benchmarks.md, side by side in one run; writes docs/figures/ and that page.
 *
 *   npm run bench -- [--only NAME[,NAME]] [--scale 0.01] [--folder DIR --key 64-HEX-DIGITS] [--no-write]
 *
 * NAME is a section of scripts/bench/sections.ts. --scale uses that fraction of the full sizes for a trial run, which
 * writes nothing. With --folder, the large history is one created by `npm run seed`, with 1,000,000 records or, in a
 * trial, that fraction; otherwise it is created and removed. Exits with 1 if a target was missed.
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
    command: 'bench',
    root,
    sections: benchSections,
    args: process.argv.slice(2),
    options: { folder: { type: 'string' }, key: { type: 'string' } },
    onKept: () => writeFigurePages(root),
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
