import { beforeEach, expect, it } from 'vitest'
import { credentialIds, type CredentialId } from '#contract/connections/credentials.ts'
import { failed } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { KeychainState } from '#contract/app/app-state.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { createCredentials, type Credentials } from '#core/secrets/credentials.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'

// Behind the port; the real keychain's own test is tests/service/keychain.test.ts.
let inner: SecretStore
let session: SecretStore
let state: KeychainState
let asked: string[]
let credentials: Credentials

beforeEach(() => {
  inner = createSessionSecrets()
  session = createSessionSecrets()
  state = 'ready'
  asked = []
  credentials = createCredentials({ keychain: keychain(), session })
})

function keychain(): SecretStore {
  const guard = async <T>(name: string, account: string, work: () => Promise<T>) => {
    asked.push(`${name} ${account}`)
    return state === 'ready' || state === 'unchecked' ? work() : failed(`keychain-${state}`)
  }
  return {
    get: (account) => guard('get', account, () => inner.get(account)),
    set: (account, value) => guard('set', account, () => inner.set(account, value)),
    remove: (account) => guard('remove', account, () => inner.remove(account)),
    probe: async () => state,
    state: () => state,
    close: async () => {}
  }
}
const setAll = async (id: string, value = 'value'): Promise<void> => {
  for (const credential of credentialIds) await credentials.set(id, credential, `${value} of ${credential}`)
}
const valuesOf = (value: string) => Object.fromEntries(credentialIds.map((id) => [id, `${value} of ${id}`]))
const presence = (set: readonly CredentialId[]) => Object.fromEntries(credentialIds.map((id) => [id, set.includes(id)]))

it('keeps one entry a header, in the keychain alone', async () => {
  expect(await credentials.set('c', 'api-key', ' not trimmed'.trim())).toEqual({
    ok: true,
    value: { kept: 'keychain' }
  })
  expect(asked).toEqual(['set connection/c/api-key'])
  expect(await session.get('connection/c/api-key')).toEqual({ ok: true, value: undefined })
  expect(await credentials.presence('c')).toEqual({ credentials: presence(['api-key']), kept: 'keychain' })
})

it('names what is missing, and gives all three verbatim once they are set', async () => {
  await credentials.set('c', 'api-key', 'k')
  const missing = await credentials.values('c')
  expect(missing).toMatchObject({ ok: false, failure: { code: 'credentials-missing' } })
  expect(missing.ok || sentencesOf(missing.failure).what).toContain('API secret, Authorization value')
  await setAll('c')
  expect(await credentials.values('c')).toEqual({ ok: true, value: valuesOf('value') })
})

it('asks the keychain for presence once, then for a change only, and for values at each run', async () => {
  await setAll('c')
  await credentials.presence('c')
  asked = []
  for (let round = 0; round < 3; round += 1) await credentials.presence('c')
  expect(asked).toEqual([])
  await credentials.clear('c', 'api-key')
  expect((await credentials.presence('c')).credentials).toEqual(presence(['api-secret', 'authorization']))
  expect(asked).toEqual(['get connection/c/api-key', 'remove connection/c/api-key'])
  await credentials.values('c')
  await credentials.values('c')
  expect(asked).toHaveLength(8)
})

it('restores a cleared value to the letter, where it was kept', async () => {
  await setAll('c')
  const cleared = await credentials.clear('c', 'api-key')
  expect((await credentials.presence('c')).credentials).toEqual(presence(['api-secret', 'authorization']))
  expect(await (cleared.ok ? cleared.value : null)?.restore()).toEqual({ kept: 'keychain' })
  expect(await credentials.values('c')).toEqual({ ok: true, value: valuesOf('value') })
  // The keychain is unavailable in the meantime: the value is restored for this session.
  const again = await credentials.clear('c', 'api-key')
  state = 'locked'
  expect(await (again.ok ? again.value : null)?.restore()).toEqual({ kept: 'session' })
  state = 'ready'
  expect(await credentials.values('c')).toEqual({ ok: true, value: valuesOf('value') })
  expect((await credentials.presence('c')).kept).toBe('session')
})

