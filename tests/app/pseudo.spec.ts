/**
 * Every view and dialog in the language that nobody speaks: with accents, 40 % longer, from right to left. What stays English in it has
 * no place in the words of its feature; what no longer fits could hold no other language.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { repository } from './fixtures/runtime.ts'
import { pseudo } from '../../renderer/kit/pseudo.ts'
import { sentencesIn } from '../unit/support/sentences.ts'
import { dialogs, elsewhere, type OpenedDialog } from './fixtures/dialog-walk.ts'
import { furnish, people, type Scene } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'

/** The phrases of a source: names and sentences, which begin with a capital letter. */
const phrasesOf = (source: string): string[] =>
  [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n])*[A-Za-z](?:(?!\1)[^\\\n])*)\1/g)]
    .map(([, , text = '']) => text)
    .filter((text) => /^[A-Z]/.test(text) || / /.test(text))

const sourcesUnder = (folder: string, ending = '.ts'): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))

/**
 * Core's sentences and the names of operations, fields and outcomes are the contract's: they are no words of the window. The
 * rest are values: what the scene is made of, the practice service's name, reasons of decisions, units, the product.
 */
const known = [...sourcesUnder('contract'), 'tests/app/fixtures/scene.ts']
  .flatMap((path) => phrasesOf(readFileSync(join(repository, path), 'utf8')))
  .concat(
    ...['Practice', 'Veridesk', 'Bearer', 'Ctrl', 'Shift', 'Chrome', 'HTTP', 'UTC', 'linux', 'ready', 'system'],
    ...['yyyy', 'mm', 'dd', 'APP', 'renewal', 'branch', 'Page Up', 'Page Down', 'Space']
  )
  .map((text) => text.toLowerCase())

