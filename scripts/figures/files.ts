/** docs/figures/ on disk, and whether its figures are older than the code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figuresText, readFigures, type Figures } from './format.ts'
import type { SectionDeclaration } from './section.ts'
import { sourceDigest } from './source-digest.ts'

/** A section and the result of its last run, if any. */
export interface Kept {
  readonly section: SectionDeclaration
  readonly figures?: Figures
  /** Whether the measured code has changed since. */
  readonly older: boolean
}

type Command = Figures['command']

const folderOf = (root: string): string => join(root, 'docs', 'figures')

/** The name of a section's file. */
export const fileOf = (command: Command, { name }: Pick<SectionDeclaration, 'name'>): string =>
  `${command}-${name}.json`

/** The stored figures of sections. Throws if a file was changed after its run, or a measured path does not exist. */
export function keptFigures(root: string, command: Command, sections: readonly SectionDeclaration[]): Kept[] {
  return sections.map((section) => {
    const path = join(folderOf(root), fileOf(command, section))
    if (!existsSync(path)) return { section, older: false }
    const figures = readFigures(readFileSync(path, 'utf8'))
    return { section, figures, older: figures.source !== sourceDigest(root, section.measures) }
  })
}

/** Replaces the figures of an earlier run. */
export function keepFigures(root: string, figures: Figures): void {
  mkdirSync(folderOf(root), { recursive: true })
  writeFileSync(join(folderOf(root), fileOf(figures.command, { name: figures.section })), figuresText(figures))
}
