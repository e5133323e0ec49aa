/** A text as a table: decoded strictly, its delimiter detected, its cells as people mean them. */
import type { BatchDelimiter, BatchEncoding } from '#contract/batches/batches.ts'
import { failure, invalidField, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { decodingOf } from '#contract/text/encoding.ts'
import type { Decoding } from '#contract/text/decoding.ts'
import { CsvFault, CsvLines, maxRowLength, type CsvLine } from '#kit/csv/csv-lines.ts'
import { detectDelimiter } from './delimiter.ts'
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
  file: string
): AsyncGenerator<readonly Line[]> {
  const csv = new CsvLines(delimiter)
  try {
    for await (const chunk of bytes) yield csv.push(textOrThrow(decoding.push(chunk))).map(asLine)
    yield csv.push(textOrThrow(decoding.end())).map(asLine)
    yield csv.end().map(asLine)
  } catch (error) {
    const known = failureOf(error, file)
    throw known ? new RowsError(known) : error
  }
}

/** Opens a text. `head`: its first bytes; `bytes`: all of them. */
export function openCsv(
  {
    head,
    bytes,
    file
  }: { readonly head: Uint8Array; readonly bytes: AsyncIterable<Uint8Array>; readonly file: string },
  wanted: { readonly encoding?: BatchEncoding | undefined; readonly delimiter?: BatchDelimiter | undefined }
): Table {
  const decoding = decodingOf(head, wanted.encoding)
  // Damaged characters do not matter for the delimiter.
  const start = new TextDecoder(decoding.encoding()).decode(head, { stream: true })
  const delimiter = wanted.delimiter ?? detectDelimiter(start)
  return { lines: linesOf(bytes, decoding, delimiter, file), delimiter, encoding: decoding.encoding }
}
