/** The Electron host, from its start to its window. What must happen before the app is ready comes first. */
import { join } from 'node:path'
import { app } from 'electron'
import { makeFolder } from '#core/files/regular.ts'
import { prepareDataFolder, type PreparedFolder } from '../node/prepare-folder.ts'
import { defaultStart, refusalOf, released } from './start.ts'
import { leave, openConsole } from './console.ts'
import { watchFaults } from './faults.ts'
import { guardApp } from './guards.ts'
import { registerScheme } from './protocol.ts'

const start = defaultStart()
// Awaited while this file loads, which Electron waits for: it does not accept a folder that does not exist yet.
const prepared = await prepareDataFolder(start.dataFolder)
if (prepared.ok) begin(prepared.value, await browserFolderIn(prepared.value.path))
else void app.whenReady().then(() => leave(prepared.failure))

/** Chromium's own folder; the data folder itself if it cannot be created, as on a full disk. */
async function browserFolderIn(folder: string): Promise<string> {
  const path = join(folder, 'browser')
  return makeFolder(path).then(() => path, () => folder)
}

function begin(folder: PreparedFolder, browserFolder: string): void {
  app.setPath('userData', start.dataFolder)
  // Separates Chromium's files from the console's own.
  app.setPath('sessionData', browserFolder)
  const refusal = refusalOf(start)
  if (refusal) {
    process.stderr.write(`${refusal.sentence}\n`)
    app.exit(refusal.code)
    return
  }
  // For every page, whatever its own preferences. As root, which occurs only in tests, Chromium has no sandbox to
  // enable.
  if (app.isPackaged || process.getuid?.() !== 0) app.enableSandbox()
  registerScheme()
  guardApp()
  watchFaults(() => app.quit())
  // Not awaited: Electron becomes ready only after this file has been loaded completely.
  void Promise.all([app.whenReady(), released(start)]).then(() => openConsole(start, folder))
}
