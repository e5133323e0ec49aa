/** A section of docs/benchmarks.md or docs/proof.md: its name, what it measures, and how. */
import type { Figures, NotRun, Row, Table } from './format.ts'

/** The result of a section. */
export interface Measured {
  readonly rows?: readonly Row[]
  readonly table?: Table
  /** Parts that this machine cannot run, and why; the reason completes “because …”. They do not count as missed. */
  readonly notRun?: readonly NotRun[]
  /** Wrong results, as text; there must be none. */
  readonly faults?: readonly string[]
  /** Remarks that only the run can make, as sentences. */
  readonly notes?: readonly string[]
  readonly versions?: Omit<Figures['versions'], 'node'>
}

/** Thrown by a section that needs something that this machine does not have; `message` completes “because …”. */
export class NotHere extends Error {}

export interface SectionRun {
  /** A size or number of times, reduced for a trial; `least` is the smallest that works. */
  sized(full: number, least?: number): number
  /** Reports progress on standard error. */
  progress(text: string): void
}

/** What the page shows of a section before it has been measured. */
export interface SectionDeclaration {
  /** The name for `--only` and of its file. */
  readonly name: string
  readonly title: string
  /** What is done, and what must hold: shown by the run. */
  readonly words: string
  /** Columns of its table whose sums the page shows, with the words for each. */
  readonly counts?: Readonly<Record<string, string>>
}

export interface Section<Run extends SectionRun = SectionRun> extends SectionDeclaration {
  run(run: Run): Promise<Measured>
}
