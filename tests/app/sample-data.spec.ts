/** Sample data: a second console opens, has something in every list, says what it is, and leaves nothing behind. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { inspect } from './fixtures/axe.ts'
import { hostEnvironment, previewProgram, startHost } from './fixtures/hosts.ts'
import {
  contentOf,
  endSamples,
  openFilesOf,
  profilesIn,
  sampleFolders,
  sampleProcesses,
  windowAfter
} from './fixtures/sample.ts'
import { ask, expect, inKeyring, test as base, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'

const test = base.extend<{ temporary: string }>({
  // A temporary folder of the test, in which nobody else starts sample data.
  temporary: async ({ folder }, use) => {
    const temporary = join(folder, 'tmp')
    await mkdir(temporary, { mode: 0o700 })
    await use(temporary)
    endSamples(temporary)
  }
})

const explore = (page: Page) => page.getByRole('main').getByRole('button', { name: /^(?:Explore|Open) sample data$/ })
const banner = (page: Page) => page.getByRole('region', { name: 'Sample data' })
/** Once all examples are there. */
const added = (page: Page) =>
  expect
    .poll(
      async () => {
        const { sample } = await ask(page, 'app.state')
        return sample?.failure?.code ?? sample?.done === sample?.total
      },
      { timeout: 60_000 }
    )
    .toBe(true)

/** The tour as it begins by itself: by keyboard, beside what it explains, and again from the banner. */
async function takeTheTour(page: Page): Promise<void> {
  const card = page.getByRole('dialog', { name: /^Tour, / })
  const ring = page.getByTestId('tour-ring')
  const titles = ['the queue', 'documents first', 'values', 'decide', 'decide many', 'proof']
  for (const [at, title] of titles.entries()) {
    await expect(card).toHaveAccessibleName(`Tour, ${at + 1} of 6: ${title}`)
    await expect(ring).toBeVisible()
    await expect(card.getByRole('button', { name: at === 5 ? 'Done' : 'Next' })).toBeFocused()
    const [beside, around] = [await card.boundingBox(), await ring.boundingBox()]
    if (!beside || !around) throw new Error('the card or its ring has no size')
    const apart =
      beside.x + beside.width <= around.x ||
      around.x + around.width <= beside.x ||
      beside.y + beside.height <= around.y ||
      around.y + around.height <= beside.y
    expect(apart, `${title} is not covered`).toBe(true)
    if (at === 1) {
      await expect(card).toHaveAccessibleDescription(/Compare the photo with the document\. L is the loupe/)
      await inspect(page, 'the tour')
    }
    await page.keyboard.press('Enter')
  }
  await expect(card).toHaveCount(0)
  await expect(ring).toHaveCount(0)
  // Nothing is blocked meanwhile, Escape ends it, and who goes elsewhere does not want it.
  const again = banner(page).getByRole('button', { name: 'Start the tour again' })
  await again.click()
  await expect(card.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).not.toBe('body')
  await again.click()
  await expect(card).toBeVisible()
  await new Shell(page).open('Applicants')
  await expect(card).toHaveCount(0)
  await new Shell(page).paletteGo('About')
  await page.getByRole('main').getByRole('button', { name: 'Start the tour again' }).click()
  await expect(card).toHaveAccessibleName('Tour, 1 of 6: the queue')
  await page.keyboard.press('Escape')
}

