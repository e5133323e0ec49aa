/** PDF documents in the viewer, against a real server of documents on this computer. */
import { chromium, type Locator, type Page } from '@playwright/test'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { card } from '../service/support/document-files.ts'
import {
  activePdfs,
  blackScan,
  bomb,
  chineseEncoding,
  encrypted,
  hugePage,
  manyPages,
  onePage,
  tangledPdfs
} from '../service/support/document-pdfs.ts'
import { serveDocuments, setTrap, type DocumentServer, type Trap } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { tryInWorker } from './fixtures/mechanisms.ts'
import { startTrap } from './fixtures/trap.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { VerifyPage } from './pages/verify.ts'

let server: DocumentServer
let trap: Trap
test.beforeAll(async () => void ([server, trap] = await Promise.all([serveDocuments(), setTrap()])))
test.afterAll(() => Promise.all([server.close(), trap.close()]))

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents', exact: true })
const drawn = (page: Page): Locator => viewer(page).getByTestId('document')
const notShown = (page: Page): Locator => viewer(page).getByTestId('not-shown')

interface Seen {
  readonly width: number
  readonly height: number
  /** Parts of the page in per cent, rounded. */
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly black: number
}
/** The colours of the page, from the pixels of its canvas. */
const seen = (of: Locator): Promise<Seen> =>
  of.evaluate((found) => {
    const { width, height } = found as HTMLCanvasElement
    const copy = document.createElement('canvas')
    Object.assign(copy, { width: 300, height: 300 })
    const context = copy.getContext('2d')
    context?.drawImage(found as HTMLCanvasElement, 0, 0, 300, 300)
    const pixels = context?.getImageData(0, 0, 300, 300).data ?? new Uint8ClampedArray()
    const counts = { red: 0, green: 0, blue: 0, black: 0 }
    for (let at = 0; at < pixels.length; at += 4) {
      const [r = 0, g = 0, b = 0, alpha = 0] = pixels.subarray(at, at + 4)
      if (alpha < 255) continue
      if (r > 200 && g < 60 && b < 60) counts.red += 1
      else if (g > 200 && r < 60 && b < 60) counts.green += 1
      else if (b > 200 && r < 60 && g < 60) counts.blue += 1
      else if (r + g + b < 150) counts.black += 1
    }
    const part = (count: number): number => Math.round(count / 900)
    return {
      width,
      height,
      red: part(counts.red),
      green: part(counts.green),
      blue: part(counts.blue),
      black: part(counts.black)
    }
  })
// The band is 260 × 60 of 300 × 200 points, and the text is dark.
const band = 26

/** The form of a KYC photo, in which a link can be opened. */
async function openForm(page: Page): Promise<(bytes: Buffer) => Promise<void>> {
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  return async (bytes) => {
    await verify.fill('validate-kyc-photo', { photo_url: server.at(bytes, 'photo.pdf') })
    await page.getByRole('button', { name: 'Show: Photo' }).click()
  }
}
const close = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
}

