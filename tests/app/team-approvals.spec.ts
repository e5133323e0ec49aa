/** Four-eyes approval in a team, in the window: a colleague asks and the window’s user signs, and the other way round. */
import { readFileSync } from 'node:fs'
import { checklistText } from '#contract/applicants/checklists.ts'
import type { Decision } from '#contract/applicants/applicants.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import type { Exchanging } from '../service/support/team-exchange.ts'
import { valueOf } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { foundInMode } from './fixtures/canaries.ts'
import { savedFile, savesInto } from './fixtures/files.ts'
import { test } from './fixtures/team.ts'
import { ask, expect, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage, QueuePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { SettingsPage } from './pages/settings.ts'
import { TeamPage } from './pages/team.ts'
import { VerifyPage } from './pages/verify.ts'

const arrives = { timeout: 30_000 }
const by = () => ({ at: Date.now(), operator: 'ben' })

/** What Ben answers with a decline, and leaves out. */
const item = { answer: 'yes-no' as const, decisions: ['decline' as const] }
const checklist = {
  text: checklistText('decision', {
    decision: [
      { ...item, code: 'photo', label: 'The photo matches', required: true },
      { ...item, code: 'expired', label: 'The document is valid', required: false }
    ],
    review: []
  }),
  complete: false,
  checks: { photo: 'no' }
} as const

/** Ben decides and asks, some hours ago. */
async function benAsks(
  { store, one, parts }: Exchanging,
  applicantId: string,
  decision: Decision,
  note: string,
  hours = 0
): Promise<void> {
  const then = { ...by(), at: by().at - hours * 3_600_000 }
  const { evidence } = valueOf(await store.applicants.show(applicantId))
  const decided = valueOf(
    await store.applicants.decide(
      { applicantId, decision, reasons: ['suspected-fraud'], note: 'Another face', evidence },
      { ...then, checklist }
    )
  )
  valueOf(
    await store.approvals.ask(
      {
        applicantId,
        decision: decided.decision?.seq ?? 0,
        installation: one.installation,
        scope: parts.team,
        evidence: [],
        note
      },
      then
    )
  )
}

/** Ben answers the newest request that has arrived at him. */
async function benAnswers(
  { store, parts, received }: Exchanging,
  applicantId: string,
  from: string,
  agrees: boolean
): Promise<void> {
  const asked = received.events(from, 0, 10_000).findLast(({ content }) => content.includes('"approval.asked"'))
  if (!asked) throw new Error('nothing was asked')
  const name = [from, asked.seq, asked.hash.toString('hex')] as const
  const { at, operator } = by()
  const words = { scope: parts.team, asked: name, agrees, salt: '5a'.repeat(16) }
  const signature = signAnswer(parts.signingKey, { ...words, at, by: operator })
  valueOf(
    await store.approvals.answer(
      { ...words, applicantId, note: 'I compared them', signer: keyOfSigner(parts.signingKey), signature },
      { at, operator }
    )
  )
}

test('a reviewer sees a request with its evidence, signs an answer, and sees it voided', async ({
  workspace,
  team
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await team.exchange(await team.found(page))
  await ask(page, 'team.share', { kept: [] })
  await exchange.check('APP-7', 'Photo and ID match')
  await benAsks(exchange, 'APP-7', 'decline', 'Please look at the photo', 25)
  await exchange.settle()

  // It appears by itself, wherever the reviewer is.
  const link = page.getByTestId('operator')
  await expect(link).toContainText('1 request for approval', arrives)
  await link.click()
  await page.getByRole('menuitem', { name: '1 request for approval' }).click()
  const { main } = new TeamPage(page)
  const panel = main.getByRole('region', { name: 'Requests for approval' })
  const request = panel.getByRole('list', { name: 'Requests for approval' }).locator(':scope > li').first()
  await expect(panel.getByRole('status')).toHaveText('1 request waits for your answer. 1 is overdue.')
  for (const text of [
    'Waiting for a second person',
    'Overdue',
    'APP-7',
    'Declined by Ben Okoro',
    'Suspected fraud',
    'Another face',
    'Please look at the photo'
  ])
    await expect(request).toContainText(text)
  const tabs = page.getByRole('navigation', { name: 'Pages of administration' })
  await expect(tabs.getByRole('link', { name: 'Team 1' })).toHaveAttribute('aria-current', 'page')
  await inspect(page, 'requests for approval')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: '1 request for approval overdue' }).focus()
  await page.keyboard.press('Enter')
  await expect(request).toContainText('Overdue')
  await ask(page, 'settings.change', { approvalHours: 0 })
  expect(await ask(page, 'team.approvals', { limit: 0 })).toMatchObject({ waiting: 1, overdue: 0 })

  const personal = ['APP-7', 'Another face', 'Please look at the photo', 'Photo and ID match', 'Two different people']
  expect(await foundInMode(page, personal), 'requests in screen-share mode').toEqual([])

  await request.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Review request' })
  await expect(dialog.getByRole('list', { name: 'What colleagues recorded, newest first' })).toContainText(
    'Photo and ID match'
  )
  await expect(dialog.getByRole('group', { name: 'Checklist' })).toHaveText(
    /The photo matches\s*No\s*The document is valid\s*Not answered/
  )
  // What the request rests on is read here, before it is signed.
  await dialog.getByRole('button', { name: 'Show request and response' }).click()
  await expect(dialog.getByRole('region', { name: 'Request', exact: true })).toContainText('APP-7')
  await expect(dialog.getByRole('region', { name: 'Response', exact: true })).toContainText('Photo and ID match')
  const sign = dialog.getByRole('button', { name: 'Sign answer' })
  await expect(sign).toBeDisabled()
  await dialog.getByRole('radio', { name: 'I have read it and countersign' }).check()
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Two different people')
  await inspect(page, 'the review of a request')
  await sign.focus()
  expect(await foundInMode(page, personal), 'a review in screen-share mode').toEqual([])
  await sign.click()
  await expect(page.getByTestId('toast')).toContainText('Decision countersigned')
  await expect(dialog).toBeHidden()
  await expect(request).toContainText('Countersigned')
  await expect(request.getByRole('list', { name: 'Answers' })).toContainText('Two different people')
  const { fingerprint } = await ask(page, 'evidence.publicKey')
  expect((await request.getByRole('list', { name: 'Answers' }).innerText()).replace(/\s/g, '')).toContain(fingerprint)
  await expect(panel.getByRole('status')).toHaveText('No request waits for your answer.')
  await expect(request).not.toContainText('Not sent yet', arrives)

  // Newer evidence at its author, while the review is open again.
  await request.getByRole('button', { name: 'Review again' }).click()
  await exchange.check('APP-7', 'Document expired')
  await exchange.settle()
  await expect(dialog.getByRole('status')).toContainText('newer evidence was recorded', arrives)
  await expect(sign).toBeHidden()
  await expect(dialog.getByRole('region', { name: 'The request' })).toContainText(
    'Newer evidence or a newer decision was recorded. By: Ben Okoro.'
  )
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(request).toContainText('Void: newer evidence')
  await inspect(page, 'a void request')
})

