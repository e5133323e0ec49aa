/** What only Electron has: its own security checklist (fixtures/checklist.ts), and the scheme of the window. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { channelNames } from '#contract/ipc/channel-names.ts'
import { checklist } from './fixtures/checklist.ts'
import { counted, times } from './fixtures/counts.ts'
import { hostilePaths } from './fixtures/hostile.ts'
import { repository } from './fixtures/runtime.ts'
import { expect, test } from './fixtures/test.ts'
import { startTrap } from './fixtures/trap.ts'
import { ask, usePractice } from './fixtures/workspace.ts'

test('all 20 items of the checklist hold', { tag: '@electron-only' }, async ({ session }) => {
  test.setTimeout(90_000)
  const trap = await startTrap()
  const found = await checklist(session(), trap)
  trap.end()
  const held = found.filter(({ faults }) => faults.length === 0)
  counted({ times: found.length, held: held.length })
  expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  expect(found.filter(({ faults }) => faults.length > 0)).toEqual([])
})

test(
  'the scheme serves the built window and nothing else',
  { tag: '@electron-only' },
  async ({ electronApp, consolePage }) => {
    expect(consolePage.url()).toMatch(/^app:/)
    const statuses = await electronApp?.evaluate(
      async ({ BrowserWindow }, all) => {
        const session = BrowserWindow.getAllWindows()[0]?.webContents.session
        const ask = async (url: string, method = 'GET'): Promise<number | string> =>
          (await session?.fetch(url, { method }).then(
            (reply) => reply.status,
            () => 'refused'
          )) ?? 'no session'
        return {
          inside: await ask('app://console/index.html'),
          outside: await Promise.all(all.map((path) => ask(`app://console/${path}`))),
          others: await Promise.all(
            ['app://other/index.html', 'app://console.evil/index.html', 'app://user@console/x.js'].map((url) =>
              ask(url)
            )
          ),
          posted: await ask('app://console/index.html', 'POST')
        }
      },
      [...hostilePaths]
    )
    expect(statuses?.inside).toBe(200)
    expect(statuses?.posted).toBe(405)
    for (const status of [...(statuses?.outside ?? []), ...(statuses?.others ?? [])])
      expect([404, 'refused']).toContain(status)
  }
)

test(
  'no session of the program reaches a network, or requests dictionaries',
  { tag: '@electron-only' },
  async ({ electronApp, consolePage, home }) => {
    await electronApp?.evaluate(
      ({ app, dialog }, path) => {
        const made: Electron.Session[] = []
        app.on('session-created', (session) => made.push(session))
        Object.assign(globalThis, { made })
        dialog.showSaveDialog = (() =>
          Promise.resolve({ canceled: false, filePath: path })) as typeof dialog.showSaveDialog
      },
      join(home, 'pack.veridesk-evidence')
    )
    const { id: connectionId } = await usePractice(consolePage)
    const ending = await ask(consolePage, 'verification.run', {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'PRACTICE-pass' }
    })
    if (ending.kind !== 'recorded') throw new Error(ending.kind)
    expect(
      await ask(consolePage, 'evidence.create', {
        about: { kind: 'record', id: ending.record.id },
        profile: 'full',
        pdf: true
      })
    ).toMatchObject({ pdfPath: join(home, 'pack.pdf') })
    const found = await electronApp?.evaluate(async ({ BrowserWindow, session }) => {
      const { made } = globalThis as unknown as { readonly made: Electron.Session[] }
      const spelling = (each: Electron.Session | undefined): unknown => [
        each?.isSpellCheckerEnabled(),
        each?.getSpellCheckerLanguages()
      ]
      const all = [BrowserWindow.getAllWindows()[0]?.webContents.session, ...made]
      return {
        printed: made.length,
        spelling: [...all, session.defaultSession].map(spelling),
        routes: await Promise.all(all.flatMap((each) => (each ? [each.resolveProxy('https://example.com/')] : [])))
      }
    })
    expect(found?.printed).toBe(1)
    expect(found?.spelling).toEqual(Array.from({ length: 3 }, () => [false, []]))
    expect(found?.routes).toEqual(Array.from({ length: 2 }, () => 'PROXY 127.0.0.1:9'))
  }
)

/** Calls every channel, from a page with the console's own preload; returns how often each answer came. */
const callAll = (names: readonly string[], rounds: number): string => `(async () => {
  const bridge = window.veridesk
  if (!bridge) return { 'no bridge': 1 }
  const counts = {}
  for (let round = 0; round < ${rounds}; round += 1)
    for (const name of ${JSON.stringify(names)}) {
      const answer = await bridge[name](round % 2 ? { id: 'x' } : undefined).catch(() => ({ failure: { code: 'no answer' } }))
      const code = answer.ok ? 'accepted' : answer.failure.code
      counts[code] = (counts[code] ?? 0) + 1
    }
  return counts
})()`

test(
  'no channel answers another window, a page of another origin or a frame, although they have the bridge',
  { tag: '@electron-only' },
  async ({ electronApp, consolePage }) => {
    test.setTimeout(60_000 + 1000 * times)
    await expect(consolePage).toHaveTitle(/Veridesk/)
    const rounds = 2 * times
    const found = await electronApp?.evaluate(
      async ({ BrowserWindow }, { call, preload }) => {
        const home = BrowserWindow.getAllWindows()[0]?.webContents.session
        const open = (nodeIntegrationInSubFrames: boolean) =>
          new BrowserWindow({
            show: false,
            webPreferences: {
              session: home,
              preload,
              sandbox: true,
              contextIsolation: true,
              nodeIntegration: false,
              nodeIntegrationInSubFrames
            }
          })
        const ask = async (frame: Electron.WebFrameMain | undefined): Promise<unknown> => frame?.executeJavaScript(call)
        const second = open(false)
        await second.loadURL('app://console/')
        const ofSecond = await ask(second.webContents.mainFrame)
        second.destroy()
        const foreign = open(true)
        await foreign.loadURL('about:blank')
        const ofForeign = await ask(foreign.webContents.mainFrame)
        await foreign.webContents.executeJavaScript(
          `new Promise((done) => { const frame = document.createElement('iframe'); frame.srcdoc = '<p>frame</p>'; frame.onload = done; document.body.append(frame) }).then(() => 1)`
        )
        const ofFrame = await ask(foreign.webContents.mainFrame.frames[0])
        foreign.destroy()
        return [ofSecond, ofForeign, ofFrame]
      },
      { call: callAll(channelNames, rounds), preload: join(repository, 'out', 'preload', 'index.cjs') }
    )
    const sent = channelNames.length * rounds
    expect(found).toEqual(Array.from({ length: 3 }, () => ({ 'request-refused': sent })))
    counted({ sent: 3 * sent, refused: 3 * sent })
  }
)
