/** Every kind of document in the viewer: what it looks like, and what is said where a part of it is missing or not shown. */
import type { Locator, Page } from '@playwright/test'
import {
  avif,
  card,
  claiming,
  exif,
  face,
  heic,
  jp2,
  webp,
  webpWithExif,
  withExif
} from '../service/support/document-files.ts'
import { encrypted, onePage, scanned } from '../service/support/document-pdfs.ts'
import { serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { VerifyPage } from './pages/verify.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents', exact: true })
const drawn = (page: Page): Locator => viewer(page).getByTestId('document')
const findings = (page: Page): Locator => viewer(page).getByRole('list', { name: 'Findings' })

/** The form of a KYC photo, in which each of some documents is opened, looked at and closed. */
async function openForm(page: Page): Promise<(bytes: Buffer, look: () => Promise<void>) => Promise<void>> {
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  return async (bytes, look) => {
    await verify.fill('validate-kyc-photo', { photo_url: server.at(bytes) })
    await page.getByRole('button', { name: 'Show: Photo' }).click()
    await look()
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toHaveCount(0)
  }
}
/** Its size in pixels as decoded, and as it is seen on the screen. */
const sizes = (of: Locator): Promise<{ readonly width: number; readonly isWide: boolean }> =>
  of.evaluate((found) => {
    const { width, height } = found.getBoundingClientRect()
    return {
      width: found instanceof HTMLImageElement ? found.naturalWidth : (found as HTMLCanvasElement).width,
      isWide: width > height
    }
  })
/** How many colours a picture has at 20 × 20 pixels: an empty page has one. */
const colours = (of: Locator): Promise<number> =>
  of.evaluate((found) => {
    const context = Object.assign(document.createElement('canvas'), { width: 20, height: 20 }).getContext('2d')
    context?.drawImage(found as HTMLCanvasElement, 0, 0, 20, 20)
    return new Set(new Uint32Array(context?.getImageData(0, 0, 20, 20).data.buffer ?? new ArrayBuffer())).size
  })

test('JPEG 2000, AVIF, WebP and very large JPEG are shown upright, and HEIC has a next step', async ({ workspace }) => {
  test.setTimeout(240_000)
  const page = await workspace.open()
  const open = await openForm(page)
  const elsewhere: string[] = []
  const home = new URL(page.url()).origin
  page.on('request', (request) => {
    if (!request.url().startsWith(home) && !request.url().startsWith('blob:')) elsewhere.push(request.url())
  })
  const shown = { timeout: 60_000 }

  // As a file, as a codestream alone, and in a PDF.
  const codestream = jp2.subarray(jp2.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51])))
  for (const bytes of [jp2, codestream, scanned(jp2, 320, 200)])
    await open(bytes, async () => {
      await expect.poll(() => colours(drawn(page)).catch(() => 0), shown).toBeGreaterThan(3)
      expect((await sizes(drawn(page))).isWide).toBe(true)
      await expect(viewer(page)).not.toContainText('cannot be decoded')
      if (bytes !== jp2) return
      await expect(viewer(page).getByRole('region', { name: /^Veridesk’s own reading/ })).toContainText('320 × 200')
      await inspect(page, 'a JPEG 2000 image')
    })

  await open(avif, async () => {
    await expect.poll(async () => (await sizes(drawn(page))).width, shown).toBe(320)
    await expect(viewer(page).getByRole('region', { name: /^Veridesk’s own reading/ })).toContainText('AVIF')
  })

  // 640 × 720 as stored.
  for (const [orientation, isWide, transform] of [
    [1, false, ''],
    [2, false, 'scaleX(-1)'],
    [3, false, 'rotate(180deg)'],
    [6, true, 'rotate(90deg)'],
    [8, true, 'rotate(270deg)']
  ] as const)
    await open(webpWithExif(exif({ orientation })), async () => {
      await expect.poll(async () => (await sizes(drawn(page))).width, shown).toBe(640)
      expect(await sizes(drawn(page)), String(orientation)).toEqual({ width: 640, isWide })
      await expect
        .poll(() => drawn(page).evaluate((found) => found.style.transform))
        .toMatch(new RegExp(`${transform.replace(/[()]/g, '\\$&')}$`))
    })
  // The platform turns a JPEG.
  await open(withExif(face, exif({ orientation: 6 })), async () =>
    expect.poll(() => sizes(drawn(page)), shown).toEqual({ width: 720, isWide: true })
  )

  for (const bytes of [
    claiming(card, 12_000, 9_000),
    withExif(claiming(card, 12_000, 9_000), exif({ orientation: 6 }))
  ])
    await open(bytes, async () => {
      await expect
        .poll(async () => (await sizes(drawn(page)).catch(() => undefined))?.width, shown)
        .toBeGreaterThan(2000)
      const { width, isWide } = await sizes(drawn(page))
      expect(width).toBeLessThan(8000)
      expect(isWide).toBe(bytes.indexOf('Exif') < 0)
      await expect(viewer(page)).toContainText(/Shown with [\d.,\s]+ × [\d.,\s]+ pixels/)
      await expect(viewer(page)).toContainText(/12[.,\s]?000 × 9[.,\s]?000/)
    })

  await open(heic(1200, 900), async () =>
    expect(viewer(page).getByTestId('not-shown')).toContainText('Ask its source for a JPEG')
  )
  expect(elsewhere).toEqual([])
})

test('what is missing in a document, or not shown of it, is said beside it', async ({ workspace }) => {
  test.setTimeout(240_000)
  const page = await workspace.open()
  const open = await openForm(page)
  const half = card.subarray(0, card.length * 0.6)
  const note = '/Annots[<</Subtype/Stamp/Rect[9 9 90 90]/Contents(NOT APPROVED)>>]'
  const said = (text: string | RegExp) => async (): Promise<void> => {
    await expect(findings(page)).toContainText(text, { timeout: 60_000 })
  }
  await open(half, async () => {
    await said('The JPEG file ends early, as after an upload that broke off')()
    await inspect(page, 'a file that was cut off')
  })
  // With an end, as repairing tools write it: only its decoder knows.
  for (const orientation of [1, 3, 6])
    await open(
      withExif(Buffer.concat([half, Buffer.from([0xff, 0xd9])]), exif({ orientation })),
      said('A part of the JPEG file is damaged')
    )
  await open(webp.subarray(0, webp.length - 900), said('The WebP file ends early'))
  for (const bytes of [card, face, withExif(card, exif({ orientation: 6 }))])
    await open(bytes, async () => {
      await expect.poll(async () => (await sizes(drawn(page))).width).toBeGreaterThan(0)
      await expect(viewer(page)).toContainText('No findings.')
    })

  await open(onePage({ page: note }), async () => {
    await said('(1): “NOT APPROVED”. Open the PDF in another reader')()
    await expect.poll(() => colours(drawn(page)).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(1)
  })
  await open(Buffer.concat([Buffer.from('Content-Type: application/pdf\r\n\r\n'), onePage()]), async () => {
    await said('The PDF begins after 33 other bytes')()
    await expect.poll(() => colours(drawn(page)).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(1)
  })
  await open(encrypted, said('It is encrypted'))
  // What only its reader finds out.
  for (const bytes of [
    scanned(Buffer.alloc(500, 7), 320, 200),
    scanned(jp2.subarray(0, 200), 320, 200),
    scanned(jp2, 20_000, 20_000)
  ])
    await open(bytes, said('cannot be decoded, so they are missing (1)'))
})
