/**
 * Every view in the language that nobody speaks: with accents, 40 % longer, from right to left. What stays English in it has
 * no place in the words of its feature; what no longer fits could hold no other language.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { repository } from './fixtures/runtime.ts'
import { furnish, people } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { expect, test, usePractice } from './fixtures/workspace.ts'

/** The phrases of a source: names and sentences, which begin with a capital letter. */
const phrasesOf = (source: string): string[] =>
  [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n])*[A-Za-z](?:(?!\1)[^\\\n])*)\1/g)]
    .map(([, , text = '']) => text)
    .filter((text) => /^[A-Z]/.test(text) || / /.test(text))

const sourcesUnder = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))

/**
 * Core's sentences and the names of operations, fields and outcomes are the contract's: they are no words of the window. The
 * rest are values: what the scene is made of, the practice service's name, reasons of decisions, units, the product.
 */
const known = [...sourcesUnder('contract'), 'tests/app/fixtures/scene.ts']
  .flatMap((path) => phrasesOf(readFileSync(join(repository, path), 'utf8')))
  .concat(
    ...['Practice', 'Veridesk', 'Ctrl', 'Shift', 'Chrome', 'HTTP', 'UTC', 'linux', 'ready', 'system'],
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

/** Texts that are seen and have two English letters in a row. Values are in `<bdi>`, times, fields and the font of codes; sentences of the audit trail and announcements hold values. */
const english = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const values =
      'bdi, time, code, kbd, pre, input, textarea, svg, .font-mono, .sample, [data-column="words"], [role="status"]'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = new Set<string>()
    while (walker.nextNode()) {
      const { parentElement: around, nodeValue } = walker.currentNode
      const text = nodeValue?.trim() ?? ''
      if (/[A-Za-z]{2}/.test(text) && around?.checkVisibility() && !around.closest(values)) found.add(text)
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder']) {
        const text = element.getAttribute(name) ?? ''
        if (/[A-Za-z]{2}/.test(text) && element.checkVisibility() && !element.closest(values))
          found.add(`${name}: ${text}`)
      }
    return [...found]
  })

/** What is wider than the window or scrolls sideways. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, main *')]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element)
        const scrolls = element === document.documentElement || overflowX === 'auto' || overflowX === 'scroll'
        return element.checkVisibility() && scrolls && element.scrollWidth > element.clientWidth + 1
      })
      .map((element) => element.outerHTML.slice(0, 120))
  )

test('every view speaks another language, longer and from right to left', async ({ workspace }) => {
  test.setTimeout(240_000)
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
    const left = (await english(page)).filter(
      (text) => foreign(text.replace(/^(?:aria-label|title|placeholder): /, '')).length > 0
    )
    expect.soft(left, `${path}: English`).toEqual([])
    expect.soft(await sideways(page), `${path}: wider than 1280`).toEqual([])
  }
})
