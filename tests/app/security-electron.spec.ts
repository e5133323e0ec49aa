/** What only Electron has: its own security checklist (fixtures/checklist.ts), and the scheme of the window. */
import { checklist } from './fixtures/checklist.ts'
import { hostilePaths } from './fixtures/hostile.ts'
import { expect, test } from './fixtures/test.ts'
import { startTrap } from './fixtures/trap.ts'

test('all 20 items of the checklist hold', { tag: '@electron-only' }, async ({ session }) => {
  test.setTimeout(90_000)
  const trap = await startTrap()
  const found = await checklist(session(), trap)
  trap.end()
  expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  expect(found.filter(({ faults }) => faults.length > 0)).toEqual([])
})

test('the scheme serves the built window and nothing else', { tag: '@electron-only' }, async ({ electronApp, consolePage }) => {
  expect(consolePage.url()).toMatch(/^app:/)
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
  }, [...hostilePaths])
  expect(statuses?.inside).toBe(200)
  expect(statuses?.posted).toBe(405)
  for (const status of [...(statuses?.outside ?? []), ...(statuses?.others ?? [])]) expect([404, 'refused']).toContain(status)
})
