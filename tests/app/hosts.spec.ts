/**
 * Each host as a whole: it starts, identifies itself, keeps its window position, exits properly, and runs only once.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { places } from '#contract/app/places.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { AppState } from '#contract/app/app-state.ts'
import type { ConsoleBridge } from '#contract/ipc/ipc.ts'
import { counted, times } from './fixtures/counts.ts'
import { endInTime, family, unlessGone } from './fixtures/ending.ts'
import { hostEnvironment, previewProgram, startHost } from './fixtures/hosts.ts'
import { electronRuntime, repository } from './fixtures/runtime.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownHost: true })

const stateOf = (page: Page): Promise<AppState> =>
  page.evaluate(async () => {
    const answer = await (window as unknown as { veridesk: ConsoleBridge }).veridesk['app.state']()
    if (!answer.ok) throw new Error(sentencesOf(answer.failure).what)
    return answer.value
  })

/** Starts a host on a data folder, as a person would. */
function startOn(host: 'preview' | 'electron', dataFolder: string, home: string): ChildProcess {
  const runtime = electronRuntime()
  const environment = { ...hostEnvironment({ dataFolder, home }), VERIDESK_DATA: dataFolder }
  if (host === 'preview')
    return spawn(process.execPath, [previewProgram, '--headless', '--data', dataFolder], { env: environment })
  if ('missing' in runtime) throw new Error(runtime.missing)
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return spawn(runtime.executablePath, [...runtime.args, '--disable-gpu', '--disable-dev-shm-usage', ...root], {
    env: { ...environment, ...runtime.environment }
  })
}

/** Everything that a process says, so far. */
function said(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  return () => text
}

/** Starts the same host a second time and returns its exit code and output. */
async function startAgain(
  ...on: Parameters<typeof startOn>
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = startOn(...on)
  const text = said(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, text: text() }
}

/** The inodes of the sockets that a process has open. A descriptor may be closed, and the process may end, while they are read. */
function socketsOf(pid: number): string[] {
  const descriptors = unlessGone(() => readdirSync(`/proc/${pid}/fd`), [])
  return descriptors.flatMap(
    (fd) => /^socket:\[(\d+)\]$/.exec(unlessGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''))?.[1] ?? []
  )
}

/** The TCP ports on which a process or one of its descendants listens (Linux). */
function listeningPorts(root: number): number[] {
  const sockets = new Set(family(root).flatMap(socketsOf))
  const listening = '0A'
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === listening && sockets.has(columns[9] ?? ''))
      .map((columns) => parseInt(columns[1]?.split(':')[1] ?? '', 16))
  )
}

test('opens, shows its window and identifies itself', { tag: '@electron' }, async ({ consolePage, host }) => {
  await expect(consolePage).toHaveTitle(/Veridesk/)
  await expect(consolePage.locator('body')).not.toBeEmpty()
  const state = await stateOf(consolePage)
  expect(state.host).toBe(host)
  expect(state.version).toBe(
    (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }).version
  )
})

test('keeps settings after a restart', { tag: '@electron' }, async ({ consolePage, restart }) => {
  await consolePage.evaluate(() =>
    (window as unknown as { veridesk: ConsoleBridge }).veridesk['settings.change']({ theme: 'dark', totalTimeout: 41 })
  )
  const again = await restart()
  const { settings } = await stateOf(again)
  expect(settings).toMatchObject({ theme: 'dark', totalTimeout: 41 })
})

test(
  'a second start ends with a clear sentence and leaves the first one alone',
  { tag: '@electron' },
  async ({ consolePage, host, dataFolder, home }) => {
    const { code, text } = await startAgain(host, dataFolder, home)
    expect(text).toContain('Veridesk is already running')
    expect(code).toBe(host === 'electron' ? 0 : 4)
    expect((await stateOf(consolePage)).host).toBe(host)
  }
)

