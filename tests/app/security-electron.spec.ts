/** What only Electron has: its own security checklist (fixtures/checklist.ts), and the scheme of the window. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { checklist } from './fixtures/checklist.ts'
import { hostilePaths } from './fixtures/hostile.ts'
import { expect, test } from './fixtures/test.ts'
import { startTrap } from './fixtures/trap.ts'
import { ask, usePractice } from './fixtures/workspace.ts'

test('all 20 items of the checklist hold', { tag: '@electron-only' }, async ({ session }) => {
  test.setTimeout(90_000)
  const trap = await startTrap()
  const found = await checklist(session(), trap)
  trap.end()
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
      join(home, 'pack.json')
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