it('clears nothing that it cannot read, and returns nothing if nothing was set', async () => {
  await setAll('c')
  state = 'locked'
  expect(await credentials.clear('c', 'api-key')).toMatchObject({ ok: false, failure: { code: 'keychain-locked' } })
  state = 'ready'
  expect(await credentials.values('c')).toEqual({ ok: true, value: valuesOf('value') })
  await credentials.clear('c', 'api-key')
  expect(await credentials.clear('c', 'api-key')).toEqual({ ok: true, value: null })
})

it('notices that another program removed an entry', async () => {
  await setAll('c')
  await credentials.presence('c')
  await inner.remove('connection/c/api-secret')
  expect(await credentials.values('c')).toMatchObject({ ok: false, failure: { code: 'credentials-missing' } })
  expect((await credentials.presence('c')).credentials).toEqual(presence(['api-key', 'authorization']))
})

it.each([
  ['', 'it is empty'],
  ['a\r\nb', 'a line break'],
  ['a\nb', 'a line break'],
  ['a\0b', 'a control character'],
  ['ü', 'non-ASCII'],
  ['\u200bkey', 'non-ASCII'],
  [' key', 'a space at its beginning'],
  ['key\t', 'a control character'],
  ['x'.repeat(2561), '2,560 bytes']
])('refuses %j and keeps the stored value', async (value, sentence) => {
  await credentials.set('c', 'api-key', 'stored')
  const refused = await credentials.set('c', 'api-key', value)
  expect(refused).toMatchObject({ ok: false, failure: { code: 'credential-invalid' } })
  expect(refused.ok || sentencesOf(refused.failure).what).toContain(sentence)
  expect(await inner.get('connection/c/api-key')).toEqual({ ok: true, value: 'stored' })
})

it('takes 2,560 bytes', async () => {
  expect(await credentials.set('c', 'api-key', 'x'.repeat(2560))).toMatchObject({ ok: true })
})

it.each(['absent', 'locked', 'denied', 'hung'] as const)(
  'keeps values for this session where the keychain is %s',
  async (fault) => {
    state = fault
    expect(await credentials.set('c', 'api-key', 'k')).toEqual({ ok: true, value: { kept: 'session' } })
    await setAll('c')
    expect(await credentials.values('c')).toEqual({ ok: true, value: valuesOf('value') })
    expect(await credentials.presence('c')).toEqual({ credentials: presence(credentialIds), kept: 'session' })
    state = 'ready'
    expect(await inner.get('connection/c/api-key')).toEqual({ ok: true, value: undefined })
  }
)

it('reports the keychain’s state instead of “missing” if it may contain values', async () => {
  await setAll('c')
  state = 'locked'
  expect(await credentials.values('c')).toMatchObject({ ok: false, failure: { code: 'keychain-locked' } })
  expect(await credentials.clearAll('c')).toMatchObject({ ok: false, failure: { code: 'keychain-locked' } })
})

it('moves a value from the session into the keychain when it is set again', async () => {
  state = 'locked'
  await credentials.set('c', 'api-key', 'old')
  state = 'ready'
  await credentials.set('c', 'api-key', 'new')
  expect(await session.get('connection/c/api-key')).toEqual({ ok: true, value: undefined })
  expect((await credentials.presence('c')).kept).toBe('keychain')
})

it('clears all three from both places', async () => {
  state = 'locked'
  await credentials.set('c', 'api-key', 'session')
  state = 'ready'
  await inner.set('connection/c/api-secret', 'kept')
  expect(await credentials.clearAll('c')).toEqual({ ok: true, value: null })
  expect((await credentials.presence('c')).credentials).toEqual(presence([]))
  expect(await inner.get('connection/c/api-secret')).toEqual({ ok: true, value: undefined })
})