test(
  'of many starts at once exactly one stays, and the others leave with a sentence',
  { tag: '@electron' },
  async ({ host, folder }) => {
    test.setTimeout(180_000 * times)
    const count = times === 1 ? 3 : 20
    for (let round = 0; round < times; round += 1) {
      const [data, home] = [join(folder, `data-${round}`), join(folder, `home-${round}`)]
      for (const each of [data, home]) await mkdir(each, { mode: 0o700 })
      const children = Array.from({ length: count }, () => startOn(host, data, home))
      const texts = children.map(said)
      const alive = (): ChildProcess[] =>
        children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      try {
        await expect.poll(() => alive().length, { timeout: 120_000 }).toBeLessThanOrEqual(1)
        // A winner that leaves as well would be none: it opens the data.
        await expect.poll(() => existsSync(join(data, 'history')), { timeout: 60_000 }).toBe(true)
        const writers = alive()
        expect(writers).toHaveLength(1)
        for (const [at, child] of children.entries()) {
          if (writers.includes(child)) continue
          expect(texts[at]?.()).toContain('Veridesk is already running')
          expect(host === 'electron' ? [0, 4] : [4]).toContain(child.exitCode)
        }
        for (const child of writers) child.kill('SIGTERM')
        await expect.poll(() => alive().length, { timeout: 60_000 }).toBe(0)
      } finally {
        for (const child of alive()) child.kill('SIGKILL')
      }
    }
    counted({ 'rounds': times, 'starts': count * times, 'rounds with one console': times })
  }
)

test(
  'the other host does not open the same data',
  { tag: '@electron' },
  async ({ consolePage, host, dataFolder, home }) => {
    const other = host === 'electron' ? 'preview' : 'electron'
    test.skip(other === 'electron' && 'missing' in electronRuntime(), 'needs both hosts')
    const { code, text } = await startAgain(other, dataFolder, home)
    expect(text).toContain('Veridesk is already running')
    expect(code).toBe(4)
    expect((await stateOf(consolePage)).host).toBe(host)
  }
)

test('twenty starts at once make one console', async ({ dataFolder, home }) => {
  test.setTimeout(90_000)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const starts = Array.from({ length: 20 }, () => {
    const child = spawn(process.execPath, [previewProgram, '--headless', '--data', dataFolder], {
      env: hostEnvironment({ dataFolder, home }),
      stdio: 'ignore'
    })
    return child
  })
  const left = new Set(starts)
  for (const child of starts) child.once('exit', () => left.delete(child))
  await expect.poll(() => left.size, { timeout: 60_000 }).toBe(1)
  const [winner] = [...left]
  expect(starts.filter((child) => child !== winner).map((child) => child.exitCode)).toEqual(Array(19).fill(4))
  winner?.kill('SIGINT')
  await expect.poll(() => left.size, { timeout: 15_000 }).toBe(0)
  expect(winner?.exitCode).toBe(0)
})

