/** The text of docs/benchmarks.md and docs/proof.md, generated from stored figures, and what a run shows. Pure. */
import type { Kept } from './files.ts'
import type { Aim, Figures, Row, Table, Values } from './format.ts'
import { middle } from './row.ts'
import type { SectionDeclaration } from './section.ts'

const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** The same in every locale. */
const whole = (value: number): string => Math.round(value).toLocaleString('en')

function number(value: number): string {
  if (value >= 100) return whole(value)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const withUnit = (value: number, unit: Row['unit']): string => `${number(value)} ${unit}`

const statisticNames: Readonly<Record<keyof Values, string>> = {
  single: 'once',
  median: 'median',
  p95: 'p95',
  largest: 'largest'
}
const aimNames: Readonly<Record<Aim['of'], string>> = {
  ...statisticNames,
  single: '',
  ratio: 'ratio',
  difference: 'more by'
}

function aimWords({ of, atMost, orBelow, met }: Aim, unit: Row['unit']): string {
  const limit = of === 'ratio' ? `${atMost}` : `${atMost.toLocaleString('en')} ${unit}`
  const words = `${aimNames[of]} ≤ ${limit}${orBelow === undefined ? '' : ` or median ≤ ${orBelow} ${unit}`}`.trim()
  return `${words}: ${met ? 'met' : '**not met**'}`
}

/** The missed targets of a row, for the summary of a run. */
export function missedWords({ name, unit, aims }: Row): string[] {
  return aims
    .filter(({ met }) => !met)
    .map(({ of, value, atMost }) => {
      const shown = (figure: number): string => (of === 'ratio' ? figure.toFixed(2) : withUnit(figure, unit))
      return `${name}: ${`${aimNames[of]} ${value === Number.MAX_VALUE ? 'not measured' : shown(value)}`.trim()}, target at most ${shown(atMost)}`
    })
}

const ratioWords = ({ ours, beside }: Row): string =>
  beside
    ? `${(middle(ours.values) / middle(beside.values)).toFixed(2)}${beside.cannotWin === undefined ? '' : ` (${beside.cannotWin})`}`
    : ''

function rowsTable(rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  const order = ['single', 'median', 'p95', 'largest'] as const
  const has = (of: (row: Row) => Values | undefined) =>
    order.filter((name) =>
      rows.some(
        (row) => of(row)?.[name] !== undefined && (name !== 'largest' || row.aims.some((aim) => aim.of === 'largest'))
      )
    )
  const own = has(({ ours }) => ours.values)
  const others = has(({ beside }) => beside?.values)
  const besides = rows.some(({ beside }) => beside !== undefined)
  const aims = rows.some((row) => row.aims.length > 0)
  const cell = (values: Values | undefined, name: keyof Values, unit: Row['unit']): string =>
    values?.[name] === undefined ? '' : withUnit(values[name], unit)
  const head = [
    'work',
    'samples',
    ...own.map((name) => statisticNames[name]),
    ...(besides
      ? [
          'baseline',
          ...others.map((name) => `baseline ${statisticNames[name] === 'once' ? 'figure' : statisticNames[name]}`),
          'ratio'
        ]
      : []),
    ...(aims ? ['target'] : [])
  ]
  const wordColumns = ['work', 'baseline', 'target']
  return [
    line(head),
    `|${head.map((name) => (wordColumns.includes(name) ? '---' : '--:')).join('|')}|`,
    ...rows.map((row) =>
      line([
        row.name,
        whole(row.ours.samples),
        ...own.map((name) => cell(row.ours.values, name, row.unit)),
        ...(besides
          ? [row.beside?.what ?? '', ...others.map((name) => cell(row.beside?.values, name, row.unit)), ratioWords(row)]
          : []),
        ...(aims ? [row.aims.map((aim) => aimWords(aim, row.unit)).join('; ')] : [])
      ])
    ),
    ''
  ]
}

function countsTable({ columns, rows }: Table): string[] {
  const align = columns.map((_, index) => (rows.every((row) => typeof row[index] === 'number') ? '--:' : '---'))
  return [
    line(columns),
    `|${align.join('|')}|`,
    ...rows.map((row) => line(row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)))),
    ''
  ]
}

