/** Documents that are opened without a click, against a real server of documents on this computer. */
import type { ServerResponse } from 'node:http'
import type { Locator, Page } from '@playwright/test'
import { card, exif, face, withExif } from '../service/support/document-files.ts'
import { serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, noKeychain, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage, QueuePage } from './pages/applicants.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { VerifyPage } from './pages/verify.ts'

let server: DocumentServer
test.beforeEach(async () => void (server = await serveDocuments()))
test.afterEach(() => server.close())

const documents = (page: Page): Locator => page.getByRole('region', { name: 'Documents', exact: true })
const inCase = (page: Page, label: string): Locator => documents(page).getByRole('figure', { name: label, exact: true })
const viewed = async (page: Page) =>
  (await ask(page, 'audit.page', { limit: 200 })).events.filter(({ kind }) => kind === 'document.viewed')
const decoded = (of: Locator): Promise<number> =>
  of.getByTestId('document').evaluate((found) => (found as HTMLImageElement).naturalWidth)

/** Switches it on in the form of the practice connection. */
async function openAutomatically(page: Page): Promise<void> {
  const connections = new ConnectionsPage(page)
  await connections.open()
  await connections.card('Practice').edit.click()
  await connections.form.root.getByRole('checkbox', { name: /^Open documents automatically/ }).check()
  await connections.form.save.click()
  await expect
    .poll(async () => (await ask(page, 'connections.list'))[0]?.documents)
    .toEqual({ privateAddresses: false, openAutomatically: true })
}
const both = (
  page: Page,
  connectionId: string,
  id: string,
  photo = server.at(face, `${id}-face.jpg`)
): Promise<string> =>
  runCheck(page, connectionId, 'validate-applicant-documents', {
    applicant_id: id,
    photo_document_url: photo,
    id_document_url: server.at(card, `${id}-card.jpg`)
  })

test('a record and an applicant open their documents once each, only if the connection says so', async ({
  workspace
}) => {
  test.slow()
  const page = await workspace.open()
  const { id } = await usePractice(page)
  const recordId = await both(page, id, 'APP-1')
  const stripped = await runCheck(page, id, 'validate-passport', {
    id_url: `${server.at(card)}?X-Amz-Signature=0123456789abcdef0123&X-Amz-Date=20990101T000000Z&X-Amz-Expires=600`
  })
  const erased = await both(page, id, 'APP-9')
  await ask(page, 'erasure.run', { applicantId: 'APP-9', confirmation: 'APP-9', reason: 'asked for' })
  const history = new HistoryPage(page)
  const applicant = new ApplicantPage(page)
  await goTo(page, `/history/${recordId}`)
  await expect(history.record.root).toBeVisible()
  await expect(documents(page).getByRole('button', { name: 'Show 2 documents' })).toBeVisible()
  await expect(documents(page).getByRole('figure')).toHaveCount(0)
  await applicant.open('APP-1')
  await expect(documents(page).getByRole('button', { name: 'Show 2 documents' })).toBeVisible()
  await expect(documents(page).getByRole('figure')).toHaveCount(0)
  await openAutomatically(page)
  expect(server.asked).toHaveLength(0)

  await history.open()
  await history.list.focus()
  await goTo(page, `/history/${recordId}`)
  await expect.poll(() => decoded(inCase(page, 'Photo'))).toBe(640)
  await expect.poll(() => decoded(inCase(page, 'Identity document'))).toBe(800)
  await expect(documents(page).locator(':focus')).toHaveCount(0)
  expect(server.asked).toHaveLength(2)
  expect(await viewed(page)).toMatchObject([{ recordId }, { recordId }])
  await inspect(page, 'documents of a record')

  // What was read in a file is a button away, and nothing is fetched again for it.
  await documents(page).getByRole('button', { name: 'About this file' }).click()
  const facts = documents(page).getByRole('region', { name: /^Veridesk’s own reading/ })
  await expect(facts).toContainText('640 × 720')
  await expect(facts).toContainText('No findings')
  expect(server.asked).toHaveLength(2)

  await applicant.open('APP-1')
  await expect.poll(() => decoded(inCase(page, 'Photo'))).toBe(640)
  await expect.poll(() => decoded(inCase(page, 'Identity document'))).toBe(800)
  // What is read again while the page is open is not another view.
  await applicant.addTag('renewal')
  await expect(page.getByRole('list', { name: 'Tags' })).toContainText('renewal')
  expect(server.asked).toHaveLength(4)
  expect(await viewed(page)).toHaveLength(4)

  await goTo(page, `/history/${stripped}`)
  await expect(documents(page)).toContainText('The link was stored without its signature')
  await goTo(page, `/history/${erased}`)
  await expect(history.record.root).toContainText('permanently erased')
  await expect(documents(page)).toHaveCount(0)
  expect(server.asked).toHaveLength(4)
  expect(await viewed(page)).toHaveLength(4)

  if (!workspace.keyring) return
  const locked = await workspace.again(noKeychain)
  await goTo(locked, `/history/${recordId}`)
  await expect(new HistoryPage(locked).failure.first()).toBeVisible()
  await expect(documents(locked)).toHaveCount(0)
  expect(server.asked).toHaveLength(4)
})

