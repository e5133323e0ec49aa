/** An Electron window with an empty page, as the baseline for starting in Electron. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type Page } from '@playwright/test'
import { hostEnvironment, release } from '../../../tests/app/fixtures/hosts.ts'
import { electronRuntime, repository } from '../../../tests/app/fixtures/runtime.ts'

const program = `
const { app, BrowserWindow } = require('electron')
app.setPath('userData', process.env.BARE_DATA)
// Held as the console is, until the measuring side has attached.
const released = new Promise((resolve) => (globalThis.__playwright_run = resolve))
Promise.all([app.whenReady(), released]).then(() => new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true } }).loadURL('data:text/html,<title>bare</title>'))
`

/**
 * Milliseconds from the start of the process until the empty page has loaded.
 *
 * @param home A folder for Electron's data.
 * @param loaded Unix milliseconds at which the page had loaded.
 */
export async function bareElectronStart(home: string, loaded: (page: Page) => Promise<number>): Promise<number> {
  const application = join(repository, '.cache', 'bare')
  mkdirSync(application, { recursive: true })
  writeFileSync(join(application, 'package.json'), '{ "main": "main.cjs" }')
  writeFileSync(join(application, 'main.cjs'), program)
  const runtime = electronRuntime(application)
  if ('missing' in runtime) throw new Error(runtime.missing)
  mkdirSync(home, { recursive: true })
  const from = Date.now()
  const electron = await _electron.launch({
    executablePath: runtime.executablePath,
    args: [
      ...runtime.args,
      '--disable-gpu',
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])
    ],
    env: { ...hostEnvironment({ dataFolder: home, home }), BARE_DATA: home },
    timeout: 10_000
  })
  await release(electron)
  const page = await electron.firstWindow()
  await page.waitForLoadState('load')
  const taken = (await loaded(page)) - from
  const child = electron.process()
  await electron.close()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return taken
}
