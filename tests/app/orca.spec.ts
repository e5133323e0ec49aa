/** What Orca says during the main tasks, by keyboard alone: its own words, where it is installed. */
import { noOrca, startOrca, type Orca } from './fixtures/orca.ts'
import { runCheck } from './fixtures/scene.ts'
import type { Page } from '@playwright/test'
import { ask, expect, test as base, usePractice } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'

/** A window that Orca reads. */
const test = base.extend<{ readByOrca: { readonly orca: Orca; readonly page: Page } }>({
  readByOrca: [
    async ({ openHost, folder, dataFolder, home }, use, testInfo) => {
      const orca = await startOrca(folder)
      try {
        const { page, close } = await openHost({ dataFolder, home, environment: orca.environment, shown: true })
        await use({ orca, page })
        await close()
      } finally {
        if (testInfo.status !== testInfo.expectedStatus)
          await testInfo.attach('what Orca said', { body: orca.said().join('\n') })
        await orca.end()
      }
    },
    // A display, a session, a reader and a console are started: on a busy machine the test's own time would end before it begins.
    { timeout: 60_000 }
  ]
})

const why = noOrca()
test.skip(why !== undefined, why)
test.use({ ownHost: true })

test('Orca says the words of the queue, a decision, the history, a form and the lock', async ({
  readByOrca: { orca, page }
}) => {
  // Some thirty sentences are awaited, one after the other.
  test.setTimeout(120_000)
  /** Does a step, and waits until Orca has said every phrase since; between them it may say more, and in another order. */
  const hear = async (act: () => Promise<void>, ...phrases: readonly string[]): Promise<void> => {
    const before = orca.said().length
    await act()
    // When a whole page is replaced, as by the lock, Orca asks for each part of it, one after the other, before it speaks.
    await expect
      .poll(
        () => {
          const said = orca.said().slice(before).join(' ')
          const unsaid = phrases.filter((phrase) => !said.includes(phrase))
          return unsaid.length === 0 ? '' : `not “${unsaid.join('”, “')}” in: ${said}`
        },
        { timeout: 20_000 }
      )
      .toBe('')
  }
  const press =
    (key: string): (() => Promise<void>) =>
    () =>
      page.keyboard.press(key)
  const type =
    (text: string): (() => Promise<void>) =>
    () =>
      page.keyboard.type(text)
  const goTo = async (view: string): Promise<void> => {
    // The view may be the first suggestion before anything is typed.
    await hear(
      async () => {
        await press('ControlOrMeta+k')()
        await expect(new Shell(page).palette.getByRole('combobox')).toBeFocused()
        await type(view.toLowerCase())()
      },
      // That its field is in a dialog is said only if the dialog is there before the focus.
      `${view} Go to.`
    )
    await hear(press('Enter'), `${view} – Veridesk`)
  }

  const connection = await usePractice(page, { dateFormat: 'iso' })
  for (const id of ['SAMPLE-0009', 'SAMPLE-0010'])
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  await ask(page, 'queue.due', { applicantId: 'SAMPLE-0009', due: Date.UTC(2031, 11, 1) })

  await goTo('Queue')
  const queue = new QueuePage(page)
  await expect(queue.rows).toHaveCount(2)
  await hear(press('j'), 'Queue, 2 rows.', 'SAMPLE-0010, Celeste Vzorec. Pending decision.')
  await hear(
    press('ArrowUp'),
    'SAMPLE-0009, Brann Örnek. Pending decision. Message: Applicant details retrieved successfully. Unreviewed. Due 2031-12-01.'
  )
  await press('Enter')()
  await expect(queue.opened).toHaveText('SAMPLE-0009')
  await hear(press('d'), 'form Decide', 'Reasons at least one panel.', 'check box not checked.')
  await hear(press('ControlOrMeta+Enter'), 'Choose at least one reason.')
  await hear(press('Space'), 'checked')
  await hear(
    press('ControlOrMeta+Enter'),
    'Note entry required.',
    'invalid entry.',
    'Enter a note that explains this decision.'
  )
  await type('The portrait is of somebody else.')()
  // Its heading, which gets the focus, is said only if it is drawn with its name by then.
  await hear(press('ControlOrMeta+Enter'), 'Next: applicant SAMPLE-0010')
  await hear(press('Escape'), 'Queue, 1 row.', 'SAMPLE-0010, Celeste Vzorec. Pending decision.')

  await goTo('History')
  const history = new HistoryPage(page)
  await expect(history.rows).toHaveCount(2)
  for (
    let stop = 0;
    stop < 40 && !(await history.list.evaluate((table) => table === document.activeElement));
    stop += 1
  )
    await page.keyboard.press('Tab')
  await hear(press('ArrowDown'), 'Practice Applicant details SAMPLE-0009', 'Answered 200')

  await hear(
    press('ControlOrMeta+3'),
    'Get applicant details – Veridesk',
    'Applicant ID entry',
    'required',
    'As issued by your organisation or the service.'
  )
  await hear(press('Enter'), 'Enter the applicant’s ID.')
  await type('SAMPLE-0011')()
  await hear(press('Enter'), 'Answered, status 200. The service’s message: Applicant details retrieved successfully.')

  await hear(press('ControlOrMeta+Shift+L'), 'Veridesk is locked', 'Unlock push button')
  await hear(press('Enter'), 'Unlocked. Get applicant details')
})
