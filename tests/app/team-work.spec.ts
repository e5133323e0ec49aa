/** What a supervisor sees of the team: its work, and where an erasure is pending. */
import { valueOf } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { foundInMode } from './fixtures/canaries.ts'
import { test } from './fixtures/team.ts'
import { ask, expect, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { DataManagementPage } from './pages/records.ts'
import { TeamPage } from './pages/team.ts'
import { VerifyPage } from './pages/verify.ts'

test('a supervisor sees the work of the team, and who has acknowledged an erasure', async ({
  workspace,
  team: scene
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await scene.exchange(await scene.found(page))
  const work = page.getByRole('region', { name: 'Work of the team' })
  const team = new TeamPage(page)
  await team.open()
  await expect(work.getByRole('row', { name: /Anna Weber/ })).toContainText('Supervisor (this installation)')
  await expect(work).toContainText('No verifications or decisions in this period.')
  await expect(work).toContainText('Nothing is waiting.')
  await inspect(page, 'the work of a team without any')

  await ask(page, 'team.share', { kept: [] })
  const verify = new VerifyPage(page)
  for (const applicant of ['APP-7', 'APP-8']) {
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: applicant })
    await expect(verify.record.root).toBeVisible()
  }
  await exchange.check('APP-7', 'Photo and ID match')
  await exchange.check('APP-9')
  const decide = async (decision: 'approve' | 'decline', of: string): Promise<void> => {
    const { evidence } = valueOf(await exchange.store.applicants.show(of))
    valueOf(
      await exchange.store.applicants.decide(
        { applicantId: of, decision, reasons: ['reviewed-by-hand'], note: '', evidence },
        { at: Date.now(), operator: 'ben' }
      )
    )
  }
  await decide('decline', 'APP-7')
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'APP-7' })
  await ask(page, 'decisions.make', {
    applicantId: 'APP-7',
    decision: 'approve',
    reasons: ['reviewed-by-hand'],
    note: 'Seen',
    evidence,
    known: []
  })
  await exchange.settle()
  await team.open()
  await expect(work.getByRole('row', { name: /Ben Okoro/ })).toContainText('Reviewer', { timeout: 30_000 })
  await expect(work.getByRole('list', { name: 'Decisions that differ' })).toContainText('APP-7', { timeout: 30_000 })
  await expect(work.getByRole('list', { name: 'Queue by person' })).toContainText('Unassigned')
  await expect(work.getByRole('list', { name: 'Work by person' })).toContainText('ben')
  await inspect(page, 'the work of a team')
  expect(await foundInMode(page, ['APP-7', 'APP-8', 'APP-9']), 'the work of a team in screen-share mode').toEqual([])

  // An erasure: the colleague is away at first.
  await ask(page, 'erasure.run', { applicantId: 'APP-8', confirmation: 'APP-8', reason: 'Requested' })
  await expect.poll(async () => (await ask(page, 'erasure.receipts'))[0]?.team?.shared, { timeout: 30_000 }).toBe(true)
  await goTo(page, '/administration/data-management', 'Data management')
  const receipt = page.getByRole('list', { name: 'Receipts, newest first' }).getByRole('listitem').first()
  await expect(receipt).toContainText('0 of 1 other installation acknowledged, 1 pending')
  await receipt.getByText('Team:').click()
  await expect(receipt.getByRole('list', { name: 'Other installations of the team' })).toContainText(
    'Ben Okoro: Pending'
  )
  await inspect(page, 'a receipt with a pending installation')
  await team.open()
  await expect(work.getByRole('row', { name: /Ben Okoro/ })).toContainText('1 erasure not acknowledged', {
    timeout: 30_000
  })
  await exchange.settle()
  await expect(work.getByRole('row', { name: /Ben Okoro/ })).not.toContainText('not acknowledged', { timeout: 30_000 })
  await goTo(page, '/administration/data-management', 'Data management')
  await expect(receipt).toContainText('Team: acknowledged by all others (1 installation)', { timeout: 30_000 })

  // Without the database, what arrived is shown.
  await scene.database.postgres.stop()
  await team.open()
  await expect(work.getByRole('list', { name: 'Decisions that differ' })).toContainText('APP-7')
  await inspect(page, 'the work of a team without the database')
})

test('whom a colleague holds is neither erased nor past retention here, and the colleague is named', async ({
  workspace,
  team: scene
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await scene.exchange(await scene.found(page))
  await ask(page, 'team.share', { kept: [] })
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-7' })
  await expect(verify.record.root).toBeVisible()
  await ask(page, 'applicants.relate', { applicantId: 'APP-7', state: 'ended', on: '2016-03-31', note: '' })
  await exchange.check('APP-7')
  const hold = { at: Date.now(), operator: 'ben', reason: 'Court order 12 O 331/26' }
  valueOf(await exchange.store.erasure.hold('APP-7', true, hold))
  await exchange.settle()
  const arrived = () => ask(page, 'team.applicant', { applicantId: 'APP-7', limit: 5 })
  await expect.poll(async () => (await arrived())?.entries.length, { timeout: 30_000 }).toBe(2)

  const data = new DataManagementPage(page)
  await data.open()
  await data.applicantId.fill('APP-7')
  await data.button('Erase').press('Enter')
  const dialog = data.dialog('Permanently erase this applicant?')
  await expect(dialog).toContainText('A legal hold of Ben Okoro prevents this.')
  await expect(dialog.getByRole('button', { name: 'Permanently erase' })).toBeDisabled()
  await inspect(page, 'an erasure that a colleague holds')
  await page.keyboard.press('Escape')
  await ask(page, 'settings.change', { retentionFrom: 'relationship', retentionYears: 5 })
  await data.dryRun.press('Enter')
  await expect(data.plan).toContainText('1 record is held, by a legal hold or by a colleague.')
  await expect(data.planned).toContainText('Held by Ben Okoro')
  await inspect(page, 'retention that a colleague holds')
})