test('a PDF is drawn and its pages are turned by keyboard; its reader is loaded with it and ends with it', async ({
  workspace
}) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const open = await openForm(page)
  const loaded = (): Promise<string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /pdf|document-worker/i.test(name))
    )
  expect(await loaded()).toEqual([])
  expect(page.workers()).toHaveLength(0)

  await open(manyPages(3))
  await expect
    .poll(() => seen(drawn(page)).catch(() => undefined), { timeout: 30_000 })
    .toMatchObject({ red: band, green: 0, blue: 0 })
  const first = await seen(drawn(page))
  expect(first.width / first.height).toBeCloseTo(1.5, 2)
  // The letters come from a font that is not in the document.
  expect(first.black).toBeGreaterThan(0)
  expect(page.workers()).toHaveLength(1)
  // Electron does not list the files of its own scheme.
  if (!page.url().startsWith('app:')) expect(await loaded()).not.toEqual([])
  const place = viewer(page).getByTestId('page')
  await expect(place).toHaveText('Page 1 of 3')
  await expect(viewer(page).getByRole('region', { name: /^Veridesk’s own reading/ })).toContainText('PDF')

  await page.keyboard.press('PageDown')
  await expect(place).toHaveText('Page 2 of 3')
  await expect.poll(() => seen(drawn(page))).toMatchObject({ red: 0, green: band, blue: 0 })
  await page.keyboard.press('End')
  await expect.poll(() => seen(drawn(page))).toMatchObject({ blue: band, green: 0 })
  await page.keyboard.press('PageDown')
  await expect(place).toHaveText('Page 3 of 3')
  await page.keyboard.press('Home')
  await expect.poll(() => seen(drawn(page))).toMatchObject({ red: band })
  await viewer(page).getByRole('button', { name: 'Next page' }).press('Enter')
  await expect.poll(() => seen(drawn(page))).toMatchObject({ green: band })

  // Like an image; a larger scale is drawn with more pixels.
  const transform = (): Promise<string> => drawn(page).evaluate((found) => found.style.transform)
  const [before, small] = [await transform(), await seen(drawn(page))]
  for (const key of ['+', '+', '+', '+', '+', '+']) await page.keyboard.press(key)
  await expect.poll(async () => (await seen(drawn(page))).width).toBeGreaterThan(small.width * 2)
  await expect.poll(() => seen(drawn(page))).toMatchObject({ green: band })
  await page.keyboard.press('r')
  expect(await transform()).toContain('rotate(90deg)')
  for (const key of ['r', 'r', 'r', 'f']) await page.keyboard.press(key)
  expect((await transform()).replace(/scale.*/, '')).toBe(before.replace(/scale.*/, ''))
  await viewer(page).getByRole('button', { name: 'Brightness and contrast' }).click()
  await viewer(page).getByRole('slider', { name: 'Brightness' }).press('ArrowRight')
  await expect.poll(() => drawn(page).evaluate((found) => found.style.filter)).toBe('brightness(110%)')
  // Under the loupe, the page three times as large; the arrow keys move it.
  await viewer(page).getByRole('button', { name: 'Fit', exact: true }).press('Enter')
  await viewer(page).getByRole('button', { name: 'Loupe' }).press('Enter')
  const lens = viewer(page).getByTestId('loupe').locator('canvas')
  const magnified = (): Promise<number> => seen(lens).then(({ green }) => green)
  await expect.poll(magnified).toBeLessThan(100)
  const middle = await magnified()
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.press('ArrowUp')
  await expect.poll(magnified).not.toBe(middle)
  await inspect(page, 'a PDF')

  await close(page)
  await expect.poll(() => page.workers()).toHaveLength(0)
  const { events } = await ask(page, 'audit.page', { limit: 20 })
  expect(events.filter(({ kind }) => kind === 'document.viewed')).toHaveLength(1)
})

test('a PDF and an image are shown side by side', async ({ workspace }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-applicant-documents')
  await verify.fill('validate-applicant-documents', {
    applicant_id: 'APP-1',
    photo_document_url: server.at(card, 'a.jpg'),
    id_document_url: server.at(manyPages(2), 'b.pdf')
  })
  await page.getByRole('button', { name: 'Show: Identity document' }).click()
  await resizeWindow(page, { width: 900, height: 640 })
  await viewer(page).getByRole('button', { name: 'Side by side' }).click()
  const pdf = viewer(page).getByRole('figure', { name: 'Identity document', exact: true })
  await expect
    .poll(() => seen(pdf.getByTestId('document')).catch(() => undefined), { timeout: 30_000 })
    .toMatchObject({ red: band })
  await pdf.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => seen(pdf.getByTestId('document'))).toMatchObject({ green: band })
  const image = viewer(page).getByRole('figure', { name: 'Photo', exact: true }).getByTestId('document')
  const was = await image.getAttribute('style')
  await page.keyboard.press('+')
  await expect.poll(() => image.getAttribute('style')).not.toBe(was)
  await inspect(page, 'a PDF beside an image')
})

