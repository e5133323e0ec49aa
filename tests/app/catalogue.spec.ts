/**
 * The catalogue of the service's messages: unreviewed ones are offered, interpretations have versions, and decisions
 * record the versions they are based on.
 */
import { operationOf } from '#contract/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { savesInto } from './fixtures/files.ts'
import { packAt } from './fixtures/packs.ts'
import { runCheck } from './fixtures/scene.ts'
import { ApplicantPage, CataloguePage } from './pages/applicants.ts'
import { EvidencePage } from './pages/records.ts'

const lookup = operationOf('get-applicant-details').id

test('unreviewed messages are listed, interpreted in versions, and never presented as the service’s result', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  const catalogue = new CataloguePage(page)
  await catalogue.open()
  await expect(page.getByText('No messages yet')).toBeVisible()
  const id = await runCheck(page, connection.id, lookup, { applicant_id: 'APP-3' })
  const words = (await ask(page, 'history.record', { id })).fullMessage ?? ''
  await expect(catalogue.message(words)).toContainText('Unreviewed message')
  await expect(catalogue.unseen).toContainText('1')
  await inspect(page, 'the catalogue')
  await catalogue.read(words, 'Favourable')
  await expect(catalogue.message(words)).toContainText('Your organisation’s interpretation: Favourable')
  await expect(catalogue.unseen).toContainText('0')
  await catalogue.read(words, 'Unclear')
  await expect(catalogue.message(words)).toContainText('version 2')
  await catalogue.message(words).getByRole('button').click()
  await expect(catalogue.dialog.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')).toHaveCount(2)
  await inspect(page, 'a reading')
  await page.keyboard.press('Escape')
  await new ApplicantPage(page).open('APP-3')
  await expect(new ApplicantPage(page).checks).toContainText('Your organisation’s interpretation: Unclear')
})

test('a decision records the interpretation it is based on, and keeps it when the interpretation changes', async ({ workspace, home }) => {
  test.setTimeout(60_000)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const connection = await usePractice(page)
  const id = await runCheck(page, connection.id, lookup, { applicant_id: 'APP-5' })
  const { fullMessage: words = '' } = await ask(page, 'history.record', { id })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-5')
  // Unreviewed messages are shown where the decision is made, before it is made.
  await expect(applicant.panel).toContainText('Unreviewed messages in the evidence: 1.')
  await applicant.panel.getByRole('link', { name: 'Open catalogue' }).click()
  const catalogue = new CataloguePage(page)
  await expect(catalogue.unseen).toHaveAttribute('aria-pressed', 'true')
  await catalogue.read(words, 'Favourable')
  await expect(page.getByText('All messages reviewed')).toBeVisible()

  await applicant.open('APP-5')
  await expect(applicant.panel).not.toContainText('Unreviewed messages in the evidence')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await applicant.note.fill('By the reading.')
  await applicant.record.click()
  await expect(applicant.panel).toContainText('1 interpretation (favourable, version 1)')

  await catalogue.open()
  await catalogue.read(words, 'Unfavourable')
  await applicant.open('APP-5')
  await expect(applicant.checks).toContainText('Your organisation’s interpretation: Unfavourable')
  await expect(applicant.panel).toContainText('1 interpretation (favourable, version 1)')
  const evidence = new EvidencePage(page)
  const { pack } = await evidence.make('Everything')
  const decision = packAt(pack).events.find(({ kind }) => kind === 'decision.made')
  expect(JSON.stringify(decision?.plain.shown)).toMatch(/"readings",\[\{[^}]*"version":1/)
})
