/** App tests: the same specs in the preview host and, where a runtime is there, in Electron, but for what only the page decides. */
import { defineConfig } from '@playwright/test'
import type { HostOptions } from './tests/app/fixtures/test.ts'
import { electronRuntime } from './tests/app/fixtures/runtime.ts'

// What only the page decides: it is the same page in both hosts, and once is enough.
const pageAlone = ['accessibility', 'small-window', 'still'].map((name) => `**/${name}.spec.ts`)

const hasElectron = 'executablePath' in electronRuntime()

export default defineConfig<HostOptions>({
  testDir: 'tests/app',
  outputDir: 'test-results',
  globalSetup: './tests/app/fixtures/setup.ts',
  reporter: process.env['CI'] ? [['line']] : [['list']],
  // A console is three processes and a browser: more at once than cores would only make them late.
  workers: 2,
  // Each test has a console of its own, and none waits for the others of its file: both workers end together.
  fullyParallel: true,
  retries: 0,
  timeout: 45_000,
  expect: { timeout: 8_000 },
  use: {
    // What was done and asked, a picture of the end and the tree of its elements. Pictures and copies of the page at
    // every step take a third of a run's time; `--trace on` takes them where a failure needs them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure'
  },
  projects: [
    { name: 'preview', use: { host: 'preview' } },
    ...(hasElectron ? [{ name: 'electron', testIgnore: pageAlone, use: { host: 'electron' as const } }] : [])
  ]
})
