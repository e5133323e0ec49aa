/** A text as a table: decoded strictly, its delimiter detected, its cells as people mean them. */
import {
  batchDelimiters,
  type BatchDelimiter,
  type BatchReading,
  type EncodingChoice
} from '#contract/batches/batches.ts'
import { failure, invalidField, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { CsvFault, CsvLines, maxRowLength, type CsvLine } from '#kit/csv/csv-lines.ts'
import { fittingFields } from '#core/csv/headings.ts'
import type { Decoding } from './decoding.ts'
import { detectDelimiter, namedDelimiter } from './delimiter.ts'
import { decodingOf, type DetectedDecoding } from './encoding.ts'
import { RowsError, type Line, type Table } from './lines.ts'
import { ReadingError } from './source.ts'

const textOrThrow = (text: Result<string, Failure>): string => {
  if (text.ok) return text.value
  throw new RowsError(text.failure)
}

/** The failure for an error of reading, if it is one that is expected. */
function failureOf(error: unknown, file: string): Failure | undefined {
  if (error instanceof ReadingError) return failure('batch-file-unreadable', { file, errno: error.errno })
  if (!(error instanceof CsvFault)) return undefined
  const { kind, line } = error
  return kind === 'quote-open'
    ? failure('batch-quote-open', { line })
    : failure('batch-row-too-large', { line, limitBytes: maxRowLength })
}

const quotesMark = { fault: invalidField('cell-quotes') }
const asLine = ({ line, cells, doubtful }: CsvLine): Line =>
  doubtful ? { line, cells, marks: doubtful.map((column) => ({ column, ...quotesMark })) } : { line, cells }

async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  decoding: Decoding,
  delimiter: BatchDelimiter,
  { file, firstLine }: { readonly file: string; readonly firstLine: number }
): AsyncGenerator<readonly Line[]> {
  const csv = new CsvLines(delimiter)
  try {
    const read = (lines: CsvLine[]): Line[] => lines.filter(({ line }) => line >= firstLine).map(asLine)
    for await (const chunk of bytes) yield read(csv.push(textOrThrow(decoding.push(chunk))))
    yield read(csv.push(textOrThrow(decoding.end())))
    yield read(csv.end())
  } catch (error) {
    const known = failureOf(error, file)
    throw known ? new RowsError(known) : error
  }
}

/** The encodings to choose from, with the lines in which they differ, as cells. */
const choicesOf = (decoding: DetectedDecoding, delimiter: BatchDelimiter): readonly EncodingChoice[] =>
  decoding.choices().map(({ encoding, lines }) => ({
    encoding,
    rows: lines.map(({ line, text }) => ({ row: line, cells: cellsOf(text, delimiter) }))
  }))

function cellsOf(line: string, delimiter: BatchDelimiter): readonly string[] {
  try {
    return new CsvLines(delimiter).push(`${line}\n`)[0]?.cells ?? [line]
  } catch {
    return [line]
  }
}

/** Opens a text. `head`: its first bytes; `bytes`: all of them. */
export function openCsv(
  {
    head,
    bytes,
    file
  }: { readonly head: Uint8Array; readonly bytes: AsyncIterable<Uint8Array>; readonly file: string },
  wanted: Pick<BatchReading, 'operations' | 'encoding' | 'delimiter'>
): Table {
  const decoding = decodingOf(head, wanted.encoding)
  // Damaged characters do not matter for the delimiter.
  const start = new TextDecoder(decoding.encoding()).decode(head, { stream: true })
  const named = namedDelimiter(start)
  const body = named === undefined ? start : start.replace(/^[^\r\n]*/, '')
  const delimiter =
    wanted.delimiter ??
    batchDelimiters.find((each) => each === named) ??
    detectDelimiter(body, (cells) => fittingFields(wanted.operations, cells))
  const firstLine = named === undefined ? 1 : 2
  return {
    lines: linesOf(bytes, decoding, delimiter, { file, firstLine }),
    delimiter,
    encoding: decoding.encoding,
    encodings: () => choicesOf(decoding, delimiter)
  }
}
