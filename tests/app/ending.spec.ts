/** The Electron host exits when requested, even if there is nothing to wait for. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { endInTime } from './fixtures/ending.ts'
import { electronRuntime, repository } from './fixtures/runtime.ts'
import { expect, test } from './fixtures/test.ts'

/** An app that closes instantly and is quit with its window open, as by a menu. */
const program = `
import { app, BrowserWindow } from 'electron'
import { endInOrder } from './ending.mjs'
app.setPath('userData', process.env.PLACE)
endInOrder(async () => undefined)
// Not awaited: Electron becomes ready only after this file has finished loading.
void app.whenReady()
  .then(() => new BrowserWindow({ show: false }).loadURL('data:text/html,page'))
  .then(() => app.quit())
`

test(
  'a quit is not lost if everything is closed while Electron handles it',
  { tag: '@electron-only' },
  async ({ folder }) => {
    const ending = stripTypeScriptTypes(
      readFileSync(join(repository, 'electron', 'hosts', 'main', 'ending.ts'), 'utf8')
    )
    await writeFile(join(folder, 'ending.mjs'), ending)
    await writeFile(join(folder, 'main.mjs'), program)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'ending', main: 'main.mjs' }))
    const runtime = electronRuntime(folder)
    if ('missing' in runtime) throw new Error(runtime.missing)
    const asRoot = process.getuid?.() === 0
    const args = [...runtime.args, '--disable-gpu', '--disable-dev-shm-usage', ...(asRoot ? ['--no-sandbox'] : [])]
    const child = spawn(runtime.executablePath, args, {
      env: { ...process.env, ...runtime.environment, PLACE: folder },
      stdio: 'ignore'
    })
    try {
      await endInTime(once(child, 'exit'), child)
    } finally {
      // A copy of the runtime with this app in it, created for this test.
      if (runtime.args.length === 0) await rm(dirname(runtime.executablePath), { recursive: true, force: true })
    }
    expect(child.exitCode).toBe(0)
  }
)
