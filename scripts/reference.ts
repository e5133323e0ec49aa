/**
 * Writes the generated pages: docs/operations.md, docs/command-line.md, docs/audit-events.md, the tables in
 * docs/practice.md and docs/evidence-format.md, docs/policies.md and the files for administrators in build/policies/, the channel names in contract/ipc/channel-names.ts, and from docs/figures/ the pages docs/benchmarks.md and docs/proof.md.
 * `--check` writes nothing and exits with 1 if a page differs from its source.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { auditPage } from './audit-page.ts'
import { channelNamesFile } from './channel-names.ts'
import { evidencePage } from './evidence-page.ts'
import { figurePages } from './figures/pages.ts'
import { policyPage } from './policy-page.ts'
import { policyFiles } from './policy-templates.ts'
import { commandLinePage, operationsPage, practicePage } from './reference-pages.ts'

interface Page {
  readonly file: string
  readonly current: string
  readonly wanted: string
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw reason
  }
}

/** The generated pages below a folder: current text and expected text. */
export function referencePages(root: string): Page[] {
  const operations = read(join(root, 'docs', 'operations.md'))
  const practice = read(join(root, 'docs', 'practice.md'))
  const evidence = read(join(root, 'docs', 'evidence-format.md'))
  return [
    { file: 'docs/operations.md', current: operations, wanted: operationsPage() },
    { file: 'docs/command-line.md', current: read(join(root, 'docs', 'command-line.md')), wanted: commandLinePage() },
    { file: 'docs/audit-events.md', current: read(join(root, 'docs', 'audit-events.md')), wanted: auditPage() },
    { file: 'docs/evidence-format.md', current: evidence, wanted: evidencePage(evidence) },
    { file: 'docs/practice.md', current: practice, wanted: practicePage(practice) },
    {
      file: 'contract/ipc/channel-names.ts',
      current: read(join(root, 'contract', 'ipc', 'channel-names.ts')),
      wanted: channelNamesFile()
    },
    { file: 'docs/policies.md', current: read(join(root, 'docs', 'policies.md')), wanted: policyPage() },
    ...policyFiles().map(({ file, wanted }) => ({ file, current: read(join(root, file)), wanted })),
    ...figurePages(root).map(({ file, wanted }) => ({ file, current: read(join(root, file)), wanted }))
  ]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const drifted = referencePages(root).filter(({ current, wanted }) => current !== wanted)
  if (process.argv.includes('--check')) {
    for (const { file } of drifted)
      process.stderr.write(`${file} differs from what it is made of: run “npm run reference”.\n`)
    process.exitCode = drifted.length === 0 ? 0 : 1
  } else {
    for (const { file, wanted } of drifted) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), wanted)
    }
    process.stdout.write(
      drifted.length === 0
        ? 'The reference is up to date.\n'
        : `Written: ${drifted.map(({ file }) => file).join(', ')}.\n`
    )
  }
}
