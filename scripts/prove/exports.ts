/** What spreadsheets and machines get: no cell that runs, and beside it every text as it was. */
import type { Measured } from '../figures/section.ts'
import { payloads, writeEverywhere } from './formulas.ts'

/** Writes every file with every payload. Faults: cells that a spreadsheet would run, and texts that are not as they were. */
export async function proveExports(): Promise<Measured> {
  const written = await writeEverywhere()
  return {
    notes: [`${payloads.length} texts were put in.`],
    table: {
      columns: ['file', 'cells or texts', 'attacked', 'that would run, or are not as they were'],
      rows: written.map(({ file, cells, attacked, faults }) => [file, cells, attacked, faults.length])
    },
    faults: written.flatMap(({ faults }) => faults)
  }
}
