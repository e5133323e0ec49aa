/** Documents of forms and records, against a real server of documents on this computer. */
import { createHash } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { card, exif, face, heic, scriptedPdf, withExif } from '../service/support/document-files.ts'
import { heldAnswer, serveDocuments, stated, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { VerifyPage } from './pages/verify.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents', exact: true })
const image = (page: Page): Locator => viewer(page).getByTestId('document')
/** The width of the pixels as decoded; 0 until the image is shown. */
const decoded = (of: Locator): Promise<number> => of.evaluate((found) => (found as HTMLImageElement).naturalWidth)
const transform = (of: Locator): Promise<string> => of.evaluate((found) => found.style.transform)

test(
  'a photo and an ID document are opened from the form, side by side, by keyboard alone',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    const page = await workspace.open()
    await usePractice(page)
    const verify = new VerifyPage(page)
    await verify.open('validate-applicant-documents')
    const [photo, id] = [
      server.at(stated('image/jpeg', face), 'face.jpg'),
      server.at(
        stated('image/jpeg', withExif(card, exif({ software: 'GIMP 2.10', make: 'Canon', model: 'EOS' }))),
        'card.jpg'
      )
    ]
    await expect(page.getByRole('button', { name: 'Show: Photo' })).toHaveCount(0)
    await verify.fill('validate-applicant-documents', {
      applicant_id: 'APP-1',
      photo_document_url: photo,
      id_document_url: id
    })
    await verify.field('Photo URL').focus()
    await page.keyboard.press('Shift+Tab')
    const open = page.getByRole('button', { name: 'Show: Photo' })
    await expect(open).toBeFocused()
    await page.keyboard.press('Enter')

    await expect.poll(() => decoded(image(page))).toBe(640)
    expect(await image(page).getAttribute('src')).toMatch(/^blob:/)
    const facts = viewer(page).getByRole('region', { name: /^Veridesk’s own reading/ })
    await expect(facts).toContainText('640 × 720')
    await expect(facts.getByTestId('sha256')).toHaveText(createHash('sha256').update(face).digest('hex'))
    await expect(facts.getByTestId('when')).toHaveText(
      /^This is what was behind the link at .*\d:\d\d:\d\d.*, not what the service verified\.$/
    )

    // Keys, without a pointer: the image is larger, moved, turned, and as before.
    const before = await transform(image(page))
    for (const key of ['+', '+', '+', '+', '+', '+']) await page.keyboard.press(key)
    const large = await transform(image(page))
    expect(large).not.toBe(before)
    await page.keyboard.press('ArrowDown')
    expect(await transform(image(page))).not.toBe(large)
    await page.keyboard.press('r')
    expect(await transform(image(page))).toContain('rotate(90deg)')
    for (const key of ['r', 'r', 'r', 'f']) await page.keyboard.press(key)
    expect(await transform(image(page))).toBe(before)
    await page.keyboard.press('0')
    await expect(viewer(page).getByTestId('scale')).toHaveText('100 %')

    await viewer(page).getByRole('button', { name: 'Side by side' }).press('Enter')
    await expect(viewer(page).getByTestId('document')).toHaveCount(2)
    const second = viewer(page).getByRole('figure', { name: 'Identity document', exact: true })
    await expect.poll(() => decoded(second.getByTestId('document'))).toBe(800)
    await second.getByRole('group', { name: /^Image of/ }).focus()
    await expect(facts.getByRole('list', { name: 'Findings' })).toHaveText(
      'It was saved with GIMP 2.10, an application that edits images.'
    )
    await expect(facts).toContainText('Canon EOS')
    const first = viewer(page).getByTestId('document').first()
    const other = viewer(page).getByTestId('document').nth(1)
    // Side by side, both have one zoom.
    const was = await transform(other)
    await page.keyboard.press('+')
    await expect.poll(() => transform(other)).not.toBe(was)
    await inspect(page, 'two documents')

    const source = (await first.getAttribute('src')) ?? ''
    await page.keyboard.press('Escape')
    await expect(viewer(page)).toHaveCount(0)
    await expect(open).toBeFocused()
    // The bytes are gone with the dialog.
    const still = await page.evaluate(
      (address) =>
        new Promise<string>((resolve) => {
          const probe = new Image()
          probe.onload = () => resolve('loaded')
          probe.onerror = () => resolve('gone')
          probe.src = address
        }),
      source
    )
    expect(still).toBe('gone')
    const { events } = await ask(page, 'audit.page', { limit: 20 })
    expect(events.filter(({ kind }) => kind === 'document.viewed')).toHaveLength(2)
  }
)

