/** What colleagues share, in the window: chosen, shown with an applicant and for all, and asked about before sending. */
import { valueOf } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { test } from './fixtures/team.ts'
import { ask, expect, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { TeamPage } from './pages/team.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

test('colleagues see what each of them did', async ({ workspace, team: scene }) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await scene.exchange(await scene.found(page))
  await exchange.check('APP-7', 'Photo and ID match')
  valueOf(
    await exchange.store.applicants.note('APP-7', 'The passport expires in May', { at: Date.now(), operator: 'ben' })
  )
  const { evidence } = valueOf(await exchange.store.applicants.show('APP-7'))
  valueOf(
    await exchange.store.applicants.decide(
      { applicantId: 'APP-7', decision: 'decline', reasons: ['suspected-fraud'], note: 'Another face', evidence },
      { at: Date.now(), operator: 'ben' }
    )
  )
  await exchange.settle()

  // It arrives by itself, before anything of this installation is shared.
  const team = new TeamPage(page)
  await team.open()
  const entries = team.main.getByRole('list', { name: 'What colleagues did, newest first' }).getByRole('listitem')
  await expect(entries.filter({ hasText: 'Decision: Declined' })).toContainText('APP-7', { timeout: 30_000 })
  await expect(entries.filter({ hasText: 'Photo and ID match' })).toContainText('Ben Okoro')
  const exchangeState = team.main.getByRole('status', { name: 'State of the exchange' })
  await expect(exchangeState).toContainText('Connected')
  await expect(team.main.getByRole('list', { name: 'What of each member is here' })).toContainText(
    'Nothing is shared yet.'
  )
  await inspect(page, 'what colleagues did')

  // An applicant of whom only a colleague has records.
  await entries.filter({ hasText: 'Decision: Declined' }).getByRole('link', { name: 'APP-7' }).click()
  const colleagues = page.getByRole('region', { name: 'Colleagues' })
  await expect(colleagues).toContainText('The passport expires in May')
  await expect(colleagues).toContainText('Suspected fraud')
  await expect(page.getByRole('main')).toContainText('This installation has no record of this applicant.')
  await inspect(page, 'an applicant of a colleague')

  // The first choice of what is shared, with the practice service as the only connection.
  await team.open()
  const sharing = team.main.getByRole('form', { name: 'What is shared' })
  const practice = sharing.getByRole('checkbox', { name: /Practice/ })
  await expect(practice).not.toBeChecked()
  await practice.check()
  await sharing.getByRole('button', { name: 'Start sharing' }).click()
  await expect(page.getByTestId('toast')).toContainText('Sharing has started.')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-7' })
  await expect(verify.record.root).toBeVisible()
  await expect
    .poll(
      async () => {
        await exchange.settle()
        return (await ask(page, 'team.exchange'))?.toSend
      },
      { timeout: 30_000 }
    )
    .toBe(0)
  await goTo(page, '/applicants/APP-7', 'APP-7')
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Get applicant details')
  await expect(colleagues).toContainText('Decision: Declined')
  await expect(page.getByRole('main')).toContainText('Declined by Ben Okoro')
  await inspect(page, 'an applicant with colleagues')

  // A check that failed is no evidence here, but a colleague has decided.
  const failing = triggerValue({ kind: 'applicant-id' }, '500')
  await exchange.check(failing, 'Details found')
  const known = valueOf(await exchange.store.applicants.show(failing))
  valueOf(
    await exchange.store.applicants.decide(
      {
        applicantId: failing,
        decision: 'escalate',
        reasons: ['second-opinion'],
        note: 'To a lawyer',
        evidence: known.evidence
      },
      { at: Date.now(), operator: 'ben' }
    )
  )
  await exchange.settle()
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: failing })
  await expect(verify.record.root).toBeVisible()
  const header = new ApplicantPage(page)
  await header.open(failing)
  await expect(header.checks).toContainText('Not evidence: the service failed')
  await expect(page.getByRole('main')).toContainText('Escalated by Ben Okoro', { timeout: 30_000 })
  await expect(page.getByText('No evidence yet')).toHaveCount(0)
  await inspect(page, 'a colleague’s decision without evidence here')

  // Without the database, everything stays.
  await scene.database.postgres.stop()
  await team.open()
  await expect(exchangeState).toContainText('The database does not answer', { timeout: 30_000 })
  await expect(entries.filter({ hasText: 'Decision: Declined' })).toContainText('APP-7')
  await inspect(page, 'without the database')
  // It is said above every page, and what it means.
  const line = page.getByRole('status').filter({ hasText: /^Team database not reachable since / })
  await expect(line).toContainText('. Decisions are kept here and shared later.')
  await new Shell(page).open('History')
  await expect(line).toBeVisible()
  await expect(page.getByTestId('operator')).toContainText('Team database not reachable')
})
