/** What spreadsheets and machines get: no cell that runs, and beside it every text as it was. */
import { payloads, writeEverywhere } from './formulas.ts'
import type { Section } from './section.ts'

export const exportsSection: Section = {
  name: 'exports',
  times: payloads.length,
  async run() {
    const written = await writeEverywhere()
    return {
      title: 'Exports full of formulas',
      words: `${payloads.length} texts that spreadsheets would run (signs, white space and control characters before them, full-width forms; and the same behind a semicolon, a comma, a tab or a line break within a text) are put into every text that stands in a column: ids, links, messages, notes, tags, operators, connections, and the headings and cells of three batches (from files with commas, semicolons and tabs) whose service answers with them. Every CSV file that the console writes is read back with its own separator, and split at each of the two others, as a spreadsheet of another locale does, with and without regard to quotes: no cell may be one that a spreadsheet would run. In the lossless files beside them every text must be as it was put in.`,
      columns: ['file', 'cells or texts', 'attacked', 'that would run, or are not as they were'],
      rows: written.map(({ file, cells, attacked, faults }) => [file, cells, attacked, faults.length]),
      faults: written.flatMap(({ faults }) => faults)
    }
  }
}
