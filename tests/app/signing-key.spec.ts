/** The signing key in the window: revoked, and replaced only on request. */
import { readFileSync } from 'node:fs'
import { readRevocation } from '#core/evidence/revocation.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile, savesInto } from './fixtures/files.ts'
import { ask, expect, test } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

test('the key is revoked with a reason, and a new one is created after a confirmation', async ({ workspace, home }) => {
  const page = await workspace.open()
  await goTo(page, '/administration/keys', 'Keys and evidence')
  const [before] = await ask(page, 'keys.list')
  await savesInto(workspace.session(), home)
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  const form = page.getByRole('form', { name: 'Revoke this key' })
  await form.getByRole('radio', { name: 'Its owner has left' }).check()
  await form.getByLabel('Note for readers').fill('Since May')
  await inspect(page, 'the revocation of a key')
  await form.getByRole('button', { name: 'Save revocation' }).click()
  await expect(page.getByText('This key has been revoked since')).toBeVisible()
  const file = await savedFile(home, '.veridesk-revocation.json')
  expect(readRevocation(readFileSync(file, 'utf8'))).toMatchObject({
    key: before?.fingerprint,
    reason: 'left',
    note: 'Since May'
  })
  expect(await ask(page, 'keys.list')).toHaveLength(1)

  await page.getByRole('button', { name: 'Create new key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a new signing key?' })
  await expect(dialog.getByRole('button', { name: 'Create new key' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('new key')
  await dialog.getByRole('button', { name: 'Create new key' }).click()
  await expect(page.getByRole('list', { name: 'Former keys' })).toContainText('Its owner has left')
  const [now] = await ask(page, 'keys.list')
  await expect(page.getByTestId('fingerprint')).toContainText(now?.fingerprint.slice(0, 4) ?? 'none')
  expect(now?.fingerprint).not.toBe(before?.fingerprint)
})
