/** User names and passwords for proxies: by proxy, cleared, refused, and what happens without a keychain. */
import { expect, it } from 'vitest'
import { createProxySignIns } from '#core/secrets/proxy-sign-ins.ts'
import { createSessionSecrets, withoutKeychain } from '#core/secrets/session-secrets.ts'

const [first, second] = ['http://proxy.example:8080', 'https://other.example:443']
const jane = { user: 'DOMAIN\\jane', password: 'pass:wörd "1"' }

it('are kept by proxy, replaced, and cleared, each alone', async () => {
  const keychain = createSessionSecrets()
  const signIns = createProxySignIns({ keychain, session: createSessionSecrets() })
  await Promise.all([signIns.set(first, jane), signIns.set(second, { user: 'x', password: 'y' })])
  expect(await signIns.list()).toEqual({
    ok: true,
    value: [
      { proxy: first, kept: 'keychain' },
      { proxy: second, kept: 'keychain' }
    ]
  })
  expect(await signIns.of(first)).toEqual({ ok: true, value: jane })
  expect(await signIns.of('http://proxy.example:8081')).toEqual({ ok: true, value: undefined })
  expect(await signIns.clear(second)).toEqual({ ok: true, value: true })
  expect(await signIns.clear(second)).toEqual({ ok: true, value: false })
  expect(await signIns.clear(first)).toEqual({ ok: true, value: true })
  expect(await keychain.get('proxy-sign-ins')).toEqual({ ok: true, value: undefined })
})

it('without a keychain are kept for the session', async () => {
  const signIns = createProxySignIns({ keychain: withoutKeychain, session: createSessionSecrets() })
  expect(await signIns.set(first, jane)).toEqual({ ok: true, value: null })
  expect(await signIns.list()).toEqual({ ok: true, value: [{ proxy: first, kept: 'session' }] })
  expect(await signIns.of(first)).toEqual({ ok: true, value: jane })
  expect(await signIns.clear(first)).toEqual({ ok: true, value: true })
  expect(await signIns.of(first)).toEqual({ ok: true, value: undefined })
})

it.each([
  [
    { user: '', password: '' },
    { user: { code: 'proxy-user-missing' }, password: { code: 'proxy-password-missing' } }
  ],
  [{ user: 'a:b', password: 'x' }, { user: { code: 'proxy-user-colon' } }],
  [{ user: 'a', password: 'x\r\nHost: y' }, { password: { code: 'proxy-sign-in-control' } }],
  [{ user: 'a'.repeat(129), password: 'x' }, { user: { code: 'too-long', details: { limit: 128, length: 129 } } }]
])('%# is refused at its field', async (signIn, fields) => {
  const signIns = createProxySignIns({ keychain: createSessionSecrets(), session: createSessionSecrets() })
  expect(await signIns.set(first, signIn)).toEqual({ ok: false, failure: { code: 'proxy-sign-in-invalid', fields } })
  expect(await signIns.list()).toEqual({ ok: true, value: [] })
})

it('a fifth proxy is refused, an earlier one can be replaced, and a damaged entry counts as none', async () => {
  const keychain = createSessionSecrets()
  const signIns = createProxySignIns({ keychain, session: createSessionSecrets() })
  for (const port of [1, 2, 3, 4]) await signIns.set(`http://p.example:${port}`, jane)
  expect(await signIns.set('http://p.example:5', jane)).toMatchObject({
    failure: { code: 'proxy-sign-ins-full', details: { maximum: 4 } }
  })
  expect(await signIns.set('http://p.example:4', { user: 'b', password: 'c' })).toEqual({ ok: true, value: null })
  await keychain.set('proxy-sign-ins', '{"http://p.example:1":7,')
  expect(await signIns.list()).toEqual({ ok: true, value: [] })
})
