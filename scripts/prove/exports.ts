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
      words: `${payloads.length} texts that spreadsheets would run (signs, white space and control characters before them, full-width forms) are put into every text that stands in a column: ids, links, messages, notes, tags, operators, connections, and the headings and cells of a batch whose service answers with them. Every CSV file that the console writes is read back with its own separator: no cell may be one that a spreadsheet would run. In the lossless files beside them every text must be as it was put in.`,
      columns: ['file', 'cells or texts', 'attacked', 'that would run, or are not as they were'],
      rows: written.map(({ file, cells, attacked, faults }) => [file, cells, attacked, faults.length]),
      faults: written.flatMap(({ faults }) => faults)
    }
  }
}
