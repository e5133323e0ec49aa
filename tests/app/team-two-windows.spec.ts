/** Two windows work as a team: joining, sharing, claims, decisions that differ, approval, a batch, the database gone, erasure, removal. */
import { arrivals } from './fixtures/batch.ts'
import { chooseWith, savedFile } from './fixtures/files.ts'
import { test, type Person, type TwoPeople } from './fixtures/two-people.ts'
import { ask, expect } from './fixtures/workspace.ts'
import { choose } from './pages/fields.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { confirmedKey } from './pages/records.ts'
import { VerifyPage } from './pages/verify.ts'

/** Something of the other person: recorded, sent, received and shown. */
const arrives = { timeout: 30_000 }

async function join({ database, anna, ben }: TwoPeople): Promise<void> {
  const sql = (text: string): unknown => database.postgres.sql(text, 'team')
  await anna.team.open()
  sql(await anna.team.sql())
  await anna.team.create.getByLabel('Your name').fill(anna.name)
  await anna.team.create.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await anna.team.create.getByLabel('Port').fill(String(database.postgres.port))
  await anna.team.create.getByLabel('Database').fill('team')
  await anna.team.create.getByRole('button', { name: 'Create team' }).click()
  const shownOnce = anna.session.page.getByRole('dialog', { name: 'Recovery key of the team' })
  await confirmedKey(shownOnce)
  await expect(anna.team.members).toHaveCount(1)
  await anna.team.button('Save invitation').click()
  const teamWords = await anna.team.words('the team’s words')

  await ben.team.open()
  sql(await ben.team.sql())
  await ben.team.main.getByText('Join a team', { exact: true }).click()
  await chooseWith(ben.session, await savedFile(anna.home, '.veridesk-invitation.json'), () =>
    ben.team.join.getByRole('button', { name: 'Choose file' }).click()
  )
  await ben.team.join.getByLabel('The team’s words').fill(teamWords)
  await ben.team.join.getByLabel('Your name').fill(ben.name)
  await ben.team.join.getByRole('button', { name: 'Save request to join' }).click()
  const requestWords = await ben.team.words('the request’s words')
  await expect(ben.team.main.getByRole('status', { name: 'State of the exchange' })).toContainText(
    'Waiting for a supervisor to admit this installation',
    arrives
  )
  await expect(ben.team.main.getByRole('group', { name: 'Why nothing is exchanged' })).toHaveCount(0)

  await anna.team.button('Admit a member').click()
  const dialog = anna.session.page.getByRole('dialog', { name: 'Admit a member' })
  await chooseWith(anna.session, await savedFile(ben.home, '.veridesk-team-request.json'), () =>
    dialog.getByRole('button', { name: 'Choose file' }).click()
  )
  await dialog.getByLabel('The request’s words').fill(requestWords)
  await choose(dialog.getByRole('combobox', { name: 'Role' }), 'Reviewer')
  await dialog.getByRole('button', { name: 'Admit' }).click()
  await expect(dialog).toHaveCount(0)
  // The newcomer's page changes by itself.
  for (const { team } of [anna, ben]) await expect(team.members).toHaveCount(2, arrives)
}

async function share({ session: { page }, team }: Person): Promise<void> {
  const form = team.main.getByRole('form', { name: 'What is shared' })
  await form.getByRole('checkbox', { name: /Service/ }).check()
  await form.getByRole('button', { name: 'Start sharing' }).click()
  await expect(page.getByTestId('toast')).toContainText('Sharing has started.')
}

async function decide(
  { session: { page } }: Person,
  id: string,
  decision: 'Approve' | 'Decline',
  reason: string
): Promise<ApplicantPage> {
  const applicant = new ApplicantPage(page)
  await applicant.open(id)
  // Whoever a colleague's claim has reached by now decides anyway; until then the form is open.
  await expect(async () => {
    const anyway = page.getByRole('button', { name: 'Decide anyway' })
    if (await anyway.isVisible()) await anyway.click()
    await applicant.choice(decision).click({ timeout: 1000 })
  }).toPass()
  await applicant.reason(reason).check()
  await applicant.note.fill('Looked at by hand')
  await applicant.record.click()
  await expect(applicant.decided).toContainText(decision)
  return applicant
}