test('fonts, encodings and decoders are the program’s own', async ({ workspace }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  const open = await openForm(page)
  for (const bytes of [chineseEncoding(), blackScan()]) {
    await open(bytes)
    await expect
      .poll(async () => (await seen(drawn(page)).catch(() => undefined))?.black, { timeout: 30_000 })
      .toBeGreaterThan(4)
    await close(page)
  }
})

test(
  'a document with scripts, links, files and forms does nothing',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    test.setTimeout(180_000)
    const page = await workspace.open()
    const open = await openForm(page)
    const happened: string[] = []
    page.on('dialog', (dialog) => (happened.push(`dialog ${dialog.message()}`), void dialog.dismiss()))
    page.on('popup', (popup) => happened.push(`popup ${popup.url()}`))
    page.on('download', (download) => happened.push(`download ${download.url()}`))
    const home = new URL(page.url())
    page.on('request', (request) => {
      if (!request.url().startsWith(`${home.protocol}//${home.host}/`) && !request.url().startsWith('blob:'))
        happened.push(`request ${request.url()}`)
    })
    for (const [name, bytes] of Object.entries(activePdfs(`http://127.0.0.1:${trap.port}/`))) {
      await open(bytes)
      await expect
        .poll(async () => (await seen(drawn(page)).catch(() => undefined))?.red, { message: name, timeout: 30_000 })
        .toBeGreaterThan(20)
      await drawn(page).click()
      await viewer(page).getByRole('button', { name: 'Actual size' }).press('Enter')
      expect(await viewer(page).locator('a, iframe, embed, object, form').count(), name).toBe(0)
      expect(await page.workers()[0]?.evaluate(() => '__executed' in globalThis), name).toBe(false)
      await close(page)
    }
    expect(await page.evaluate(() => '__executed' in globalThis)).toBe(false)
    expect(happened).toEqual([])
    expect(trap.connections()).toBe(0)
  }
)

test('a document that is damaged, encrypted, tangled or huge ends in a page or a sentence', async ({ workspace }) => {
  test.setTimeout(300_000)
  const page = await workspace.open()
  const open = await openForm(page)
  const honest = onePage()
  await open(encrypted)
  await expect(notShown(page)).toContainText('encrypted and needs a password', { timeout: 30_000 })
  await expect(notShown(page)).toContainText('copy without a password')
  await expect(viewer(page).getByTestId('sha256')).toBeVisible()
  await inspect(page, 'a PDF that is not shown')
  await close(page)

  await open(Buffer.concat([honest.subarray(0, 40), Buffer.alloc(60, 'x')]))
  await expect(notShown(page)).toContainText('damaged and cannot be shown', { timeout: 30_000 })
  await close(page)

  await open(hugePage)
  await expect.poll(() => seen(drawn(page)).catch(() => undefined), { timeout: 30_000 }).toMatchObject({ red: 100 })
  for (let turn = 0; turn < 12; turn += 1) await page.keyboard.press('+')
  const { width, height } = await seen(drawn(page))
  expect(width * height).toBeGreaterThan(1_000_000)
  expect(width * height).toBeLessThanOrEqual(60_000_000)
  await close(page)

  const halved = honest.subarray(0, honest.length - 300)
  for (const [name, bytes] of [...Object.entries(tangledPdfs), ['cut off', halved] as const]) {
    await open(bytes)
    await expect(viewer(page).locator('[data-testid=not-shown], canvas:visible'), name).toBeVisible({ timeout: 30_000 })
    await close(page)
    expect(await ask(page, 'app.state'), name).toBeTruthy()
  }
  await open(honest)
  await expect.poll(() => seen(drawn(page)).catch(() => undefined), { timeout: 30_000 }).toMatchObject({ red: band })
})

