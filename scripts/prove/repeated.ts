/** Tests of faults, each repeated: `npm test` runs them once. Their own counts become columns. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured, SectionRun } from '../figures/section.ts'
import { added } from '../../tests/service/support/times.ts'
import { electronHere } from './window/electron-here.ts'

/** A file of tests, what it injects, and how often in a full run. */
export interface Scenario {
  readonly what: string
  /** A host with a window, for a test of the window. */
  readonly host?: 'preview' | 'electron'
  readonly file: string
  /** Part of the names of the tests that count; all without it. */
  readonly named?: string
  readonly times: number
  /** The test injects this many times as much itself, by `times`; otherwise it is run as often. */
  readonly within?: true
}

/** What a test says that it injected and found: the sums over all of its runs. */
type Counts = Readonly<Record<string, number>>

interface Outcome {
  readonly passed: number
  readonly failures: readonly string[]
  readonly counts: readonly Counts[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = (...path: string[]): string => join(root, 'node_modules', ...path)

interface VitestReport {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
      readonly meta: { readonly counts?: Counts }
    }[]
  }[]
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly tests: readonly {
      readonly annotations: readonly { readonly type: string; readonly description?: string }[]
    }[]
  }[]
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[]
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
}

/** Runs a command with the keyring and display of this process, and ends with it; its output is shown only by a failure. */
async function ran(
  args: readonly string[],
  environment: Readonly<Record<string, string>>
): Promise<{ readonly code: number | null; readonly output: string }> {
  const wrapper = fileURLToPath(new URL('../with-keyring.sh', import.meta.url))
  const child = spawn('sh', [wrapper, process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', VERIDESK_HISTORY_NODE: process.execPath, ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-4000)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

const firstLine = (text: string | undefined): string => text?.split('\n').find((line) => line.trim() !== '') ?? ''

async function tested({ file, named, within }: Scenario, times: number, report: string): Promise<Outcome> {
  const chosen = named === undefined ? [] : ['-t', named]
  const args = [
    program('vitest', 'vitest.mjs'),
    'run',
    '--project',
    file.startsWith('tests/unit/') ? 'unit' : 'service',
    file,
    ...chosen,
    ...(within ? ['--testTimeout', String(60_000 * times)] : [`--repeats=${times - 1}`]),
    '--reporter=json',
    `--outputFile=${report}`
  ]
  const { code, output } = await ran(args, within ? { VERIDESK_TIMES: String(times) } : {})
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const failures = testResults.flatMap(({ message, assertionResults }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`)
    return failed.length > 0 || message === '' ? failed : [firstLine(message)]
  })
  return {
    // A repeated test counts once in the report: all of its runs, or none.
    passed: within ? numPassedTests : numPassedTests * times,
    failures: failures.length > 0 || code === 0 ? failures : [output],
    counts: testResults.flatMap(({ assertionResults }) => assertionResults.map(({ meta }) => meta.counts ?? {}))
  }
}

/** Runs in one process: each console leaves entries in its keyring, and every write there takes as long as they are many. */
const atOnce = 40

/** The same in portions, each with a keyring of its own. */
async function inPortions(scenario: Scenario, times: number, report: string): Promise<Outcome> {
  if (scenario.within) return tested(scenario, times, report)
  const outcomes: Outcome[] = []
  for (let left = times; left > 0; left -= atOnce) outcomes.push(await tested(scenario, Math.min(left, atOnce), report))
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    counts: outcomes.flatMap(({ counts }) => counts)
  }
}

const countsIn = ({ suites = [], specs }: PlaywrightSuite): Counts[] => [
  ...suites.flatMap(countsIn),
  ...specs.flatMap(({ tests }) =>
    tests.flatMap(({ annotations }) =>
      annotations.flatMap(({ type, description }) =>
        type === 'counts' ? [JSON.parse(description ?? '{}') as Counts] : []
      )
    )
  )
]

async function opened({ host, file, named, within }: Scenario, times: number, report: string): Promise<Outcome> {
  const chosen = named === undefined ? [] : ['--grep', named]
  const args = [
    program('@playwright', 'test', 'cli.js'),
    'test',
    `--project=${host}`,
    file,
    ...chosen,
    ...(within ? [] : [`--repeat-each=${times}`]),
    '--reporter=json'
  ]
  const { code, output } = await ran(args, {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(within && { VERIDESK_TIMES: String(times) })
  })
  const { suites, stats } = JSON.parse(readFileSync(report, 'utf8')) as PlaywrightReport
  const failed = stats.unexpected + stats.flaky
  return {
    passed: stats.expected,
    failures: failed > 0 ? [`${file}: ${failed} failed`] : code === 0 ? [] : [output],
    counts: suites.flatMap(countsIn)
  }
}

const summed = (all: readonly Counts[]): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, count] of all.flatMap((each) => Object.entries(each)))
    sums.set(name, added(name, sums.get(name) ?? 0, count))
  return sums
}

/** Runs each scenario as often as the run asks. Faults: each test that failed, by name. */
export async function repeated(scenarios: readonly Scenario[], { sized, progress }: SectionRun): Promise<Measured> {
  const electron = electronHere()
  const done: (Outcome & { readonly scenario: Scenario })[] = []
  const faults: string[] = []
  const notRun: { name: string; why: string }[] = []
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-repeated-'))
  try {
    for (const scenario of scenarios) {
      const { what, host, file } = scenario
      if (host === 'electron' && 'why' in electron) {
        notRun.push({ name: what, why: electron.why })
        continue
      }
      const times = sized(scenario.times)
      const outcome = await (host ? opened : inPortions)(scenario, times, join(folder, 'report.json'))
      const { passed, failures } = outcome
      if (passed === 0 && failures.length === 0) faults.push(`${file}: no test was run`)
      done.push({ ...outcome, scenario })
      faults.push(...failures)
      progress(`${what}: ${passed} passed, ${failures.length} failed`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const counted = [...new Set(done.flatMap(({ counts }) => [...summed(counts).keys()]))]
  return {
    table: {
      columns: ['fault', 'test', ...counted, 'passed', 'failed'],
      rows: done.map(({ scenario: { what, file }, passed, failures, counts }) => {
        const sums = summed(counts)
        return [what, `\`${file}\``, ...counted.map((name) => sums.get(name) ?? ''), passed, failures.length]
      })
    },
    notRun,
    faults,
    ...('electron' in electron && { versions: { electron: electron.electron } })
  }
}
