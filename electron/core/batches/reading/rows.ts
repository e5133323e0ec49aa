/** Converts bytes to rows of cells as a stream. The parser is csv-parse; cells are never converted from text. */
import { Readable } from 'node:stream'
import { CsvError, parse, type Info } from 'csv-parse'
import type { BatchDelimiter } from '#contract/batches/batches.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Decoding } from '#contract/text/decoding.ts'
import { ReadingError } from './source.ts'

/** Maximum bytes of one row: how much an open quote may consume before it is reported; far above any real row. */
const maxRowBytes = 8 * 1024 * 1024

/** Thrown when reading cannot continue; carries the failure to report. */
export class RowsError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}

const textOrThrow = (text: Result<string, Failure>): string => {
  if (text.ok) return text.value
  throw new RowsError(text.failure)
}

/** Decodes the bytes in pieces, without a byte order mark. */
async function* decoded(chunks: AsyncIterable<Uint8Array>, decoding: Decoding): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    const text = textOrThrow(decoding.push(chunk))
    // An empty chunk would end the parser's stream.
    if (text !== '') yield text
  }
  const rest = textOrThrow(decoding.end())
  if (rest !== '') yield rest
}

/** The failure for a parser error. The line number is approximate, since cells may contain line breaks. */
function failureOf(error: unknown, fileName: string): Failure | undefined {
  if (error instanceof ReadingError) return failure('batch-file-unreadable', { file: fileName, errno: error.errno })
  if (!(error instanceof CsvError)) return undefined
  const { records, lines } = error as CsvError & Partial<Info>
  const code: string = error.code
  const line = code === 'CSV_QUOTE_NOT_CLOSED' ? (records ?? 0) + 1 : (lines ?? 1)
  if (code === 'CSV_QUOTE_NOT_CLOSED') return failure('batch-quote-open', { line })
  if (code === 'CSV_MAX_RECORD_SIZE') return failure('batch-row-too-large', { line, limitBytes: maxRowBytes })
  if (code === 'INVALID_OPENING_QUOTE' || code === 'CSV_INVALID_CLOSING_QUOTE')
    return failure('batch-quote-stray', { line })
  return undefined
}

/** Yields the lines of a file as cells, headings first. Empty lines are skipped. Throws `RowsError`. */
export async function* cellsOf(
  bytes: AsyncIterable<Uint8Array>,
  {
    decoding,
    delimiter,
    fileName
  }: { readonly decoding: Decoding; readonly delimiter: BatchDelimiter; readonly fileName: string }
): AsyncGenerator<readonly string[]> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRowBytes,
    cast: false
  })
  const text = Readable.from(decoded(bytes, decoding), { objectMode: false })
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  try {
    yield* parser as AsyncIterable<string[]>
  } catch (error) {
    const known = failureOf(error, fileName)
    throw known ? new RowsError(known) : error
  } finally {
    text.destroy()
    parser.destroy()
  }
}
