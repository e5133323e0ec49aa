/** What the sections of the bench get beside what all get. */
import type { SectionRun } from '../figures/section.ts'
import type { SeededHistory } from './seeded-histories.ts'

export interface BenchRun extends SectionRun {
  /** A history of so many made-up records, made once for all sections of a run. It may be read only. */
  history(records: number): Promise<SeededHistory>
}