/** Runs of English letters of a text that are no value. */
const foreign = (text: string): string[] =>
  text
    .replace(
      /https?:\/\/\S+|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\b[AP]M\b|\b\S*_\S+|\S*\d\S*/g,
      '•'
    )
    .split(/[^A-Za-z ’'\-,&]+/)
    .map((run) => run.replace(/^[^A-Za-z]+|[^A-Za-z]+$/g, ''))
    .filter(
      (run) =>
        run.length > 1 &&
        !known.some(
          (phrase) => phrase === run.toLowerCase() || (run.includes(' ') && phrase.includes(run.toLowerCase()))
        )
    )

/** Without the attribute that a text was found in, and the values in it. */
const named = (text: string): string =>
  text.replace(/^(?:aria-label|title|placeholder): /, '').replace(/\u2068[^\u2069]*\u2069/g, '•')

/** Texts that are seen and have two English letters in a row. Values are in `<bdi>`, times, fields and the font of codes; sentences of the audit trail and announcements hold values. */
const english = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate((place) => {
    const whole = document.querySelector(place) ?? document.body
    const values =
      'bdi, time, code, kbd, pre, input, textarea, svg, .font-mono, .sample, [data-column="words"], [role="status"]'
    const walker = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT)
    const found = new Set<string>()
    while (walker.nextNode()) {
      const { parentElement: around, nodeValue } = walker.currentNode
      const text = nodeValue?.trim() ?? ''
      if (/[A-Za-z]{2}/.test(text) && around?.checkVisibility() && !around.closest(values)) found.add(text)
    }
    for (const element of whole.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder']) {
        const text = element.getAttribute(name) ?? ''
        // The service's own name of a value, beside its name in words.
        if (text === element.parentElement?.dataset['field']) continue
        if (/[A-Za-z]{2}/.test(text) && element.checkVisibility() && !element.closest(values))
          found.add(`${name}: ${text}`)
      }
    return [...found]
  }, within)

/** What is wider than the window or scrolls sideways. */
const sideways = (page: Page, within = 'main'): Promise<string[]> =>
  page.evaluate(
    ([place, rows]) =>
      [document.documentElement, ...document.querySelectorAll(`${place}, ${place} *`)]
        .filter((element) => {
          // A file's columns are others': how many, nobody knows beforehand.
          if (element.getAttribute('aria-label') === rows) return false
          const { overflowX } = getComputedStyle(element)
          const scrolls = element === document.documentElement || overflowX === 'auto' || overflowX === 'scroll'
          return element.checkVisibility() && scrolls && element.scrollWidth > element.clientWidth + 1
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    [within, pseudo('Rows of the batch')] as const
  )

/** Sentences that do not fit where they are, by their place in the page. Values are cut, and what has a tooltip can be read. */
const cutTexts = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => {
    const placeOf = (element: Element): string => {
      const above = element.parentElement
      return above ? `${placeOf(above)}/${[...above.children].indexOf(element)}` : ''
    }
    const values = 'bdi, time, code, kbd, pre, input, textarea, svg, .font-mono, .sr-only, [title], [role="grid"]'
    const found: Record<string, string> = {}
    for (const element of document.querySelectorAll('dialog[open] *, main *')) {
      const text = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map(({ nodeValue }) => nodeValue ?? '')
        .join('')
        .trim()
      const { overflowX, display } = getComputedStyle(element)
      const holds = overflowX !== 'visible' || element.tagName === 'BUTTON'
      if (text === '' || display === 'inline' || !holds || element.closest(values) || !element.checkVisibility())
        continue
      if (element.scrollWidth > element.clientWidth + 1) found[placeOf(element)] = text
    }
    return found
  })

/** How the title of each dialog in the templates begins. */
const titles = sourcesUnder('renderer', '.vue').flatMap((path) => {
  const words = join(repository, dirname(path), 'words.ts')
  const sentences = existsSync(words) ? sentencesIn(readFileSync(words, 'utf8')) : []
  const source = readFileSync(join(repository, path), 'utf8')
  return [...source.matchAll(/<(?:ModalDialog|ConfirmDialog)\b[^>]*?\s:title="([^"]*)"/gs)].flatMap(([, title = '']) =>
    [...title.matchAll(/words\.(\w+)/g)].flatMap(([, key]) =>
      sentences.filter((each) => (each.group ?? each.key) === key).flatMap(({ forms }) => forms)
    )
  )
})

/** Opens a dialog as a person does, in the language that `say` speaks. */
async function open(page: Page, dialog: OpenedDialog, scene: Scene, say: (text: string) => string): Promise<void> {
  const main = page.getByRole('main')
  // Until its first page is there, the window ignores a change of the address.
  await expect(main.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.evaluate((hash) => (location.hash = `#/${hash}`), dialog.at(scene))
  await expect(main.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
  for (const step of dialog.by) {
    if ('row' in step) await main.getByRole('grid').first().getByRole('row').nth(step.row).click()
    else if ('select' in step) {
      const row = main.getByRole('grid').first().getByRole('row').nth(step.select)
      // What the dialog before was about is still selected.
      if ((await row.getAttribute('aria-selected')) !== 'true') await row.click({ modifiers: ['ControlOrMeta'] })
    } else if ('key' in step) {
      // Letters of the queue act in its list alone, once its rows are there.
      if (dialog.at(scene) === 'queue') {
        await expect(main.getByRole('grid').first().getByRole('row').nth(1)).toBeVisible()
        await main.getByRole('grid').first().focus()
      }
      await page.keyboard.press(step.key)
    } else if ('fill' in step) await main.getByLabel(say(step.fill), { exact: true }).first().fill(step.value)
    else {
      const name = new RegExp(`^\\s*${say(step.press).replace(/[.?*+^$()[\]{}|\\]/g, '\\$&')}`)
      const place = (await page.locator('dialog[open]').count()) > 0 ? page.locator('dialog[open]') : main
      const named = place.getByRole('button', { name }).or(place.getByRole('menuitem', { name }))
      await named.filter({ visible: true }).first().click()
    }
  }
  await expect(page.locator('dialog[open]'), dialog.title).toBeVisible()
}

test('the list of dialogs is that of the templates', () => {
  const known = [...dialogs.map(({ title }) => title), ...elsewhere]
  expect(titles.length).toBeGreaterThan(20)
  expect(titles.filter((title) => !known.some((each) => title.startsWith(each)))).toEqual([])
})

test('every dialog speaks another language, and in a small window no sentence is cut where the English one fits', async ({
  workspace
}) => {
  test.setTimeout(360_000)
  const page = await workspace.open()
  const scene = await furnish(page, (await usePractice(page)).id)
  await ask(page, 'recovery.create')
  await resizeWindow(page, { width: 900, height: 600 })
  const fits = new Map<string, Readonly<Record<string, string>>>()
  for (const say of [(text: string) => text, pseudo<string>]) {
    for (const dialog of dialogs) {
      const { title } = dialog
      await open(page, dialog, scene, say)
      const cut = await cutTexts(page)
      if (fits.has(title)) {
        await expect.soft(page.locator('dialog[open] h2').first()).toContainText(say(title))
        const left = (await english(page, 'dialog[open]')).filter((text) => foreign(named(text)).length > 0)
        expect.soft(left, `${title}: English`).toEqual([])
        expect.soft(await sideways(page, 'dialog[open]'), `${title}: wider than 900`).toEqual([])
        const inEnglish = fits.get(title) ?? {}
        expect
          .soft(
            Object.entries(cut).filter(([place]) => !(place in inEnglish)),
            `${title}: cut`
          )
          .toEqual([])
      } else fits.set(title, cut)
      await page.keyboard.press('Escape')
      // What is shown only once asks before it goes.
      if (title === 'Your recovery key')
        await page
          .locator('dialog[open]')
          .getByRole('button', { name: say('Leave without a copy') })
          .click()
      await expect(page.locator('dialog[open]'), title).toHaveCount(0)
    }
    await page.evaluate(() => (location.search = '?language=pseudo'))
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA')
  }
})

test('every view speaks another language, longer and from right to left', async ({ workspace }) => {
  test.setTimeout(360_000)
  const page = await workspace.open()
  const scene = await furnish(page, (await usePractice(page)).id)
  await resizeWindow(page, { width: 1280, height: 800 })
  await page.evaluate(() => (location.search = '?language=pseudo'))
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  for (const path of [
    'welcome',
    'overview',
    'verify/get-applicant-details',
    'history',
    `history/${scene.photoRecord}`,
    'batches',
    'batches/new',
    `batches/${scene.batches.finished}`,
    `batches/${scene.batches.paused}`,
    `batches/${scene.batches.made}`,
    'applicants',
    `applicants/${people.approved}`,
    'queue',
    'catalogue',
    'audit',
    'evidence',
    'data-management',
    'connections',
    'diagnosis',
    'settings',
    'team',
    'about'
  ]) {
    await page.evaluate((hash) => (location.hash = `#/${hash}`), path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
    const left = (await english(page)).filter((text) => foreign(named(text)).length > 0)
    expect.soft(left, `${path}: English`).toEqual([])
    // A table that has just become narrower gives up columns with the next frame.
    await expect
      .configure({ soft: true })
      .poll(() => sideways(page), `${path}: wider than 1280`)
      .toEqual([])
  }
})
