/** A failed test is listed at the end of a run's output with its name and reason, for every test runner. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

interface Report {
  readonly counts: (report: unknown) => { readonly passed: number; readonly failed: number; readonly skipped: number }
  readonly failures: (report: unknown) => readonly { readonly name: string; readonly reason: string }[]
}
interface Reports {
  readonly vitestReport: Report
  readonly playwrightReport: Report
  readonly failureLines: (failure: { name: string; reason: string }) => readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const load = async (): Promise<Reports> =>
  (await import(/* @vite-ignore */ new URL('../../scripts/setup/reports.mjs', import.meta.url).href)) as Reports

let folder = ''
beforeEach(async () => {
  // Inside the project, so that the runners can be found.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache', 'reports-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

/** The report of a runner about the tests in the folder; it must exit with a failure. */
async function reportOf(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const code = await new Promise<number>((resolve) => {
    const { VITEST: _, VITEST_WORKER_ID: __, ...outer } = process.env
    const child = execFile(
      process.execPath,
      [...args],
      { cwd: folder, env: { ...outer, ...environment } },
      () => undefined
    )
    child.on('close', (ended) => resolve(ended ?? -1))
  })
  expect(code, 'the runner saw the failures').toBe(1)
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
}

test('Vitest: a failed test, and a file that cannot be loaded', async () => {
  const { failureLines, vitestReport } = await load()
  await write('vitest.config.mjs', "export default { test: { include: ['*.test.mjs'] } }")
  const head = "import { expect, test, describe } from 'vitest'\n"
  await write(
    'a.test.mjs',
    `${head}describe('sums', () => { test('right', () => {}); test('wrong', () => expect(1 + 1).toBe(3)); test.skip('later', () => {}) })`
  )
  await write('b.test.mjs', "import './nowhere.mjs'")
  const command = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    folder,
    '--reporter=json',
    '--outputFile=report.json'
  ]
  const report = await reportOf(command)
  expect(vitestReport.counts(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  const lines = vitestReport.failures(report).map(failureLines)
  expect(lines.map(([name]) => name)).toEqual([
    expect.stringMatching(/^✘ \.cache\/reports-\w+\/a\.test\.mjs › sums wrong$/),
    expect.stringMatching(/^✘ \.cache\/reports-\w+\/b\.test\.mjs$/)
  ])
  expect(lines[0]?.join('\n')).toContain('expected 2 to be 3')
  expect(lines[1]?.join('\n')).toContain('nowhere.mjs')
})

test('Playwright: a failed test with the figures that it printed, and a file that cannot be loaded', async () => {
  const { failureLines, playwrightReport } = await load()
  await write(
    'playwright.config.mjs',
    "export default { testDir: '.', reporter: [['json', { outputFile: 'report.json' }]] }"
  )
  const head = "import { expect, test } from '@playwright/test'\n"
  await write(
    'a.spec.mjs',
    `${head}test.describe('times', () => { test('short', () => {}); test('long', () => { console.log('median 12 ms'); expect(12).toBeLessThan(3) }); test.skip('later', () => {}) })`
  )
  const command = [join(root, 'node_modules/@playwright/test/cli.js'), 'test']
  const report = await reportOf(command)
  expect(playwrightReport.counts(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  const [failure, ...more] = playwrightReport.failures(report).map(failureLines)
  expect(more).toEqual([])
  expect(failure?.slice(0, 2)).toEqual(['✘ tests/app/a.spec.mjs › times › long', '    median 12 ms'])
  expect(failure?.join('\n')).toMatch(/Expected: <\s+3/)
  expect(failure?.every((line) => !line.includes('\u001b'))).toBe(true)

  await write('b.spec.mjs', "import './nowhere.mjs'")
  const broken = playwrightReport.failures(await reportOf(command)).map(failureLines)
  expect(broken[0]?.[0]).toBe('✘ outside of any test')
  expect(broken[0]?.join('\n')).toContain('nowhere.mjs')
})
