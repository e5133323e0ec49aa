/** The whole result of a list is selected: tags and due dates reach everyone in it, also those that are not in view. */
import type { Page } from '@playwright/test'
import { inspect } from './fixtures/axe.ts'
import { seedHistory } from './fixtures/history.ts'
import { ask, expect, test } from './fixtures/workspace.ts'
import { ApplicantsPage, QueuePage } from './pages/applicants.ts'
import { Shell } from './pages/shell.ts'
import { TablePage } from './pages/table.ts'

/** The applicants of all events of a kind, oldest first. */
async function applicantsOf(page: Page, kind: 'tags.changed' | 'due.changed'): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for (let after = 0; ;) {
    const { events, next } = await ask(page, 'audit.page', { limit: 200, kinds: [kind], after })
    found.push(...events.map(({ applicantId }) => applicantId))
    if (next === undefined) return found
    after = next
  }
}

test('tags reach everyone who matches, after a confirmation that names the number', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(240_000)
  const made = workspace.keyring ? await seedHistory(dataFolder, workspace.keyring, 1500) : []
  const everyone = [...new Set(made.flatMap(({ intent }) => intent.applicantId ?? []))].sort()
  const some = everyone.filter((id) => id.includes('00001'))
  // More than a page of the list, and more than are changed in one step.
  expect(everyone.length).toBeGreaterThan(250)
  expect(some.length).toBeGreaterThan(10)
  const page = await workspace.open()
  const shell = new Shell(page)
  const table = new TablePage(page)
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  await applicants.search.fill('00001')
  await expect(table.grid).toHaveAttribute('aria-rowcount', String(some.length + 1))
  await table.row(2).getByRole('checkbox').click()
  await table.selection.getByRole('button', { name: `Select all ${some.length}` }).click()
  await expect(table.selected).toHaveText(`${some.length} applicants selected`)
  await expect(table.row(5)).toHaveAttribute('aria-selected', 'true')
  await expect(table.selection.getByRole('button', { name: 'Copy rows' })).toHaveCount(0)
  await table.selection.getByRole('button', { name: 'Tags' }).click()
  const action = (number: number) => shell.dialog(`Tags of ${number} applicants`)
  const go = (number: number) => action(number).getByRole('button', { name: `Change ${number} applicants` })
  await action(some.length).getByLabel('Add tag').fill('sweep')
  await expect(go(some.length)).toBeDisabled()
  await inspect(page, 'the change of everyone who matches')
  await action(some.length).getByLabel(`Change all ${some.length} applicants that match`).check()
  await go(some.length).click()
  await expect(shell.message).toContainText(`${some.length} applicants changed`)
  await expect(table.selection).toHaveCount(0)
  expect((await ask(page, 'applicants.matching', { tags: ['sweep'] })).ids.toSorted()).toEqual(some)
  // Each applicant has an event of its own.
  expect((await applicantsOf(page, 'tags.changed')).toSorted()).toEqual(some)

  // Without filters: more than the list has loaded, in several steps.
  await applicants.search.fill('')
  await expect(table.grid).not.toHaveAttribute('aria-rowcount', String(some.length + 1))
  await table.row(1).getByRole('checkbox').click()
  await table.selection.getByRole('button', { name: `Select all ${everyone.length}` }).click()
  await expect(table.selected).toHaveText(`${everyone.length} applicants selected`)
  await table.selection.getByRole('button', { name: 'Tags' }).click()
  await action(everyone.length).getByLabel('Add tag').fill('all')
  await action(everyone.length).getByLabel(`Change all ${everyone.length} applicants that match`).check()
  await go(everyone.length).click()
  await expect(shell.message).toContainText(`${everyone.length} applicants changed`, { timeout: 60_000 })
  expect((await ask(page, 'applicants.matching', { tags: ['all'] })).ids.toSorted()).toEqual(everyone)

  // The queue: its items, of which unknown outcomes may have no applicant.
  const queue = new QueuePage(page)
  await queue.open()
  await queue.choose('Tag', 'sweep')
  const waiting = (await ask(page, 'queue.matching', { filter: { tags: ['sweep'] } })).ids
  const { total } = await ask(page, 'queue.list', { filter: { tags: ['sweep'] }, limit: 1 })
  expect(waiting.length).toBeGreaterThan(2)
  await expect(queue.grid).toHaveAttribute('aria-rowcount', String(total + 1))
  await queue.grid.focus()
  await page.keyboard.press('Space')
  await table.selection.getByRole('button', { name: `Select all ${total}` }).click()
  await expect(table.selected).toHaveText(`${total} selected`)
  await table.selection.getByRole('button', { name: 'Tags' }).click()
  await action(waiting.length).getByLabel('Remove tag').fill('sweep')
  await action(waiting.length).getByLabel(`Change all ${waiting.length} applicants that match`).check()
  await go(waiting.length).click()
  await expect(shell.message).toContainText(`${waiting.length} applicants changed`)
  expect((await ask(page, 'queue.matching', { filter: { tags: ['sweep'] } })).ids).toEqual([])
  // Another filter is another result.
  await queue.choose('Tag', 'all')
  const others = await ask(page, 'queue.list', { filter: { tags: ['all'] }, limit: 1 })
  await expect(queue.grid).toHaveAttribute('aria-rowcount', String(others.total + 1))
  // From the filter, where the focus is: the list, not the page's words.
  await page.keyboard.press('ControlOrMeta+a')
  await expect(table.selected).toHaveText(`${others.total} selected`)
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe('')
  await queue.choose('State', 'Pending decision')
  await expect(table.selection).toHaveCount(0)
})