test('a user asks for approval of a decision, and sees who signed', async ({ workspace, team }) => {
  const page = await workspace.open()
  await usePractice(page)
  const ben = await team.found(page, 'analyst')
  const exchange = await team.exchange(ben)
  await ask(page, 'team.share', { kept: [] })
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-8' })
  await expect(verify.record.root).toBeVisible()

  const applicant = new ApplicantPage(page)
  await applicant.open('APP-8')
  const section = page.getByRole('region', { name: 'Approval in the team' })
  await expect(section).toContainText('Make a decision first')
  await expect(page.getByRole('region', { name: 'Four-eyes approval' })).toBeHidden()
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await applicant.note.fill('All documents seen')
  await applicant.record.click()
  const form = section.getByRole('form', { name: 'Ask for approval' })
  await expect(form).toContainText('Nobody can answer a request yet', arrives)
  await inspect(page, 'asking for approval where nobody can answer')
  await ask(page, 'team.changeRole', { installation: ben.installation, role: 'reviewer' })
  await expect(form).not.toContainText('Nobody can answer a request yet', arrives)
  await form.getByRole('textbox').fill('First case of this kind')
  await form.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(page.getByTestId('toast')).toContainText('Approval requested')
  await expect(section).toContainText('Waiting for a second person')
  await expect(section).toContainText('First case of this kind')
  await expect(form).toBeHidden()
  await expect(applicant.entries.first()).toContainText('Approval requested')
  await inspect(page, 'an approval that was asked for')

  const { installation = '' } = (await ask(page, 'team.state')) ?? {}
  await expect
    .poll(async () => {
      await exchange.settle()
      return exchange.received
        .events(installation, 0, 10_000)
        .some(({ content }) => content.includes('"approval.asked"'))
    }, arrives)
    .toBe(true)
  await benAnswers(exchange, 'APP-8', installation, false)
  await exchange.settle()
  await expect(section).toContainText('Returned', arrives)
  await expect(section.getByRole('list', { name: 'Answers' })).toContainText('Ben Okoro returned the decision')
  await expect(section.getByRole('list', { name: 'Answers' })).toContainText('I compared them')
  await benAnswers(exchange, 'APP-8', installation, true)
  await exchange.settle()
  await expect(section).toContainText('Countersigned', arrives)
  await inspect(page, 'an approved decision')

  // Without the database, a new decision voids it, and the next request waits on this computer.
  await team.database.postgres.stop()
  await applicant.decideAgain.click()
  await applicant.choose('Decline')
  await applicant.reason('Suspected fraud').check()
  await applicant.note.fill('The photo is of somebody else')
  await applicant.record.click()
  await form.getByRole('button', { name: 'Ask again' }).click()
  await expect(
    section.getByRole('list', { name: 'Requests for approval' }).getByRole('listitem').first()
  ).toContainText('Not sent yet. Colleagues see it once the database answers.')
  await expect(section).toContainText('Newer evidence or a newer decision was recorded. By: This installation.')
  await inspect(page, 'a request that has not left')
  await goTo(page, '/administration/team', 'Team')
  await expect(page.getByRole('region', { name: 'Requests for approval' })).toContainText('Not sent yet.')
})

