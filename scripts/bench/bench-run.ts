/** What the benchmark's sections get in addition to the common run. */
import type { SectionRun } from '../figures/section.ts'
import type { SeededHistory } from './seeded-histories.ts'

export interface BenchRun extends SectionRun {
  /** A history with this number of synthetic records, created once for all sections of a run. Read-only use. */
  history(records: number): Promise<SeededHistory>
}
