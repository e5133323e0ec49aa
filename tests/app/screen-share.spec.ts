/** Screen-share mode in the window: no view has personal data while it is on, and each value is shown alone, with its event. */
import type { Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { card } from '../service/support/document-files.ts'
import { serveDocuments, stated } from '../service/support/document-server.ts'
import { textRows, workbookFile } from '../unit/support/workbook-files.ts'
import { inspect } from './fixtures/axe.ts'
import { canariesOf, found } from './fixtures/canaries.ts'
import { furnish, people, runCheck, type Scene } from './fixtures/scene.ts'
import { stops } from './fixtures/stops.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { NewBatchPage } from './pages/batches.ts'
import { choose } from './pages/fields.ts'
import { goTo } from './pages/go.ts'
import { VerifyPage } from './pages/verify.ts'

const hides = (page: Page) => page.locator('html[data-hides]')
async function turn(page: Page, on: boolean): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+M')
  await expect(hides(page)).toHaveCount(on ? 1 : 0)
}
const revealed = async (page: Page) => (await ask(page, 'audit.page', { limit: 200, kinds: ['value.revealed'] })).events

test('no view has personal data of anybody while the mode is on', { tag: '@preview-only' }, async ({ workspace }) => {
  test.setTimeout(240_000)
  const page = await workspace.open()
  const scene: Scene = await furnish(page, (await usePractice(page)).id)
  const canaries = await canariesOf(page)
  /** The catalogue and the overview show messages that name nobody. */
  const soughtIn = (place: string) => (/catalogue|overview|interpret/i.test(place) ? canaries.open : canaries.all)
  await goTo(page, `/history/${scene.photoRecord}`)
  await expect(page.getByTestId('record')).toBeVisible()
  expect((await found(page, canaries.all)).length, 'the canaries are found where they are').toBeGreaterThan(3)

  // Every state of a view is reached as usual, and the mode is switched on over it, dialogs included.
  for (const stop of stops) {
    await stop.reach(page, scene)
    await turn(page, true)
    expect.soft(await found(page, soughtIn(stop.name)), stop.name).toEqual([])
    await turn(page, false)
    await stop.leave?.(page)
  }
  // And each page is opened while it is on.
  await turn(page, true)
  const pages = [
    'overview',
    'history',
    `history/${scene.photoRecord}`,
    'batches',
    `batches/${scene.batches.finished}`,
    'applicants',
    `applicants/${people.approved}`,
    'queue',
    'catalogue',
    'audit',
    'administration/data-management',
    'administration/keys',
    'administration/connections',
    'administration/team',
    'administration/settings',
    'evidence',
    'about'
  ]
  for (const path of pages) {
    await goTo(page, `/${path}`)
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
    await expect(page.getByTestId('screen-share'), path).toBeVisible()
    expect.soft(await found(page, soughtIn(path)), `${path}, opened in the mode`).toEqual([])
    if (path === 'catalogue') await expect(page.getByRole('grid')).toContainText(canaries.shown.slice(0, 40))
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('NB-2026-0041')
  await expect(page.getByRole('option', { name: /hidden/i }).first()).toBeVisible()
  expect.soft(await found(page, canaries.all), 'palette').toEqual([])
})

test(
  'a value is shown alone until the focus leaves it, and each time is an event',
  { tag: '@preview-only' },
  async ({ workspace }) => {
    const page = await workspace.open()
    const connection = (await usePractice(page)).id
    const record = await runCheck(page, connection, 'get-applicant-details', { applicant_id: 'CANARY-7' })
    await ask(page, 'applicants.note', { applicantId: 'CANARY-7', text: 'Canary of a note' })
    await goTo(page, '/applicants/CANARY-7')
    await expect(page.getByRole('region', { name: 'Notes' }).getByText('Canary of a note')).toBeVisible()
    await turn(page, true)
    expect(await found(page, ['CANARY-7', 'Canary of a note'])).toEqual([])
    await inspect(page, 'applicant in the mode')

    // By keyboard, on the heading's value: nothing moves.
    const value = page.getByRole('heading', { level: 1 }).getByRole('button', { name: 'Hidden. Show applicant ID' })
    const box = await value.boundingBox()
    await value.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('shown-value')).toHaveText('CANARY-7')
    expect(await value.boundingBox()).toEqual(box)
    await page.keyboard.press('Tab')
    await expect(page.getByTestId('shown-value')).toHaveCount(0)
    expect(await found(page, ['CANARY-7'])).toEqual([])

    // A text that is being typed. Nobody types yet, so another element stands in for the field.
    const [note, stand] = [page.locator('textarea'), page.getByRole('textbox', { name: 'New note' })]
    await expect(note).toBeHidden()
    await stand.click()
    await expect(note).toBeFocused()
    await note.fill('Canary that is typed')
    await note.press('ControlOrMeta+a')
    await note.press('ControlOrMeta+c')
    await expect(note).toHaveCSS('-webkit-text-security', 'disc')
    await page.keyboard.press('Alt+r')
    await expect(page.locator('textarea[data-shown]')).toHaveCount(1)
    await page.keyboard.press('Tab')
    await expect(page.locator('textarea[data-shown]')).toHaveCount(0)
    // Left, it is neither in the page nor in the accessibility tree, and it comes back as it was, also to be undone.
    expect(await found(page, ['Canary that is typed'])).toEqual([])
    await expect(stand).toHaveText('••••••••')
    await page.keyboard.press('Shift+Tab')
    await expect(note).toBeFocused()
    await expect(note).toHaveValue('Canary that is typed')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(note).toHaveValue('')
    await page.keyboard.press('Shift+Tab')
    await expect(note).toBeHidden()
    await page.getByText('New note', { exact: true }).dispatchEvent('click')
    await expect(note).toBeFocused()
    expect(
      (await ask(page, 'audit.page', { limit: 10, kinds: ['text.copied'] })).events,
      'a hidden field gives nothing to a copy'
    ).toEqual([])

    const tag = page.getByLabel('New tag')
    await tag.fill('Canary of a tag')
    expect(await found(page, ['Canary of a tag'])).toEqual([])
    await tag.press('Alt+r')
    await expect(tag).toHaveAttribute('type', 'text')
    await page.keyboard.press('Shift+Tab')
    await expect(tag).toHaveAttribute('type', 'password')

    // In a table, the row has the focus, and another row hides it again.
    await goTo(page, '/applicants', 'Applicants')
    await page.getByRole('grid').focus()
    await page.keyboard.press('Alt+r')
    await expect(page.getByTestId('shown-value')).toHaveText('CANARY-7')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByTestId('shown-value')).toHaveCount(0)
    // By pointer, the value is shown instead of the row being opened.
    await page.getByRole('grid').locator('[data-hidden]').first().click()
    await expect(page.getByTestId('shown-value')).toHaveText('CANARY-7')
    await expect(page.getByRole('heading', { level: 1, name: 'Applicants' })).toBeVisible()

    // A response, until the page changes.
    await goTo(page, `/history/${record}`)
    await page.getByRole('button', { name: 'Hidden. Show response' }).click()
    await expect(page.getByRole('tab', { name: 'Raw' })).toBeVisible()
    await page.getByRole('button', { name: 'Close the record' }).focus()
    await expect(page.getByRole('tab', { name: 'Raw' })).toHaveCount(0)

    const events = await revealed(page)
    expect(events.map(({ words, applicantId }) => [words, applicantId])).toEqual([
      ['Hidden value shown: response.', 'CANARY-7'],
      ['Hidden value shown: applicant ID.', 'CANARY-7'],
      ['Hidden value shown: applicant ID.', 'CANARY-7'],
      ['Hidden value shown: text of the field.', undefined],
      ['Hidden value shown: text of the field.', undefined],
      ['Hidden value shown: applicant ID.', 'CANARY-7']
    ])

    // Nothing of it goes to paper.
    await page.keyboard.press('ControlOrMeta+p')
    await expect(page.getByTestId('toast')).toContainText('Nothing is printed in screen-share mode')
    await turn(page, false)
    await expect(page.getByTestId('screen-share')).toHaveCount(0)
  }
)

