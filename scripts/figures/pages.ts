/** The two pages of figures: current text and text generated from the stored figures. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchHead, benchSections } from '../bench/sections.ts'
import { proofHead, proofSections } from '../prove/sections.ts'
import { keptFigures } from './files.ts'
import { benchmarksPage, proofPage } from './page.ts'

/** A generated page below the repository. */
export interface FigurePage {
  readonly file: string
  readonly wanted: string
}

/** Throws if a file of figures was changed after its run. */
export const figurePages = (root: string): FigurePage[] => [
  { file: 'docs/benchmarks.md', wanted: benchmarksPage(benchHead, keptFigures(root, 'bench', benchSections)) },
  { file: 'docs/proof.md', wanted: proofPage(proofHead, keptFigures(root, 'prove', proofSections)) }
]

/** Writes both pages if they differ. */
export function writeFigurePages(root: string): void {
  for (const { file, wanted } of figurePages(root)) {
    const path = join(root, file)
    if (readFileSync(path, 'utf8') !== wanted) writeFileSync(path, wanted)
  }
}
