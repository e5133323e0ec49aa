/** The stages of `npm test`: what each needs from the system, what it runs, and how its result is counted. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, run } from './ground.mjs'
import { commandOf } from './packages.mjs'
import { counted, playwrightReport, readReport, reportFile, vitestReport } from './reports.mjs'
import { hasProgram } from './system.mjs'

const node = process.execPath
const folders = ['contract', 'electron', 'kit', 'practice', 'renderer', 'scripts', 'tests']
const present = () => folders.filter((folder) => existsSync(inRoot(folder)))

/** Also for a stage that could not run. */
export const nothingPassed = { passed: 0, failed: 1, skipped: 0 }

/** Seconds after which a stage counts as hanging; slow build machines were seen to need more than 1,500. */
const longest = 2700

/**
 * A check passes or fails as a whole, and counts as one. It takes what the tests leave of the processor: they wait often, and
 * their limits do not.
 */
const check = (name, part, args) => ({
  name,
  lane: 'checks',
  parts: [part, 'check'],
  needs: [],
  seconds: longest,
  patient: true,
  command: () => [node, ...args()]
})

/** A command in a separate keychain, if the system's keychain supports this. */
function besideKeyring(command) {
  return process.platform === 'linux' && hasProgram('dbus-run-session')
    ? ['sh', inRoot('scripts', 'with-keyring.sh'), ...command]
    : command
}

/** A part of the longest stages, such as `1/2`, for a machine with a time limit; another run takes the other. */
const shard = process.env.VERIDESK_SHARD
const sharded = (command) => (shard ? [...command, `--shard=${shard}`] : command)
const shardNote = shard ? `part ${shard}` : ''

const vitest = (project, needs, wrap, seconds, { name = project, report = project, choice = [] } = {}) => ({
  name,
  report,
  parts: [project],
  needs,
  seconds,
  command: () =>
    wrap([
      ...[node, commandOf('vitest'), 'run', '--project', project, ...choice],
      ...['--reporter=default', '--reporter=json', `--outputFile=${reportFile(report)}`]
    ]),
  read: vitestReport
})

const playwright = (project, needs, wrap, seconds) => ({
  name: `app, ${project}`,
  report: project,
  parts: ['app', project],
  needs,
  seconds,
  build: true,
  environment: (running) => ({
    PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile(project),
    PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile(project),
    // What Electron shows as well is left to it, if its tests run, too.
    ...(running.some((stage) => stage.electron && stage.report === 'electron') && { VERIDESK_BESIDE_ELECTRON: '1' })
  }),
  command: () =>
    wrap([node, commandOf('@playwright/test', 'playwright'), 'test', `--project=${project}`, '--reporter=list,json']),
  read: playwrightReport
})

/**
 * A display for Electron. It must not reset when its last client disconnects: a client that connects at that moment is
 * rejected.
 */
const displayWrapper = ['xvfb-run', '-a', '-s', '-screen 0 1280x1024x24 -noreset']

/** The wrapper that a machine may require for whatever starts Electron. */
const ownWrapper = () => (process.env.VERIDESK_TEST_WRAPPER ? [process.env.VERIDESK_TEST_WRAPPER] : [])

/** A display if there is none, inside that wrapper. */
function besideDisplay(command) {
  const display = process.platform === 'linux' ? displayWrapper : []
  return [...ownWrapper(), ...display, ...besideKeyring(command)]
}

const serviceNeeds = ['keychain', 'testKeychain', 'certificates', 'schemas', 'database']

const serviceTests = 'tests/service'
/**
 * Service tests of deadlines and of a process's resources, which say so by `@deadlines` in their first comment: one file at
 * a time, so that they do not delay each other. The others run in parallel; a third at a time made none of them faster.
 */
const deadlineFiles = readdirSync(inRoot(serviceTests))
  .map((name) => `${serviceTests}/${name}`)
  .filter(
    (file) => file.endsWith('.test.ts') && readFileSync(inRoot(file), 'utf8').split('*/', 1)[0].includes('@deadlines')
  )

