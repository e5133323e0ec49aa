/** Settings: saved as they change, refused with a reason, kept over a restart; and files that cannot be read. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureTable } from '#contract/failures.ts'
import { ask, expect, test, useService } from './fixtures/desk.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { AboutPage, SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

test('each setting is saved as it is changed and there after a restart', async ({ desk }) => {
  const page = await desk.open()
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.choose('Theme', 'Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(settings.saved.first()).toBeVisible()
  await settings.choose('Density', 'Compact')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await settings.set('Spend guard', '15')
  await settings.set('Connect within', '7')
  await settings.set('Answer within', '90')
  await settings.set('Largest reply', '2048')
  await settings.choose('Rows answered with 429 or 503', 'Send again')
  await settings.choose('Proxy', 'Manual')
  await settings.set('Proxy address', 'http://proxy.example.com:8080')
  await settings.set('Without the proxy', 'localhost, .example.org')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.proxyBypass).toBe('localhost, .example.org')

  const again = await desk.again()
  await expect(again.locator('html')).toHaveAttribute('data-theme', 'dark')
  const { settings: kept } = await ask(again, 'app.state')
  expect(kept).toMatchObject({
    theme: 'dark', density: 'compact', spendGuardMinutes: 15, connectTimeout: 7, totalTimeout: 90, maxReplyBytes: 2 * 1024 * 1024, retryBusy: true,
    proxyMode: 'manual', proxyUrl: 'http://proxy.example.com:8080', proxyBypass: 'localhost, .example.org'
  })
})

test('what cannot be a setting is refused in words and not saved', async ({ desk }) => {
  const page = await desk.open()
  const settings = new SettingsPage(page)
  await settings.open()
  for (const [label, value, words] of [
    ['Answer within', '0', 'the least is 1'],
    ['Answer within', '601', 'the most is 600'],
    ['Connect within', 'soon', 'a whole number is needed'],
    ['Largest reply', '1e9', 'a whole number is needed']
  ] as const) {
    await settings.set(label, value)
    await expect(settings.main).toContainText(words)
    await expect(settings.field(label)).toHaveAttribute('aria-invalid', 'true')
    // What was typed stays there to be mended.
    await expect(settings.field(label)).toHaveValue(value)
  }
  expect((await ask(page, 'app.state')).settings).toMatchObject({ totalTimeout: 30, connectTimeout: 5, maxReplyBytes: 1024 * 1024 })
})

test('a shorter deadline holds from the next check on', async ({ desk, practice }) => {
  const page = await desk.open()
  await useService(page, practice)
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.set('Answer within', '1')
  await expect(settings.saved.first()).toBeVisible()
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: triggerValue({ kind: 'applicant-id' }, 'silent') })
  await expect(verify.record.failure).toContainText('No full reply within 1 s.')
})

test('the diagnosis is copied as text and holds no secret', async ({ desk, practice }) => {
  const page = await desk.open()
  await useService(page, practice)
  const about = new AboutPage(page)
  await about.open()
  await expect(about.diagnosis).toContainText('open, 0 records')
  const text = await copiedBy(page, () => about.copyDiagnosis.click(), 'Diagnosis copied')
  expect(text).toContain(`Version: ${(await ask(page, 'app.state')).version}`)
  for (const value of Object.values(practice.credentials)) expect(text).not.toContain(value)
})

const beginning = (sentence: string): string => sentence.split('{')[0] ?? ''
for (const name of ['settings', 'connections'] as const) {
  test(`damaged ${name} are told at start, and the file is kept`, async ({ desk, dataFolder }) => {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    const damaged = `{"format":"veridesk-${name}","version":1,"data":{"x`
    writeFileSync(join(dataFolder, `${name}.json`), damaged)
    const page = await desk.open()
    const shell = new Shell(page)
    await expect(shell.notices).toContainText(`The file ${name}.json could not be read: it is not JSON.`)
    await expect(shell.notices).toContainText('nothing was deleted')
    const kept = readdirSync(dataFolder).find((each) => each.startsWith(`${name}.damaged-`))
    expect(readFileSync(join(dataFolder, kept ?? ''), 'utf8')).toBe(damaged)
    await expect(shell.notices).toContainText(kept ?? 'its new name')
    await shell.notices.getByRole('button', { name: 'Dismiss this notice' }).click()
    await expect(shell.notices).toHaveCount(0)
    // The console works on, and a dismissed notice does not come back.
    await new SettingsPage(page).open()
    await new SettingsPage(page).choose('Theme', 'Dark')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(shell.notices).toHaveCount(0)
  })

  test(`${name} of a newer version are told, left alone, and nothing is saved over them`, async ({ desk, dataFolder }) => {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    const newer = JSON.stringify({ format: `veridesk-${name}`, version: 99, data: { future: true } })
    writeFileSync(join(dataFolder, `${name}.json`), newer)
    const page = await desk.open()
    const shell = new Shell(page)
    await expect(shell.notices).toContainText(`The file ${name}.json was written by a newer version of Veridesk.`)
    if (name === 'settings') {
      const settings = new SettingsPage(page)
      await settings.open()
      await settings.set('Answer within', '31')
      await expect(settings.main).toContainText(beginning(failureTable['settings-newer'].what))
    } else {
      const connections = new ConnectionsPage(page)
      await connections.open()
      await connections.startPractice.click()
      await expect(page.getByRole('main').getByRole('group', { name: 'What went wrong' })).toContainText('written by a newer version')
    }
    expect(readFileSync(join(dataFolder, `${name}.json`), 'utf8')).toBe(newer)
  })
}
