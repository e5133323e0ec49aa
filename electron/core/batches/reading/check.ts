/**
 * Reads a source to its end and reports its contents. Stores and sends nothing; memory use does not grow with the
 * file.
 */
import { maxBatchRows } from '#contract/batches/rows.ts'
import {
  keepable,
  type BatchCheck,
  type BatchCorrection,
  type BatchEncoding,
  type BatchReading,
  type CheckedFault,
  type EncodingChoice,
  type RowFaults,
  type SampleRow
} from '#contract/batches/batches.ts'
import { failed, invalidField, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { withoutApostrophes } from '#contract/text/spreadsheet-safe.ts'
import { restoringOf, type Restoring } from '#core/csv/escaped.ts'
import type { BatchLayout } from '#wire/history/batches.ts'
import { createSeenInputs } from './digests.ts'
import { firstLinesOf, headingLines, headingPlace, type FirstLines } from './heading-row.ts'
import { RowsError, type CellMark, type Line, type Table } from './lines.ts'
import { columnNames, matchHeadings } from '#core/csv/headings.ts'
import { createLookAlikes, type AskAlike } from './look-alikes.ts'
import { createRowValidator, type RowValidation } from './validate.ts'
import type { Reading, Source } from './source.ts'
import { isWorkbook, type WorkbookTable } from './workbook.ts'

const sampleRows = 20
export const sampleLength = 500
const listedFaults = 500
/** Characters of a cell that can be corrected in place. */
const correctableLength = 4000

/** A row as read and validated. */
export interface ValidatedRow extends RowValidation {
  /** The line of the file on which the row begins. */
  readonly row: number
  readonly cells: readonly string[]
  /** A valid row whose input also occurs in an earlier row. */
  readonly duplicate: boolean
  /** The line of that earlier row. */
  readonly sameAs?: number
  /** Whether apostrophes were removed that the row's mark names as added. */
  readonly restored: boolean
  /**
   * Columns (sent, or naming an applicant) whose cell has a leading apostrophe, or had one that was removed by
   * choice.
   */
  readonly apostrophes: readonly string[]
  /** What a person corrected in it; `cells` has it. */
  readonly corrections: readonly AppliedCorrection[]
}
export type AppliedCorrection = BatchCorrection & { readonly said: string }

/** A source whose headings have been read. Its rows can be read once. */
export interface OpenedRows {
  /** The encoding in use; certain once all rows have been read. */
  encoding(): BatchEncoding
  encodings(): readonly EncodingChoice[]
  readonly layout: BatchLayout
  readonly reading: Reading
  readonly headingRow: number
  readonly firstLines: readonly SampleRow[]
  /** Absent for a text. */
  readonly workbook?: WorkbookTable
  /**
   * Throws `RowsError`.
   *
   * @param only The places, from 0, of the rows that are wanted; whether they are duplicates is then not known.
   */
  rows(only?: ReadonlySet<number>): AsyncGenerator<ValidatedRow>
  /** Closes the source. Needed only if its rows are not read. */
  close(): Promise<void>
}

/** Returns the first bytes, and a stream of all bytes including them; `close` if that is not read. */
async function withHead(
  bytes: AsyncIterable<Uint8Array>,
  headBytes: number
): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array>; close(): Promise<void> }> {
  const chunks = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  let whole = false
  while (length < headBytes && !whole) {
    const next = await chunks.next()
    if (next.done) whole = true
    else {
      first.push(next.value)
      length += next.value.length
    }
  }
  const close = async (): Promise<void> => void (await chunks.return?.())
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* first
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await close()
    }
  }
  return { head: Buffer.concat(first), all: all(), close }
}

/**
 * Opens a source and reads its headings. Failures: `batch-file-unreadable`, `-not-text`, `-encoding`, `-empty`,
 * `batch-heading-row`, `batch-heading-twice`, `batch-too-many-columns`, `batch-mapping-invalid`, `batch-quote-open`, `batch-row-too-large`.
 */
