/** CSV whose cells no spreadsheet runs, whichever separator it splits at, and the way back. Source of the rule: OWASP, "CSV Injection". */
import { stringify } from 'csv-stringify/sync'
import { batchDelimiters, type BatchDelimiter } from '#contract/batches.ts'

// The full-width forms are turned into the plain ones by some spreadsheets in some locales.
const signs = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20'
/** What a spreadsheet may take away before it looks at a cell. */
const trimmed = '\\s\\0"'

/**
 * A cell that begins like a formula, or with what would make a next cell of it. Apostrophes that stand before that
 * already count with it: one more is put there, so that taking one away gives back whatever was there.
 */
const runnable = new RegExp(`^'*[${trimmed}]*[${signs}]|^'*[\\t\\r\\n]`)

/**
 * Where one cell would become several. A spreadsheet splits at the separator of its own locale, German and French ones
 * at semicolons, and to it a quote protects only where it is a field's first character: which those of this file are
 * not, once the file is split elsewhere. So neither other separators nor line breaks within quotes may be followed by
 * a formula; the file's own separator may, since there the quotes do protect.
 */
const within = new Map(
  batchDelimiters.map((own) => {
    const others = `${batchDelimiters.filter((one) => one !== own).join('')}\\r\\n`
    const follows = `'*(?:(?![${others}])[${trimmed}])*[${signs}]`
    return [own, { put: new RegExp(`(?<=[${others}])(?=${follows})`, 'g'), away: new RegExp(`(?<=[${others}])'(?=${follows})`, 'g') }] as const
  })
)

/** The cell, with an apostrophe before whatever a spreadsheet might take for a formula: it is then a text. */
export function spreadsheetSafe(cell: string, delimiter: BatchDelimiter = ','): string {
  const rule = within.get(delimiter)
  const inner = rule ? cell.replace(rule.put, `'`) : cell
  return runnable.test(inner) ? `'${inner}` : inner
}

/** The cell as it was before `spreadsheetSafe`; other cells lose the apostrophes that stand where it would have put them. */
export function withoutApostrophes(cell: string, delimiter: BatchDelimiter = ','): string {
  if (!cell.includes(`'`)) return cell
  const inner = cell.startsWith(`'`) && runnable.test(cell.slice(1)) ? cell.slice(1) : cell
  const rule = within.get(delimiter)
  return rule ? inner.replace(rule.away, '') : inner
}

/** Quoted though this file's own separator does not ask for it: single line breaks, and what others take for a separator. */
const quoted = new RegExp(`[\\r\\n${batchDelimiters.join('')}]`)

/** Rows as CSV text (RFC 4180, lines ended by CRLF), each cell safe for spreadsheets. Every CSV file is written by it. */
export function csvText(rows: readonly (readonly string[])[], delimiter: BatchDelimiter = ','): string {
  const safe = rows.map((cells) => cells.map((cell) => spreadsheetSafe(cell, delimiter)))
  return stringify(safe, { delimiter, record_delimiter: '\r\n', quoted_match: quoted })
}
