/** A finding about the team's database, in the window: what is wrong, and how a supervisor deals with it. */
import { inspect } from './fixtures/axe.ts'
import { test } from './fixtures/team.ts'
import { expect, usePractice } from './fixtures/workspace.ts'
import { TeamPage } from './pages/team.ts'

test('a supervisor acknowledges what the database lost', async ({ workspace, team: scene }) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await scene.exchange(await scene.found(page))
  await exchange.check('APP-7')
  await exchange.settle()
  const team = new TeamPage(page)
  await team.open()
  const members = team.main.getByRole('list', { name: 'What of each member is here' })
  await expect(members).toContainText('Last event', { timeout: 30_000 })
  const { installation } = exchange.one
  scene.database.postgres.sql(
    `DELETE FROM veridesk.event WHERE installation = '\\x${installation}'; DELETE FROM veridesk.head WHERE installation = '\\x${installation}'`,
    'team'
  )
  await expect(members).toContainText('Shared batches are on hold until it ends or a supervisor acknowledges it.', {
    timeout: 40_000
  })
  await inspect(page, 'a finding')
  const dialog = page.getByRole('dialog', { name: 'Acknowledge finding' })
  const acknowledge = async (reason: string): Promise<void> => {
    await members.getByRole('button', { name: 'Acknowledge…' }).click()
    await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.')
    await dialog.getByLabel('Reason').fill(reason)
    await inspect(page, 'acknowledging a finding')
    await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(members).toContainText(reason)
  }
  await acknowledge('The backup of Monday was restored')
  // Rows that the colleague has sent may be lost with it: it has to connect once, or a supervisor goes on without it.
  await expect(members).toContainText('has not exchanged data since a loss of the team’s database was acknowledged')
  await acknowledge('Ben has left')
  await expect(members).not.toContainText('on hold')
})
