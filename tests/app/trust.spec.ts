/** The company's trust file in the window: the one in force, signing one as a keeper, making one, and Verify pack with one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readTrustFile } from '#core/evidence/trust-file.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { day, fileOf, keeper, signed, version, type Members } from '../unit/support/trust-files.ts'
import { inspect } from './fixtures/axe.ts'
import { chooseWith, savedFile, savesInto } from './fixtures/files.ts'
import { runCheck } from './fixtures/scene.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { EvidencePage } from './pages/records.ts'

const [ann, ben] = [keeper(), keeper()]
const open = (page: Page): Promise<void> => goTo(page, '/evidence/trust', 'Evidence')
const press = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('main').getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}
/** A version that was issued a day ago. */
const fresh = (keepers: readonly { readonly raw: string }[], more: Members = {}): Members =>
  version(keepers as Parameters<typeof version>[0], {
    issued: Date.now() - day,
    expires: Date.now() + 364 * day,
    ...more
  })

test.describe('with a policy', () => {
  test.use({
    hostEnvironment: async ({ folder }, use) => {
      mkdirSync(join(folder, 'etc'), { mode: 0o755, recursive: true })
      const file = join(folder, 'etc', 'policies.json')
      const policies = { TrustFile: join(folder, 'company.veridesk-trust') }
      writeFileSync(file, JSON.stringify({ format: 'veridesk-policies', version: 1, policies }), { mode: 0o644 })
      await use({ VERIDESK_TEST_POLICIES: file })
    }
  })
  test('the file in force is shown with this installation’s roles, and says when it expires and what then', async ({
    workspace,
    folder
  }) => {
    const page = await workspace.open()
    const { own } = await ask(page, 'trust.inForce')
    const write = (more: Members): void =>
      writeFileSync(
        join(folder, 'company.veridesk-trust'),
        fileOf(
          signed(
            fresh([ann, ben], {
              signers: [
                { from: Date.now() - 9 * day, key: own?.fingerprint, name: 'Cat', roles: ['pack'], until: null }
              ],
              revocations: [
                { key: 'ab'.repeat(32), reason: 'lost', recorded: Date.now() - 5 * day, since: Date.now() - 9 * day }
              ],
              ...more
            }),
            [ann, ben]
          )
        )
      )
    write({})
    await open(page)
    const inForce = page.getByRole('region', { name: 'In force on this installation' })
    await expect(inForce).toContainText('Version 1 of the trust file of Sample Bank')
    await expect(inForce.getByTestId('own-roles')).toHaveText('Signs packs')
    await expect(inForce.getByRole('list', { name: 'Keepers' }).getByRole('listitem')).toHaveCount(2)
    await expect(inForce.getByRole('list', { name: 'Who signs and approves' })).toContainText('Cat')
    await expect(inForce.getByRole('list', { name: 'Revoked keys' })).toContainText('It was lost')
    await inspect(page, 'the trust file in force')
    await page.getByRole('link', { name: 'Packs and approvals' }).click()
    write({ issued: Date.now() - 40 * day, expires: Date.now() - 3 * day, revocations: [] })
    await page.getByRole('link', { name: 'Trust file' }).click()
    await expect(inForce).toContainText('It expired 3 days ago.')
    await expect(inForce).toContainText('Next step: a keeper makes the next version')
    await inspect(page, 'an expired trust file')
  })
})

test('a keeper makes the first version and signs another’s by keyboard alone', async ({ workspace, home }) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await open(page)
  await expect(page.getByRole('main')).toContainText('No trust file is in force here.')
  await press(page, 'Make the first version…')
  const form = page.getByRole('form', { name: 'First version' })
  await expect(form.getByRole('textbox', { name: 'Organisation' })).toBeFocused()
  await form.getByRole('textbox', { name: 'Valid for (days)' }).press('Enter')
  // The first field with a fault has the focus.
  await expect(form.getByRole('textbox', { name: 'Organisation' })).toBeFocused()
  await expect(form).toContainText('Enter the name of the organisation.')
  await expect(form).toContainText('This is no public key')
  await inspect(page, 'the form of a trust file')
  await page.keyboard.type('First Bank')
  await form.getByRole('textbox', { name: 'Public key of keeper 2' }).focus()
  await page.keyboard.type(ben.raw)
  await press(page, 'Add person')
  await page.keyboard.type('Ben')
  await page.keyboard.press('Tab')
  await page.keyboard.type(ben.id)
  await page.keyboard.press('Enter')
  const made = page.getByRole('region', { name: 'Version 1 of the trust file of First Bank' })
  await expect(made).toContainText('It does not count yet: 1 more signature of a keeper is missing.')
  await expect(made).toContainText('The key of this installation has signed this version.')
  const first = readTrustFile(readFileSync(await savedFile(home, 'First Bank.veridesk-trust'), 'utf8'))
  expect(first).toMatchObject({ ok: true, value: { speaking: { signers: [{ key: ben.id, name: 'Ben' }] } } })

  const { own } = await ask(page, 'trust.inForce')
  const [one, other] = [own?.publicKey ?? '', ben.raw].sort()
  const sent = join(home, 'sent.json')
  writeFileSync(sent, fileOf(signed(fresh([ben], { keepers: [one, other], organisation: 'Second Bank' }), [ben])))
  await chooseWith(workspace.session(), sent, () => press(page, 'Choose…'))
  const opened = page.getByRole('region', { name: 'Version 1 of the trust file of Second Bank' })
  await expect(opened).toContainText('No trust file is in force here to compare it with.')
  await inspect(page, 'a trust file that waits for a signature')
  await press(page, 'Sign as keeper')
  await expect(opened).toContainText('It counts: enough keepers have signed it.')
  await expect(opened.getByRole('heading', { level: 2 })).toBeFocused()
  const signedFile = readTrustFile(readFileSync(await savedFile(home, 'Second Bank.veridesk-trust'), 'utf8'))
  expect(signedFile).toMatchObject({ ok: true, value: { waitsFor: 0 } })
  expect(signedFile.ok && signedFile.value.signedBy).toContain(fingerprintOf(own?.publicKey ?? ''))
})

test('a trust file that is chosen before the pack says whose it is', async ({ workspace, home }) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await usePractice(page)
  const { settings } = await ask(page, 'app.state')
  const id = await runCheck(page, settings.lastConnection, 'get-applicant-details', { applicant_id: 'APP-1' })
  await ask(page, 'evidence.create', { about: { kind: 'record', id }, profile: 'full', pdf: false })
  const pack = await savedFile(home, '.veridesk-evidence')
  const { own } = await ask(page, 'trust.inForce')
  const signers = [{ from: 0, key: own?.fingerprint, name: 'Cat', roles: ['pack'], until: null }]
  const sent = join(home, 'sent.json')
  writeFileSync(sent, fileOf(signed(fresh([ann, ben], { signers }), [ann, ben])))
  const evidence = new EvidencePage(page)
  await evidence.open()
  await chooseWith(workspace.session(), [sent, pack], () => evidence.check.press('Enter'))
  await expect(evidence.verdict).toContainText('Pack verified')
  await expect(evidence.verdict).toContainText('By the trust file, its key belongs to Cat, who signs packs.')
})