for (const kind of ['steps', 'stream'] as const)
  test(`a page that would fill the memory ends in a sentence, and the next page is shown: ${kind}`, async ({
    workspace
  }) => {
    test.setTimeout(180_000)
    const page = await workspace.open()
    const open = await openForm(page)
    await open(bomb(kind))
    // Slow machines stop it by its time.
    await expect(notShown(page)).toContainText(/needs more memory than Veridesk allows|was stopped after 20 seconds/, {
      timeout: 60_000
    })
    await expect(viewer(page).getByTestId('sha256')).toBeVisible()
    await expect.poll(() => page.workers()).toHaveLength(0)
    await page.keyboard.press('PageDown')
    await expect
      .poll(() => seen(drawn(page)).catch(() => undefined), { timeout: 30_000 })
      .toMatchObject({ green: band })
  })

test('only the first 100 of many pages are shown', async ({ workspace }) => {
  const page = await workspace.open()
  const open = await openForm(page)
  await open(manyPages(102))
  await expect(viewer(page).getByTestId('page')).toHaveText('Page 1 of 100', { timeout: 30_000 })
  await expect(viewer(page)).toContainText('The first 100 of its 102 pages can be shown.')
  await page.keyboard.press('End')
  await expect(viewer(page).getByTestId('page')).toHaveText('Page 100 of 100')
  // The hundredth is red.
  await expect.poll(() => seen(drawn(page))).toMatchObject({ red: band })
})

test(
  'one script runs in a worker, without a network; no other does',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    test.setTimeout(90_000)
    const page = await workspace.open()
    const open = await openForm(page)
    await open(onePage())
    await expect.poll(() => seen(drawn(page)).catch(() => undefined), { timeout: 30_000 }).toMatchObject({ red: band })
    const worker = page.workers()[0]
    const address = worker?.url() ?? ''
    expect(address).toMatch(/\/assets\/document-worker-[\w-]+\.js$/)

    const inWindow = await page.evaluate(async (own) => {
      const started: string[] = []
      const attempt = async (name: string, work: () => unknown): Promise<void> => {
        try {
          await work()
          started.push(name)
        } catch {
          // Refused, as required.
        }
      }
      const types = (
        window as unknown as {
          trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(text: string): string } }
        }
      ).trustedTypes
      for (const name of ['document-worker', 'vue', 'default', 'another'])
        await attempt(`policy ${name}`, () =>
          types.createPolicy(name, { createScriptURL: (text: string) => text, createHTML: (text: string) => text })
        )
      await attempt('assembly', () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))
      const script = [...document.scripts].find(({ src }) => src !== '')?.src ?? ''
      for (const each of [
        own,
        script,
        'data:text/javascript,1',
        URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))
      ]) {
        await attempt(`worker ${each}`, () => new Worker(each, { type: 'module' }))
        await attempt(`shared worker ${each}`, () => new SharedWorker(each, { type: 'module' }))
        await attempt(`service worker ${each}`, () => navigator.serviceWorker.register(each))
      }
      return started
    }, address)
    expect(inWindow).toEqual([])

    const inWorker = await worker?.evaluate(tryInWorker, `http://127.0.0.1:${trap.port}/`)
    expect(inWorker).toEqual([])
    expect(trap.connections()).toBe(0)
  }
)

test('in a worker of a browser as it is, the same leads out', async ({ host }) => {
  test.skip(host !== 'preview', 'needs the browser alone')
  const [home, reached] = await Promise.all([startTrap(), setTrap()])
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : []
  })
  try {
    const page = await browser.newPage()
    await page.goto(home.address)
    const started = page.waitForEvent('worker')
    await page.evaluate(
      () => void new Worker(URL.createObjectURL(new Blob(['0'], { type: 'text/javascript' })), { type: 'module' })
    )
    const without = await (await started).evaluate(tryInWorker, `http://127.0.0.1:${reached.port}/`)
    expect(without).toEqual(expect.arrayContaining(['fetch of an own file', 'eval', 'function', 'assembly', 'worker']))
    expect(reached.connections()).toBeGreaterThan(0)
  } finally {
    await browser.close()
    home.end()
    await reached.close()
  }
})