test.describe('in a host of its own', () => {
  test.use({ ownHost: true })

  test('the button opens sample data in a second window, whose end deletes them and changes nothing here', async ({
    workspace,
    temporary,
    dataFolder
  }) => {
    test.setTimeout(180_000)
    const page = await workspace.open({ ...(workspace.keyring && inKeyring(workspace.keyring)), TMPDIR: temporary })
    // The start of the console is its first event.
    await expect.poll(async () => (await ask(page, 'audit.head')).seq).toBe(1)
    const head = await ask(page, 'audit.head')
    const before = profilesIn(temporary)
    await explore(page).click()
    const { browser, page: sample } = await windowAfter(temporary, before)
    await expect(new Shell(page).announced).toContainText('Sample data is open in a window of its own.', {
      timeout: 40_000
    })
    await expect(banner(sample)).toContainText(
      'Sample data. 90 days of invented cases. Everything is deleted when you close this window.'
    )
    await added(sample)
    await expect(banner(sample).getByRole('progressbar')).toHaveCount(0)
    await expect(sample).toHaveTitle('Queue – Veridesk (sample data)')
    await expect(sample.getByRole('row').filter({ hasText: 'SAMPLE-00' }).first()).toBeVisible()
    await takeTheTour(sample)
    // While it is open, it is brought to the front instead.
    await explore(page).click()
    await expect(explore(page)).toBeEnabled()
    await expect(page.getByRole('group', { name: 'What went wrong' })).toHaveCount(0)
    expect(profilesIn(temporary)).toHaveLength(before.length + 1)

    // Nothing of this one's data is open there.
    expect(
      sampleProcesses(temporary)
        .flatMap(openFilesOf)
        .filter((path) => path.startsWith(dataFolder))
    ).toEqual([])

    const shell = new Shell(sample)
    for (const [view, text] of [
      ['Applicants', 'SAMPLE-0030'],
      ['Queue', 'SAMPLE-00'],
      ['Batches', 'Sample applicants'],
      ['Catalogue', 'validated successfully.'],
      ['Audit trail', 'Tomas Ruiz']
    ] as const) {
      await shell.open(view)
      await expect(sample.getByRole('main').getByText(text).first(), view).toBeVisible()
      await expect(banner(sample), view).toBeVisible()
    }
    // A second person was asked about this priority case, and nobody has answered.
    await goTo(sample, '/applicants/SAMPLE-0005')
    const asked = sample.getByRole('region', { name: 'Four-eyes approval' })
    await expect(asked.getByRole('group', { name: 'Waiting for a second person' })).toContainText(
      'A priority case: please look at the documents, too.'
    )
    await shell.open('Connections')
    await expect(sample.getByRole('main')).toContainText('Sample data works with the practice service only.')
    await expect(sample.getByRole('button', { name: 'Add connection' })).toHaveCount(0)
    await expect(shell.stateChips).not.toContainText('keychain')

    expect(sampleFolders(temporary)).toHaveLength(1)
    const closed = sample.waitForEvent('close')
    // The page goes while it is clicked.
    await banner(sample)
      .getByRole('button', { name: 'Close and delete' })
      .click()
      .catch(() => undefined)
    await closed
    await expect.poll(() => sampleFolders(temporary), { timeout: 30_000 }).toEqual([])
    await expect.poll(() => profilesIn(temporary), { timeout: 30_000 }).toEqual(before)
    await browser.close().catch(() => undefined)
    // Here, nothing was recorded, and the window can open sample data again.
    expect(await ask(page, 'audit.head')).toEqual(head)
    expect(await ask(page, 'connections.list')).toEqual([])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click()
    await explore(page).click()
    const second = await windowAfter(temporary, before)
    await second.page.close()
    await expect.poll(() => sampleFolders(temporary), { timeout: 30_000 }).toEqual([])
    await second.browser.close().catch(() => undefined)
  })

  /** Starts sample data from a terminal; resolves once its window is open. */
  async function fromTerminal(
    home: string,
    temporary: string
  ): Promise<{ readonly child: ChildProcess; readonly output: () => string }> {
    const child = spawn(process.execPath, [previewProgram, '--headless', '--sample'], {
      env: { ...hostEnvironment({ dataFolder: '', home }), TMPDIR: temporary, VERIDESK_TEST_PORT: '1' }
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
    await expect.poll(() => output, { timeout: 40_000 }).toContain('Sample data is open in ')
    return { child, output: () => output }
  }

  test('a real data folder is the same to the byte after sample data, also after a kill, and the next start removes what was left', async ({
    home,
    temporary
  }) => {
    test.setTimeout(180_000)
    const dataFolder = join(home, '.config', 'Veridesk')
    const own = await startHost('preview', { dataFolder, home, environment: { TMPDIR: temporary } })
    await usePractice(own.page)
    await own.close()
    const content = contentOf(dataFolder)
    expect(Object.keys(content)).toContain('connections.json')

    const before = profilesIn(temporary)
    const first = await fromTerminal(home, temporary)
    const opened = await windowAfter(temporary, before)
    await added(opened.page)
    const killed = once(first.child, 'exit')
    first.child.kill('SIGKILL')
    await killed
    await opened.browser.close().catch(() => undefined)
    const [left] = sampleFolders(temporary)
    // Its key was in memory alone, so nobody can read what is left of its history.
    expect(Object.keys(contentOf(join(temporary, left ?? '')))).toContain(join('history', 'history.db'))
    expect(contentOf(dataFolder)).toEqual(content)

    const second = await fromTerminal(home, temporary)
    expect(sampleFolders(temporary)).not.toContain(left)
    expect(sampleFolders(temporary)).toHaveLength(1)
    const ended = once(second.child, 'exit') as Promise<[number | null]>
    second.child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    expect(sampleFolders(temporary)).toEqual([])
    expect(contentOf(dataFolder)).toEqual(content)
  })

  test('--sample and --data together are refused with a sentence, and nothing is created', async ({
    home,
    temporary,
    dataFolder
  }) => {
    const child = spawn(process.execPath, [previewProgram, '--headless', '--sample', '--data', dataFolder], {
      env: { ...hostEnvironment({ dataFolder, home }), TMPDIR: temporary }
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(2)
    expect(text).toContain('Veridesk does not start with --sample and another data folder together')
    expect(text).not.toContain('    at ')
    expect(sampleFolders(temporary)).toEqual([])
  })
})

test('a host that cannot start itself says what, what it means and what to do, wherever sample data is offered', async ({
  workspace
}) => {
  const page = await workspace.open()
  const refusal = page.getByRole('group', { name: 'What went wrong' })
  await explore(page).click()
  await expect(refusal).toContainText('The sample data could not be opened: this Veridesk cannot start a second one.')
  await expect(refusal).toContainText('Your own data was not touched, and nothing was sent.')
  await expect(refusal).toContainText('Start Veridesk once more with the option --sample')
  await inspect(page, 'sample data that did not open')

  const shell = new Shell(page)
  for (const view of ['History', 'Applicants']) {
    await shell.open(view)
    await expect(refusal).toHaveCount(0)
    await explore(page).click()
    await expect(refusal, view).toBeVisible()
  }
  await shell.paletteGo('About')
  await expect(explore(page)).toBeVisible()
  await shell.paletteGo('sample data')
  await expect(shell.message).toContainText('this Veridesk cannot start a second one')
  await expect(shell.message).toContainText('--sample')
  await expect(banner(page).getByText('Everything is deleted')).toHaveCount(0)
})