test('a decision that needs a second person is proposed, returned, and approved, by keyboard', async ({
  workspace,
  team
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await team.exchange(await team.found(page, 'reviewer'))
  await ask(page, 'team.share', { kept: [] })
  const { installation = '' } = (await ask(page, 'team.state')) ?? {}
  await new SettingsPage(page).open()
  const rule = page.getByRole('group', { name: 'Second person' })
  await rule.getByRole('combobox', { name: 'Approve: second person' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('option', { name: 'From risk class High' })).toBeFocused()
  await page.keyboard.press('Enter')
  await inspect(page, 'the rule of four eyes')
  await expect(rule.getByRole('combobox', { name: 'Approve: second person' })).toHaveText('From risk class High')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-9' })
  await expect(verify.record.root).toBeVisible()

  const applicant = new ApplicantPage(page)
  await applicant.open('APP-9')
  const propose = async (note: string): Promise<void> => {
    await page.keyboard.press('a')
    await expect(applicant.panel).toContainText('A second person must countersign.')
    await applicant.reason('Documents in order').focus()
    await page.keyboard.press('Space')
    await applicant.note.focus()
    await page.keyboard.type(note)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByTestId('toast')).toContainText('Proposed: approve. A second person must countersign.')
  }
  await page.getByRole('region', { name: 'Case', exact: true }).focus()
  await propose('All seen')
  const head = page.getByRole('main')
  await expect(applicant.decided).toHaveText('Proposed: approve')
  await expect(applicant.panel).toContainText('A second person has not answered yet.')
  await expect(applicant.panel.getByTestId('seen')).toHaveText('Shown before: 1 of 1 answer.')
  const section = page.getByRole('region', { name: 'Approval in the team' })
  await expect(section).toContainText('Waiting for a second person', arrives)
  await inspect(page, 'a proposed decision')
  const answered = async (agrees: boolean): Promise<void> => {
    const asks = exchange.received.events(installation, 0, 10_000).length
    await expect
      .poll(async () => {
        await exchange.settle()
        const found = exchange.received.events(installation, 0, 10_000)
        return found.length > asks || found.some(({ content }) => content.includes('"approval.asked"'))
      }, arrives)
      .toBe(true)
    await benAnswers(exchange, 'APP-9', installation, agrees)
    await exchange.settle()
  }
  await answered(false)
  await expect(applicant.decided).toHaveText('Returned', arrives)
  await expect(applicant.panel).toContainText('Returned by ben')
  await expect(applicant.panel).toContainText('I compared them')
  await inspect(page, 'a returned decision')
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows.filter({ hasText: 'APP-9' })).toContainText('Returned')
  await applicant.open('APP-9')
  await applicant.decideAgain.focus()
  await page.keyboard.press('Enter')
  await propose('Looked again')
  await expect(applicant.decided).toHaveText('Proposed: approve')
  await expect(head).toContainText('Waiting for a second person', arrives)
  await answered(true)
  await expect(applicant.decided).toHaveText('Approved', arrives)
  await expect(applicant.panel).toContainText('Countersigned by ben')
  await inspect(page, 'a decision that a second person approved')
})

