/**
 * Exports of a large history through the whole port: complete on disk, with memory use independent of their size.
 * Not a test: it measures the memory of its process; `tests/service/export.test.ts` runs it with a small history.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ExportFormat, Exported } from '#contract/data-management/data-management.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { createExports } from '#core/exports/exports.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { openEngine } from '#store/engine/opening.ts'
import { masterKeyAccount, openHistory } from '#core/history/open.ts'
import { launchInNode } from '../../electron/hosts/node/workers.ts'
import { rowOf } from '../figures/row.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { clock, secretsInMemory } from '../../tests/service/history-fixtures.ts'
import { seed } from '../seed.ts'
import { inProofFolder } from '../../tests/service/support/proof-folder.ts'

export interface LargeExport {
  readonly what: 'history' | 'applicants'
  readonly format: ExportFormat
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
  /** Maximum growth in bytes of the whole process's memory, including its workers. */
  readonly grown: number
  /** Number of progress reports. */
  readonly reports: number
  readonly faults: readonly string[]
}

/** Counts the rows of a file without reading it into memory. */
async function linesIn(path: string): Promise<{ readonly lines: number; readonly last: string }> {
  let [lines, last] = [0, '']
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    lines += 1
    last = line
  }
  return { lines, last }
}

/** Seeds a history with this number of records and exports all of it in both formats. */
export function exportLarge(records: number): Promise<LargeExport[]> {
  return inProofFolder(async (at) => {
    const [folder, masterKey] = [join(at, 'history'), randomBytes(32).toString('hex')]
    const made = openEngine({ folder, masterKey, now: Date.now() })
    if (!made.ok) throw new Error(sentencesOf(made.failure).what)
    seed(made.value.engine, records, Date.now())
    made.value.engine.close()
    const secrets = secretsInMemory(new Map([[masterKeyAccount, masterKey]]))
    const opened = await openHistory({ folder, secrets, launch: launchInNode(), clock })
    if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
    const { store } = opened.value
    let [reports, least, most, path] = [0, 0, 0, '']
    const exports = createExports({
      clock,
      consoleVersion: 'proof',
      store: async () => ({ ok: true, value: store }),
      chooseSavePath: async () => path,
      files: createChosenFiles(folder),
      auditTrail: { note: async () => undefined },
      progress: () => {
        reports += 1
        most = Math.max(most, process.memoryUsage.rss())
      }
    })
    const one = async (what: LargeExport['what'], format: ExportFormat): Promise<LargeExport> => {
      path = join(at, `${what}.${format}`)
      ;[reports, least] = [0, process.memoryUsage.rss()]
      most = least
      const from = performance.now()
      const exportId = crypto.randomUUID()
      const done = await (what === 'history'
        ? exports.history({ exportId, filter: {}, format })
        : exports.applicants({ exportId, format }))
      if (!done.ok || !done.value) throw new Error(done.ok ? 'nothing was exported' : sentencesOf(done.failure).what)
      most = Math.max(most, process.memoryUsage.rss())
      const { rows, bytes } = done.value satisfies Exported
      const { lines, last } = await linesIn(path)
      const faults: string[] = []
      if (what === 'history' && rows !== records) faults.push(`${rows} of ${records} records are in the export`)
      if (format === 'jsonl' && (lines !== rows + 2 || last !== JSON.stringify({ end: true, rows })))
        faults.push(`the JSON of the ${what} has ${lines} lines for ${rows} rows`)
      if (format === 'csv' && (lines !== rows + 2 || !last.startsWith(`# rows ${rows},`)))
        faults.push(`the CSV of the ${what} has ${lines} lines for ${rows} rows`)
      if (statSync(path).size !== bytes) faults.push(`the file has ${statSync(path).size} bytes instead of ${bytes}`)
      return {
        what,
        format,
        rows,
        bytes,
        seconds: (performance.now() - from) / 1000,
        grown: most - least,
        reports,
        faults
      }
    }
    try {
      // The first export fills the store's own caches, which are not the export's memory.
      const results = [await one('history', 'csv')]
      for (const [what, format] of [
        ['history', 'csv'],
        ['history', 'jsonl'],
        ['applicants', 'csv'],
        ['applicants', 'jsonl']
      ] as const)
        results.push(await one(what, format))
      return results.slice(1)
    } finally {
      await store.close()
    }
  })
}

/**
 * Maximum growth in bytes: the same as for a batch of 100,000 rows. Most of it is the store’s caches, which fill on
 * reading.
 */
const growth = 150_000_000
const megabytes = (bytes: number): number => bytes / 1e6

/** Exports a history of 100,000 records. Errors: incomplete files. */
export async function proveLargeExports({ sized }: SectionRun): Promise<Measured> {
  const records = sized(100_000, 1000)
  const exported = await exportLarge(records)
  const nameOf = ({ what, format }: LargeExport): string => `${what}, ${format}`
  return {
    notes: [`The history holds ${records.toLocaleString('en')} records.`],
    table: {
      columns: ['export', 'rows', 'MB', 'seconds', 'progress reports', 'wrong results'],
      rows: exported.map((each) => [
        nameOf(each),
        each.rows,
        megabytes(each.bytes).toFixed(1),
        each.seconds.toFixed(1),
        each.reports,
        each.faults.length
      ])
    },
    rows: exported.map((each) =>
      rowOf({
        name: `${nameOf(each)}: memory growth`,
        unit: 'MB',
        samples: [megabytes(each.grown)],
        aims: { single: megabytes(growth) }
      })
    ),
    faults: exported.flatMap(({ faults }) => faults)
  }
}
