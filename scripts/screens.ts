/**
 * Screenshots of every view, taken of the real console in the preview host with synthetic data.
 *
 *   npm run screens                    the committed ones, into docs/screens
 *   npm run screens -- --all FOLDER    every view in all sizes and both themes, for review
 *
 * Names, addresses and IDs in the screenshots are invented.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { startPracticeService } from '#practice/service.ts'
import { ask, inKeyring, useService } from '../tests/app/fixtures/workspace.ts'
import { seedHistory } from '../tests/app/fixtures/history.ts'
import { startHost } from '../tests/app/fixtures/hosts.ts'
import { furnish } from '../tests/app/fixtures/scene.ts'
import { stops } from '../tests/app/fixtures/stops.ts'
import { ConnectionsPage } from '../tests/app/pages/connections.ts'
import { HistoryPage } from '../tests/app/pages/history.ts'
import { Shell, WelcomePage } from '../tests/app/pages/shell.ts'
import { VerifyPage } from '../tests/app/pages/verify.ts'
import { goTo } from '../tests/app/pages/go.ts'
import { TeamPage } from '../tests/app/pages/team.ts'
import { startKeyring } from '../tests/service/support/keyring.ts'
import { startTeamDatabase } from '../tests/service/support/postgres.ts'
import { exchanging } from '../tests/service/support/team-exchange.ts'
import {
  addressOf,
  installed,
  requestOf,
  valueOf,
  type Installation
} from '../tests/service/support/team-installation.ts'
import { answer, intentOf } from '../tests/service/history-fixtures.ts'
import { packed } from './png.ts'

type Size = 'least' | 'small' | 'large' | 'largest'
type Theme = 'light' | 'dark'
type Kept = readonly { readonly size: Size; readonly theme: Theme }[]
const sizes: Readonly<Record<Size, { width: number; height: number }>> = {
  least: { width: 900, height: 600 },
  small: { width: 1024, height: 700 },
  large: { width: 1440, height: 900 },
  largest: { width: 2560, height: 1440 }
}
/** Of a view: every size in both themes. */
const view: Kept = (Object.keys(sizes) as Size[]).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ size, theme }))
)
/** Of a state of a view: every size once, and both themes. */
const ends: Kept = [
  { size: 'largest', theme: 'light' },
  { size: 'large', theme: 'light' },
  { size: 'small', theme: 'dark' },
  { size: 'least', theme: 'dark' }
]

const { values } = parseArgs({ options: { all: { type: 'string' } } })
const folder = values.all ?? join(import.meta.dirname, '..', 'docs', 'screens')
mkdirSync(folder, { recursive: true })

async function picture(page: Page, name: string, kept: Kept): Promise<void> {
  for (const { size, theme } of values.all === undefined ? kept : view) {
    await page.setViewportSize(sizes[size])
    await page.mouse.move(0, 0)
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const { width, height } = sizes[size]
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    writeFileSync(join(folder, `${name}-${theme}-${width}x${height}.png`), packed(taken))
  }
  console.log(name)
}

async function connect(
  page: Page,
  baseUrl: string,
  credentials: Parameters<typeof useService>[1]['credentials']
): Promise<string> {
  await useService(
    page,
    { baseUrl: 'https://kyc.example.com', credentials },
    { name: 'Production', mode: 'live', colour: 'red', mark: 'PR' }
  )
  await useService(
    page,
    { baseUrl: 'https://branch.kyc.example.com', credentials },
    { name: 'Branch office', colour: 'violet', mark: 'BR' }
  )
  const { id } = await useService(
    page,
    { baseUrl, credentials },
    { name: 'Test account', colour: 'blue', mark: 'TA' },
    { totalTimeout: 30 }
  )
  await ask(page, 'settings.change', { lastConnection: id })
  return id
}

/** The operations of the screenshots. */
const documents = 'validate-applicant-documents'
const details = 'get-applicant-details'
const photo = 'validate-kyc-photo'
const passport = 'validate-passport'

async function checks(page: Page): Promise<void> {
  const shell = new Shell(page)
  const verify = new VerifyPage(page)
  await verify.open(documents)
  await picture(page, 'form', [])
  await verify.open(passport)
  await verify.run(passport, { id_url: 'https://files.example.com/2026/000123/passport.jpg' })
  await verify.record.status.waitFor()
  await picture(page, 'verify', view)
  await verify.open(details)
  await verify.run(details, { applicant_id: 'PRACTICE-extra.000123' })
  await verify.record.status.waitFor()
  await picture(page, 'details', ends)
  await verify.run(details, { applicant_id: 'PRACTICE-silent' })
  await verify.running.getByText('The request was sent.').waitFor()
  await picture(page, 'running', [])
  await verify.cancel.click()
  await verify.record.resolveForm.waitFor()
  await picture(page, 'unknown', ends)
  await verify.open(photo)
  await verify.run(photo, { photo_url: 'https://files.example.com/trigger/html' })
  await verify.record.raw.waitFor()
  await picture(page, 'unreadable', [])
  await shell.choose('Production')
  await verify.open(passport)
  await verify.fill(passport, {
    id_url:
      'https://bucket.s3.amazonaws.com/passport.jpg?X-Amz-Date=20260101T000000Z&X-Amz-Expires=3600&X-Amz-Signature=0f'
  })
  await shell.liveMark.waitFor()
  await picture(page, 'live', ends)
  await shell.choose('Test account')
}

