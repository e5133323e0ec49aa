/** Undoing a clearing also restores what the value was entered for, wherever the value is restored. */
import { expect, it } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import { failed } from '#contract/failures/failures.ts'
import { bindCredentials } from '#core/secrets/bound.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'

const to = { id: 'c', baseUrl: 'https://kyc.example.com', mode: 'live' as const }
const elsewhere = { ...to, baseUrl: 'https://elsewhere.example.com' }

it.each([true, false])('where the keychain answers meanwhile: %s', async (answers) => {
  let ready = true
  const inner = createSessionSecrets()
  const keychain = {
    ...inner,
    get: async (account: string) => (ready ? inner.get(account) : failed('keychain-locked')),
    set: async (account: string, value: string) => (ready ? inner.set(account, value) : failed('keychain-locked')),
    state: () => (ready ? ('ready' as const) : ('locked' as const))
  }
  const session = createSessionSecrets()
  const bound = bindCredentials({
    credentials: createCredentials({ keychain, session }),
    keychain,
    session
  })
  for (const credential of credentialIds) await bound.set(to, credential, `value of ${credential}`)
  const cleared = await bound.clear(to.id, 'api-key')
  ready = answers
  expect(await (cleared.ok ? cleared.value : null)?.restore()).toEqual({ kept: answers ? 'keychain' : 'session' })
  ready = true
  expect(await bound.values(to)).toMatchObject({ ok: true, value: { 'api-key': 'value of api-key' } })
  expect(await bound.values(elsewhere)).toMatchObject({ ok: false, failure: { code: 'credentials-for-another' } })
})
