/**
 * Electron's own security checklist, item by item, on the running console.
 * https://www.electronjs.org/docs/latest/tutorial/security
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { channelNames } from '#contract/channel-names.ts'
import { requestChannel } from '#contract/transport.ts'
import { repository } from './fixtures/runtime.ts'
import { expect, test } from './fixtures/test.ts'


const sourcesOf = (folder: string): string =>
  readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|vue)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

/** Sends a request through the real handler as if it came from another sender. */
const refusedSender = (electronApp: ElectronApplication, kind: 'frame' | 'origin' | 'contents' | 'gone'): Promise<unknown> =>
  electronApp.evaluate(
    async ({ ipcMain, BrowserWindow }, { channel, kind }) => {
      const handlers = (ipcMain as unknown as { _invokeHandlers: Map<string, (...args: unknown[]) => Promise<unknown>> })._invokeHandlers
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      const frame = contents?.mainFrame
      const events = {
        frame: { sender: contents, senderFrame: { origin: 'app://console' } },
        origin: { sender: { mainFrame: frame }, senderFrame: { origin: 'https://example.com' } },
        contents: { sender: {}, senderFrame: frame },
        gone: { sender: contents, senderFrame: null }
      }
      return handlers.get(channel)?.(events[kind], 'app.state', undefined)
    },
    { channel: requestChannel, kind }
  )

