/** A workbook as a table: read in a thread of its own, which ends when nobody reads on. */
import type { CheckedWorkbook } from '#contract/batches/batches.ts'
import { failed, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Sheet } from '#kit/workbook/read.ts'
import type { CellMark as WorkbookMark, SheetFacts, SheetRow } from '#kit/workbook/sheet.ts'
import { connect } from '#wire/rpc.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import { RowsError, type CellMark, type Line, type Table } from './lines.ts'

/** A workbook by its path, or its bytes as they were dropped. */
export type WorkbookFile = { readonly name: string } & ({ readonly path: string } | { readonly bytes: Uint8Array })

export interface OpenedSheet {
  /** Of the whole file; SHA-256 in hex. */
  readonly bytes: number
  readonly sha256: string
  readonly sheets: readonly Sheet[]
  /** The one that is read. */
  readonly sheet: string
}

/** Rows of a sheet, and what is known after the last. */
export interface SheetBlock {
  readonly rows: readonly SheetRow[]
  readonly facts?: SheetFacts
}

/** What the thread serves: one file, opened once, then read to its end. */
export interface WorkbookThread {
  open(file: WorkbookFile, sheet: string | undefined): Promise<Result<OpenedSheet, Failure>>
  read(): Promise<Result<SheetBlock, Failure>>
}

/** The first bytes of an archive, and of the compound files that Excel wrote before and that encrypted workbooks are. */
const signatures = ['504b0304', 'd0cf11e0'].map((hex) => Buffer.from(hex, 'hex'))
export const isWorkbook = (head: Uint8Array): boolean =>
  signatures.some((bytes) => bytes.equals(head.subarray(0, bytes.length)))

export interface WorkbookTable extends Table {
  readonly digest: Pick<OpenedSheet, 'bytes' | 'sha256'>
  readonly sheet: string
  /** Certain once all lines were read. */
  about(columns: readonly string[]): CheckedWorkbook
}

const faults: Readonly<Record<WorkbookMark, FieldFault>> = {
  'formula': invalidField('cell-formula'),
  'formula-empty': invalidField('cell-formula-empty'),
  'error': invalidField('cell-error'),
  'long-number': invalidField('cell-long-number'),
  'scientific': invalidField('cell-exponent'),
  'no-date': invalidField('cell-no-date'),
  'false-day': invalidField('cell-false-day')
}
const hiddenRow: CellMark = { column: -1, fault: invalidField('row-hidden') }

function asLine({ line, hidden, cells: filled, marks }: SheetRow): Line {
  // A text's line of one cell may be the rest of the line above. A row of a sheet never is: its other cells are empty.
  const cells = filled.length === 1 ? [...filled, ''] : filled
  const all = marks.map(([column, mark]) => ({ column, fault: faults[mark] }))
  if (hidden) all.push(hiddenRow)
  return all.length > 0 ? { line, cells, marks: all } : { line, cells }
}

/**
 * Opens a sheet. Failures: `batch-workbook-refused`, `batch-workbook-ended`, `batch-sheet-missing`, `batch-file-unreadable`. The thread ends when
 * the lines have been read or are returned.
 */
export async function openWorkbookTable(
  launch: LaunchWorker,
  file: WorkbookFile,
  sheet: string | undefined
): Promise<Result<WorkbookTable, Failure>> {
  // What a thread cannot read is an answer. One that ends by itself ran out of memory, or somebody ended it.
  const { api, end } = connect<WorkbookThread>(launch('workbook'), () => failed('batch-workbook-ended'))
  const opened = await api.open(file, sheet || undefined)
  if (!opened.ok) {
    end()
    return opened
  }
  const { sheets, bytes, sha256 } = opened.value
  let facts: SheetFacts = { hiddenRows: 0, hiddenColumns: [], merged: 0 }

  async function* lines(): AsyncGenerator<readonly Line[]> {
    try {
      // One block is read ahead; what is asked for bounds what is held.
      for (let next = api.read(); ;) {
        const block = await next
        if (!block.ok) throw new RowsError(block.failure)
        const { rows, facts: last } = block.value
        if (last) facts = last
        else next = api.read()
        yield rows.map(asLine)
        if (last) return
      }
    } finally {
      end()
    }
  }
  return ok({
    lines: lines(),
    delimiter: ',',
    encoding: () => 'utf-8',
    encodings: () => [],
    digest: { bytes, sha256 },
    sheet: opened.value.sheet,
    about: (columns) => ({
      sheets,
      hiddenRows: facts.hiddenRows,
      hiddenColumns: columns.filter((_, column) =>
        facts.hiddenColumns.some(([first, last]) => column >= first && column <= last)
      ),
      merged: facts.merged
    })
  })
}
