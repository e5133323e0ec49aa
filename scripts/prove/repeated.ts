/** Tests of faults, each repeated: `npm test` runs them once. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured, SectionRun } from '../figures/section.ts'
import { electronHere } from './window/electron-here.ts'

/** A file of tests, what it injects, and how often in a full run. */
export interface Scenario {
  readonly what: string
  readonly runner: 'service' | 'preview' | 'electron'
  readonly file: string
  /** Part of the names of the tests that count; all without it. */
  readonly named?: string
  readonly times: number
}

interface Outcome {
  readonly passed: number
  readonly failures: readonly string[]
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
    }[]
  }[]
}

interface PlaywrightReport {
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

async function tested({ file, named }: Scenario, times: number, report: string): Promise<Outcome> {
  const chosen = named === undefined ? [] : ['-t', named]
  const args = [
    program('vitest', 'vitest.mjs'),
    'run',
    '--project',
    'service',
    file,
    ...chosen,
    '--testTimeout',
    String(60_000 * times),
    '--reporter=json',
    `--outputFile=${report}`
  ]
  const { code, output } = await ran(args, { VERIDESK_TIMES: String(times) })
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const failures = testResults.flatMap(({ message, assertionResults }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`)
    return failed.length > 0 || message === '' ? failed : [firstLine(message)]
  })
  // A repeated test counts once in the report: all of its repeats, or none.
  return { passed: numPassedTests * times, failures: failures.length > 0 || code === 0 ? failures : [output] }
}

async function opened({ runner, file, named }: Scenario, times: number, report: string): Promise<Outcome> {
  const chosen = named === undefined ? [] : ['--grep', named]
  const args = [
    program('@playwright', 'test', 'cli.js'),
    'test',
    `--project=${runner}`,
    file,
    ...chosen,
    `--repeat-each=${times}`,
    '--reporter=json'
  ]
  const { code, output } = await ran(args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  const { expected, unexpected, flaky } = (JSON.parse(readFileSync(report, 'utf8')) as PlaywrightReport).stats
  const failed = unexpected + flaky
  return { passed: expected, failures: failed > 0 ? [`${file}: ${failed} failed`] : code === 0 ? [] : [output] }
}

/** Runs each scenario as often as the run asks. Faults: each test that failed, by name. */
export async function repeated(scenarios: readonly Scenario[], { sized, progress }: SectionRun): Promise<Measured> {
  const electron = electronHere()
  const rows: (string | number)[][] = []
  const faults: string[] = []
  const notRun: { name: string; why: string }[] = []
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-repeated-'))
  try {
    for (const scenario of scenarios) {
      const { what, runner, file } = scenario
      if (runner === 'electron' && 'why' in electron) {
        notRun.push({ name: what, why: electron.why })
        continue
      }
      const times = sized(scenario.times)
      const { passed, failures } = await (runner === 'service' ? tested : opened)(
        scenario,
        times,
        join(folder, 'report.json')
      )
      if (passed === 0 && failures.length === 0) faults.push(`${file}: no test was run`)
      rows.push([what, `\`${file}\``, passed, failures.length])
      faults.push(...failures)
      progress(`${what}: ${passed} passed, ${failures.length} failed`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    table: { columns: ['fault', 'test', 'passed', 'failed'], rows },
    notRun,
    faults,
    ...('electron' in electron && { versions: { electron: electron.electron } })
  }
}
