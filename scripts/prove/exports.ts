/** The exports for spreadsheets and machines: no cell runs, and the lossless files contain every text unchanged. */
import type { Measured } from '../figures/section.ts'
import { payloads, writeEverywhere } from './formulas.ts'

/** Writes every file with every payload. Errors: cells that a spreadsheet would run, and changed texts. */
export async function proveExports(): Promise<Measured> {
  const written = await writeEverywhere()
  return {
    notes: [`${payloads.length} texts were put in.`],
    table: {
      columns: ['file', 'cells or texts', 'attacked', 'unsafe or changed'],
      rows: written.map(({ file, cells, attacked, faults }) => [file, cells, attacked, faults.length])
    },
    faults: written.flatMap(({ faults }) => faults)
  }
}
