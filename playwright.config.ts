/**
 * App tests: all in the preview host; in Electron, if a runtime is available, those that depend on Electron and a tour
 * of every view.
 */
import { defineConfig } from '@playwright/test'
import type { HostOptions } from './tests/app/fixtures/test.ts'
import { electronRuntime } from './tests/app/fixtures/runtime.ts'

// Tags of a test: both hosts have the same core and the same page, so running most tests once is enough. Those with
// `@electron-instead` show in the preview nothing that they do not show in Electron: `npm test` runs them in the preview
// only where there is no Electron. Those with `@electron` alone depend on the host, and run in both.
const inElectronOnly = /@electron-only/
const inElectron = /@electron/

const hasElectron = 'executablePath' in electronRuntime()

export default defineConfig<HostOptions>({
  testDir: 'tests/app',
  outputDir: 'test-results',
  globalSetup: './tests/app/fixtures/setup.ts',
  reporter: process.env['CI'] ? [['line']] : [['list']],
  // A console is three processes and a browser: running more of them than there are cores would only delay them.
  workers: 2,
  // Each test has its own console and does not wait for the others in its file, so both workers end at the same time.
  fullyParallel: true,
  retries: 0,
  timeout: 45_000,
  expect: { timeout: 8_000 },
  use: {
    // A missing element is reported long before the longest test would end.
    actionTimeout: 20_000,
    // A failure leaves a screenshot and the tree of its elements; `--trace on` records what led to it when that is needed.
    trace: 'off',
    screenshot: 'only-on-failure'
  },
  projects: [
    {
      name: 'preview',
      grepInvert: [inElectronOnly, ...(process.env['VERIDESK_BESIDE_ELECTRON'] ? [/@electron-instead/] : [])],
      use: { host: 'preview' }
    },
    ...(hasElectron ? [{ name: 'electron', grep: inElectron, use: { host: 'electron' as const } }] : [])
  ]
})
