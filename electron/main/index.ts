/** The Electron host, from its start to its window. What cannot wait for the app to be ready comes first. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { defaultStart, refusalOf, released } from './start.ts'
import { openConsole } from './console.ts'
import { watchFaults } from './faults.ts'
import { guardApp } from './guards.ts'
import { registerScheme } from './protocol.ts'

const start = defaultStart()
// Electron takes no folder that is not there yet; it is the user's own alone.
const browserFolder = join(start.dataFolder, 'browser')
mkdirSync(browserFolder, { recursive: true, mode: 0o700 })
app.setPath('userData', start.dataFolder)
// What Chromium itself writes stays apart from the console's own files.
app.setPath('sessionData', browserFolder)
const refusal = refusalOf(start)

if (refusal) {
  process.stderr.write(`${refusal.sentence}\n`)
  app.exit(refusal.code)
} else {
  // For every page, whatever its own preferences say. As root, which only tests are, Chromium has no sandbox to enable.
  if (app.isPackaged || process.getuid?.() !== 0) app.enableSandbox()
  registerScheme()
  guardApp()
  watchFaults(() => app.quit())
  // Not awaited: Electron becomes ready only after this file has been loaded to its end.
  void Promise.all([app.whenReady(), released(start)]).then(() => openConsole(start))
}
