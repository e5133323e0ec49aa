/** A part of docs/proof.md: what it did, how often, and what was not as it must be. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Proof {
  readonly title: string
  /** What was done, and what must hold. */
  readonly words: string
  /** Names of the columns; the first is of words, the others of numbers or words. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  /** What was not as it must be, each in words; none may be. */
  readonly faults: readonly string[]
}

export interface Section {
  readonly name: string
  /** How often the long form does its damage. */
  readonly times: number
  run(times: number, told: (done: number) => void): Promise<Proof>
}

/** Most faults that a page lists; the number of all stands above them. */
const listed = 20

const shown = (cell: string | number): string => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)

/** The section's text: its heading, its words, its table, and when and where it ran. */
export function sectionText({ title, words, columns, rows, faults }: Proof, run: { readonly day: string; readonly seconds: number; readonly machine: string }): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const align = columns.map((_, index) => (rows.every((row) => typeof row[index] === 'number') ? '--:' : '---'))
  const verdict = faults.length === 0 ? 'As it must be, each time.' : `**Not as it must be, ${faults.length} times:**`
  return [
    `## ${title}`, '', words, '',
    line(columns), `|${align.join('|')}|`, ...rows.map((row) => line(row.map(shown))), '',
    verdict, ...(faults.length > 0 ? ['', ...faults.slice(0, listed).map((fault) => `- ${fault}`)] : []), '',
    `Ran on ${run.day} for ${Math.max(1, Math.round(run.seconds)).toLocaleString('en')} s: ${run.machine}.`, ''
  ].join('\n')
}

/** Runs with a new folder that is removed afterwards. */
export async function inProofFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-prove-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
