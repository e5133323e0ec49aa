/** docs/figures/ on disk. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figuresText, readFigures, type Figures } from './format.ts'
import type { SectionDeclaration } from './section.ts'

/** A section and the result of its last run, if any. */
export interface Kept {
  readonly section: SectionDeclaration
  readonly figures?: Figures
}

type Command = Figures['command']

const folderOf = (root: string): string => join(root, 'docs', 'figures')

/** The name of a section's file. */
export const fileOf = (command: Command, { name }: Pick<SectionDeclaration, 'name'>): string =>
  `${command}-${name}.json`

/** The stored figures of sections. Throws if a file was changed after its run. */
export function keptFigures(root: string, command: Command, sections: readonly SectionDeclaration[]): Kept[] {
  return sections.map((section) => {
    const path = join(folderOf(root), fileOf(command, section))
    return existsSync(path) ? { section, figures: readFigures(readFileSync(path, 'utf8')) } : { section }
  })
}

/** Replaces the figures of an earlier run. */
export function keepFigures(root: string, figures: Figures): void {
  mkdirSync(folderOf(root), { recursive: true })
  writeFileSync(join(folderOf(root), fileOf(figures.command, { name: figures.section })), figuresText(figures))
}
