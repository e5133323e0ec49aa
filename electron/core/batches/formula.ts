/** Cells that a spreadsheet would run. Source of the rule: OWASP, "CSV Injection". */

// The full-width forms are turned into the plain ones by some spreadsheets in some locales.
const runnable = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

/** The cell, with an apostrophe before it where a spreadsheet might take it for a formula. */
export function spreadsheetSafe(cell: string): string {
  return runnable.test(cell) ? `'${cell}` : cell
}