/** The parts that the machine could not run. */
function notRunList({ notRun = [] }: Figures): string[] {
  return notRun.length === 0
    ? []
    : [...notRun.map(({ name, why }) => `- **Not run here:** ${name}, because ${why}.`), '']
}

/** Whether all results were as required; empty if nothing was compared. */
function verdict({ rows, faults, table, notRun = [] }: Figures): string[] {
  if (faults.count > 0)
    return [`**Wrong results: ${whole(faults.count)}**`, '', ...faults.first.map((fault) => `- ${fault}`), '']
  const aims = rows.flatMap((row) => row.aims)
  const missed = aims.filter(({ met }) => !met).length
  const counted = table !== undefined && (table.rows.length > 0 || notRun.length === 0)
  return [
    ...(counted ? [`All results${notRun.length > 0 ? ' that were obtained' : ''} were as required.`, ''] : []),
    ...(aims.length === 0
      ? []
      : [missed === 0 ? 'Every target was met.' : `**${missed} of ${aims.length} targets were not met.**`, ''])
  ]
}

const machineWords = ({ processor, cores, memoryGiB }: Figures['machine']): string =>
  `${cores} × ${processor}, ${memoryGiB} GiB of memory`

function place({ version, commit, committedOn, clean, startedAt, seconds, machine, versions }: Figures): string {
  const code =
    commit === null
      ? 'outside a checkout'
      : `at commit ${commit.slice(0, 12)}${committedOn === null ? '' : ` of ${committedOn}`}${clean ? '' : ' with changed files'}`
  const programs = [
    `Node ${versions.node}`,
    ...(versions.chromium === undefined ? [] : [`Chromium ${versions.chromium}`]),
    ...(versions.electron === undefined ? [] : [`Electron ${versions.electron}`])
  ]
  return (
    `Version ${version}, ${code}, on ${startedAt.slice(0, 10)} at ${startedAt.slice(11, 16)} UTC, for ${whole(Math.max(1, seconds))} s: ${machineWords(machine)}, ` +
    `${machine.system}, ${programs.join(', ')}, load ${machine.loadAtStart.toFixed(1)} at the start and ${machine.loadAtEnd.toFixed(1)} at the end.`
  )
}

/** All that a run of a section found, which the run shows. */
export function sectionText(section: SectionDeclaration, figures: Figures): string {
  return [
    `## ${section.title}`,
    '',
    section.words,
    '',
    ...figures.notes.flatMap((note) => [note, '']),
    ...rowsTable(figures.rows),
    ...(figures.table && figures.table.rows.length > 0 ? countsTable(figures.table) : []),
    ...notRunList(figures),
    ...verdict(figures),
    place(figures),
    ''
  ].join('\n')
}

export interface PageHead {
  readonly title: string
  /** Below the headline: what is measured, how to read it, and how to repeat it. */
  readonly words: readonly string[]
}

type Measured = Kept & { readonly figures: Figures }
const measuredOf = (kept: readonly Kept[]): Measured[] =>
  kept.flatMap(({ section, figures }) => (figures ? [{ section, figures }] : []))

/** The version of a run, with the day of its commit, or of the run where that is not known. */
const versionWords = ({ version, committedOn, startedAt }: Figures): string =>
  `${version}, ${committedOn ?? startedAt.slice(0, 10)}`

/** Which versions and machines the figures are of, and what was never measured. */
function origin(kept: readonly Kept[]): string {
  const figures = measuredOf(kept).map((each) => each.figures)
  const versions = [...new Set(figures.map(({ version }) => version))].sort()
  const machines = [...new Set(figures.map(({ machine }) => machineWords(machine)))].sort()
  const missing = kept.filter((each) => !each.figures).map(({ section }) => `\`${section.name}\``)
  return [
    figures.length === 0
      ? 'Nothing was measured yet.'
      : `Of version ${versions.join(' and ')}, on ${machines.join(' and ')}.`,
    ...(missing.length === 0 ? [] : [`Not measured yet: ${missing.join(', ')}.`])
  ].join(' ')
}

