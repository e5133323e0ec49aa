/** Runs sections one after another, stores their figures, and lists missed targets at the end. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { keepFigures } from './files.ts'
import type { Figures } from './format.ts'
import { missedWords, sectionText } from './page.ts'
import { NotHere, type Measured, type Section, type SectionRun } from './section.ts'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'

type Machine = Figures['machine']

/** The machine without its name, and its load, since other work slows the measurement. */
function machineNow(): Omit<Machine, 'loadAtEnd'> {
  const all = cpus()
  return {
    processor: all[0]?.model.trim() ?? 'unknown processor',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    loadAtStart: loadNow()
  }
}

/** Processes running or waiting for a processor, averaged over the last minute; 0 if the system does not report it. */
const loadNow = (): number => Number((loadavg()[0] ?? 0).toFixed(2))

/** Files that a run writes do not count as changed code. */
const written = [':(exclude)docs/figures', ':(exclude)docs/benchmarks.md', ':(exclude)docs/proof.md']

/** The version, the commit that is checked out, and whether all files match it. */
function codeNow(root: string): Pick<Figures, 'version' | 'commit' | 'committedOn' | 'clean'> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const [commit = '', committedOn = ''] = git('show', '-s', '--format=%H %cs').split(' ')
    return { version, commit, committedOn, clean: git('status', '--porcelain', '--', '.', ...written) === '' }
  } catch {
    // An archive of the sources, or a machine without git.
    return { version, commit: null, committedOn: null, clean: false }
  }
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Options of both commands. */
const common = {
  /** Names of sections, separated by commas. */
  'only': { type: 'string' },
  /** A fraction of the full sizes, for a trial run that writes nothing. */
  'scale': { type: 'string', default: '1' },
  'no-write': { type: 'boolean', default: false }
} as const satisfies Options

export interface RunOrder<Run extends SectionRun> {
  readonly command: Figures['command']
  readonly root: string
  readonly sections: readonly Section<Run>[]
  readonly args: readonly string[]
  /** Options of this command only. */
  readonly options?: Options
  /** What its sections need in addition to the common run; `values` are the command's own options. */
  context(run: SectionRun, values: Readonly<Record<string, unknown>>): Run
  /** Called after the figures of each section were stored. */
  readonly onKept?: () => void
  readonly out?: (text: string) => void
  readonly error?: (text: string) => void
}

/** Maximum number of errors stored as text; their total number is stored too. */
const mostFaults = 20

/**
 * 0 if everything chosen was measured and met, 1 if a target was missed or a result was wrong, 2 for invalid options.
 */
export type ExitCode = 0 | 1 | 2

/** Chooses sections by name; undefined means all. Throws a RangeError for an unknown name. */
export function chosenSections<Each extends { readonly name: string }>(
  sections: readonly Each[],
  only: string | undefined
): readonly Each[] {
  if (only === undefined) return sections
  const names = only.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !sections.some((section) => section.name === name))
  if (unknown !== undefined)
    throw new RangeError(
      `There is no section “${unknown}”. Choose from: ${sections.map(({ name }) => name).join(', ')}.`
    )
  return sections.filter(({ name }) => names.includes(name))
}

/** A section that cannot run here at all is not run, and has not failed. */
function notHere(reason: unknown): Measured {
  if (reason instanceof NotHere) return { notRun: [{ name: 'the whole section', why: reason.message }] }
  throw reason
}

interface Chosen<Run extends SectionRun> {
  readonly sections: readonly Section<Run>[]
  readonly scale: number
  readonly values: Readonly<Record<string, unknown>>
}

/** What the arguments ask for. Throws what is wrong with them. */
function chosenBy<Run extends SectionRun>({
  sections,
  args,
  options = {}
}: Pick<RunOrder<Run>, 'sections' | 'args' | 'options'>): Chosen<Run> {
  const values: Readonly<Record<string, unknown>> = parseArgs({
    args: [...args],
    options: { ...common, ...options }
  }).values
  const chosen = chosenSections(sections, values['only'] as string | undefined)
  const scale = Number(values['scale'])
  if (!(scale > 0 && scale <= 1)) throw new RangeError('--scale is a part: more than 0, and at most 1.')
  return { sections: chosen, scale, values }
}

/** Runs one section; its figures, and everything that was missed. Throws what the section throws. */
async function measured<Run extends SectionRun>(
  { command, root }: Pick<RunOrder<Run>, 'command' | 'root'>,
  section: Section<Run>,
  run: Run
): Promise<{ readonly figures: Figures; readonly missed: readonly string[] }> {
  const code = codeNow(root)
  const [machine, startedAt, from] = [machineNow(), new Date().toISOString(), performance.now()]
  const {
    rows = [],
    table,
    notRun = [],
    faults = [],
    notes = [],
    versions = {}
  } = await section.run(run).catch(notHere)
  const first = faults.slice(0, mostFaults)
  return {
    figures: {
      format: 'veridesk-figures/1',
      command,
      section: section.name,
      ...code,
      startedAt,
      seconds: Math.round((performance.now() - from) / 1000),
      machine: { ...machine, loadAtEnd: loadNow() },
      versions: { node: process.versions.node, ...versions },
      notes: [...notes],
      rows: [...rows],
      ...(table && { table }),
      ...(notRun.length > 0 && { notRun: [...notRun] }),
      faults: { count: faults.length, first }
    },
    missed: [
      ...rows.flatMap(missedWords),
      ...first,
      ...(faults.length > mostFaults ? [`${faults.length - mostFaults} more`] : [])
    ]
  }
}

/** Does not throw if a section fails: it counts as missed, and the others are measured. */
export async function runSections<Run extends SectionRun>(order: RunOrder<Run>): Promise<ExitCode> {
  const {
    root,
    context,
    onKept = () => undefined,
    out = (text) => process.stdout.write(text),
    error = (text) => process.stderr.write(text)
  } = order
  let chosen: Chosen<Run>
  try {
    chosen = chosenBy(order)
  } catch (reason) {
    error(`${reason instanceof Error ? reason.message : String(reason)}\n`)
    return 2
  }
  const { sections, scale, values } = chosen
  const trial = scale !== 1
  const keeps = !trial && values['no-write'] !== true
  const missed: string[] = []
  for (const section of sections) {
    error(`${section.name} …\n`)
    const run = context(
      {
        sized: (full, least = 1) => Math.min(full, Math.max(least, Math.round(full * scale))),
        progress: (text) => error(`  ${text}\n`)
      },
      values
    )
    try {
      const result = await measured(order, section, run)
      out(`${sectionText(section, result.figures)}\n`)
      if (keeps) {
        keepFigures(root, result.figures)
        onKept()
      }
      missed.push(...result.missed.map((words) => `${section.name}: ${words}`))
    } catch (reason) {
      error(`${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`)
      missed.push(`${section.name}: not measured, since it failed`)
    }
  }
  if (trial) error('A trial with smaller sizes: nothing was written.\n')
  error(missed.length === 0 ? 'Nothing was missed.\n' : `Missed:\n${missed.map((words) => `- ${words}\n`).join('')}`)
  return missed.length === 0 ? 0 : 1
}
