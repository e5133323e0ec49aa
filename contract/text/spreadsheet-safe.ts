/**
 * Cells that no spreadsheet executes, whichever separator it uses, and the reverse. Source of the rule: OWASP,
 * "CSV Injection".
 */
import { batchDelimiters, type BatchDelimiter } from '../batches/batches.ts'

// Some spreadsheets convert the full-width forms to the ASCII ones in some locales.
const signs = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20'
/** Characters that a spreadsheet may remove before it interprets a cell. */
const trimmed = '\\s\\0"'

/**
 * A cell that begins like a formula, or with a character that would start a new cell. Existing apostrophes before it
 * are included: one more is added, so that removing one restores the original.
 */
const runnable = new RegExp(`^'*[${trimmed}]*[${signs}]|^'*[\\t\\r\\n]`)

/**
 * Positions where one cell would become several. A spreadsheet splits at the separator of its locale (semicolon for
 * German and French), and quotes protect a cell only if they are a field's first character, which this file's quotes
 * are not once it is split elsewhere. So a formula may follow neither other separators nor line breaks within quotes;
 * it may follow the file's own separator, where the quotes do protect.
 */
const within = new Map(
  batchDelimiters.map((own) => {
    const others = `${batchDelimiters.filter((one) => one !== own).join('')}\\r\\n`
    const follows = `'*(?:(?![${others}])[${trimmed}])*[${signs}]`
    return [
      own,
      {
        put: new RegExp(`(?<=[${others}])(?=${follows})`, 'g'),
        away: new RegExp(`(?<=[${others}])'(?=${follows})`, 'g')
      }
    ] as const
  })
)

/**
 * The cell with an apostrophe before anything that a spreadsheet might interpret as a formula, so that it stays text.
 */
export function spreadsheetSafe(cell: string, delimiter: BatchDelimiter = ','): string {
  const rule = within.get(delimiter)
  const inner = rule ? cell.replace(rule.put, `'`) : cell
  return runnable.test(inner) ? `'${inner}` : inner
}

/** Reverses `spreadsheetSafe`; other cells lose the apostrophes at positions where it would have added them. */
export function withoutApostrophes(cell: string, delimiter: BatchDelimiter = ','): string {
  if (!cell.includes(`'`)) return cell
  const inner = cell.startsWith(`'`) && runnable.test(cell.slice(1)) ? cell.slice(1) : cell
  const rule = within.get(delimiter)
  return rule ? inner.replace(rule.away, '') : inner
}