const page = ({ title, words }: PageHead, headline: string, kept: readonly Kept[], table: readonly string[]): string =>
  [
    `# ${title}`,
    '',
    '<!-- Generated by `npm run reference` from docs/figures/, which runs write. Edit neither. -->',
    '',
    `**${headline}** ${origin(kept)}`,
    '',
    ...table,
    '',
    ...words.flatMap((each) => [each, ''])
  ].join('\n')

/** The sums of a table's columns that a section names, or the number of its rows. Throws if one has other texts than numbers. */
function countsOf({ section: { name, counts = {} }, figures: { table } }: Measured): string[] {
  if (!table || table.rows.length === 0) return []
  const named = Object.entries(counts).filter(([column]) => table.columns.includes(column))
  if (named.length === 0) return [`${whole(table.rows.length)} cases`]
  return named.map(([column, words]) => {
    const at = table.columns.indexOf(column)
    const numbers = table.rows.map((row) => Number(String(row[at]).replaceAll(',', '')))
    const sum = numbers.reduce((total, each) => total + each, 0)
    if (Number.isNaN(sum)) throw new Error(`the table of ${name} has no numbers in a column “${column}”`)
    return `${whole(sum)} ${words}`
  })
}

function outcome({ rows, faults, notRun = [] }: Figures): string {
  if (faults.count > 0) return `**${whole(faults.count)} wrong**`
  const missed = rows.flatMap((row) => row.aims).filter(({ met }) => !met).length
  const part = notRun.map(({ name, why }) => `not run: ${name}, because ${why}`)
  return [missed > 0 ? `**${missed} targets missed**` : 'as required', ...part].join('; ')
}

const nothingRan = ({ table, rows, notRun = [], faults }: Figures): boolean =>
  notRun.length > 0 && rows.length === 0 && (table?.rows.length ?? 0) === 0 && faults.count === 0

/** docs/proof.md: a row for each section. */
export function proofPage(head: PageHead, kept: readonly Kept[]): string {
  const measured = measuredOf(kept)
  const ran = measured.filter(({ figures }) => !nothingRan(figures))
  const good = ran.filter(({ figures }) => outcome(figures).startsWith('as required'))
  const headline = `${good.length} of ${ran.length} proofs ended as required.`
  return page(head, headline, kept, [
    line(['proof', '`--only`', 'injected, and what came of it', 'result', 'version']),
    '|---|---|---|---|---|',
    ...measured.map((each) => {
      const { section, figures } = each
      const targets = figures.rows.flatMap((row) => row.aims).length
      const counts = [...countsOf(each), ...(targets > 0 ? [`${targets} targets`] : [])]
      const result = nothingRan(figures) ? outcome(figures).replace('as required; ', '') : outcome(figures)
      return line([section.title, `\`${section.name}\``, counts.join('; '), result, versionWords(figures)])
    })
  ])
}

/** docs/benchmarks.md: a row for each figure that has a target, or for all of a section without any. */
export function benchmarksPage(head: PageHead, kept: readonly Kept[]): string {
  const measured = measuredOf(kept)
  const aims = measured.flatMap(({ figures }) => figures.rows.flatMap((row) => row.aims))
  const met = aims.filter((each) => each.met).length
  const value = (values: Values | undefined, name: keyof Values, unit: Row['unit']): string =>
    values?.[name] === undefined ? '' : withUnit(values[name], unit)
  return page(head, `${met} of ${aims.length} targets were met.`, kept, [
    line(['work', 'median', 'p95', 'baseline', 'ratio', 'target', 'version']),
    '|---|--:|--:|---|--:|---|---|',
    ...measured.flatMap(({ section, figures }) => [
      line([`**${section.title}** (\`${section.name}\`)`, '', '', '', '', '', versionWords(figures)]),
      ...figures.rows
        .filter((row, _, all) => row.aims.length > 0 || all.every(({ aims }) => aims.length === 0))
        .map((row) => {
          const { name, unit, ours, beside } = row
          const once = value(ours.values, 'single', unit)
          const baseline = beside ? `${beside.what}: ${withUnit(middle(beside.values), unit)}` : ''
          const targets = row.aims.map((each) => aimWords(each, unit)).join('; ')
          return line([
            name,
            once || value(ours.values, 'median', unit),
            value(ours.values, 'p95', unit),
            baseline,
            ratioWords(row),
            targets,
            ''
          ])
        })
    ])
  ])
}
