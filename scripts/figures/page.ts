/** The text of docs/benchmarks.md and docs/proof.md, generated from stored figures. Pure. */
import type { Kept } from './files.ts'
import type { Aim, Figures, Row, Table, Values } from './format.ts'
import { middle } from './row.ts'

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
  const ratio = ({ ours, beside }: Row): string =>
    beside
      ? `${(middle(ours.values) / middle(beside.values)).toFixed(2)}${beside.cannotWin === undefined ? '' : ` (${beside.cannotWin})`}`
      : ''
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
          ? [row.beside?.what ?? '', ...others.map((name) => cell(row.beside?.values, name, row.unit)), ratio(row)]
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

function place({ commit, clean, startedAt, seconds, machine, versions }: Figures): string {
  const { processor, cores, memoryGiB, system, loadAtStart, loadAtEnd } = machine
  const code =
    commit === null ? 'outside a checkout' : `at commit ${commit.slice(0, 12)}${clean ? '' : ' with changed files'}`
  const programs = [
    `Node ${versions.node}`,
    ...(versions.chromium === undefined ? [] : [`Chromium ${versions.chromium}`]),
    ...(versions.electron === undefined ? [] : [`Electron ${versions.electron}`])
  ]
  return (
    `Ran ${code}, on ${startedAt.slice(0, 10)} at ${startedAt.slice(11, 16)} UTC, for ${whole(Math.max(1, seconds))} s: ${cores} × ${processor}, ${memoryGiB} GiB memory, ` +
    `${system}, ${programs.join(', ')}, load ${loadAtStart.toFixed(1)} at the start and ${loadAtEnd.toFixed(1)} at the end.`
  )
}

const olderMark = '**Older than the code:** the measured code has changed since this run.'

/** A section of a page; empty if it was not measured. */
export function sectionText({ section, figures, older }: Kept): string {
  if (!figures) return ''
  return [
    `## ${section.title}`,
    '',
    ...(older ? [olderMark, ''] : []),
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

/** A whole page: its introduction, each measured section, and a list of the others. */
export function figuresPage(head: { readonly title: string; readonly words: string }, kept: readonly Kept[]): string {
  const missing = kept.filter(({ figures }) => !figures)
  return [
    `# ${head.title}`,
    '',
    '<!-- Generated by `npm run reference` from docs/figures/, which runs write. Edit neither. -->',
    '',
    head.words,
    '',
    ...kept.filter(({ figures }) => figures).map(sectionText),
    ...(missing.length === 0
      ? []
      : [
          '## Not measured in this format yet',
          '',
          ...missing.map(({ section }) => `- ${section.title} (\`${section.name}\`)`),
          ''
        ])
  ].join('\n')
}
