/** Settings: saved on change, refused with a reason, kept after a restart; and files that cannot be read. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureTable } from '#contract/failures/table.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { choose } from './pages/fields.ts'
import { AboutPage, SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

test('each setting is saved when changed and kept after a restart', async ({ workspace }) => {
  const page = await workspace.open()
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.choose('Theme', 'Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(settings.saved.first()).toBeVisible()
  await settings.choose('Density', 'Compact')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await choose(settings.list('Offer the earlier answer'), '15 minutes')
  await settings.set('Connection timeout', '7')
  await settings.set('Response timeout', '90')
  await settings.set('Maximum response size', '2048')
  await settings.toggle('Send rows answered with 429 or 503 again').click()
  await settings.toggle('A batch has ended').click()
  await settings.set('Tags decided one by one', 'PEP, , High risk')
  await settings.choose('Proxy', 'Manual')
  await settings.set('Proxy address', 'http://proxy.example.com:8080')
  await settings.set('Bypass proxy for', 'localhost, .example.org')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.proxyBypass).toBe('localhost, .example.org')

  const again = await workspace.again()
  await expect(again.locator('html')).toHaveAttribute('data-theme', 'dark')
  const { settings: kept } = await ask(again, 'app.state')
  expect(kept).toMatchObject({
    theme: 'dark',
    density: 'compact',
    spendGuardMinutes: 15,
    connectTimeout: 7,
    totalTimeout: 90,
    maxReplyBytes: 2 * 1024 * 1024,
    retryBusy: true,
    notifyBatch: false,
    notifyDue: true,
    tagsDecidedAlone: ['PEP', 'High risk'],
    proxyMode: 'manual',
    proxyUrl: 'http://proxy.example.com:8080',
    proxyBypass: 'localhost, .example.org'
  })
})

test('an invalid setting is refused with a message and not saved', async ({ workspace }) => {
  const page = await workspace.open()
  const settings = new SettingsPage(page)
  await settings.open()
  for (const [label, value, words] of [
    ['Response timeout', '0', 'Enter at least 1.'],
    ['Response timeout', '601', 'Enter at most 600.'],
    ['Connection timeout', 'soon', 'Enter a whole number.'],
    ['Maximum response size', '1e9', 'Enter a whole number.']
  ] as const) {
    await settings.set(label, value)
    await expect(settings.main).toContainText(words)
    await expect(settings.field(label)).toHaveAttribute('aria-invalid', 'true')
    // The refused value stays to be fixed.
    await expect(settings.field(label)).toHaveValue(value)
  }
  expect((await ask(page, 'app.state')).settings).toMatchObject({
    totalTimeout: 30,
    connectTimeout: 5,
    maxReplyBytes: 1024 * 1024
  })
})

test('a shorter deadline holds from the next check on', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.set('Response timeout', '1')
  await expect(settings.saved.first()).toBeVisible()
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: triggerValue({ kind: 'applicant-id' }, 'silent') })
  await expect(verify.record.failure).toContainText('No complete response arrived within 1 s.')
})

test('the diagnostics are copied as text and contain no secret', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const about = new AboutPage(page)
  await about.open()
  await expect(about.diagnosis).toContainText('Open, 0 records')
  const text = await copiedBy(page, () => about.copyDiagnosis.click(), 'Copied: Diagnostics')
  expect(text).toContain(`Version: ${(await ask(page, 'app.state')).version}`)
  for (const value of Object.values(practice.credentials)) expect(text).not.toContain(value)
})

const beginning = (sentence: string): string => sentence.split('{')[0] ?? ''
for (const name of ['settings', 'connections'] as const) {
  test(`damaged ${name} are told at each start, left alone, and kept when they are reset`, async ({
    workspace,
    dataFolder
  }) => {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    const damaged = `{"format":"veridesk-${name}","version":1,"data":{"x`
    const file = join(dataFolder, `${name}.json`)
    writeFileSync(file, damaged)
    await workspace.open()
    await workspace.close()
    const page = await workspace.open()
    const shell = new Shell(page)
    await expect(shell.notices).toContainText(`The file ${name}.json could not be read: it is not valid JSON.`)
    await expect(shell.notices).toContainText('is not overwritten')
    expect(readFileSync(file, 'utf8')).toBe(damaged)
    await shell.notices.getByRole('button', { name: 'Dismiss this notice' }).click()
    await expect(shell.notices).toHaveCount(0)
    // A dismissed notice does not return; the page that it is about still shows the problem and the remedy.
    if (name === 'settings') await new SettingsPage(page).open()
    else await new ConnectionsPage(page).open()
    const panel = shell.main.getByRole('group', { name: name === 'settings' ? 'Settings file' : 'Connections file' })
    await expect(panel).toContainText(`The file ${name}.json could not be read: it is not valid JSON.`)
    await expect(shell.main.getByText('No connection yet')).toHaveCount(0)
    await panel
      .getByRole('button', { name: name === 'settings' ? 'Use default settings' : 'Start without connections' })
      .click()
    await expect(panel).toHaveCount(0)
    const kept = readdirSync(dataFolder).find((each) => each.startsWith(`${name}.damaged-`)) ?? ''
    await expect(shell.message).toContainText(kept)
    expect(readFileSync(join(dataFolder, kept), 'utf8')).toBe(damaged)
    await new SettingsPage(page).open()
    await new SettingsPage(page).choose('Theme', 'Dark')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(shell.notices).toHaveCount(0)
  })

  test(`${name} of a newer version are told, left alone, and nothing is saved over them`, async ({
    workspace,
    dataFolder
  }) => {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    const newer = JSON.stringify({ format: `veridesk-${name}`, version: 99, data: { future: true } })
    writeFileSync(join(dataFolder, `${name}.json`), newer)
    const page = await workspace.open()
    const shell = new Shell(page)
    await expect(shell.notices).toContainText(`The file ${name}.json was written by a newer version of Veridesk.`)
    if (name === 'settings') {
      const settings = new SettingsPage(page)
      await settings.open()
      await settings.set('Response timeout', '31')
      await expect(settings.main).toContainText(beginning(failureTable['settings-newer'].what))
    } else {
      const connections = new ConnectionsPage(page)
      await connections.open()
      await connections.startPractice.click()
      await expect(page.getByRole('main').getByRole('group', { name: 'What went wrong' })).toContainText(
        'written by a newer version'
      )
    }
    expect(readFileSync(join(dataFolder, `${name}.json`), 'utf8')).toBe(newer)
  })
}

test('with settings that cannot be read nothing is sent, until the defaults are accepted', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const first = await workspace.open()
  await usePractice(first)
  await workspace.close()
  writeFileSync(
    join(dataFolder, 'settings.json'),
    '{"format":"veridesk-settings","version":1,"data":{"proxyMode":"manual","prox'
  )
  const page = await workspace.open()
  const verify = new VerifyPage(page)
  const lookup = operationOf('get-applicant-details')
  await verify.open(lookup.id)
  await verify.run(lookup.id, { applicant_id: 'A-1' })
  await expect(page.getByRole('main')).toContainText(
    'The settings in settings.json are not in effect: it is not valid JSON.'
  )
  await expect(page.getByRole('main')).toContainText('Nothing was sent')
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.main.getByRole('button', { name: 'Use default settings' }).click()
  await expect(settings.main.getByRole('group', { name: 'Settings file' })).toHaveCount(0)
  await verify.open(lookup.id)
  await verify.run(lookup.id, { applicant_id: 'A-1' })
  await expect(verify.record.status).toHaveText('200')
})

test('with settings that cannot be read nobody is decided, and the case says why', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const first = await workspace.open()
  const { id: connectionId } = await usePractice(first)
  const input = { applicant_id: 'A-1' }
  const run = { runId: randomUUID(), connectionId, operation: 'get-applicant-details', input } as const
  await ask(first, 'verification.run', run)
  await workspace.close()
  writeFileSync(join(dataFolder, 'settings.json'), '{"format":"veridesk-sett')
  const page = await workspace.open()
  const applicant = new ApplicantPage(page)
  await applicant.open('A-1')
  await expect(applicant.panel).toContainText('The settings in settings.json are not in effect: it is not valid JSON.')
  await expect(applicant.panel).toContainText('Nothing was sent or decided.')
  await expect(applicant.choice('Approve')).toHaveCount(0)
  await expect(applicant.record).toHaveCount(0)
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.main.getByRole('button', { name: 'Use default settings' }).click()
  await expect(settings.main.getByRole('group', { name: 'Settings file' })).toHaveCount(0)
  await applicant.open('A-1')
  await expect(applicant.choice('Approve')).toBeVisible()
  await expect(applicant.panel.getByRole('group', { name: 'What went wrong' })).toHaveCount(0)
})
