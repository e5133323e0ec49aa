/** Lines of a text that is read in pieces. */
import { failure, type Failure } from '#contract/failures/failures.ts'

/** How far a text has been read. */
export interface Position {
  /** From 1; lines end with CR LF, LF or CR. */
  readonly line: number
  readonly afterReturn: boolean
  /** Whether a byte order mark may still follow. */
  readonly atStart: boolean
}
export const beginning: Position = { line: 1, afterReturn: false, atStart: true }

/**
 * Line breaks in a text, which may follow a carriage return. Uses `indexOf`, because every byte of large files is
 * scanned.
 */
function breaksIn(text: string, afterReturn: boolean): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (at > 0 || !afterReturn) count += 1
  // The CR of a CR LF is counted with its LF.
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1))
    if (at === text.length - 1 || text[at + 1] !== '\n') count += 1
  return count
}

/** The position after a text. */
export function behind(text: string, { line, afterReturn, atStart }: Position): Position {
  if (text === '') return { line, afterReturn, atStart }
  return { line: line + breaksIn(text, afterReturn), afterReturn: text.endsWith('\r'), atStart: false }
}

export const hex = (value: number, digits: number): string =>
  `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`

/** The failure of a text that contains an unpaired surrogate, which no encoding can represent; undefined otherwise. */
export function surrogateMisfit(text: string): Failure | undefined {
  if (text.isWellFormed()) return undefined
  const at = /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/.exec(text)?.index ?? 0
  const { line } = behind(text.slice(0, at), beginning)
  return failure('batch-file-encoding', { line, value: hex(text.charCodeAt(at), 4), encoding: 'Unicode' })
}