async function views(page: Page): Promise<void> {
  const shell = new Shell(page)
  const history = new HistoryPage(page)
  await history.open()
  await history.row(3).waitFor()
  await picture(page, 'history', view)
  await history.filter('Outcome', 'Answered')
  await history.search.fill('blurred')
  // Fewer than a thousand: the search has been applied in addition to the filter.
  await history.total.filter({ hasNotText: ',' }).waitFor()
  await picture(page, 'search', [])
  await history.clearFilters.click()
  await history.total.filter({ hasText: '3,00' }).waitFor()
  await history.row(6).click()
  await history.record.facts.waitFor()
  await picture(page, 'record', ends)
  const connections = new ConnectionsPage(page)
  await connections.open()
  const card = connections.card('Test account')
  await card.reach.click()
  await card.steps.nth(2).waitFor()
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0))
  await picture(page, 'connections', ends)
  await connections.add.click()
  await picture(page, 'add-connection', [])
  await page.keyboard.press('Escape')
  await shell.open('Settings')
  await shell.heading.filter({ hasText: 'Settings' }).waitFor()
  await picture(page, 'settings', ends)
  await team(page)
  await shell.open('Help')
  await shell.heading.filter({ hasText: 'Help' }).waitFor()
  await picture(page, 'help', [])
  await shell.openPalette()
  await shell.palette.waitFor()
  await picture(page, 'palette', ends)
  await page.keyboard.press('Escape')
}

/** What an invented colleague recorded and shared. */
async function work(of: Installation): Promise<void> {
  const colleague = await exchanging(of)
  const { store } = colleague
  const by = { at: Date.now(), operator: of.name }
  for (const [applicant, message] of [
    ['APP-1041', 'Applicant documents validated successfully.'],
    ['APP-1042', 'The photo does not match the document.']
  ] as const) {
    const { id } = valueOf(await store.begin({ ...intentOf({ applicant }), startedAt: by.at - 600_000 }))
    valueOf(await store.finish(id, { ...answer(message), endedAt: by.at - 599_000 }))
  }
  valueOf(await store.applicants.note('APP-1042', 'The applicant sends a new photo on Monday.', by))
  const { evidence } = valueOf(await store.applicants.show('APP-1042'))
  valueOf(
    await store.applicants.decide(
      {
        applicantId: 'APP-1042',
        decision: 'escalate',
        reasons: ['second-opinion'],
        note: 'The passport is genuine, the photo is not of the same person.',
        evidence
      },
      by
    )
  )
  await colleague.settle()
  await colleague.close()
}

/** A team of invented people, and how one is created. */
async function team(page: Page): Promise<void> {
  const database = await startTeamDatabase()
  await new TeamPage(page).open()
  await picture(page, 'team', ends)
  database.postgres.sql((await ask(page, 'team.access')).sql, 'team')
  await ask(page, 'team.create', { name: 'Anna Weber', database: addressOf(database) })
  const { path = '', words = '' } = (await ask(page, 'team.invite')) ?? {}
  for (const [name, role] of [
    ['Ben Okoro', 'analyst'],
    ['Carla Ruiz', 'reviewer'],
    ['Dewi Hart', 'auditor']
  ] as const) {
    const one = await installed(database, name)
    await ask(page, 'team.admit', { ...(await requestOf(one, readFileSync(path, 'utf8'), words)), role })
    if (role === 'reviewer') await work(one)
    rmSync(one.folder, { recursive: true })
  }
  await new Shell(page).open('Settings')
  const members = new TeamPage(page)
  await members.open()
  await members.members.nth(3).waitFor()
  await ask(page, 'team.share', { kept: [] })
  await page.reload()
  await members.main.getByText('The applicant sends a new photo').waitFor()
  await members.main.getByRole('form', { name: 'What is shared' }).getByRole('button', { name: 'Save' }).waitFor()
  await picture(page, 'team-members', view)
  await goTo(page, '/applicants/APP-1042', 'APP-1042')
  await page.getByRole('region', { name: 'Colleagues' }).waitFor()
  await picture(page, 'team-applicant', ends)
  await ask(page, 'team.leave')
  await database.end()
}

/** States for review that are not committed. */
const unkept = new Set([
  'batch-paused',
  'batch-made',
  'applicant-deciding',
  'applicant-unknown',
  'catalogue-reading',
  'link',
  'audit-event'
])

async function records(page: Page, connectionId: string): Promise<void> {
  const scene = await furnish(page, connectionId)
  for (const stop of stops) {
    await stop.reach(page, scene)
    await picture(
      page,
      stop.name,
      unkept.has(stop.name) ? [] : ['evidence-pack', 'applicant-outdated'].includes(stop.name) ? ends : view
    )
    await stop.leave?.(page)
  }
}

const place = mkdtempSync(join(tmpdir(), 'veridesk-screens-'))
const dataFolder = join(place, 'data')
const home = join(place, 'home')
mkdirSync(home)
const keyring = await startKeyring()
const service = await startPracticeService()
const environment = inKeyring(keyring)
try {
  const fresh = await startHost('preview', { dataFolder: join(place, 'fresh'), home, environment })
  await new WelcomePage(fresh.page).heading.waitFor()
  await picture(fresh.page, 'welcome', ends)
  await fresh.close()
  await seedHistory(dataFolder, keyring, 3000)
  const session = await startHost('preview', { dataFolder, home, environment })
  const connection = await connect(session.page, service.baseUrl, service.credentials)
  await checks(session.page)
  await views(session.page)
  await records(session.page, connection)
  await session.close()
  console.log(`Pictures in ${folder}`)
} finally {
  await service.close()
  await keyring.end()
  rmSync(place, { recursive: true, force: true })
}
