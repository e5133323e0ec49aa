/** Pieces of Markdown for the generated pages. */

/** One row of a table. A bar inside a cell is escaped, since it would end the cell. */
const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(...head), `|${'---|'.repeat(head.length)}`, ...rows.map((cells) => row(...cells))].join('\n')
}

/** A text as code. */
export const code = (text: string): string => `\`${text}\``