test('all 20 items of the checklist hold', { tag: '@electron-only' }, async ({ consolePage, electronApp }) => {
  if (!electronApp) throw new Error('no Electron')
  const preferences = (await electronApp.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    return JSON.parse(JSON.stringify(contents.getLastWebPreferences())) as Record<string, unknown>
  })) as Record<string, unknown>
  const main = sourcesOf('electron/main')
  const policy = (await consolePage.reload())?.headers()['content-security-policy'] ?? ''

  await test.step('1 only secure content is loaded', async () => {
    expect(consolePage.url()).toMatch(/^app:\/\/console\//)
    expect(main).not.toMatch(/loadURL\(['"`]http|loadFile/)
  })
  await test.step('2 no Node for the page', async () => {
    expect(preferences['nodeIntegration']).toBe(false)
    expect(preferences['nodeIntegrationInWorker'] ?? false).toBe(false)
    expect(preferences['nodeIntegrationInSubFrames'] ?? false).toBe(false)
    expect(await consolePage.evaluate(() => ['require', 'process', 'module'].filter((name) => name in window))).toEqual([])
  })
  await test.step('3 context isolation', () => void expect(preferences['contextIsolation']).toBe(true))
  await test.step('4 process sandbox', async () => {
    expect(preferences['sandbox']).toBe(true)
    expect(main).toContain('app.enableSandbox()')
  })
  await test.step('5 permission requests are handled: all denied', async () => {
    expect(await consolePage.evaluate(() => Notification.requestPermission())).toBe('denied')
    expect(await consolePage.evaluate(async () => (await navigator.permissions.query({ name: 'geolocation' })).state)).toBe('denied')
  })
  await test.step('6 webSecurity stays on', () => void expect(preferences['webSecurity']).toBe(true))
  await test.step('7 a content security policy', () => void expect(policy).toContain("default-src 'none'"))
  await test.step('8 no insecure content', () => void expect(preferences['allowRunningInsecureContent']).toBe(false))
  await test.step('9 no experimental features', () => void expect(preferences['experimentalFeatures']).toBe(false))
  await test.step('10 no Blink features', () => void expect(preferences['enableBlinkFeatures'] ?? '').toBe(''))
  await test.step('11 and 12 no webview, whatever it asks for', async () => {
    expect(preferences['webviewTag']).toBe(false)
    await consolePage.evaluate(() => document.body.insertAdjacentElement('beforeend', document.createElement('webview'))?.setAttribute('src', 'app://console/'))
    expect(await electronApp.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
  })
  await test.step('13 and 14 neither navigation nor windows (200 addresses: security.spec.ts)', async () => {
    await consolePage.evaluate(() => void window.open('app://console/', 'x'))
    expect(await electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })
  await test.step('15 nothing is handed to other programs', () => void expect(main).not.toMatch(/openExternal|openPath|\bshell\b/))
  await test.step('16 a current Electron', () => {
    const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
    expect(Number(manifest.devDependencies['electron']?.split('.')[0])).toBeGreaterThanOrEqual(45)
  })
  await test.step('17 every sender is checked', async () => {
    for (const kind of ['frame', 'origin', 'contents', 'gone'] as const)
      expect(await refusedSender(electronApp, kind), kind).toMatchObject({ ok: false, failure: { code: 'request-refused' } })
    const channels = await electronApp.evaluate(({ ipcMain }) => [
      ...(ipcMain as unknown as { _invokeHandlers: Map<string, unknown> })._invokeHandlers.keys()
    ])
    expect(channels).toEqual([requestChannel])
  })
  await test.step('18 no file: address', async () => {
    const reached = await electronApp.evaluate(async ({ BrowserWindow }) => {
      const session = BrowserWindow.getAllWindows()[0]?.webContents.session
      return session?.fetch('file:///etc/passwd').then((reply) => reply.status, () => 'refused')
    })
    expect([404, 'refused']).toContain(reached)
  })
  await test.step('19 fuses (read back from the packaged app by the installers’ check)', () => {
    const builder = readFileSync(join(repository, 'electron-builder.yml'), 'utf8')
    for (const fuse of ['runAsNode: false', 'enableCookieEncryption: true', 'enableNodeOptionsEnvironmentVariable: false', 'enableNodeCliInspectArguments: false', 'enableEmbeddedAsarIntegrityValidation: true', 'onlyLoadAppFromAsar: true'])
      expect(builder).toContain(fuse)
  })
  await test.step('20 no Electron API reaches the page', async () => {
    expect(await consolePage.evaluate(() => Object.keys((window as unknown as { veridesk: object }).veridesk).sort())).toEqual([...channelNames, 'onEvent'].sort())
  })
})

test('the scheme serves the built window and nothing else', { tag: '@electron-only' }, async ({ electronApp, consolePage }) => {
  expect(consolePage.url()).toMatch(/^app:/)
  const paths = [
    '../main/index.js', '..%2fmain%2findex.js', '%2e%2e/main/index.js', '....//main/index.js', '..\\main\\index.js', '..%5cmain%5cindex.js',
    '/etc/passwd', '//etc/passwd', 'assets/../../main/index.js', 'assets/..%2f..%2fmain/index.js', '%00index.html', 'index.html%00.js', '.built',
    '.hidden.js', 'index.html/', 'C:/Windows/win.ini', 'file:///etc/passwd', '%252e%252e/main/index.js', '\u2025/main/index.js', 'index.cjs'
  ]
  const statuses = await electronApp?.evaluate(async ({ BrowserWindow }, all) => {
    const session = BrowserWindow.getAllWindows()[0]?.webContents.session
    const ask = async (url: string, method = 'GET'): Promise<number | string> =>
      (await session?.fetch(url, { method }).then((reply) => reply.status, () => 'refused')) ?? 'no session'
    return {
      inside: await ask('app://console/index.html'),
      outside: await Promise.all(all.map((path) => ask(`app://console/${path}`))),
      others: await Promise.all(['app://other/index.html', 'app://console.evil/index.html', 'app://user@console/x.js'].map((url) => ask(url))),
      posted: await ask('app://console/index.html', 'POST')
    }
  }, paths)
  expect(statuses?.inside).toBe(200)
  expect(statuses?.posted).toBe(405)
  for (const status of [...(statuses?.outside ?? []), ...(statuses?.others ?? [])]) expect([404, 'refused']).toContain(status)
})