export async function openRows(source: Source, wanted: BatchReading): Promise<Result<OpenedRows, Failure>> {
  const opened = await source.open()
  if (!opened.ok) return opened
  const reading = opened.value
  try {
    // Not at the start of the application: it never needs the tables of encodings unless a file is read.
    const [{ openCsv }, { headBytes, textOrFailure }] = await Promise.all([import('./csv.ts'), import('./encoding.ts')])
    const { head, all, close } = await withHead(reading.bytes, headBytes)
    if (source.workbook && isWorkbook(head)) {
      await close()
      const workbook = await source.workbook(wanted.sheet)
      return workbook.ok ? await underItsHeadings(workbook.value, reading, wanted, workbook.value) : workbook
    }
    const text = textOrFailure(head)
    if (!text.ok) {
      await close()
      return text
    }
    return await underItsHeadings(openCsv({ head, bytes: all, file: source.name }, wanted), reading, wanted)
  } catch (error) {
    if (error instanceof RowsError) return { ok: false, failure: error.failure }
    throw error
  }
}

/** Finds the headings of a table and maps them. Closes the table if it cannot be read under them. Throws `RowsError`. */
async function underItsHeadings(
  table: Table,
  reading: Reading,
  wanted: BatchReading,
  workbook?: WorkbookTable
): Promise<Result<OpenedRows, Failure>> {
  const { delimiter } = table
  const first = await firstLinesOf(table.lines, wanted.headingRow)
  const close = async (): Promise<void> => void (await first.rest.return(undefined))
  const found = ((): Result<OpenedRows, Failure> => {
    const place = headingPlace(first.lines, wanted.operations, wanted.headingRow)
    if (!place.ok) return place
    const headings = first.lines[place.value]
    if (!headings) return failed('batch-file-empty')
    const restoring = restoringOf(headings.cells, delimiter, wanted.apostrophes)
    if (!restoring.ok) return restoring
    const columns = columnNames(restoring.value.headings)
    if (!columns.ok) return columns
    const matching = matchHeadings(wanted, columns.value)
    if (!matching.ok) return matching
    const layout: BatchLayout = { columns: columns.value, delimiter, ...matching.value }
    return ok({
      encoding: table.encoding,
      encodings: table.encodings,
      layout,
      reading: workbook ? { ...reading, digest: () => workbook.digest } : reading,
      ...(workbook && { workbook }),
      close,
      headingRow: headings.line,
      firstLines: first.lines.slice(0, headingLines).map(({ line, cells }) => sampleOf(line, cells)),
      rows: (only) => validated(linesAfter(first, place.value), wanted, layout, restoring.value, only)
    })
  })()
  if (!found.ok) await close()
  return found
}

