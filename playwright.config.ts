/** App tests: all in the preview host; in Electron, where a runtime is there, what Electron decides and a walk through every view. */
import { defineConfig } from '@playwright/test'
import type { HostOptions } from './tests/app/fixtures/test.ts'
import { electronRuntime } from './tests/app/fixtures/runtime.ts'

// Tags of a test: the same core and the same page are in both hosts, so that once is enough for most.
const inElectron = /@electron/
const inElectronOnly = /@electron-only/

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
    // What is not there is told long before the longest test would end.
    actionTimeout: 20_000,
    // What was done and asked, a picture of the end and the tree of its elements. Pictures and copies of the page at
    // every step take a third of a run's time; `--trace on` takes them where a failure needs them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure'
  },
  projects: [
    { name: 'preview', grepInvert: inElectronOnly, use: { host: 'preview' } },
    ...(hasElectron ? [{ name: 'electron', grep: inElectron, use: { host: 'electron' as const } }] : [])
  ]
})
