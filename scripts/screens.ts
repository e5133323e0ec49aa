/**
 * Screenshots of the views, taken of the real console in the preview host with its sample data, whose people are invented.
 *
 *   npm run screens                    the committed ones, into docs/screens
 *   npm run screens -- --all FOLDER    each in all sizes and both themes, for review
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { startHost } from '../tests/app/fixtures/hosts.ts'
import { ask } from '../tests/app/fixtures/workspace.ts'
import { goTo } from '../tests/app/pages/go.ts'
import { packed } from './png.ts'

const sizes = { S: [900, 600], M: [1024, 700], L: [1440, 900], XL: [2560, 1440] } as const
type Look = readonly [size: keyof typeof sizes, theme: 'light' | 'dark']
const each: readonly Look[] = (Object.keys(sizes) as (keyof typeof sizes)[]).flatMap((size) => [
  [size, 'light'],
  [size, 'dark']
])

interface View {
  readonly name: string
  readonly path: string
  /** What is done there before the picture. */
  readonly reach?: (page: Page) => Promise<void>
  /** Unless it is one picture of 1440 x 900 in the light theme. */
  readonly looks?: readonly Look[]
}

const press =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
/** Opens the first that waits for a decision, with its documents. */
async function openCase(page: Page): Promise<void> {
  const queue = page.getByRole('grid', { name: /^Queue/ })
  await queue
    .getByRole('row', { name: /Pending decision/ })
    .first()
    .click()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Documents', exact: true }).waitFor()
  const show = page.getByRole('button', { name: /^Show \d+ document/ }).first()
  const shown = page.getByTestId('document').first()
  await show.or(shown).first().waitFor()
  if (await show.isVisible()) await show.click()
  await shown.waitFor()
}
async function openFirst(page: Page): Promise<void> {
  await page.getByRole('grid').first().getByRole('row').nth(1).click()
  await page.keyboard.press('Enter')
}

const views: readonly View[] = [
  { name: 'queue', path: '/queue' },
  {
    name: 'case',
    path: '/queue',
    reach: openCase,
    looks: [
      ['L', 'light'],
      ['S', 'light'],
      ['M', 'dark'],
      ['XL', 'dark']
    ]
  },
  { name: 'applicants', path: '/applicants' },
  { name: 'batches', path: '/batches' },
  { name: 'batch', path: '/batches', reach: openFirst },
  { name: 'batch-new', path: '/batches/new' },
  { name: 'history', path: '/history' },
  { name: 'record', path: '/history', reach: openFirst },
  { name: 'check-applicant', path: '/verify/applicant' },
  { name: 'verification', path: '/verify/validate-passport' },
  { name: 'overview', path: '/overview' },
  { name: 'catalogue', path: '/catalogue' },
  { name: 'evidence', path: '/evidence' },
  { name: 'audit', path: '/audit' },
  { name: 'connections', path: '/administration/connections' },
  { name: 'data-management', path: '/administration/data-management' },
  { name: 'team', path: '/administration/team' },
  { name: 'settings', path: '/administration/settings' },
  { name: 'palette', path: '/queue', reach: press('ControlOrMeta+k') },
  { name: 'help', path: '/queue', reach: press('F1') }
]

const { values } = parseArgs({ options: { all: { type: 'string' } } })
const folder = values.all ?? join(import.meta.dirname, '..', 'docs', 'screens')

/** Waits until nothing is loading any more, and two frames. */
async function still(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

async function pictures(page: Page, view: View, resize: (width: number, height: number) => Promise<void>) {
  await resize(1440, 900)
  await goTo(page, view.path)
  await still(page)
  await view.reach?.(page)
  for (const [size, theme] of values.all === undefined ? (view.looks ?? ([['L', 'light']] as const)) : each) {
    const [width, height] = sizes[size]
    await resize(width, height)
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme)
    await still(page)
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    writeFileSync(join(folder, `${view.name}-${theme}-${width}x${height}.png`), packed(taken))
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  console.log(view.name)
}

const place = mkdtempSync(join(tmpdir(), 'veridesk-screens-'))
try {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const home = join(place, 'home')
  mkdirSync(home)
  const host = await startHost('preview', { sample: true, dataFolder: place, home, environment: { TMPDIR: place } })
  const { page } = host
  const isComplete = async (): Promise<boolean> => {
    const { sample } = await ask(page, 'app.state')
    return sample !== undefined && sample.done === sample.total
  }
  while (!(await isComplete())) await page.waitForTimeout(250)
  await page.getByRole('button', { name: 'End the tour' }).click()
  for (const view of views) await pictures(page, view, host.resize)
  await host.close()
  console.log(`Pictures in ${folder}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
