/** One decision about many applicants, by keyboard alone: the sample first, then the others, each with an event of its own. */
import { openEngine } from '#store/engine/opening.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import type { Page } from '@playwright/test'
import { seedWith } from '../../scripts/seed.ts'
import { add, answer, intentOf } from '../service/history-fixtures.ts'
import { inspect } from './fixtures/axe.ts'
import { historyKey } from './fixtures/history.ts'
import { ask, expect, test as base } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { TablePage } from './pages/table.ts'

const [favourable, others] = [195, 35]
/** One of those 35, with a favourable answer since to another operation. */
const later = 'APP-0196'
/** Another of them, who has a tag that the organisation lists. */
const tagged = 'APP-0197'
/** A history in which 195 applicants have a favourable message, and 35 one that nobody has interpreted. A colleague noted something about the first. */
const test = base.extend<{ seeded: void }>({
  seeded: [
    async ({ workspace, dataFolder }, use) => {
      test.skip(!workspace.keyring, 'needs a keyring for tests')
      const masterKey = workspace.keyring ? await historyKey(workspace.keyring, dataFolder) : ''
      const opened = openEngine({ folder: historyFolder(dataFolder), masterKey, now: Date.now() })
      if (!opened.ok) throw new Error(opened.failure.code)
      const { engine } = opened.value
      seedWith(
        engine,
        Array.from({ length: favourable + others }, (_, at) => ({
          intent: intentOf({
            applicant: `APP-${String(at + 1).padStart(4, '0')}`,
            startedAt: Date.now() - 86_400_000 + at
          }),
          ending: answer(at < favourable ? 'Applicant photo and ID validated successfully.' : 'Low resolution.')
        }))
      )
      add(
        engine,
        { applicant: later, operation: 'get-applicant-details', startedAt: Date.now() - 3_600_000 },
        answer('Applicant found.')
      )
      const good = engine.catalogue
        .page({ limit: 10 })
        .messages.filter(({ message }) => message.startsWith('Applicant'))
      const by = { at: Date.now(), operator: 'tester' }
      for (const { id } of good)
        engine.commit([
          (writer) => writer.catalogue.read(writer, engine.catalogue, { id, means: 'good', note: '' }, by)
        ])
      const colleague = { ...by, operator: 'Jonas Berg (jberg)' }
      engine.commit([(writer) => engine.applicants.note(writer, 'APP-0001', 'Asked for a passport.', colleague)])
      engine.commit([(writer) => engine.applicants.tag(writer, tagged, ['pep'], by)])
      engine.close()
      await use()
    },
    { auto: true }
  ]
})

const decisionsIn = async (page: Page) =>
  (await ask(page, 'audit.page', { kinds: ['decision.made'], limit: 200 })).events
/** From the selection to the first of the sample. */
async function begin(page: Page): Promise<void> {
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows.first()).toBeVisible()
  await queue.grid.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(new TablePage(page).selected).toHaveText(`${favourable + others} selected`)
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog', { name: `Decide ${favourable} applicants` })
  await expect(dialog.getByRole('radio', { name: 'Approve' })).toBeFocused()
  await expect(dialog.getByTestId('left-out')).toHaveText(
    `${others} are left out: 1 tagged PEP, ${others - 1} with an unreviewed message.`
  )
  await expect(dialog.getByTestId('noted')).toHaveText('1 has a note of a colleague.')
  await expect(dialog.getByTestId('message-count')).toHaveText([String(favourable)])
  await expect(dialog.getByRole('radio', { name: /^10 %, 20 applicants, drawn at random/ })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: 'None (not allowed by your organisation)' })).toBeDisabled()
  // What is missing has the focus.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByRole('checkbox', { name: 'Documents in order' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByRole('textbox', { name: /^Note/ })).toBeFocused()
  await page.keyboard.type('November branch, favourable answers.')
  await expect(dialog.getByRole('button', { name: 'Review 20, then approve 195' })).toBeEnabled()
  await inspect(page, 'the decision about many applicants')
  await page.keyboard.press('ControlOrMeta+Enter')
}

test('a favourable answer to another operation does not hide one that nobody has interpreted', async ({
  workspace
}) => {
  const page = await workspace.open()
  const queue = new QueuePage(page)
  await queue.open()
  expect(await queue.counts('Interpretation')).toMatchObject({ Favourable: favourable, Unreviewed: others })
  await queue.choose('Interpretation', 'Unreviewed')
  await queue.search.fill(later)
  await expect(queue.rows).toHaveCount(1)
  await expect(queue.rows).toContainText('Applicant found.')
  const meaning = queue.rows.locator('[role="gridcell"][data-column="meaning"]')
  await expect(meaning).toHaveText('UnreviewedAnswer to Validate applicant identity document')
  await expect(meaning.locator('[title]')).toHaveAttribute(
    'title',
    'Unreviewed: answer to Validate applicant identity document'
  )
  // With another one that can be approved: named on request.
  await queue.choose('Interpretation', 'Unreviewed')
  await queue.search.fill('')
  await expect(queue.total).toHaveText(`${favourable + others} items`)
  await queue.grid.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog', { name: `Decide ${favourable} applicants` })
  const shows = dialog.getByRole('button', { name: 'Show them' })
  await expect(shows).toHaveCount(2)
  await shows.first().click()
  await expect(dialog.locator('dl dt')).toHaveText(['1 tagged PEP', `${others - 1} with an unreviewed message`])
  await expect(dialog.locator('dl > div').first()).toContainText(tagged)
  await expect(dialog.getByText(later, { exact: true })).toBeVisible()
  await shows.click()
  await expect(dialog.locator('dl').last()).toHaveText('Noted since the newest answerAPP-0001')
})