async function* linesAfter({ lines, rest }: FirstLines, place: number): AsyncGenerator<readonly Line[]> {
  try {
    yield lines.slice(place + 1)
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

const sampleOf = (row: number, cells: readonly string[]): SampleRow => ({
  row,
  cells: cells.map((cell) => cell.slice(0, sampleLength))
})

/**
 * The cells of a row under their headings. Spreadsheets leave out the last delimiters of rows whose last cells are
 * empty; empty cells beyond the headings say nothing.
 */
function underHeadings(cells: readonly string[], width: number): readonly string[] {
  if (cells.length < width) return [...cells, ...Array.from({ length: width - cells.length }, () => '')]
  return cells.length > width && cells.slice(width).every((cell) => cell === '') ? cells.slice(0, width) : cells
}
/** A line that a person leaves out. */
const skippedRow: RowValidation = {
  faults: [{ column: '', fault: invalidField('row-skipped') }],
  notes: [],
  input: {}
}
const shortRow: CellMark = { column: -1, fault: invalidField('row-short') }

async function* validated(
  lines: AsyncGenerator<readonly Line[]>,
  wanted: BatchReading,
  layout: BatchLayout,
  restoring: Restoring,
  only?: ReadonlySet<number>
): AsyncGenerator<ValidatedRow> {
  const { apostrophes: choice } = wanted
  const width = layout.columns.length
  const validate = createRowValidator(wanted, layout)
  const inputs = createSeenInputs()
  const corrections = Map.groupBy(wanted.corrections ?? [], ({ row }) => row)
  const skipped = new Set(wanted.skipped?.map(({ row }) => row))
  const used = [...new Set([...Object.values(layout.mapping), layout.applicantColumn])].filter((column) => column >= 0)
  let count = 0
  try {
    for await (const block of lines)
      for (const { line: row, cells: line, marks: given = [] } of block) {
        count += 1
        if (count > maxBatchRows) throw new RowsError(tooManyRows.failure)
        if (only && !only.has(count - 1)) continue
        const { cells: found, restored, marked } = restoring.row(line)
        const asSaid = underHeadings(found, width)
        const corrected = (corrections.get(row) ?? []).flatMap((each) => {
          const said = asSaid[each.column]
          return said !== undefined && (each.said ?? said) === said ? [{ ...each, said }] : []
        })
        const cells = corrected.length === 0 ? asSaid : withCorrections(asSaid, corrected)
        const isKept = (column: number): boolean =>
          corrected.some((each) => each.column === column && each.value === each.said)
        const marks: CellMark[] = given
          .map((mark) => ({ ...mark, column: restoring.column(mark.column) }))
          .filter(({ column }) => asSaid[column] === cells[column])
        if (found.length === 1 && width > 1) marks.push(shortRow)
        const validation = skipped.has(row) ? skippedRow : validate(cells, marks, isKept)
        // With "remove", the cells no longer have them; the original line shows where they were.
        const looked = choice === 'remove' && !marked ? restoring.cells(line) : cells
        const withApostrophe = used.filter(
          (column) => withoutApostrophes(looked[column] ?? '', layout.delimiter) !== (looked[column] ?? '')
        )
        const apostrophes = withApostrophe.map((column) => layout.columns[column] ?? '')
        const isAsked = validation.faults.length === 0 && !only
        const sameAs = isAsked ? inputs.firstWith(validation.input, row) : undefined
        yield {
          row,
          cells,
          ...validation,
          duplicate: sameAs !== undefined,
          ...(sameAs !== undefined && { sameAs }),
          restored,
          apostrophes,
          corrections: corrected
        }
      }
  } finally {
    inputs.free()
  }
}
const withCorrections = (cells: readonly string[], corrections: readonly BatchCorrection[]): readonly string[] =>
  corrections.reduce((given, { column, value }) => given.with(column, value), [...cells])
const tooManyRows = failed('batch-too-many-rows', { limit: maxBatchRows })

/** An error with its whole cell, if that can be corrected in place. */
export function withCell(
  row: number,
  fault: RowFaults[number],
  cells: readonly string[],
  columns: readonly string[]
): CheckedFault {
  const said = cells[columns.indexOf(fault.column)]
  // A cell that the error does not quote could be a credential; an empty one can be filled in.
  const cell = fault.value === undefined && said !== '' ? undefined : said
  return { row, ...fault, ...(cell !== undefined && cell.length <= correctableLength && { cell }) }
}

/** What a check counts and lists of the rows of a layout. */
function createTally({ columns }: BatchLayout) {
  const sample: SampleRow[] = []
  const faults: CheckedFault[] = []
  const notes: CheckedFault[] = []
  const corrections: BatchCorrection[] = []
  const places: { row: number; column: string }[] = []
  const filled = columns.map(() => 0)
  const counts = { rows: 0, good: 0, invalid: 0, faultCount: 0, noteCount: 0, keepableCount: 0, duplicates: 0 }
  const apostropheCounts = { restored: 0, rows: 0 }
  const listed = (row: number, fault: RowFaults[number], cells: readonly string[]): CheckedFault =>
    withCell(row, fault, cells, columns)
  function addApostrophes({ row, restored, apostrophes }: ValidatedRow): void {
    if (restored) apostropheCounts.restored += 1
    if (apostrophes.length > 0) apostropheCounts.rows += 1
    for (const column of apostrophes) if (places.length < listedFaults) places.push({ row, column })
  }
  return {
    sample,
    faults,
    notes,
    corrections,
    counts,
    filled,
    apostrophes: () => ({ ...apostropheCounts, places }),
    add(each: ValidatedRow): void {
      const { row, cells } = each
      counts.rows += 1
      for (const [column, cell] of cells.entries())
        if (cell !== '' && column < filled.length) filled[column] = (filled[column] ?? 0) + 1
      corrections.push(...each.corrections)
      addApostrophes(each)
      for (const { fault } of [...each.faults, ...each.notes]) if (keepable.has(fault.code)) counts.keepableCount += 1
      if (sample.length < sampleRows) sample.push(sampleOf(row, cells))
      if (each.faults.length > 0) {
        counts.invalid += 1
        counts.faultCount += each.faults.length
        for (const fault of each.faults) if (faults.length < listedFaults) faults.push(listed(row, fault, cells))
        return
      }
      counts.good += 1
      counts.noteCount += each.notes.length
      for (const note of each.notes) if (notes.length < listedFaults) notes.push(listed(row, note, cells))
      if (each.duplicate) counts.duplicates += 1
    }
  }
}

/** How the rows were read: what was asked for, and what was found where nothing was. */
function readAs(
  { operations, apostrophes = 'keep', rounded = 'refuse', skipped = [] }: BatchReading,
  { layout, encoding, headingRow, workbook }: OpenedRows,
  corrections: BatchCorrection[]
): BatchCheck['reading'] {
  const { delimiter, mapping, applicantColumn } = layout
  const sheet = workbook?.sheet ?? ''
  return {
    operations,
    encoding: encoding(),
    delimiter,
    mapping,
    applicantColumn,
    apostrophes,
    headingRow,
    rounded,
    sheet,
    corrections,
    skipped
  }
}

/**
 * Checks a source. Failures: those of `openRows`, `batch-file-headings-only`, `batch-too-many-rows`,
 * `batch-file-changed`.
 *
 * @param see Is shown each row.
 */
export async function checkSource(
  source: Source,
  wanted: BatchReading,
  checkId: string,
  askAlike: AskAlike = () => Promise.resolve(undefined),
  see?: (row: ValidatedRow) => void
): Promise<Result<BatchCheck, Failure>> {
  const opened = await openRows(source, wanted)
  if (!opened.ok) return opened
  const { layout, reading, workbook } = opened.value
  const tally = createTally(layout)
  const alike = createLookAlikes(askAlike)
  try {
    for await (const row of opened.value.rows()) {
      tally.add(row)
      see?.(row)
      if (row.faults.length === 0) await alike.see(row.row, row.applicantId)
    }
  } catch (error) {
    if (error instanceof RowsError) return { ok: false, failure: error.failure }
    throw error
  }
  const { counts, filled, sample, faults, notes, corrections } = tally
  if (counts.rows === 0) return failed('batch-file-headings-only')
  if (!(await reading.unchanged())) return failed('batch-file-changed', { file: source.name })
  const { columns } = layout
  return ok({
    checkId,
    fileName: source.name,
    ...reading.digest(),
    columns,
    filled,
    sample,
    ...counts,
    faults,
    moreFaults: counts.faultCount > faults.length,
    notes,
    encodings: opened.value.encodings(),
    lostCorrections: (wanted.corrections?.length ?? 0) - corrections.length,
    firstLines: opened.value.firstLines,
    apostrophes: tally.apostrophes(),
    lookAlikes: await alike.found(),
    ...(workbook && { workbook: workbook.about(columns) }),
    reading: readAs(wanted, opened.value, corrections)
  })
}