test('the pointer zooms and moves, the brightness changes, and the digest is copied', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  await verify.fill('validate-kyc-photo', { photo_url: server.at(face, 'face.jpg') })
  await page.getByRole('button', { name: 'Show: Photo' }).click()
  await expect.poll(() => decoded(image(page))).toBe(640)
  const stage = viewer(page).getByRole('group', { name: /^Image of Photo/ })
  const scale = viewer(page).getByTestId('scale')
  const before = await scale.innerText()
  await stage.hover()
  await page.mouse.wheel(0, -100)
  await expect(scale).toHaveText(before)
  await page.keyboard.down('Control')
  for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect(scale).not.toHaveText(before)
  const placed = await transform(image(page))
  await page.mouse.down()
  await page.mouse.move(500, 300, { steps: 4 })
  await page.mouse.up()
  expect(await transform(image(page))).not.toBe(placed)
  const released = await transform(image(page))
  await page.mouse.move(300, 200, { steps: 4 })
  expect(await transform(image(page))).toBe(released)
  await viewer(page).getByRole('button', { name: 'Brightness and contrast' }).click()
  await viewer(page).getByRole('slider', { name: 'Brightness' }).press('ArrowRight')
  await expect.poll(() => image(page).evaluate((found) => found.style.filter)).toBe('brightness(110%)')
  // The arrow key belonged to the slider.
  expect(await transform(image(page))).toBe(released)
  await viewer(page).getByRole('button', { name: 'Copy SHA-256' }).click()
  await expect
    .poll(async () => (await ask(page, 'audit.page', { limit: 5 })).events.map(({ words }) => words))
    .toContain('Text of 64 characters copied to the clipboard.')
})

test('the largest document arrives in the window whole', { tag: '@electron-instead' }, async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  const largest = Buffer.concat([face], 20 * 1024 * 1024)
  await verify.fill('validate-kyc-photo', { photo_url: server.at(largest, 'face.jpg') })
  await page.getByRole('button', { name: 'Show: Photo' }).click()
  await expect(viewer(page).getByTestId('sha256')).toHaveText(createHash('sha256').update(largest).digest('hex'), {
    timeout: 30_000
  })
  await expect.poll(() => decoded(image(page)), { timeout: 30_000 }).toBe(640)
})

test('private addresses are allowed in the form of a connection', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await usePractice(page)
  await useService(page, practice, { name: 'Own network' })
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  await verify.fill('validate-kyc-photo', { photo_url: server.at(face, 'face.jpg') })
  const open = page.getByRole('button', { name: 'Show: Photo' })
  await open.click()
  await expect(viewer(page)).toContainText('it is this computer')
  await page.keyboard.press('Escape')
  const connections = new ConnectionsPage(page)
  await connections.open()
  await connections.card('Own network').edit.click()
  await connections.form.root.getByRole('checkbox', { name: /^Allow documents from private addresses/ }).check()
  await connections.form.save.click()
  await expect
    .poll(async () => (await ask(page, 'connections.list')).find(({ name }) => name === 'Own network')?.documents)
    .toEqual({ privateAddresses: true, openAutomatically: false })
  await verify.open('validate-kyc-photo')
  await open.click()
  await expect.poll(() => decoded(image(page))).toBe(640)
})

test('a document of a record is opened from the record, and one whose link lost its signature is not requested', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.run('validate-passport', { id_url: server.at(card, 'card.jpg') })
  await verify.record.root.getByRole('button', { name: 'Show 1 document' }).click()
  await expect.poll(() => decoded(image(page))).toBe(800)

  const asked = server.asked.length
  await verify.run('validate-passport', {
    id_url: `${server.at(card)}?X-Amz-Signature=0123456789abcdef0123&X-Amz-Date=20990101T000000Z&X-Amz-Expires=600`
  })
  await expect(verify.record.sentIn('id_url')).toContainText('REMOVED')
  await expect(viewer(page)).toContainText('The link was stored without its signature')
  await expect(viewer(page)).toContainText('Ask for a new link')
  expect(server.asked).toHaveLength(asked)
})

