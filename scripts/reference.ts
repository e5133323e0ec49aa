/**
 * Writes the generated pages: docs/operations.md, docs/command-line.md, docs/accessibility.md, docs/audit-events.md, the tables in
 * docs/practice.md and docs/evidence-format.md, what code declares in docs/evidence/values.schema.json,
 * docs/policies.md and the files for administrators in build/policies/, the channel names in
 * contract/ipc/channel-names.ts, and from docs/figures/ the pages docs/benchmarks.md and docs/proof.md.
 * `--check` writes nothing and exits with 1 if a page differs from its source.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessibilityPage } from './accessibility-page.ts'
import { auditPage } from './audit-page.ts'
import { valuesSchema } from './evidence-schema.ts'
import { figurePages } from './figures/pages.ts'
import { policyPage } from './policy-page.ts'
import { policyFiles } from './policy-templates.ts'
import { commandLinePage, operationsPage, practicePage, evidencePage } from './reference-pages.ts'
import type { Channel } from '#contract/ipc/channel.ts'
import { channels } from '#contract/ipc/ipc.ts'

const listed = (name: string, of: readonly string[]): string =>
  `export const ${name} = [\n${of.map((each) => `  '${each}'`).join(',\n')}\n] as const\n`

/** The text of contract/ipc/channel-names.ts. */
function channelNamesFile(): string {
  const all = Object.entries<Channel>(channels)
  const takenLate = all.filter(([, { late }]) => late === 'take')
  return `/** Generated from the channels of contract/ by \`npm run reference\`. No imports: the sandboxed preload is built from it. */

/** Every request that a window may send to core. */
${listed(
  'channelNames',
  all.map(([name]) => name)
)}
/** Channels whose answers may arrive after personal data was removed. */
${listed(
  'takenLate',
  takenLate.map(([name]) => name)
)}`
}

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
  const values = read(join(root, 'docs', 'evidence', 'values.schema.json'))
  return [
    { file: 'docs/operations.md', current: operations, wanted: operationsPage() },
    { file: 'docs/command-line.md', current: read(join(root, 'docs', 'command-line.md')), wanted: commandLinePage() },
    {
      file: 'docs/accessibility.md',
      current: read(join(root, 'docs', 'accessibility.md')),
      wanted: accessibilityPage()
    },
    { file: 'docs/audit-events.md', current: read(join(root, 'docs', 'audit-events.md')), wanted: auditPage() },
    { file: 'docs/evidence-format.md', current: evidence, wanted: evidencePage(evidence) },
    { file: 'docs/evidence/values.schema.json', current: values, wanted: valuesSchema(values) },
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