test('a document is drawn only while it is shown', { tag: '@preview-only' }, async ({ workspace }) => {
  const server = await serveDocuments()
  try {
    const page = await workspace.open()
    await usePractice(page)
    const verify = new VerifyPage(page)
    await verify.open('validate-passport')
    await verify.fill('validate-passport', { id_url: server.at(stated('image/jpeg', card), 'canary.jpg') })
    await page.getByRole('button', { name: /^Show: / }).click()
    const image = page.getByTestId('document')
    await expect(image).toBeVisible()
    // While it is open.
    await turn(page, true)
    await expect(image).toHaveCount(0)
    expect(await found(page, ['canary.jpg'])).toEqual([])
    const show = page.getByRole('button', { name: 'Show this document', exact: true })
    await show.click()
    await expect(image).toBeVisible()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect(image, 'its own controls keep it').toBeVisible()
    await verify.field('Passport URL').focus()
    await expect(image).toHaveCount(0)
    // By its key, from wherever the focus is in the pane.
    await page.getByRole('button', { name: 'Zoom in' }).focus()
    await page.keyboard.press('Alt+r')
    await expect(image).toBeVisible()
    expect((await revealed(page)).map(({ words }) => words)).toEqual([
      'Hidden value shown: document.',
      'Hidden value shown: document.'
    ])
  } finally {
    await server.close()
  }
})