test('moving through the work queue opens nothing of the rows that were passed', async ({ workspace }) => {
  test.slow()
  const page = await workspace.open()
  const { id } = await usePractice(page)
  for (const applicant of ['APP-1', 'APP-2', 'APP-3', 'APP-4']) await both(page, id, applicant)
  await openAutomatically(page)
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(4)
  // Each row is shown with its frames, and left as fast as by somebody who holds the key.
  const passed = await page.evaluate(async (last) => {
    const names: string[] = []
    const shownAt: number[] = []
    const heading = (): string => document.querySelector('[data-testid="case-id"]')?.textContent ?? ''
    const press = (key: string): boolean =>
      document
        .querySelector('[role="grid"]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })) ?? false
    const isShown = (before: string): boolean =>
      heading() !== before && document.querySelector('section[aria-label="Documents"] figure') !== null
    ;(document.querySelector('[role="grid"]') as HTMLElement).dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    )
    for (let before = ''; names.length < last; before = heading()) {
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!isShown(before)) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      })
      shownAt.push(performance.now())
      names.push(heading())
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
      if (names.length < last) press('j')
    }
    return { names, shownAt }
  }, 4)
  const { names, shownAt } = passed
  expect(names).toEqual(['APP-1', 'APP-2', 'APP-3', 'APP-4'])
  // A busy machine may show a row for longer than the time after which its documents are opened: it was not passed then.
  const left = names.filter((name, at) => name !== 'APP-4' && (shownAt[at + 1] ?? Infinity) - (shownAt[at] ?? 0) < 580)
  expect(left).not.toEqual([])
  await expect.poll(() => decoded(inCase(page, 'Photo'))).toBe(640)
  await expect.poll(() => decoded(inCase(page, 'Identity document'))).toBe(800)
  const asked = server.asked.map(({ url }) => url?.split('/').at(-1) ?? '')
  expect(asked.filter((name) => left.some((each) => name.startsWith(each)))).toEqual([])
  expect(asked).toEqual(expect.arrayContaining(['APP-4-card.jpg', 'APP-4-face.jpg']))
  const seen = (await viewed(page)).map((event) => (event as { applicantId?: string }).applicantId ?? '')
  expect(seen.filter((name) => left.includes(name))).toEqual([])
  expect(seen).toContain('APP-4')
})

test('two documents are requested at a time, and what is left while it is fetched is neither fetched nor a view', async ({
  workspace
}) => {
  test.slow()
  const page = await workspace.open()
  const { id } = await usePractice(page)
  const held: ServerResponse[] = []
  let closed = 0
  const slow = (name: string): string =>
    server.at((response) => {
      held.push(response)
      response.on('close', () => void (closed += response.writableFinished ? 0 : 1))
    }, name)
  await both(page, id, 'APP-2')
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await runCheck(page, id, 'validate-applicant-id-document', { applicant_id: 'APP-1', document_url: slow(name) })
  await openAutomatically(page)
  const queue = new QueuePage(page)
  await queue.open()
  await queue.row('APP-1').click()
  await expect(documents(page).getByRole('button', { name: /^Identity document, \d of 5$/ })).toHaveCount(5)
  await expect(documents(page).getByText('Loading the document').first()).toBeVisible()
  await expect.poll(() => held.length).toBe(2)
  // Another request would be made in the same moment.
  await ask(page, 'queue.list', { filter: {}, order: { by: 'due', reversed: false }, limit: 10 })
  expect(held).toHaveLength(2)
  held[0]?.end(face)
  await expect.poll(() => held.length).toBe(3)
  expect(await viewed(page)).toHaveLength(1)

  await queue.row('APP-2').click()
  await expect.poll(() => closed).toBe(2)
  await expect.poll(() => decoded(inCase(page, 'Photo'))).toBe(640)
  await expect.poll(() => decoded(inCase(page, 'Identity document'))).toBe(800)
  expect(held).toHaveLength(3)
  expect((await viewed(page)).map(({ applicantId }) => applicantId)).toEqual(['APP-2', 'APP-2', 'APP-1'])
})

test('a failure and a finding are shown in place, and fit a small window in both themes', async ({ workspace }) => {
  test.slow()
  const page = await workspace.open()
  const { id } = await usePractice(page)
  let works = false
  const photo = server.at(
    (response) =>
      works ? response.end(withExif(card, exif({ software: 'GIMP 2.10' }))) : response.writeHead(403).end(),
    'face.jpg'
  )
  await both(page, id, 'APP-1', photo)
  await openAutomatically(page)
  await resizeWindow(page, { width: 900, height: 640 })
  await goTo(page, '/queue?open=a:APP-1')
  const failed = inCase(page, 'Photo')
  await expect(failed).toContainText('the status of the response was 403')
  // The other one stays usable.
  await page.getByRole('region', { name: 'Case', exact: true }).focus()
  await page.keyboard.press(']')
  await expect.poll(() => decoded(inCase(page, 'Identity document'))).toBe(800)
  await page.keyboard.press('[')
  await inspect(page, 'a document that failed')
  const size = async () => failed.boundingBox().then((box) => [box?.width, box?.height])
  const before = await size()
  works = true
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => decoded(failed)).toBe(800)
  await expect(documents(page)).toContainText('1 finding')
  expect(await size()).toEqual(before)
  await inspect(page, 'a document with a finding')
})

test('a form requests nothing while its links are typed, or when they are sent', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await openAutomatically(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.field('Passport URL').pressSequentially(server.at(card, 'card.jpg'))
  await verify.field('Passport URL').blur()
  await expect(page.getByRole('button', { name: 'Show: Passport' })).toBeVisible()
  await verify.run('validate-passport', { id_url: server.at(card, 'card.jpg') })
  await expect(verify.record.sentIn('id_url')).toContainText('card.jpg')
  await expect(documents(page).getByRole('figure')).toHaveCount(0)
  expect(server.asked).toHaveLength(0)
  // The same record in the history is opened.
  await verify.record.more.click()
  await verify.record.openInHistory.click()
  await expect.poll(() => decoded(inCase(page, 'Passport'))).toBe(800)
  expect(server.asked).toHaveLength(1)
})
