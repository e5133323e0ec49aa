/** Recipes of a team in the window: a colleague's is offered for an applicant and for a batch, and one's own is shared by a menu. */
import { inspect } from './fixtures/axe.ts'
import { test } from './fixtures/team.ts'
import { ask, expect, usePractice } from './fixtures/workspace.ts'
import { NewBatchPage } from './pages/batches.ts'
import { goTo } from './pages/go.ts'

test('a colleague’s recipe is offered with their name, and one’s own is shared', async ({ workspace, team }) => {
  const page = await workspace.open()
  await usePractice(page)
  await goTo(page, '/verify/applicant', 'Check an applicant')
  const main = page.getByRole('main')
  const recipe = main.getByRole('combobox', { name: 'Recipe' })
  const actions = main.getByRole('button', { name: 'Recipe actions' })
  await actions.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText(['Rename', 'Delete'])
  await page.keyboard.press('Escape')

  const ben = await team.exchange(await team.found(page))
  const plain = { name: 'Passport first', operations: ['validate-passport', 'get-applicant-details'] } as const
  await ben.store.audit.note({ kind: 'recipe.shared', at: Date.now(), operator: 'Ben Okoro', plain })
  await ben.settle()
  await ask(page, 'team.share', { kept: [] })
  await expect.poll(() => ask(page, 'team.recipes'), { timeout: 30_000 }).toHaveLength(1)
  await recipe.press('Enter')
  await page.getByRole('option', { name: 'Passport first (Ben Okoro)' }).press('Enter')
  const boxes = main
    .getByRole('group', { name: 'Operations, sent in this order' })
    .getByRole('checkbox', { checked: true })
  await expect(boxes).toHaveCount(2)
  await expect(boxes.first()).toHaveAccessibleName(/Passport/)
  // It is the colleague's: it is neither renamed nor deleted here.
  await expect(actions).toHaveCount(0)
  await inspect(page, 'a colleague’s recipe')

  await recipe.press('Enter')
  await page.getByRole('option', { name: 'Details only' }).press('Enter')
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Share with the team' }).press('Enter')
  await expect(main.getByText('Shared with the team')).toBeVisible()
  await actions.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Stop sharing' })).toBeVisible()
  await page.keyboard.press('Escape')

  await new NewBatchPage(page).open()
  await main.getByRole('combobox', { name: 'Operation or recipe' }).press('Enter')
  await page.getByRole('option', { name: 'Recipe: Passport first (Ben Okoro)' }).press('Enter')
  await expect(main.getByText('id_url, applicant_id')).toBeVisible()
})
