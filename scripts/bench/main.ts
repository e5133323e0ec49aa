/**
 * Measures what docs/benchmarks.md says, side by side in one run, and writes that page.
 *
 *   npm run bench -- [--only history|batch|window] [--many 100000] [--records 1000000] [--folder DIR --key 64 HEX DIGITS] [--rounds 20] [--no-write]
 *
 * With --folder, a history made by `npm run seed` is measured; otherwise one is made and removed.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEngine } from '#core/history/engine/opening.ts'
import { fileNames } from '#core/history/storage/files.ts'
import { seed } from '../seed.ts'
import { batchSection } from './batch.ts'
import { historyRows } from './history.ts'
import { machine, type Row } from './measure.ts'
import { withSection } from './page.ts'
import { writeRate } from './rates.ts'
import { windowSection } from './window.ts'

// Asked before the work: its own load is not what is meant.
const where = `Machine: ${machine()}. ${new Date().toISOString().slice(0, 10)}.`
const page = new URL('../../docs/benchmarks.md', import.meta.url)
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    key: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    /** `history`, `batch` or `window`: only that part. */
    'only': { type: 'string' },
    'many': { type: 'string', default: '100000' },
    'no-write': { type: 'boolean', default: false }
  }
})

const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(1))
const number = (value: number): string => Math.round(value).toLocaleString('en')
const aim = 50

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ work, ours, beside }) => {
    const met = ours.p95 <= aim && ours.median <= Math.max(1.5 * beside.median, 1) ? 'met' : '**not met**'
    return `| ${work} | ${ms(ours.median)} | ${ms(ours.p95)} | ${ms(beside.median)} | ${ms(beside.p95)} | ${(ours.median / beside.median).toFixed(2)} | ${met} |`
  })
  return ['| work | median ms | p95 ms | bare SQL median | bare SQL p95 | ratio of medians | aim |', '|---|--:|--:|--:|--:|--:|---|', ...lines].join('\n')
}

/** A section, saying on which machine it was measured: each is measured when it is wanted, and not always on the same. */
const placed = (section: string): string => section.replace('\n', `\n\n${where}\n`)

/** The page's other sections stay as they are. */
function write(...sections: string[]): void {
  process.stdout.write(sections.join('\n'))
  if (values['no-write']) return
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '# Benchmarks\n'
  writeFileSync(page, sections.reduce(withSection, before))
}

async function main(): Promise<void> {
  const wanted = (part: string): boolean => values.only === undefined || values.only === part
  if (wanted('history')) await measureHistory()
  if (wanted('batch')) write(placed(await batchSection({ rounds: 3, many: Number(values.many) })))
  if (wanted('window')) write(placed(await windowSection({ rounds: 8 })))
}

async function measureHistory(): Promise<void> {
  const made = values.folder === undefined
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'veridesk-bench-'))
  const masterKey = values.key ?? randomBytes(32).toString('hex')
  try {
    if (made) {
      const result = openEngine({ folder, masterKey, now: Date.now() })
      if (!result.ok) throw new Error(result.failure.what)
      seed(result.value.engine, Number(values.records), Date.now(), (done) => done % 100_000 === 0 && process.stderr.write(`${number(done)} records made\n`))
      result.value.engine.close()
    }
    const from = performance.now()
    const result = openEngine({ folder, masterKey, now: Date.now() })
    if (!result.ok) throw new Error(result.failure.what)
    const { engine } = result.value
    const openTime = performance.now() - from
    const sizes = Object.values(fileNames).map((name) => `${name} ${number(statSync(join(folder, name)).size / 2 ** 20)} MiB`)
    const rows = historyRows({ engine, ...engine.dbs, rounds: Number(values.rounds) })
    const verifyFrom = performance.now()
    const verdict = engine.verify()
    const verifyTime = performance.now() - verifyFrom
    const records = engine.records
    engine.close()
    const rates = await writeRate()
    const text = [
      '# Benchmarks',
      '',
      'Written by `npm run bench`; never by hand.',
      '',
      `## The history at ${number(records)} records`,
      '',
      where,
      '',
      'Each row: the store’s whole answer (records opened with their subjects’ keys, counts of every facet) beside the bare SQL of the same answer on the same files and cache, its rows’ payloads opened, too. Aim: p95 of at most 50 ms, and at most 1.5 times the bare SQL; answers under 1 ms count as met.',
      '',
      table(rows),
      '',
      `Opening it takes ${number(openTime)} ms. The whole chain of ${number(verdict.intact ? verdict.events : 0)} events verifies in ${(verifyTime / 1000).toFixed(1)} s, ${number(((verdict.intact ? verdict.events : 0) / verifyTime) * 1000)} events a second. Files: ${sizes.join(', ')}.`,
      '',
      '## Checks recorded a second',
      '',
      where,
      '',
      'Intent and end of each check, both synced to disk before they settle, through the worker.',
      '',
      '| at once | checks a second |',
      '|--:|--:|',
      ...rates.map(({ atOnce, rate }) => `| ${atOnce} | ${number(rate)} |`),
      ''
    ].join('\n')
    process.stdout.write(text)
    if (values['no-write']) return
    // Sections of other parts, which are measured apart, are kept.
    const kept = existsSync(page) ? readFileSync(page, 'utf8').split(/^(?=## )/m).filter((part) => /^## (Batches|The window)/.test(part)) : []
    writeFileSync(page, kept.reduce(withSection, text))
  } finally {
    if (made) rmSync(folder, { recursive: true, force: true })
  }
}

await main()