test.describe('the preview host', () => {
  test('listens on no port at all', async ({ dataFolder, home }) => {
    test.skip(process.platform !== 'linux', 'reads /proc')
    const child = spawn(process.execPath, [previewProgram, '--headless', '--data', dataFolder], {
      env: hostEnvironment({ dataFolder, home })
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    await expect.poll(() => text, { timeout: 20_000 }).toContain('Veridesk is open')
    expect(listeningPorts(child.pid ?? 0)).toEqual([])
    child.kill('SIGINT')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(0)
  })

  test('has the port for tests only if requested', async ({ session }) => {
    test.skip(process.platform !== 'linux', 'reads /proc')
    expect(listeningPorts(session().process.pid ?? 0)).toHaveLength(1)
  })

  test('leaves neither its browser nor its profile behind', async ({ dataFolder, home, folder }) => {
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    const session = await startHost('preview', { dataFolder, home, environment: { TMPDIR: temporary } })
    expect(readdirSync(temporary).filter((name) => name.startsWith('veridesk-window-'))).toHaveLength(1)
    await session.close()
    expect(readdirSync(temporary).filter((name) => name.startsWith('veridesk-window-'))).toEqual([])
    expect(tmpdir()).not.toBe(temporary)
  })

  test('says what to do when there is no browser', async ({ dataFolder, home }) => {
    const child = spawn(process.execPath, [previewProgram, '--data', dataFolder], {
      env: { ...hostEnvironment({ dataFolder, home }), VERIDESK_BROWSER: '/nowhere/chromium' }
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(3)
    expect(text).toContain('VERIDESK_BROWSER')
    expect(existsSync(dataFolder)).toBe(false)
  })

  test('answers keys as the native menu does', async ({ consolePage }) => {
    await consolePage.evaluate(() => {
      const page = window as unknown as { veridesk: ConsoleBridge; heard: unknown[] }
      page.heard = []
      page.veridesk.onEvent((event) => page.heard.push(event))
    })
    await consolePage.keyboard.press('Control+k')
    await expect
      .poll(() => consolePage.evaluate(() => (window as unknown as { heard: unknown[] }).heard))
      .toContainEqual({ kind: 'menu', command: 'command-palette' })
  })
})

test.describe('the Electron host', { tag: '@electron-only' }, () => {
  test('opens in its last position', async ({ session, restart, electronApp }) => {
    await session().resize(1000, 700)
    const left = await electronApp?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())
    await restart()
    const found = await session().electron?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getNormalBounds()
    )
    expect(found).toEqual(left)
  })

  for (const [name, content] of [
    ['damaged', '{"x":1,'],
    ['impossible', '{"x":90000,"y":90000,"width":50,"height":99999,"maximized":false}'],
    ['hostile', '{"__proto__":{"x":1},"x":"1"}']
  ] as const) {
    test(`opens in sight although the kept place is ${name}`, async ({ dataFolder, home }) => {
      await mkdir(dataFolder, { recursive: true, mode: 0o700 })
      writeFileSync(join(dataFolder, 'window.json'), content)
      const session = await startHost('electron', { dataFolder, home })
      const [bounds, area] = (await session.electron?.evaluate(({ BrowserWindow, screen }) => [
        BrowserWindow.getAllWindows()[0]?.getBounds(),
        screen.getPrimaryDisplay().workArea
      ])) as [
        { x: number; y: number; width: number; height: number },
        { x: number; y: number; width: number; height: number }
      ]
      await session.close()
      expect(bounds.width).toBeGreaterThanOrEqual(900)
      expect(bounds.height).toBeGreaterThanOrEqual(600)
      expect(bounds.x).toBeLessThan(area.x + area.width)
      expect(bounds.y).toBeLessThan(area.y + area.height)
    })
  }

  test('loads its window again, once, after a crash, and says so', async ({ consolePage, electronApp }) => {
    await expect(consolePage.locator('#app')).not.toBeEmpty()
    const codes = await electronApp?.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (!contents) return []
      const gone = new Promise((done) => contents.once('render-process-gone', done))
      contents.forcefullyCrashRenderer()
      await gone
      await new Promise((done) => contents.once('did-finish-load', () => done(undefined)))
      const state = "window.veridesk['app.state']().then((answer) => answer.value.notices.map((notice) => notice.code))"
      return (await contents.executeJavaScript(state)) as string[]
    })
    expect(codes).toContain('window-crashed')
  })

  test('exits when its window is closed, even if the page hangs', async ({ dataFolder, home }) => {
    const { electron, page, process: child } = await startHost('electron', { dataFolder, home })
    const ended = once(child, 'exit')
    const hanging = page.evaluate(() => {
      // Like a page with unfinished work: only such a page is asked before closing, and waited for.
      addEventListener('beforeunload', () => undefined)
      setTimeout(() => {
        for (;;);
      })
    })
    await hanging
    await electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    await endInTime(ended, child)
    expect(child.exitCode).toBe(0)
  })

  test('has every command of the window in its native menu', async ({ electronApp, consolePage }) => {
    await consolePage.evaluate(() => {
      const page = window as unknown as { veridesk: ConsoleBridge; heard: unknown[] }
      page.heard = []
      page.veridesk.onEvent((event) => page.heard.push(event))
    })
    const found = await electronApp?.evaluate(async ({ Menu }) => {
      const { commands } = {
        commands: ['new-verification', 'history', 'connections', 'settings', 'command-palette', 'help']
      }
      const withKeys = commands.filter((command) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById(command)
        item?.click()
        return item?.accelerator !== undefined
      })
      const go = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Go')?.submenu?.items ?? []
      return { withKeys, go: go.map(({ id }) => id).filter(Boolean) }
    })
    expect(found?.withKeys).toHaveLength(6)
    expect(found?.go.slice(0, places.length)).toEqual([...places])
    await expect
      .poll(() => consolePage.evaluate(() => (window as unknown as { heard: unknown[] }).heard))
      .toContainEqual({ kind: 'menu', command: 'help' })
  })
})
