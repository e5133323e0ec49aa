/** The settings of time-stamps in the window: an authority is set, tested, refused and removed. */
import { join } from 'node:path'
import { good, openssl, serveAuthority } from '../service/support/timestamp-authority.ts'
import { ask, expect, test } from './fixtures/workspace.ts'
import { chooseWith } from './fixtures/files.ts'
import { goTo } from './pages/go.ts'

test('a time-stamp authority is set, tested and removed', async ({ workspace }) => {
  const authority = openssl()
  const root = authority.identity('Root')
  const server = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
  try {
    const page = await workspace.open()
    await goTo(page, '/administration/keys', 'Keys and evidence')
    const section = page.getByRole('region', { name: 'Time-stamps' })
    await section.getByLabel('Address of the authority').fill(server.url)
    await section.getByLabel('Address of the authority').press('Tab')
    await chooseWith(workspace.session(), join(authority.folder, `${root.name}.pem`), () =>
      section.getByRole('button', { name: 'Choose certificates' }).click()
    )
    await expect(section).toContainText('1 certificate, saved with the settings.')
    await section.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(section).toContainText('The time-stamp is valid')
    await expect(section).toContainText('CN=Stamps')
    server.answer((_query, response) => response.writeHead(503).end())
    await section.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(section).toContainText('its status was 503')
    await section.getByRole('button', { name: 'Stop time-stamps' }).click()
    await expect.poll(async () => (await ask(page, 'app.state')).settings.timestampAuthority).toBeNull()
  } finally {
    await server.close()
    authority.remove()
  }
})
