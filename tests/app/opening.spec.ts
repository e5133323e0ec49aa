/** What the system asks the console to open: links by ID, tables for a batch, evidence packs; also while it is locked. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { linkTo } from '#contract/app/link-to.ts'
import { dayLength, today } from '#contract/applicants/due-dates.ts'
import { runCheck } from './fixtures/scene.ts'
import { goTo } from './pages/go.ts'
import { startHost } from './fixtures/hosts.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { LockPage } from './pages/lock.ts'
import { Shell } from './pages/shell.ts'

test.use({ ownHost: true })

/** As a second start of an installed program passes on what it was asked to open. */
const startAgain = (electron: ElectronApplication, ...asked: string[]): Promise<unknown> =>
  electron.evaluate(({ app }, args) => app.emit('second-instance', {}, ['veridesk', ...args], '/'), asked)

test('a link and a file lead to their pages at the start', { tag: '@electron' }, async ({ host, folder, home }) => {
  const rows = join(folder, 'november.csv')
  await writeFile(rows, 'applicant_id\nSAMPLE-0001\nSAMPLE-0002\n')
  const opened = async (toOpen: string, name: string) =>
    startHost(host, { dataFolder: join(folder, name), home, toOpen: [toOpen] })

  const batch = await opened(rows, 'one')
  await expect(batch.page.getByRole('heading', { level: 1, name: 'New batch' })).toBeVisible()
  await expect(batch.page.getByText('november.csv').first()).toBeVisible()
  await batch.close()

  const applicant = await opened(linkTo({ page: 'applicant', id: 'SAMPLE-0009' }), 'two')
  await expect(applicant.page.getByRole('heading', { level: 1 })).toContainText('SAMPLE-0009')
  await applicant.close()
})

test(
  'a later link raises nothing but its page, and one that leads nowhere is refused',
  { tag: '@electron-only' },
  async ({ workspace }) => {
    const page = await workspace.open()
    const { electron } = workspace.session()
    if (!electron) throw new Error('needs Electron')
    await new Shell(page).heading.waitFor()
    await startAgain(electron, '--flag', linkTo({ page: 'applicant', id: 'SAMPLE-0010' }))
    await expect(page.getByRole('heading', { level: 1 })).toContainText('SAMPLE-0010')
    await startAgain(electron, 'veridesk://settings/proxy')
    await expect(page.getByTestId('toast').getByText('A link was not opened')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('SAMPLE-0010')
  }
)

test('a link that comes while the console is locked waits', { tag: '@electron-only' }, async ({ workspace }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  const { electron } = workspace.session()
  if (!electron) throw new Error('needs Electron')
  await usePractice(page)
  const lock = new LockPage(page)
  await lock.now()
  await startAgain(electron, linkTo({ page: 'applicant', id: 'SAMPLE-0011' }))
  await expect(lock.heading).toBeVisible()
  expect(await page.content()).not.toContain('SAMPLE-0011')
  await lock.unlock.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('SAMPLE-0011')
})

test(
  'a notification that is clicked while the console is locked leads there once it is not',
  { tag: '@electron-only' },
  async ({ workspace }) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    const page = await workspace.open()
    const { electron } = workspace.session()
    if (!electron) throw new Error('needs Electron')
    // No desktop shows it here; what it says and what a click on it does are the program's own.
    await electron.evaluate(({ Notification }) => {
      const kept = globalThis as unknown as { told: Electron.Notification[] }
      kept.told = []
      Notification.isSupported = () => true
      Notification.prototype.show = function show(this: Electron.Notification) {
        kept.told.push(this)
      }
    })
    const connection = await usePractice(page)
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'SAMPLE-0012' })
    await ask(page, 'queue.due', { applicantId: 'SAMPLE-0012', due: today(Date.now()) - dayLength })
    const told = (): Promise<string[]> =>
      electron.evaluate(() =>
        (globalThis as unknown as { told: Electron.Notification[] }).told.map(({ title }) => title)
      )
    await expect.poll(told, { timeout: 15_000 }).toEqual(['1 case overdue'])
    await goTo(page, '/overview', 'Overview')
    const lock = new LockPage(page)
    await lock.now()
    await electron.evaluate(() => (globalThis as unknown as { told: Electron.Notification[] }).told[0]?.emit('click'))
    await expect(lock.heading).toBeVisible()
    await lock.unlock.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Queue' })).toBeVisible()
  }
)
