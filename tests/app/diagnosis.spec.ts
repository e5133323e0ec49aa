/** The network diagnosis in the window: from a connection, by keyboard, its result, a proxy's password, and a PAC file in Electron. */
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { copiedBy } from './fixtures/clipboard.ts'
import { ask, expect, test, useService } from './fixtures/workspace.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { DiagnosisPage } from './pages/diagnosis.ts'
import { goTo } from './pages/go.ts'
import { SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

const signIn = { user: 'CANARY-user-2e', password: 'CANARY-pass-71aa' }

interface Asking {
  readonly address: string
  readonly given: string[]
  end(): void
}

/** A proxy that requires a password, and then cannot reach any service. */
async function askingProxy(): Promise<Asking> {
  const given: string[] = []
  const server = http.createServer()
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    const authorization = request.headers['proxy-authorization'] ?? ''
    given.push(authorization)
    client.end(
      authorization === ''
        ? 'HTTP/1.1 407 Sign in\r\nproxy-authenticate: Basic realm="Company"\r\n\r\n'
        : 'HTTP/1.1 502 Bad Gateway\r\n\r\n'
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    end: () => void server.close()
  }
}

const texts = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document.documentElement.outerHTML + [...document.querySelectorAll('input')].map((input) => input.value).join()
  )

test('by keyboard from a connection: what is wrong, who can fix it, the report copied; then the password of the proxy is set, and used', async ({
  workspace,
  practice
}) => {
  const proxy = await askingProxy()
  const page = await workspace.open()
  await useService(
    page,
    { ...practice, baseUrl: 'https://kyc.service.test' },
    {},
    { proxyMode: 'manual', proxyUrl: proxy.address }
  )
  await goTo(page, '/administration/connections')
  const diagnosis = new DiagnosisPage(page)
  await new ConnectionsPage(page)
    .card('Test service')
    .root.getByRole('link', { name: 'Diagnose network' })
    .press('Enter')
  await expect(diagnosis.heading).toBeVisible()
  expect(proxy.given).toEqual([])
  await diagnosis.button.press('Enter')
  await expect(diagnosis.result).toContainText(
    `The proxy ${proxy.address.slice(7)} requires a user name and a password, and none are stored for it.`
  )
  await expect(diagnosis.result).toContainText('Who can fix itYou')
  await expect(diagnosis.button).toBeFocused()
  await expect(diagnosis.steps.filter({ hasText: 'CONNECT (proxy' })).toContainText('Basic (Company)')
  const copied = await copiedBy(page, () => diagnosis.copy.press('Enter'), 'Copied: Network diagnosis')
  expect(copied).toContain('Network diagnosis of https://kyc.service.test\n')
  expect(copied).toContain('Code: diagnosis-proxy-sign-in')

  await diagnosis.result.getByRole('link', { name: 'Open Settings' }).press('Enter')
  const group = new SettingsPage(page).main.locator('[data-setting="Proxy sign-in"]')
  await group.getByRole('button', { name: 'Set' }).press('Enter')
  const form = page.getByRole('form', { name: 'Proxy sign-in' })
  await expect(form.getByLabel('Address of the proxy')).toHaveValue(proxy.address)
  await expect(form.getByLabel('User name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form).toContainText('Enter the password.')
  await form.getByLabel('User name').fill(signIn.user)
  await form.getByLabel('Password').fill(signIn.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Proxies with a user name and a password' })).toContainText(proxy.address)
  expect(await texts(page)).not.toContain('CANARY')

  await new Shell(page).paletteGo('Network diagnosis')
  await diagnosis.button.press('Enter')
  await expect(diagnosis.result).toContainText('works, but could not reach the service (502)')
  expect(proxy.given.slice(-2)).toEqual([
    '',
    `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}`
  ])
  expect(await texts(page)).not.toContain('CANARY')
  proxy.end()
})

test('a diagnosis that takes long is cancelled, and what was found stays where it was', async ({ workspace }) => {
  const silent = net.createServer((socket) => void socket.on('error', () => undefined))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const page = await workspace.open()
  await ask(page, 'settings.change', { firstRunDone: true, connectTimeout: 60 })
  const diagnosis = new DiagnosisPage(page)
  await diagnosis.open()
  await diagnosis.address.fill('kyc.example')
  await diagnosis.button.click()
  await expect(page.getByRole('main')).toContainText('Enter a complete address')
  await diagnosis.address.fill(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  await diagnosis.button.click()
  await expect(diagnosis.steps).toHaveCount(5)
  const before = await diagnosis.steps.nth(3).boundingBox()
  await diagnosis.button.click()
  await expect(diagnosis.result).toContainText('The diagnosis was cancelled.')
  expect(await diagnosis.steps.nth(3).boundingBox()).toEqual(before)
  silent.close()
})

test(
  'the verdict of a PAC file decides the route, and is shown word for word',
  { tag: '@electron-only' },
  async ({ electronApp, consolePage }) => {
    const proxy = await askingProxy()
    const pac = `function FindProxyForURL(url, host) { return host === 'kyc.service.test' ? 'PROXY ${proxy.address.slice(7)}; DIRECT' : 'DIRECT' }`
    const server = http.createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/x-ns-proxy-autoconfig' }).end(pac)
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const pacUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/proxy.pac`
    await electronApp?.evaluate(
      ({ session }, pacScript) => session.defaultSession.setProxy({ mode: 'pac_script', pacScript }),
      pacUrl
    )
    await ask(consolePage, 'settings.change', { firstRunDone: true, proxyMode: 'system' })
    const report = await ask(consolePage, 'diagnosis.run', {
      diagnosisId: crypto.randomUUID(),
      baseUrl: 'https://kyc.service.test'
    })
    expect(report).toMatchObject({ end: 'found', failure: { code: 'diagnosis-proxy-sign-in' } })
    expect(report.steps[0]?.facts).toEqual([
      { name: 'route', values: [], code: 'system' },
      {
        name: 'verdict',
        values: [expect.stringMatching(new RegExp(`^PROXY ${proxy.address.slice(7)}; ?DIRECT$`)) as unknown as string]
      },
      { name: 'proxy', values: [proxy.address, 'DIRECT'] }
    ])
    expect(proxy.given).toEqual([''])
    server.close()
    proxy.end()
  }
)

test(
  'the certificate of a service that is refused is read in Electron too',
  { tag: '@electron-only' },
  async ({ consolePage }) => {
    const { selfSigned } = await import('../service/support/tls.ts')
    const { createServer } = await import('node:https')
    const server = createServer(selfSigned(['localhost']), (_request, response) => response.end())
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const report = await ask(consolePage, 'diagnosis.run', {
      diagnosisId: crypto.randomUUID(),
      baseUrl: `https://localhost:${(server.address() as AddressInfo).port}`
    })
    expect(report).toMatchObject({
      failure: { code: 'diagnosis-self-signed' },
      steps: expect.arrayContaining([
        expect.objectContaining({
          step: 'tls',
          certificates: [expect.objectContaining({ subject: 'localhost', selfIssued: true })]
        })
      ]) as unknown
    })
    server.close()
  }
)
