/** A team in the window: created, joined, its members admitted, changed and removed, and left; with a real database. */
import { readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from '../service/support/postgres.ts'
import { addressOf, installed, requestOf, valueOf, type Installation } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { chooseWith, savedFile } from './fixtures/files.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { choose } from './pages/fields.ts'
import { goTo } from './pages/go.ts'
import { confirmedKey } from './pages/records.ts'
import { SettingsPage } from './pages/settings.ts'
import { TeamPage } from './pages/team.ts'

let database: TeamDatabase
const colleagues: Installation[] = []
const sql = (text: string): string => database.postgres.sql(text, 'team')
async function colleague(name: string): Promise<Installation> {
  const one = await installed(database, name)
  colleagues.push(one)
  return one
}
test.beforeEach(async ({ workspace }) => {
  test.setTimeout(90_000)
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.skip(!hasPostgres, 'needs PostgreSQL')
  database = await startTeamDatabase()
})
test.afterEach(async () => {
  await database?.end()
  for (const { folder } of colleagues.splice(0)) rmSync(folder, { recursive: true, force: true })
})

test('a team is created, and members are admitted, changed and removed', async ({ workspace, home }) => {
  const page = await workspace.open()
  await usePractice(page)
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.main.getByRole('link', { name: 'Team' }).click()
  const team = new TeamPage(page)
  await expect(team.main.getByRole('region', { name: 'Team', exact: true })).toBeVisible()
  sql(await team.sql())
  await inspect(page, 'access and the form of a new team')

  // Without anything entered, each field says what it needs, and the first has the focus.
  await team.create.getByRole('button', { name: 'Create team' }).click()
  await expect(team.create.getByLabel('Your name')).toBeFocused()
  await expect(team.create).toContainText('Enter the name of the database.')
  await team.create.getByLabel('Your name').fill('Anna Weber')
  await team.create.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1')
  await team.create.getByLabel('Port').fill(String(database.postgres.port))
  await team.create.getByLabel('Database').fill('other')
  await team.create.getByRole('button', { name: 'Create team' }).click()
  await expect(team.failure).toContainText('There is no database “other”')
  await team.create.getByLabel('Database').fill('team')
  await team.create.getByRole('button', { name: 'Create team' }).click()
  const shownOnce = page.getByRole('dialog', { name: 'Recovery key of the team' })
  await confirmedKey(shownOnce)
  await expect(team.members).toHaveCount(1)
  await expect(team.members.first()).toContainText('Anna Weber (this installation)')

  const ben = await colleague('Ben Okoro')
  await team.button('Save invitation').click()
  await expect(team.main.getByText('It gives access to the list of members')).toBeVisible()
  const compared = team.main.getByRole('group', { name: 'the team’s words' }).last()
  await compared.getByRole('button', { name: 'QR code' }).click()
  await expect(compared.getByRole('img', { name: 'QR code of the team’s words' })).toBeVisible()
  // Dark on light in both themes.
  await expect(compared.getByRole('img').locator('rect')).toHaveCSS('fill', 'rgb(255, 255, 255)')
  await inspect(page, 'an invitation with its words and their code')
  const invitation = readFileSync(await savedFile(home, '.veridesk-invitation.json'), 'utf8')
  const { words } = await requestOf(ben, invitation, await team.words('the team’s words'))
  await team.button('Admit a member').click()
  const dialog = page.getByRole('dialog', { name: 'Admit a member' })
  await chooseWith(workspace.session(), ben.file, () => dialog.getByRole('button', { name: 'Choose file' }).click())
  await expect(dialog).toContainText(basename(ben.file))
  await inspect(page, 'admitting a member')
  // Words of something else, as if the file had been replaced.
  await dialog.getByLabel('The request’s words').fill(words.split(' ').reverse().join(' '))
  await dialog.getByRole('button', { name: 'Admit' }).click()
  await expect(dialog.getByRole('group', { name: 'What went wrong' })).toContainText('The words do not match the file')
  await dialog.getByLabel('The request’s words').fill(words)
  await dialog.getByRole('button', { name: 'Admit' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(team.members).toHaveCount(2)

  await choose(team.main.getByRole('combobox', { name: 'Role of Ben Okoro' }), 'Reviewer')
  await expect(page.getByTestId('toast')).toContainText('Role of Ben Okoro: Reviewer.')
  expect(valueOf(await ben.team.members()).members.find(({ own }) => own)?.role).toBe('reviewer')
  await inspect(page, 'the members of a team')
  // The last supervisor stays one.
  await choose(team.main.getByRole('combobox', { name: 'Role of Anna Weber' }), 'Analyst')
  await expect(team.failure).toContainText('the team would have no supervisor')
  await expect(team.main.getByRole('combobox', { name: 'Role of Anna Weber' })).toHaveText('Supervisor')

  await team.button('Remove Ben Okoro').click()
  const confirm = page.getByRole('dialog', { name: 'Remove Ben Okoro?' })
  await confirm.getByRole('textbox').fill('Ben Okoro')
  await confirm.getByRole('button', { name: 'Remove' }).click()
  await expect(team.members).toHaveCount(1)
  sql(await team.main.getByRole('group', { name: 'SQL for the administrator' }).locator('pre').innerText())
  await inspect(page, 'a removed member')
  expect(await ben.team.members()).toMatchObject({ ok: false, failure: { code: 'team-sign-in-refused' } })

  // The database is gone: what is known stays, and why it could not be asked.
  await database.postgres.stop()
  await team.button('Refresh').click()
  await expect(team.failure).toContainText('could not be reached')
  await expect(team.members).toHaveCount(1)
  await database.postgres.start()
  await team.button('Refresh').click()
  await expect(team.failure).toHaveCount(0)

  await team.button('Leave team').click()
  const leaving = page.getByRole('dialog', { name: 'Leave the team?' })
  await leaving.getByRole('textbox').fill('leave')
  await leaving.getByRole('button', { name: 'Leave team' }).click()
  await expect(team.create).toBeVisible()
  expect(await ask(page, 'team.state')).toBeNull()
})

test('a team is joined with an invitation and its words', async ({ workspace, home }) => {
  const anna = await colleague('Anna Weber')
  valueOf(await anna.team.create({ name: 'Anna Weber', database: addressOf(database) }))
  const page = await workspace.open()
  await usePractice(page)
  const team = new TeamPage(page)
  await team.open()
  sql(await team.sql())
  await team.main.getByText('Join a team', { exact: true }).click()
  await team.join.getByRole('button', { name: 'Save request to join' }).click()
  await expect(team.join).toContainText('Choose the invitation.')
  const invited = valueOf(await anna.team.invite())
  await chooseWith(workspace.session(), anna.file, () => team.join.getByRole('button', { name: 'Choose file' }).click())
  await expect(team.join).toContainText(basename(anna.file))
  await inspect(page, 'the form of joining')
  await team.join.getByLabel('The team’s words').fill(invited?.words ?? '')
  await team.join.getByLabel('Your name').fill('Ben Okoro')
  await team.join.getByRole('button', { name: 'Save request to join' }).click()
  const words = await team.words('the request’s words')
  await inspect(page, 'a request to join')
  const request = readFileSync(await savedFile(home, '.veridesk-team-request.json'), 'utf8')
  valueOf(await anna.team.admit({ request, words, role: 'reviewer' }))
  await team.button('Refresh').click()
  await expect(team.members).toHaveCount(2)
  await expect(team.members.last()).toContainText('Ben Okoro (this installation)')
  await expect(team.members.last()).toContainText('Reviewer')
  // Only a supervisor admits and removes.
  await expect(team.button('Admit a member')).toHaveCount(0)
  await expect(team.button(/^Remove/)).toHaveCount(0)
  const again = new TeamPage(await workspace.again())
  await again.open()
  await expect(again.members).toHaveCount(2)
  // Members know each other by the signing key.
  await goTo(again.page, '/administration/keys', 'Keys and evidence')
  await again.button('Create new key').click()
  await expect(again.page.getByRole('dialog', { name: 'Create a new signing key?' })).toContainText(
    'The team knows this installation by the current key'
  )
})