/** Approves the sample of 20 by keyboard alone, until the others are next. */
async function approveSample(page: Page): Promise<void> {
  const queue = new QueuePage(page)
  const sample = page.getByTestId('sample')
  for (let at = 1; at <= 20; at += 1) {
    await expect(sample).toContainText(`Sample ${at} of 20`)
    await expect(queue.heading).toBeFocused()
    await page.keyboard.press('a')
    await expect(queue.applicant.reason('Documents in order')).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Enter')
  }
  await expect(sample).toContainText('20 of 20 reviewed.')
  await expect(sample.getByRole('button', { name: 'Approve the other 175' })).toBeFocused()
}

test('195 favourable applicants are approved by keyboard alone, after a sample of 20', async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const queue = new QueuePage(page)
  const sample = page.getByTestId('sample')
  await begin(page)
  await expect(sample).toContainText('Sample 1 of 20')
  // Its place in the queue would be a second number.
  await expect(queue.pane.getByText(/^\d+ of \d+$/)).toHaveCount(0)
  await approveSample(page)
  await page.keyboard.press('Enter')
  await expect(sample).toHaveCount(0)
  await expect(queue.total).toHaveText(`${others} items`)
  const events = await decisionsIn(page)
  expect(events).toHaveLength(favourable)
  expect(new Set(events.map(({ applicantId }) => applicantId)).size).toBe(favourable)
  expect(new Set(events.map(({ words }) => words))).toEqual(
    new Set(['Approved, based on 1 record, in a set of 195 with a sample of 10 %.'])
  )
})

test('one of the sample that is decided otherwise keeps the rest, which returns to the queue or is drawn from again', async ({
  workspace
}) => {
  const page = await workspace.open()
  const queue = new QueuePage(page)
  const sample = page.getByTestId('sample')
  await begin(page)
  await expect(sample).toContainText('Sample 1 of 20')
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('d')
  await expect(queue.applicant.panel.getByRole('checkbox').first()).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(sample).toContainText('1 of 20 was declined. The other 194 are not approved.')
  await expect(sample.getByRole('button', { name: 'Review all' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(sample.getByRole('button', { name: 'Draw 20 more' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sample).toContainText('Sample 1 of 20')
  await sample.getByRole('button', { name: 'Return all to the queue' }).click()
  await expect(sample).toHaveCount(0)
  expect(await decisionsIn(page)).toHaveLength(1)
  await expect(queue.total).toHaveText(`${favourable + others - 1} items`)
})

test('a decision of the sample that is challenged meanwhile keeps the rest, too', async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const sample = page.getByTestId('sample')
  await begin(page)
  await approveSample(page)
  const [challenged] = (await ask(page, 'applicants.matching', { states: ['approve'] })).ids
  await ask(page, 'applicants.challenge', { applicantId: challenged ?? '', text: 'That is not my photo' })
  await page.keyboard.press('Enter')
  await expect(sample).toContainText('whose decision was returned or challenged: 1.')
  await expect(sample).toContainText('The other 175 are not approved.')
  await expect(sample.getByRole('button', { name: 'Review all' })).toBeFocused()
  await inspect(page, 'decide-many-challenged')
  expect(await decisionsIn(page)).toHaveLength(20)
  await sample.getByRole('button', { name: 'Draw 18 more' }).click()
  await expect(sample).toContainText('Sample 1 of 18')
  await expect(sample.getByText('returned or challenged')).toHaveCount(0)
})

test('a lock in the middle of a sample keeps it, and an erasure ends it without a decision about the others', async ({
  workspace
}) => {
  const page = await workspace.open()
  const queue = new QueuePage(page)
  const sample = page.getByTestId('sample')
  await begin(page)
  await expect(sample).toContainText('Sample 1 of 20')
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('a')
  await expect(queue.applicant.reason('Documents in order')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(sample).toContainText('Sample 2 of 20')
  // One that is opened again to correct it is not the end of the way.
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('b')
  await expect(queue.applicant.decided).toBeVisible()
  await sample.getByRole('button', { name: 'Open the next one' }).click()
  await expect(queue.applicant.reason('Documents in order')).toBeChecked()
  await expect(sample.getByRole('button', { name: 'Open the next one' })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+Shift+l')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(sample).toContainText('Sample 2 of 20')
  await expect(queue.applicant.reason('Documents in order')).toBeChecked()

  const waiting = (await ask(page, 'queue.list', { limit: 1 })).total
  const [erased] = (await ask(page, 'applicants.matching', { states: ['none'] })).ids
  await ask(page, 'erasure.run', { applicantId: erased ?? '', confirmation: erased ?? '', reason: 'asked' })
  await expect(sample).toHaveCount(0)
  await expect(queue.total).toHaveText(`${waiting - 1} items`)
  expect(await decisionsIn(page)).toHaveLength(1)
})
