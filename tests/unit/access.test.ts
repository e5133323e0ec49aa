/** The way that requests of a batch take, by the settings as they are. */
import { expect, test } from 'vitest'
import { ok } from '#contract/failures/result.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { takeAccess } from '#core/verification/access.ts'
import { practiceCredentials } from '#practice/service.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { groundConnection } from '../../scripts/batch-ground.ts'

test('a proxy that is removed from the settings is not used any more', async () => {
  let settings: Settings = { ...defaultSettings, proxyMode: 'manual', proxyUrl: 'http://proxy.example.com:8080' }
  const network = createNetwork({ resolveSystemProxy: async () => 'DIRECT', clock: systemClock }, () => settings)
  const parts = {
    settings: () => settings,
    credentials: async () => ok(practiceCredentials),
    fingerprint: async () => '00',
    network: network.to
  }
  const access = await takeAccess(parts, { ...groundConnection, baseUrl: 'https://kyc.example.com' })
  if (!access.ok) throw new Error(access.failure.code)
  expect(await access.value.way()).toMatchObject({
    value: { route: { hops: [{ kind: 'proxy', host: 'proxy.example.com' }] } }
  })
  settings = { ...settings, proxyMode: 'none' }
  expect(await access.value.way()).toMatchObject({ value: { route: { hops: [{ kind: 'direct' }] } } })
})
