/** The Electron host, from its start to its window. What cannot wait for the app to be ready comes first. */
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
// Awaited while this file loads, which Electron waits for: it takes no folder that is not there yet.
const prepared = await prepareDataFolder(start.dataFolder)
if (prepared.ok) begin(prepared.value, await browserFolderIn(prepared.value.path))
else void app.whenReady().then(() => leave(prepared.failure))

/** Where Chromium keeps its own; the data folder itself where it cannot be made, as on a full disk. */
async function browserFolderIn(folder: string): Promise<string> {
  const path = join(folder, 'browser')
  return makeFolder(path).then(() => path, () => folder)
}

function begin(folder: PreparedFolder, browserFolder: string): void {
  app.setPath('userData', start.dataFolder)
  // What Chromium itself writes stays apart from the console's own files.
  app.setPath('sessionData', browserFolder)
  const refusal = refusalOf(start)
  if (refusal) {
    process.stderr.write(`${refusal.sentence}\n`)
    app.exit(refusal.code)
    return
  }
  // For every page, whatever its own preferences say. As root, which only tests are, Chromium has no sandbox to enable.
  if (app.isPackaged || process.getuid?.() !== 0) app.enableSandbox()
  registerScheme()
  guardApp()
  watchFaults(() => app.quit())
  // Not awaited: Electron becomes ready only after this file has been loaded to its end.
  void Promise.all([app.whenReady(), released(start)]).then(() => openConsole(start, folder))
}
