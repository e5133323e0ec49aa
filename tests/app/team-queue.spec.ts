/** The work queue of a team in the window: what waits at colleagues, claims, a claim that came too late, and decisions of colleagues. */
import { valueOf } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { test } from './fixtures/team.ts'
import { ask, expect, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { VerifyPage } from './pages/verify.ts'

test('colleagues claim what waits', async ({ workspace, team }) => {
  const page = await workspace.open()
  await usePractice(page)
  await goTo(page, '/queue', 'Queue')
  await expect(page.getByRole('radio', { name: 'Colleagues' })).toHaveCount(0)
  const exchange = await team.exchange(await team.found(page))
  const by = { at: Date.now(), operator: 'Ben Okoro' }
  await exchange.check('APP-7', 'Photo and ID match')
  await exchange.check('APP-8', 'The photo does not match')
  await exchange.settle()
  await ask(page, 'team.share', { kept: [] })

  // What waits at the colleague.
  await goTo(page, '/queue', 'Queue')
  await page.getByRole('radio', { name: 'Colleagues' }).check()
  const entries = page.getByRole('list', { name: 'Items of colleagues' }).getByRole('listitem')
  await expect(entries).toHaveCount(2, { timeout: 30_000 })
  await expect(entries.first()).toContainText('APP-7')
  await expect(entries.first()).toContainText('Ben Okoro')
  await entries.first().getByRole('button', { name: 'Claim APP-7' }).click()
  await expect(entries.first()).toContainText(/Claimed by Anna Weber.* at this installation/)
  await expect(entries.first()).not.toContainText('Tentative', { timeout: 30_000 })
  await inspect(page, 'the queue of colleagues')
  // Handed over.
  await entries.first().getByRole('button', { name: 'Assign APP-7' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign' })
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Ben Okoro' }).click()
  await inspect(page, 'assigning to a colleague')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(entries.first()).toContainText('Claimed by Ben Okoro', { timeout: 30_000 })

  // An entry of both: the colleague was first.
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-8' })
  await expect(verify.record.root).toBeVisible()
  valueOf(await exchange.store.applicants.assign({ applicantId: 'APP-8', assignee: 'Ben Okoro' }, by))
  const { evidence } = valueOf(await exchange.store.applicants.show('APP-8'))
  valueOf(
    await exchange.store.applicants.decide(
      { applicantId: 'APP-8', decision: 'escalate', reasons: ['second-opinion'], note: 'Another face', evidence },
      by
    )
  )
  await exchange.settle()
  await ask(page, 'queue.assign', { applicantId: 'APP-8', assignee: 'Anna Weber' })
  await goTo(page, '/queue', 'Queue')
  const late = page.getByRole('group', { name: 'Claims that came too late' })
  await expect(late).toContainText('APP-8', { timeout: 30_000 })
  await expect(late).toContainText('Claimed by Ben Okoro')
  const row = page.getByRole('row').filter({ hasText: 'APP-8' })
  await expect(row).toContainText('Ben Okoro')
  // What waits here was decided there.
  await expect(row).toContainText('Escalated by Ben Okoro')
  await inspect(page, 'a claim that came too late')
  await row.click()
  const pane = page.getByRole('region', { name: 'Case', exact: true })
  await expect(pane.getByRole('list', { name: 'Colleagues’ decisions' })).toContainText('Escalated by Ben Okoro')
  await expect(pane).toContainText('Your claim came too late.')
  await inspect(page, 'an item with colleagues’ decisions')
  await page.getByRole('button', { name: 'Remove my claim' }).click()
  await expect(late).toHaveCount(0, { timeout: 30_000 })

  // Without the database, a claim is tentative.
  await team.database.postgres.stop()
  await pane.getByRole('button', { name: 'Back to the queue' }).click()
  await page.getByRole('radio', { name: 'Colleagues' }).check()
  await entries.first().getByRole('button', { name: 'Assign APP-7' }).click()
  await dialog.getByRole('button', { name: 'Release' }).click()
  await entries.first().getByRole('button', { name: 'Claim APP-7' }).click()
  await expect(entries.first()).toContainText('Tentative: the team’s database has not confirmed it yet.')
})
