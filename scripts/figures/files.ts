/** docs/figures/ on the disk, and whether its figures are older than the code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figuresText, readFigures, type Figures } from './format.ts'
import type { SectionDeclaration } from './section.ts'
import { sourceDigest } from './source-digest.ts'

/** A section, and what its last run wrote: nothing where none has. */
export interface Kept {
  readonly section: SectionDeclaration
  readonly figures?: Figures
  /** Whether the code that it measures has changed since. */
  readonly older: boolean
}

type Command = Figures['command']

const folderOf = (root: string): string => join(root, 'docs', 'figures')

/** The name of a section's file. */
export const fileOf = (command: Command, { name }: Pick<SectionDeclaration, 'name'>): string => `${command}-${name}.json`

/** The figures of sections as they stand. Throws where a file is not as its run wrote it, or a measured path does not exist. */
export function keptFigures(root: string, command: Command, sections: readonly SectionDeclaration[]): Kept[] {
  return sections.map((section) => {
    const path = join(folderOf(root), fileOf(command, section))
    if (!existsSync(path)) return { section, older: false }
    const figures = readFigures(readFileSync(path, 'utf8'))
    return { section, figures, older: figures.source !== sourceDigest(root, section.measures) }
  })
}

/** Puts what a run measured in the place of what an earlier one did. */
export function keepFigures(root: string, figures: Figures): void {
  mkdirSync(folderOf(root), { recursive: true })
  writeFileSync(join(folderOf(root), fileOf(figures.command, { name: figures.section })), figuresText(figures))
}