test(
  'the check of a file shows no cell, first line or name of a sheet',
  { tag: '@preview-only' },
  async ({ workspace }) => {
    const page = await workspace.open()
    await usePractice(page)
    const form = new NewBatchPage(page)
    await form.open()
    await choose(form.operation, operationOf('get-applicant-details').title)

    const [rounded, long] = ['9.87654E+11', '123456789012340000']
    const lines = `Canary's people\nid;remark\n${rounded};Canariënvogel\n${long};x\n`
    await form.dropFile('rows.csv', [...Buffer.from(lines, 'latin1')])
    await choose(form.main.getByRole('combobox', { name: 'Line of the headings' }), 'Line 2: id · remark')
    const proposed = form.main.getByRole('region', { name: 'Choose the encoding of the file' })
    await expect(proposed).toContainText('Canariënvogel')
    const canaries = ['Canar', rounded, long]
    await turn(page, true)
    expect(await found(page, canaries)).toEqual([])
    await form.main.getByRole('combobox', { name: 'Line of the headings' }).click()
    await expect(page.getByRole('option', { name: 'Line 1: hidden' })).toBeVisible()
    expect(await found(page, canaries), 'the list of first lines').toEqual([])
    await page.keyboard.press('Escape')
    // The list gives the focus back a frame later.
    await expect(form.main.getByRole('combobox', { name: 'Line of the headings' })).toBeFocused()
    await turn(page, false)
    await proposed.getByRole('button', { name: 'Read as Windows-1252 (Western European)' }).click()
    await form.go('Columns')
    await choose(form.column('Applicant ID'), '1: id')
    await expect(form.main.getByRole('group', { name: 'Columns' })).toContainText(rounded)
    await turn(page, true)
    expect(await found(page, canaries), 'the first values').toEqual([])
    await turn(page, false)
    await form.go('Rows')
    await expect(form.faults).toContainText(rounded)
    await expect(form.main.getByRole('region', { name: /^Look at 1 cell/ })).toContainText(long)
    await turn(page, true)
    expect(await found(page, canaries), 'the rows').toEqual([])
    await form.faults.focus()
    await page.keyboard.press('Alt+r')
    await expect(page.getByTestId('shown-value')).toHaveText(rounded)
    await turn(page, false)

    // As a draft: the fault that is kept with a row quotes its cell.
    const batch = await form.kept()
    await expect(batch.row(3)).toContainText(`The cell says “${rounded}”.`)
    await turn(page, true)
    expect(await found(page, canaries)).toEqual([])
    await expect(batch.row(3)).not.toContainText('message of the service')
    await turn(page, false)

    await form.open()
    const people =
      textRows([['applicant_id', 'remark']]) + '<row r="2"><c r="A2" t="str"><f>B9</f><v>CANARY-7</v></c></row>'
    const sheets = [
      { name: 'Canary sheet', data: people, before: '<cols><col min="2" max="2" hidden="1"/></cols>' },
      { name: 'Canary others', data: people, state: 'hidden' }
    ]
    await form.dropFile('rows.xlsx', [...workbookFile({ sheets })])
    const about = form.main.getByRole('list', { name: 'About the workbook' })
    await expect(about).toContainText('Not read: Canary others (hidden).')
    await expect(about).toContainText('remark')
    await turn(page, true)
    await expect(about).toContainText('Not read: Sheet 2 (hidden).')
    await expect(about).not.toContainText('remark')
    await expect(form.main.getByRole('combobox', { name: 'Sheet' })).toHaveText('Sheet 1')
    expect(await found(page, ['Canary', 'CANARY'])).toEqual([])
    await turn(page, false)
    await form.go('Rows')
    await expect(form.main.getByRole('region', { name: /^Look at 1 cell/ })).toContainText('CANARY-7')
    await turn(page, true)
    expect(await found(page, ['Canary', 'CANARY'])).toEqual([])
  }
)
