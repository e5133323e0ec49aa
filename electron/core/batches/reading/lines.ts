/**
 * What a source of rows yields, whatever form its file has. A text (`csv.ts`) and every other form of table implement
 * `Table`; headings, mapping and validation (`check.ts`) know only this.
 */
import type { BatchDelimiter, BatchEncoding, EncodingChoice } from '#contract/batches/batches.ts'
import type { Failure, FieldFault } from '#contract/failures/failures.ts'

/** A cell that a person should look at, and why. Those in `keptByChoice` stop their row until a person keeps the cell. */
export interface CellMark {
  /** Column number from 0; -1 for the whole line. */
  readonly column: number
  readonly fault: FieldFault
}

/** A line with something in it, with the number that a spreadsheet or an editor shows for it, from 1. */
export interface Line {
  readonly line: number
  /** The text of each cell, as the file has it. */
  readonly cells: readonly string[]
  readonly marks?: readonly CellMark[]
}

/** An opened table. Its lines can be read once. */
export interface Table {
  /** In blocks, so that a line costs no promise. Empty lines are left out, not renumbered. Throws `RowsError`. */
  readonly lines: AsyncGenerator<readonly Line[]>
  readonly delimiter: BatchDelimiter
  /** Certain once all lines were read. */
  encoding(): BatchEncoding
  /** Encodings from which a person has to choose, once all lines were read; empty if there is nothing to choose. */
  encodings(): readonly EncodingChoice[]
}

/** Thrown when reading cannot continue; carries the failure to report. */
export class RowsError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}