test('what cannot be shown is said, with the next step or the facts', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  const open = async (url: string): Promise<void> => {
    await verify.fill('validate-kyc-photo', { photo_url: url })
    await page.getByRole('button', { name: 'Show: Photo' }).click()
  }
  let works = false
  await open(server.at((response) => (works ? response.end(face) : response.writeHead(403).end())))
  await expect(viewer(page)).toContainText('the status of the response was 403')
  works = true
  await viewer(page).getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => decoded(image(page))).toBe(640)
  await page.keyboard.press('Escape')

  await open(
    server.at(
      stated(
        'image/svg+xml',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>')
      ),
      'photo.svg'
    )
  )
  await expect(viewer(page)).toContainText('it is an SVG drawing, which can contain scripts')
  await page.keyboard.press('Escape')

  await open(server.at(scriptedPdf, 'photo.pdf'))
  // Its script does not run, and its page is empty.
  await expect(viewer(page).getByRole('img', { name: 'Photo, 1 of 1' })).toBeVisible()
  await expect(viewer(page).getByRole('region', { name: /^Veridesk’s own reading/ })).toContainText('PDF')
  await page.keyboard.press('Escape')

  // A structure without pixels: no platform decodes it.
  await open(server.at(heic(1200, 900), 'photo.heic'))
  await expect(viewer(page).getByTestId('not-shown')).toContainText(
    /HEIC images cannot be shown.*Ask its source for a JPEG/s
  )
  await page.keyboard.press('Escape')

  // Its header is genuine, and the rest is missing.
  await open(server.at(Buffer.concat([card.subarray(0, 700), Buffer.alloc(20)]), 'photo.jpg'))
  await expect(viewer(page)).toContainText('damaged')
  await page.keyboard.press('Escape')

  await open('http://10.0.0.1/photo.jpg')
  await expect(viewer(page)).toContainText('it is in a private network')
  expect(alerts).toEqual([])
})

test('an erasure closes the viewer, and a document that is still loading is not shown', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  await ask(page, 'verification.run', {
    runId: crypto.randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-9' }
  })
  const held = heldAnswer(face)
  const url = server.at(held.answer)
  await verify.fill('validate-kyc-photo', { photo_url: url })
  await page.getByRole('button', { name: 'Show: Photo' }).click()
  await expect(viewer(page)).toContainText('Loading the document')
  const release = await held.asked
  await ask(page, 'erasure.run', { applicantId: 'APP-9', confirmation: 'APP-9', reason: 'asked for' })
  await expect(viewer(page)).toHaveCount(0)
  release()
  await expect(page.getByTestId('document')).toHaveCount(0)
  await expect(verify.field('Photo URL')).toHaveValue('')
})

test('a window of 900 pixels fits two documents, in both themes', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await resizeWindow(page, { width: 900, height: 640 })
  const verify = new VerifyPage(page)
  await verify.open('validate-applicant-documents')
  await verify.fill('validate-applicant-documents', {
    applicant_id: 'APP-1',
    photo_document_url: server.at(face, 'a.jpg'),
    id_document_url: server.at(card, 'b.png')
  })
  await page.getByRole('button', { name: 'Show: Identity document' }).click()
  await expect.poll(() => decoded(image(page))).toBe(800)
  await inspect(page, 'one document')
  await viewer(page).getByRole('button', { name: 'Side by side' }).click()
  await expect(viewer(page).getByTestId('document')).toHaveCount(2)
  await inspect(page, 'two documents')
  const overflowing = await viewer(page).evaluate((dialog) =>
    [dialog, ...dialog.querySelectorAll('*')]
      .filter(
        (part) =>
          part.scrollWidth > part.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(part).overflowX)
      )
      .map((part) => part.className)
  )
  expect(overflowing).toEqual([])
})