test('two windows work as a team from joining to removal', async ({ people }) => {
  const { database, service, anna, ben } = people
  const [annas, bens] = [anna.session.page, ben.session.page]
  await test.step('join', () => join(people))
  await test.step('share', async () => {
    await share(anna)
    await share(ben)
    const verify = new VerifyPage(annas)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
    await expect(verify.record.root).toBeVisible()
    await goTo(bens, '/applicants/APP-1', 'APP-1')
    const colleagues = bens.getByRole('region', { name: 'Colleagues' })
    await expect(colleagues).toContainText('Anna Weber', arrives)

    // The same again is not paid for unseen.
    const bensForm = new VerifyPage(bens)
    await bensForm.open('get-applicant-details')
    await bensForm.run('get-applicant-details', { applicant_id: 'APP-1' })
    const asked = bens.getByRole('region', { name: 'Verified by a colleague' })
    await expect(asked).toContainText('Anna Weber verified this')
    expect(service.ledger()).toHaveLength(1)
    await asked.getByRole('button', { name: /anyway$/ }).click()
    await expect(bensForm.record.root).toBeVisible()
    expect(service.ledger()).toHaveLength(2)
  })

  await test.step('decisions that differ while the database is gone', async () => {
    await database.postgres.kill()
    const [atAnna, atBen] = [
      await decide(anna, 'APP-1', 'Approve', 'Documents in order'),
      await decide(ben, 'APP-1', 'Decline', 'Suspected fraud')
    ]
    await expect(annas.getByRole('group', { name: 'Decisions differ' })).toHaveCount(0)
    await database.postgres.start()
    for (const page of [annas, bens])
      await expect(page.getByRole('group', { name: 'Decisions differ' })).toContainText('decline', {
        ...arrives,
        ignoreCase: true
      })
    await expect(atAnna.decided).toContainText('Approve')
    await expect(atBen.decided).toContainText('Decline')
  })

  await test.step('a supervisor merges them', async () => {
    await anna.team.open()
    const conflicts = annas
      .getByRole('region', { name: 'Work of the team' })
      .getByRole('list', { name: 'Decisions that differ' })
    const conflict = conflicts.getByRole('listitem').filter({ hasText: 'APP-1' })
    // The strictest first: it counts until then.
    await expect(conflict).toContainText(/Decline\w*, Ben Okoro.*Approv\w*, This installation/, arrives)
    await conflict.getByRole('link', { name: 'APP-1' }).click()
    const [atAnna, atBen] = [new ApplicantPage(annas), new ApplicantPage(bens)]
    await expect(atAnna.panel).toContainText('Decisions differ. Act on the strictest one')
    await expect(atAnna.panel.getByRole('list', { name: 'Colleagues’ decisions' })).toContainText(
      /Decline\w* by Ben Okoro/
    )
    await atAnna.decideAgain.click()
    await atAnna.choose('Decline')
    await atAnna.reason('Suspected fraud').check()
    await atAnna.note.fill('Seen both')
    await atAnna.record.click()
    await expect(atAnna.decided).toContainText('Decline')
    for (const page of [annas, bens])
      await expect(page.getByRole('main')).not.toContainText('Decisions differ', arrives)
    await expect(atBen.panel).toContainText('Replaced by the decision of a colleague')
    await expect(atBen.panel.getByRole('list', { name: 'Colleagues’ decisions' })).toContainText(
      /Decline\w* by Anna Weber/
    )
    await anna.team.open()
    await expect(annas.getByRole('list', { name: 'Work by person' })).toContainText('2 decisions', arrives)
    await expect(conflicts).toHaveCount(0, arrives)
  })

  await test.step('claim', async () => {
    await goTo(bens, '/queue', 'Queue')
    const verify = new VerifyPage(annas)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: 'APP-2' })
    await expect(verify.record.root).toBeVisible()
    await bens.getByRole('radio', { name: 'Colleagues' }).check()
    const entry = bens
      .getByRole('list', { name: 'Items of colleagues' })
      .getByRole('listitem')
      .filter({ hasText: 'APP-2' })
    await entry.getByRole('button', { name: 'Claim APP-2' }).click(arrives)
    await expect(entry).toContainText(/Claimed by Ben Okoro/)
    await expect(entry).not.toContainText('Tentative', arrives)
    await goTo(annas, '/queue', 'Queue')
    await expect(annas.getByRole('row').filter({ hasText: 'APP-2' })).toContainText('Ben Okoro', arrives)
  })

  await test.step('approval by a second person', async () => {
    await decide(anna, 'APP-2', 'Approve', 'Documents in order')
    const section = annas.getByRole('region', { name: 'Approval in the team' })
    await section
      .getByRole('form', { name: 'Ask for approval' })
      .getByRole('button', { name: 'Ask for approval' })
      .click()
    await expect(section).toContainText('Waiting for a second person')
    const link = bens.getByTestId('operator')
    await expect(link).toContainText('1 request for approval', arrives)
    await link.click()
    await bens.getByRole('menuitem', { name: '1 request for approval' }).click()
    await ben.team.main
      .getByRole('region', { name: 'Requests for approval' })
      .getByRole('button', { name: 'Review' })
      .click()
    const dialog = bens.getByRole('dialog', { name: 'Review request' })
    await dialog.getByRole('radio', { name: 'I have read it and countersign' }).check()
    await dialog.getByRole('button', { name: 'Sign answer' }).click()
    await expect(section).toContainText('Countersigned', arrives)
    await expect(section.getByRole('list', { name: 'Answers' })).toContainText('Ben Okoro')
  })

  await test.step('a shared batch', async () => {
    const before = service.ledger().length
    const rows = Array.from({ length: 60 }, (_, at) => `ROW-${at + 1}`)
    const { id: connectionId } = (await ask(annas, 'connections.list'))[0]!
    const { checkId } = await ask(annas, 'batches.checkText', {
      name: 'rows.csv',
      text: ['applicant_id', ...rows, ''].join('\n'),
      reading: { operations: ['get-applicant-details'] }
    })
    const { id } = await ask(annas, 'batches.create', {
      checkId,
      connectionId,
      name: 'Team rows',
      atOnce: 4,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    })
    await goTo(annas, `/batches/${id}`, 'Team rows')
    await annas.getByRole('button', { name: 'Share with the team' }).click()
    await ben.team.open()
    await ben.team.main
      .getByRole('list', { name: 'Batches of the team, newest first' })
      .getByRole('button', { name: 'Take over' })
      .click(arrives)
    await expect(bens.getByRole('heading', { name: 'Team rows' })).toBeVisible()
    await bens.getByRole('button', { name: 'Start', exact: true }).click()
    for (const page of [annas, bens])
      await expect(page.getByRole('status', { name: 'Progress in the team' })).toContainText('Finished', {
        timeout: 60_000
      })
    expect(service.ledger()).toHaveLength(before + rows.length)
    expect([...arrivals(service).values()].filter((times) => times > 1)).toHaveLength(1)
  })

  await test.step('erasure', async () => {
    await ask(annas, 'erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'Requested' })
    await goTo(bens, '/applicants/APP-1', 'APP-1')
    await expect(bens.getByRole('region', { name: 'Colleagues' })).toHaveCount(0, arrives)
    await goTo(annas, '/administration/data-management', 'Data management')
    const receipt = annas.getByRole('list', { name: 'Receipts, newest first' }).getByRole('listitem').first()
    await expect(receipt).toContainText('Team: acknowledged by all others (1 installation)', arrives)
  })

  await test.step('removal', async () => {
    await anna.team.open()
    await anna.team.button('Remove Ben Okoro').click()
    const confirm = annas.getByRole('dialog', { name: 'Remove Ben Okoro?' })
    await confirm.getByRole('textbox').fill('Ben Okoro')
    await confirm.getByRole('button', { name: 'Remove' }).click()
    await expect(anna.team.members).toHaveCount(1)
    database.postgres.sql(
      await anna.team.main.getByRole('group', { name: 'SQL for the administrator' }).locator('pre').innerText(),
      'team'
    )
    // What is his own stays; nothing more arrives.
    const verify = new VerifyPage(annas)
    await verify.open('get-applicant-details')
    await verify.run('get-applicant-details', { applicant_id: 'APP-3' })
    await expect(verify.record.root).toBeVisible()
    await ben.team.open()
    await expect(ben.team.main.getByRole('status', { name: 'State of the exchange' })).not.toContainText(
      'Connected',
      arrives
    )
    await goTo(bens, '/applicants/APP-3', 'APP-3')
    await expect(bens.getByRole('main')).not.toContainText('Anna Weber')
  })
})
