/** Two-person admission in the window: switched on, waiting, confirmed and withdrawn, by keyboard and for assistive technology. */
import { readFileSync, rmSync } from 'node:fs'
import { installed, requestOf, valueOf } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { test } from './fixtures/team.ts'
import { ask, expect } from './fixtures/workspace.ts'
import { TeamPage } from './pages/team.ts'

test('a second supervisor confirms who may approve', async ({ workspace, team: scene }) => {
  const page = await workspace.open()
  const ben = await scene.found(page, 'reviewer')
  const carla = await installed(scene.database, 'Carla Rossi')
  try {
    const team = new TeamPage(page)
    await team.open()
    const part = team.main.getByRole('region', { name: 'Two-person admission' })
    // With one supervisor it cannot be switched on.
    await expect(part.getByRole('button', { name: 'Switch on' })).toBeDisabled()
    await ask(page, 'team.changeRole', { installation: ben.installation, role: 'supervisor' })
    await team.button('Refresh').click()
    await expect(part.getByRole('button', { name: 'Switch on' })).toBeEnabled()
    await part.getByRole('button', { name: 'Switch on' }).focus()
    await page.keyboard.press('Enter')
    await expect(part.getByRole('button', { name: 'Switch off…' })).toBeVisible()
    await inspect(page, 'two-person admission is on')

    // The colleague signs an admission; the newcomer tells the words of the request.
    const invitation = valueOf(await ben.team.invite())
    const request = await requestOf(carla, readFileSync(ben.file, 'utf8'), invitation?.words ?? '')
    valueOf(await ben.team.admit({ ...request, role: 'reviewer' }))
    await team.button('Refresh').click()
    const waiting = part.getByRole('list', { name: 'Waits for a second supervisor' }).getByRole('listitem')
    await expect(waiting).toHaveCount(1)
    await expect(waiting).toContainText('Carla Rossi is to be admitted as Reviewer.')
    await expect(waiting).toContainText('Signed by Ben Okoro')
    await inspect(page, 'an admission that waits')
    await expect(team.members).toHaveCount(2)
    await waiting.getByRole('button', { name: 'Confirm… Carla Rossi' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm as the second supervisor?' })
    await expect(dialog).toContainText('reads all that was shared, and can approve decisions as Reviewer')
    await expect(dialog.getByTestId('words')).toHaveText(request.words)
    await inspect(page, 'confirming an admission')
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(team.members).toHaveCount(3)
    await expect(waiting).toHaveCount(0)

    // Its author cannot confirm, sees the words to read, and can withdraw.
    await part.getByRole('button', { name: 'Switch off…' }).click()
    const off = page.getByRole('dialog', { name: 'Switch off two-person admission?' })
    await inspect(page, 'switching two-person admission off')
    await off.getByRole('button', { name: 'Switch off…' }).click()
    await expect(waiting).toContainText('Two-person admission is to be switched off.')
    await expect(waiting.getByRole('button', { name: /^Confirm/ })).toHaveCount(0)
    await expect(waiting.getByTestId('words')).toBeVisible()
    await inspect(page, 'what this installation signed waits')
    await waiting.getByRole('button', { name: /^Withdraw/ }).click()
    await expect(waiting).toHaveCount(0)
    await expect(part.getByRole('button', { name: 'Switch off…' })).toBeVisible()
  } finally {
    rmSync(carla.folder, { recursive: true, force: true })
  }
})
