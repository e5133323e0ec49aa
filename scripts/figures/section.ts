/** A section of docs/benchmarks.md or docs/proof.md: what it is called, what it measures, and how. */
import type { Figures, Row, Table } from './format.ts'

/** What a section found out. */
export interface Measured {
  readonly rows?: readonly Row[]
  readonly table?: Table
  /** What was not as it must be, each in words; none may be. */
  readonly faults?: readonly string[]
  /** What only the run knows, in sentences. */
  readonly notes?: readonly string[]
  readonly versions?: Omit<Figures['versions'], 'node'>
}

export interface SectionRun {
  /** A size or number of times, made smaller for a trial; `least` is the smallest that still works. */
  sized(full: number, least?: number): number
  /** Says on standard error how far it is. */
  progress(text: string): void
}

/** What the page shows of a section before it has been measured. */
export interface SectionDeclaration {
  /** Chosen with `--only`; also the name of its file. */
  readonly name: string
  readonly title: string
  /** What is done, and what must hold. */
  readonly words: string
  /** Files and folders of the code that is measured. Where they change, the figures are older than the code. */
  readonly measures: readonly string[]
}

export interface Section<Run extends SectionRun = SectionRun> extends SectionDeclaration {
  run(run: Run): Promise<Measured>
}
