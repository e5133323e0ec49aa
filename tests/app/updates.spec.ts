/** Updates by notice in the window: off, a newer release with its files, a refused notice, a line that can be dismissed, and a policy. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, expect, test as base } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { goTo } from './pages/go.ts'
import { SettingsPage } from './pages/settings.ts'
import { fileOf, newSigner, noticeAt } from '../service/support/release-notices.ts'
import { serveFeed, type FeedServer } from '../service/support/update-feed.ts'

const signer = newSigner()
const test = base.extend<{ feed: FeedServer; policies: (values: object) => void }>({
  hostEnvironment: async ({ folder }, use) => use({ VERIDESK_TEST_POLICIES: join(folder, 'etc', 'policies.json') }),
  feed: async ({}, use) => {
    const server = await serveFeed(fileOf(noticeAt(Date.now()), signer))
    await use(server)
    await server.close()
  },
  policies: async ({ folder }, use) => {
    mkdirSync(join(folder, 'etc'), { mode: 0o755, recursive: true })
    const file = join(folder, 'etc', 'policies.json')
    await use((values) => {
      writeFileSync(`${file}.new`, JSON.stringify({ format: 'veridesk-policies', version: 1, policies: values }), {
        mode: 0o644
      })
      renameSync(`${file}.new`, file)
    })
  }
})

test('a feed is named, asked, refused and turned off, and a policy takes its place', async ({
  workspace,
  feed,
  policies
}) => {
  let page = await workspace.open()
  let settings = new SettingsPage(page)
  await settings.open()
  const section = page.getByRole('region', { name: 'Updates' })
  await expect(section).toContainText('Off. Nothing is fetched.')
  await expect(section.getByRole('button', { name: 'Check now' })).toHaveCount(0)
  expect(feed.connections()).toBe(0)

  // By keyboard, with a key that is none first.
  await settings.set('Update feed', feed.url)
  await settings.set('Public keys', 'RWQ')
  await expect(section).toContainText('Enter a public key of minisign')
  await settings.set('Public keys', signer.publicLine)
  await expect(section).toContainText('Not checked yet.')
  await section.getByRole('button', { name: 'Check now' }).press('Enter')
  await expect(section).toContainText('Veridesk 9.1.0 is available.')
  await expect(section.getByRole('list', { name: 'Files of the release' })).toContainText(`SHA-256 ${'ab'.repeat(32)}`)
  await expect(section).toContainText('https://example.com/notes')
  await inspect(page, 'settings with a newer release')

  feed.answer(fileOf(noticeAt(Date.now(), { sequence: 3 }), signer))
  await section.getByRole('button', { name: 'Check now' }).click()
  await expect(section).toContainText('The update feed serves an older notice than before')
  // What is known stays known.
  await expect(section).toContainText('Veridesk 9.1.0 is available.')

  // The line on the start page leads here, and stays dismissed after a restart.
  await goTo(page, '/overview', 'Overview')
  const line = page.getByRole('region', { name: 'New release' })
  await expect(line).toContainText('Veridesk 9.1.0 is available. Nothing was downloaded.')
  await inspect(page, 'overview with a newer release')
  await line.getByRole('button', { name: 'Details' }).click()
  await expect(section.getByRole('button', { name: 'Check now' })).toBeFocused()
  await goTo(page, '/overview', 'Overview')
  await line.getByRole('button', { name: 'Dismiss the notice of Veridesk 9.1.0' }).click()
  await expect(line).toHaveCount(0)

  page = await workspace.again()
  settings = new SettingsPage(page)
  await goTo(page, '/overview', 'Overview')
  await expect(page.getByRole('region', { name: 'New release' })).toHaveCount(0)
  await settings.open()
  const again = page.getByRole('region', { name: 'Updates' })
  await expect(again).toContainText('serves an older notice than before')
  feed.answer((_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())
  await again.getByRole('button', { name: 'Check now' }).click()
  await expect(again).toContainText('redirects to another address: 127.0.0.1:9')
  await again.getByRole('button', { name: 'Turn off' }).click()
  await expect(again).toContainText('Off. Nothing is fetched.')
  await expect(settings.field('Update feed')).toHaveValue('')

  policies({
    OrganisationName: 'Example Bank',
    UpdateFeed: { url: feed.url, channel: 'beta', publicKeys: [signer.publicLine] }
  })
  await expect(settings.field('Update feed')).toBeDisabled()
  await expect(settings.field('Update feed')).toHaveValue(feed.url)
  await expect(again.getByRole('button', { name: 'Turn off' })).toHaveCount(0)
  await expect(again.getByRole('button', { name: /^Managed by Example Bank/ }).first()).toBeVisible()
  const { version } = await ask(page, 'app.state')
  feed.answer(fileOf(noticeAt(Date.now(), { channel: 'beta', release: version }), signer))
  await again.getByRole('button', { name: 'Check now' }).click()
  await expect(again).toContainText(`Veridesk ${version} is up to date.`)
  policies({ OrganisationName: 'Example Bank', UpdateFeed: { off: true } })
  await expect(again).toContainText('Off. Nothing is fetched.')
  expect((await ask(page, 'app.state')).updates.mode).toBe('off')
})

// Electron's cryptography is BoringSSL, which lacks some of what Node has.
test('a notice is verified by the cryptography of Electron', { tag: '@electron-only' }, async ({ workspace, feed }) => {
  const page = await workspace.open()
  await ask(page, 'settings.change', {
    updateFeed: { url: feed.url, channel: 'stable', publicKeys: [signer.publicLine] }
  })
  expect(await ask(page, 'updates.check')).toMatchObject({ notice: { newer: true } })
  feed.answer(Buffer.from(fileOf(noticeAt(Date.now()), signer).toString().replace('9.1.0', '9.1.1')))
  expect(await ask(page, 'updates.check')).toMatchObject({ failure: { code: 'update-signature-invalid' } })
})