it('neither reads nor stores values until disowned ones are cleared and this is noted', async () => {
  await setAll('c', 'old')
  state = 'locked'
  let noted = 0
  credentials.disown('c', async () => (noted += 1) > 0)
  expect((await credentials.presence('c')).credentials).toEqual(presence([]))
  expect(await credentials.values('c')).toMatchObject({ ok: false, failure: { code: 'credentials-missing' } })
  expect(await credentials.set('c', 'api-key', 'new')).toEqual({ ok: true, value: { kept: 'session' } })
  expect(noted).toBe(0)
  state = 'ready'
  await credentials.tidy()
  expect(noted).toBe(1)
  for (const id of credentialIds) expect(await inner.get(`connection/c/${id}`)).toEqual({ ok: true, value: undefined })
  expect((await credentials.presence('c')).credentials).toEqual(presence(['api-key']))
  await credentials.tidy()
  expect(noted).toBe(1)
})

it('clears what is disowned once, however many values are set at the same time', async () => {
  await setAll('c', 'old')
  credentials.disown('c', async () => true)
  const tidied = credentials.tidy()
  const kept = await Promise.all(credentialIds.map((each) => credentials.set('c', each, `new of ${each}`)))
  await tidied
  expect(kept.map((each) => each.ok && each.value.kept)).toEqual(credentialIds.map(() => 'keychain'))
  expect(await credentials.values('c')).toEqual({ ok: true, value: valuesOf('new') })
  expect((await credentials.presence('c')).credentials).toEqual(presence(credentialIds))
})

it('does not keep anything new in the keychain while the note of the clearing cannot be written', async () => {
  credentials.disown('c', async () => false)
  expect(await credentials.set('c', 'api-key', 'new')).toEqual({ ok: true, value: { kept: 'session' } })
  expect(await inner.get('connection/c/api-key')).toEqual({ ok: true, value: undefined })
})

it('answers presence in time while the keychain does not', async () => {
  const stuck: SecretStore = { ...keychain(), get: () => new Promise(() => {}) }
  const waiting = createCredentials({ keychain: stuck, session, presenceLimitMs: 50 })
  // Without the limit it would never answer.
  expect((await waiting.presence('c')).credentials).toEqual(presence([]))
})

it('does not call a keychain that was not probed yet, so that no start waits for it', async () => {
  state = 'unchecked'
  expect(await credentials.presence('c')).toEqual({ credentials: presence([]), kept: 'keychain' })
  expect(asked).toEqual([])
})

it('gives the same credentials the same fingerprint, across sessions, and others another', async () => {
  const values = { 'api-key': 'a', 'api-secret': 'b', 'authorization': 'c' }
  const print = await credentials.fingerprint(values)
  expect(print).toMatch(/^[0-9a-f]{16}$/)
  expect(await createCredentials({ keychain: keychain(), session }).fingerprint(values)).toBe(print)
  const others = [
    { ...values, 'api-key': 'ab', 'api-secret': '' },
    { ...values, authorization: 'd' },
    { 'api-key': 'b', 'api-secret': 'a', 'authorization': 'c' }
  ]
  const prints = await Promise.all(others.map((each) => credentials.fingerprint(each)))
  expect(new Set([print, ...prints]).size).toBe(4)
  inner = createSessionSecrets()
  expect(await createCredentials({ keychain: keychain(), session }).fingerprint(values)).not.toBe(print)
})

it('fingerprints for this session without a keychain, and takes the kept key when there is one', async () => {
  const values = { 'api-key': 'a', 'api-secret': 'b', 'authorization': 'c' }
  const print = await credentials.fingerprint(values)
  state = 'locked'
  const later = createCredentials({ keychain: keychain(), session })
  const alone = await later.fingerprint(values)
  expect(alone).not.toBe(print)
  expect(await later.fingerprint(values)).toBe(alone)
  state = 'ready'
  expect(await later.fingerprint(values)).toBe(print)
})