test('a decision that the team does not see is asked about by file, by keyboard', async ({ workspace, team, home }) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const { id } = await usePractice(page)
  await team.found(page, 'reviewer')
  await ask(page, 'team.share', { kept: [id] })
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-7' })
  await expect(verify.record.root).toBeVisible()
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'APP-7' })
  await ask(page, 'decisions.make', {
    applicantId: 'APP-7',
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: 'Seen',
    evidence
  })

  await new ApplicantPage(page).open('APP-7')
  const section = page.getByRole('region', { name: 'Approval in the team' })
  await section.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(section).toContainText('the applicant was verified only over connections that are not shared')
  await inspect(page, 'a request that the team cannot answer')
  await section.getByRole('button', { name: 'Ask by file…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Request for approval' })
  await dialog.getByRole('button', { name: 'Save request' }).press('Enter')
  await expect(dialog.getByRole('region', { name: 'Saved' })).toBeVisible(arrives)
  await page.keyboard.press('Escape')
  expect(readFileSync(await savedFile(home, '.veridesk-case'), 'utf8')).toContain('"format":"veridesk-evidence"')
  const byFile = page.getByRole('region', { name: 'Four-eyes approval' })
  await expect(byFile.getByRole('group', { name: 'Waiting for a second person' })).toContainText('Asked on')
  await inspect(page, 'a request by file in a team')
})

test('a decision about whom a colleague erased says that nobody sees it, and is asked about by file', async ({
  workspace,
  team
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const { store, check, settle } = await team.exchange(await team.found(page, 'reviewer'))
  await ask(page, 'team.share', { kept: [] })
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-6' })
  await expect(verify.record.root).toBeVisible()
  await check('APP-6', 'Photo and ID match')
  await settle()
  await expect
    .poll(async () => (await ask(page, 'team.applicant', { applicantId: 'APP-6', limit: 50 }))?.entries.length, arrives)
    .toBe(1)
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'APP-6' })
  await ask(page, 'decisions.make', {
    applicantId: 'APP-6',
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: 'Seen',
    evidence
  })
  await new ApplicantPage(page).open('APP-6')
  const section = page.getByRole('region', { name: 'Approval in the team' })
  await section.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(section).toContainText('Waiting for a second person', arrives)
  await settle()
  const { people } = valueOf(await store.erasure.scope('APP-6'))
  valueOf(await store.erasure.erase({ ...by(), cause: 'request', reason: 'asked', subjects: people }))
  await settle()
  await expect(section).toContainText('Nobody sees this request: a colleague erased the applicant.', arrives)
  await inspect(page, 'a request about whom a colleague erased')
  await section.getByRole('button', { name: 'Ask by file…' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Request for approval' })).toBeVisible()
})