export const stages = [
  check('format', 'lint', () => [commandOf('oxfmt'), '--check', '.']),
  check('lint of markup', 'lint', () => [commandOf('eslint'), 'renderer', '--max-warnings', '0']),
  check('lint', 'lint', () => [commandOf('oxlint'), '.', '--deny-warnings']),
  check('types', 'types', () => [commandOf('vue-tsc'), '-b', inRoot('tsconfig', 'tests.json')]),
  check('import rules', 'rules', () => [
    commandOf('dependency-cruiser', 'depcruise'),
    ...present(),
    '--config',
    '.dependency-cruiser.cjs'
  ]),
  check('unused code', 'unused', () => [commandOf('knip')]),
  check('reference documents', 'docs', () => [inRoot('scripts', 'reference.ts'), '--check']),
  { ...vitest('unit', [], (command) => command, 900), lane: 'unit' },
  {
    ...vitest('service', serviceNeeds, besideKeyring, 900, {
      name: 'service, deadlines',
      report: 'service-deadlines',
      choice: deadlineFiles
    }),
    build: true,
    lane: 'deadlines'
  },
  {
    ...vitest('service', serviceNeeds, besideKeyring, longest, {
      choice: sharded(['--fileParallelism', '--maxWorkers=2', ...deadlineFiles.flatMap((file) => ['--exclude', file])])
    }),
    build: true,
    note: shardNote
  },
  {
    ...playwright(
      'preview',
      ['keychain', 'testKeychain', 'browser', 'testBrowser', 'ownNetwork'],
      (command) => besideKeyring(sharded(command)),
      longest
    ),
    note: shardNote
  },
  {
    ...playwright(
      'electron',
      ['keychain', 'testKeychain', 'electron', 'virtualDisplay', 'ownNetwork'],
      besideDisplay,
      longest
    ),
    electron: true
  },
  {
    // Packages the build into a folder and reads it back: fuses, contents, list of components, command line.
    name: 'packaged program',
    parts: ['app', 'packaged'],
    needs: ['electron'],
    seconds: 900,
    build: true,
    electron: true,
    command: () => [...ownWrapper(), node, inRoot('scripts', 'dist.mjs'), '--check']
  }
]

/** The result of a stage: its counts, and its failures by name. */
function resultOf(stage, code) {
  if (!stage.read) {
    return code === 0
      ? { passed: 1, failed: 0, skipped: 0, failures: [] }
      : { ...nothingPassed, failures: [{ name: stage.name, reason: '' }] }
  }
  const report = readReport(stage.report)
  const counts = counted(code, report && stage.read.counts(report))
  const failures = report ? stage.read.failures(report) : []
  if (counts.failed > 0 && failures.length === 0)
    failures.push({ name: stage.name, reason: `It ended with code ${code}, and no test failed.` })
  return { ...counts, failures }
}

/**
 * Runs a stage and returns its counts and failures; never throws. Its output is shown as it arrives, or completely at
 * the end. `running` has all stages of this run.
 */
export async function runStage(stage, show = true, running = [stage]) {
  mkdirSync(inRoot('.cache', 'test'), { recursive: true })
  if (stage.report) rmSync(reportFile(stage.report), { force: true })
  const [command, ...args] = stage.command()
  const { code, timedOut, missing, output } = await run(command, args, {
    seconds: stage.seconds,
    show,
    patient: stage.patient,
    env: {
      ...process.env,
      FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
      NODE_OPTIONS: '',
      // Tests start hundreds of processes that would each compile the same TypeScript again.
      NODE_COMPILE_CACHE: inRoot('.cache', 'compile'),
      VERIDESK_HISTORY_NODE: node,
      ...stage.environment?.(running)
    }
  })
  if (!show) process.stdout.write(output)
  if (missing) console.error(`${command} is not on this machine: ${output}`)
  if (timedOut) console.error(`\n${stage.name}: ended after ${stage.seconds} s, its limit.`)
  return resultOf(stage, timedOut ? 124 : code)
}
