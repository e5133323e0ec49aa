import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Connection, ConnectionDraft } from '#contract/connections/connection.ts'
import { credentialIds, credentials as declared } from '#contract/connections/credentials.ts'
import { failed } from '#contract/failures/failures.ts'
import { openConnections, type Connections } from '#core/connections/connections.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { bindCredentials, type BoundCredentials } from '#core/secrets/bound.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'

let folder = ''
let time = 0
let keychain: SecretStore
let usable: boolean
let credentials: BoundCredentials
let connections: Connections

const file = (): string => join(folder, 'connections.json')
const onDisk = async (): Promise<string> => readFile(file(), 'utf8').catch(() => '')
const draft = (over: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  name: 'Bank A',
  baseUrl: 'https://kyc.example.com',
  mode: 'live',
  colour: 'red',
  mark: 'BA',
  ...over
})

/** Starts the next session with the same folder and keychain. */
async function reopen(): Promise<void> {
  const guarded: SecretStore = {
    ...keychain,
    get: async (account) => (usable ? keychain.get(account) : failed('keychain-locked')),
    set: async (account, value) => (usable ? keychain.set(account, value) : failed('keychain-locked')),
    remove: async (account) => (usable ? keychain.remove(account) : failed('keychain-locked')),
    state: () => (usable ? 'ready' : 'locked')
  }
  const session = createSessionSecrets()
  credentials = bindCredentials({
    credentials: createCredentials({ keychain: guarded, session }),
    keychain: guarded,
    session
  })
  connections = await openConnections({ folder, clock: { now: () => (time += 1) }, credentials })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-connections-'))
  keychain = createSessionSecrets()
  usable = true
  await reopen()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function saved(over: Partial<ConnectionDraft> = {}) {
  const result = await connections.save(draft(over))
  if (!result.ok) throw new Error(result.failure.code)
  return result.value
}
const at = (id: string): Connection => {
  const connection = connections.get(id)
  if (!connection) throw new Error('no such connection')
  return connection
}
async function setAll(id: string): Promise<void> {
  for (const credential of credentialIds) await credentials.set(at(id), credential, `canary-${credential}`)
}
const secretsLeft = async (id: string): Promise<number> => {
  const values = await Promise.all(credentialIds.map((each) => keychain.get(`connection/${id}/${each}`)))
  return values.filter((value) => value.ok && value.value !== undefined).length
}

it('keeps connections in their order of creation across sessions', async () => {
  const names = ['Zeta', 'Alpha', 'Mid']
  for (const name of names) await saved({ name })
  const first = (await connections.list())[0]!
  await saved({ id: first.id, name: 'Zeta changed' })
  await reopen()
  const listed = await connections.list()
  expect(listed.map(({ name }) => name)).toEqual(['Zeta changed', 'Alpha', 'Mid'])
  expect(listed[0]!.createdAt).toBe(first.createdAt)
  expect(listed[0]!.changedAt).toBeGreaterThan(first.changedAt)
  expect(listed[0]!.kept).toBe('keychain')
  expect(connections.get(first.id)?.name).toBe('Zeta changed')
})

it('stores the base URL in its normal form', async () => {
  const { connection } = await saved({ baseUrl: ' HTTPS://KYC.Example.com:443/ ' })
  expect(connection.baseUrl).toBe('https://kyc.example.com')
})

it('refuses duplicate names, however they are written, and can be renamed', async () => {
  const { connection } = await saved({ name: 'Bänk A' })
  for (const name of ['bänk a', ' BÄNK A ', 'Ba\u0308nk A', 'Bänk Ａ'])
    expect(await connections.save(draft({ name }))).toMatchObject({
      ok: false,
      failure: { code: 'connection-name-taken' }
    })
  expect(await connections.save(draft({ id: connection.id, name: 'bänk a' }))).toMatchObject({ ok: true })
  // Two concurrent changes are made one after the other.
  const both = await Promise.all([connections.save(draft({ name: 'Twin' })), connections.save(draft({ name: 'twin' }))])
  expect(both.map(({ ok }) => ok)).toEqual([true, false])
})

it('refuses invalid values at their fields, and changes nothing', async () => {
  const before = await onDisk()
  expect(await connections.save(draft({ baseUrl: 'http://kyc.example.com' }))).toMatchObject({
    ok: false,
    failure: { code: 'connection-invalid', fields: { baseUrl: { code: 'base-url-http' } } }
  })
  expect(await connections.save(draft({ baseUrl: 'https://kyc.example.com/kyc?x=1' }))).toMatchObject({ ok: false })
  expect(await connections.save(draft({ name: '  ', mark: 'TOO LONG' }))).toMatchObject({
    ok: false,
    failure: { fields: { name: { code: 'name-missing' }, mark: { code: 'mark-invalid' } } }
  })
  const unknown = '4f6dc31c-7c4e-4b9e-9a51-16b0f1fb2c0e'
  expect(await connections.save(draft({ id: unknown }))).toMatchObject({
    ok: false,
    failure: { code: 'connection-missing' }
  })
  expect(await connections.remove(unknown)).toMatchObject({ ok: false, failure: { code: 'connection-missing' } })
  expect(await onDisk()).toBe(before)
})

it.each([
  ['another host', 'https://other.example.com'],
  ['another port', 'https://kyc.example.com:8443'],
  ['a subdomain', 'https://a.kyc.example.com']
])('asks for the credentials anew at %s, and clears them before the address is saved', async (_name, baseUrl) => {
  const { connection } = await saved()
  await setAll(connection.id)
  const addressesAtClearing: string[] = []
  const remove = keychain.remove
  keychain.remove = async (account) => {
    addressesAtClearing.push(JSON.parse(await onDisk()).data.connections[0].baseUrl)
    return remove(account)
  }
  const result = await connections.save(draft({ id: connection.id, baseUrl }))
  expect(result).toMatchObject({ ok: true, value: { credentialsCleared: true, connection: { baseUrl } } })
  // The three values, and the note of what they were given for.
  expect(addressesAtClearing).toEqual([...credentialIds, 'given-for'].map(() => 'https://kyc.example.com'))
  expect(await secretsLeft(connection.id)).toBe(0)
})

it('keeps the credentials where the origin stays', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  const result = await connections.save(
    draft({ id: connection.id, baseUrl: 'https://KYC.example.com/', name: 'New', mode: 'sandbox' })
  )
  expect(result).toMatchObject({ ok: true, value: { credentialsCleared: false } })
  expect(await secretsLeft(connection.id)).toBe(3)
})

it('never pairs old secrets with a new host, even where the keychain cannot clear them yet', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  usable = false
  expect(await connections.save(draft({ id: connection.id, baseUrl: 'https://evil.example.com' }))).toMatchObject({
    ok: true,
    value: { credentialsCleared: true }
  })
  usable = true
  await reopen()
  // The first action of the new session is a verification, before anything was listed or tidied.
  expect(await credentials.values(at(connection.id))).toMatchObject({
    ok: false,
    failure: { code: 'credentials-missing' }
  })
  expect(await secretsLeft(connection.id)).toBe(0)
  await setAll(connection.id)
  await reopen()
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: true })
})

it('removes credentials before their connection, or clears them as soon as the keychain allows', async () => {
  const { connection } = await saved()
  const other = (await saved({ name: 'Other' })).connection
  await setAll(connection.id)
  await setAll(other.id)
  expect(await connections.remove(connection.id)).toEqual({ ok: true, value: null })
  expect(await secretsLeft(connection.id)).toBe(0)
  usable = false
  expect(await connections.remove(other.id)).toEqual({ ok: true, value: null })
  expect(await connections.list()).toEqual([])
  expect(await secretsLeft(other.id)).toBe(3)
  usable = true
  await reopen()
  await connections.list()
  await expect.poll(async () => JSON.parse(await onDisk()).data as unknown).toEqual({ connections: [], disowned: [] })
  expect(await secretsLeft(other.id)).toBe(0)
})

const made = Object.fromEntries(declared.map(({ id }) => [id, `practice-${id}`]))

it('makes one practice connection, which follows its address with its credentials', async () => {
  await saved({ name: 'practice' })
  const first = await connections.ensurePractice('http://127.0.0.1:4001', made)
  expect(first).toMatchObject({
    ok: true,
    value: {
      connection: {
        name: 'Practice 2',
        mode: 'sandbox',
        colour: 'teal',
        mark: 'PR',
        practice: true,
        baseUrl: 'http://127.0.0.1:4001'
      },
      before: undefined,
      set: credentialIds
    }
  })
  if (!first.ok) return
  const { id } = first.value.connection
  expect(await credentials.values(at(id))).toEqual({ ok: true, value: made })
  await reopen()
  expect(await connections.ensurePractice('http://127.0.0.1:4002/', made)).toMatchObject({
    ok: true,
    value: {
      connection: { id, baseUrl: 'http://127.0.0.1:4002' },
      before: { id, baseUrl: 'http://127.0.0.1:4001' },
      set: []
    }
  })
  expect(await connections.list()).toHaveLength(2)
  expect(await credentials.values(at(id))).toEqual({ ok: true, value: made })
})

it('accepts practice credentials by header name too, and keeps values that a user sets instead', async () => {
  const byHeader = Object.fromEntries(declared.map(({ id, header }) => [header, `practice-${id}`]))
  const first = await connections.ensurePractice('http://127.0.0.1:4001', byHeader)
  if (!first.ok) throw new Error()
  expect(await credentials.values(at(first.value.connection.id))).toEqual({ ok: true, value: made })
  await credentials.set(at(first.value.connection.id), 'api-key', 'wrong on purpose')
  await connections.ensurePractice('http://127.0.0.1:4001', byHeader)
  expect(await credentials.values(at(first.value.connection.id))).toMatchObject({
    ok: true,
    value: { 'api-key': 'wrong on purpose' }
  })
  await reopen()
  await connections.ensurePractice('http://127.0.0.1:4001', byHeader)
  expect(await credentials.values(at(first.value.connection.id))).toEqual({ ok: true, value: made })
})

it('does not allow changing the practice connection’s service or mode', async () => {
  const practice = await connections.ensurePractice('http://127.0.0.1:4001', made)
  if (!practice.ok) throw new Error()
  const { id } = practice.value.connection
  const own = draft({ id, name: 'Training', baseUrl: 'http://127.0.0.1:4001', mode: 'sandbox' })
  expect(await connections.save(own)).toMatchObject({
    ok: true,
    value: { connection: { name: 'Training', practice: true } }
  })
  expect(await connections.save({ ...own, baseUrl: 'https://kyc.example.com' })).toMatchObject({ ok: false })
  expect(await connections.save({ ...own, mode: 'live' })).toMatchObject({
    ok: false,
    failure: { code: 'connection-invalid' }
  })
})

it('leaves a damaged file until it is reset, and starts empty then; a newer one is neither changed nor does a save clear secrets', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  const good = await onDisk()
  await writeFile(file(), good.slice(0, -20))
  await reopen()
  expect(connections.fault()).toMatchObject({ code: 'connections-damaged' })
  expect(await connections.list()).toEqual([])
  expect(await connections.save(draft())).toMatchObject({ ok: false, failure: { code: 'connections-damaged' } })
  expect(await onDisk()).toBe(good.slice(0, -20))
  expect(await connections.reset()).toMatchObject({ ok: true })
  expect(connections.fault()).toBeUndefined()
  expect(await saved()).toBeDefined()
  const kept = (await readdir(folder)).find((name) => name.startsWith('connections.damaged-'))!
  expect(await readFile(join(folder, kept), 'utf8')).toBe(good.slice(0, -20))

  const newer = good.replace('"version": 1', '"version": 9')
  await writeFile(file(), newer)
  await reopen()
  expect(connections.fault()).toMatchObject({ code: 'connections-newer' })
  expect(await connections.save(draft())).toMatchObject({ ok: false, failure: { code: 'connections-newer' } })
  expect(await connections.ensurePractice('http://127.0.0.1:1', made)).toMatchObject({ ok: false })
  expect(await onDisk()).toBe(newer)
  expect(await secretsLeft(connection.id)).toBe(3)
})

it('answers a save that the disk refuses, and stays as it was', async () => {
  const { connection } = await saved()
  const away = `${folder}.away`
  await rename(folder, away)
  try {
    expect(await connections.save(draft({ name: 'Other' }))).toMatchObject({
      ok: false,
      failure: { code: 'settings-locked' }
    })
    expect(await connections.list()).toHaveLength(1)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rename(away, folder)
  }
  expect(connections.get(connection.id)?.name).toBe('Bank A')
  expect(await connections.save(draft({ name: 'Other' }))).toMatchObject({ ok: true })
})

it('loses nothing beside a second process, and runs with no address that the other has changed', async () => {
  const { connection } = await saved()
  const here = connections
  await reopen()
  const there = connections
  await there.save(draft({ name: 'Added there' }))
  await here.save(draft({ name: 'Added here' }))
  expect(await there.save(draft({ name: 'added HERE' }))).toMatchObject({
    ok: false,
    failure: { code: 'connection-name-taken' }
  })
  expect((await there.list()).map(({ name }) => name)).toEqual(['Bank A', 'Added there', 'Added here'])
  await there.save(draft({ id: connection.id, baseUrl: 'https://moved.example.com' }))
  expect(here.get(connection.id)).toMatchObject({ baseUrl: 'https://moved.example.com' })
  await writeFile(file(), 'damaged by another program')
  expect(await here.save(draft({ name: 'X' }))).toMatchObject({
    ok: false,
    failure: { code: 'connections-unreadable' }
  })
  expect(await here.list()).toHaveLength(3)
  expect(await onDisk()).toBe('damaged by another program')
})

/** Edits the connections file manually. */
async function edit(change: (text: string) => string): Promise<void> {
  await writeFile(file(), change(await onDisk()))
}

it.each([
  [
    'another host',
    (text: string) => text.replace('https://kyc.example.com', 'https://evil.example.com'),
    'https://evil.example.com (live)'
  ],
  [
    'another port',
    (text: string) => text.replace('https://kyc.example.com', 'https://kyc.example.com:444'),
    'https://kyc.example.com:444 (live)'
  ],
  [
    'http on this computer',
    (text: string) => text.replace('https://kyc.example.com', 'http://127.0.0.1:8080'),
    'http://127.0.0.1:8080 (live)'
  ],
  [
    'the sandbox, which asks no questions',
    (text: string) => text.replace('"live"', '"sandbox"'),
    'https://kyc.example.com (sandbox)'
  ]
])('gives credentials to nobody but whom they were given for: the file says %s', async (_name, change, now) => {
  const { connection } = await saved()
  await setAll(connection.id)
  await edit(change)
  // Both while running and after the next start.
  for (const next of [async () => undefined, reopen]) {
    await next()
    const refused = await credentials.values(at(connection.id))
    expect(refused).toMatchObject({ ok: false, failure: { code: 'credentials-for-another' } })
    expect(refused).toMatchObject({ failure: { details: { given: 'https://kyc.example.com (live)', now } } })
    expect((await connections.list())[0]).toMatchObject({
      givenFor: 'https://kyc.example.com (live)',
      credentials: { 'api-key': false, 'api-secret': false, 'authorization': false }
    })
  }
  // A value entered again does not bring back the old ones.
  await credentials.set(at(connection.id), 'api-key', 'new')
  expect(await secretsLeft(connection.id)).toBe(1)
  expect(await credentials.values(at(connection.id))).toMatchObject({
    ok: false,
    failure: { code: 'credentials-missing' }
  })
  await setAll(connection.id)
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: true })
})

it('provides them again if the file has its previous values', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  await edit((text) => text.replace('kyc.example.com', 'evil.example.com'))
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: false })
  await edit((text) => text.replace('evil.example.com', 'KYC.example.com'))
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: true })
})

it('does so for credentials of this session alone, and for a mixture of both', async () => {
  const { connection } = await saved()
  usable = false
  await setAll(connection.id)
  await edit((text) => text.replace('kyc.example.com', 'evil.example.com'))
  expect(await credentials.values(at(connection.id))).toMatchObject({
    ok: false,
    failure: { code: 'credentials-for-another' }
  })
  // Two in the keychain for one address, one in this session for another.
  await edit((text) => text.replace('evil.example.com', 'kyc.example.com'))
  usable = true
  await reopen()
  await setAll(connection.id)
  await edit((text) => text.replace('kyc.example.com', 'evil.example.com'))
  usable = false
  await credentials.set(at(connection.id), 'api-key', 'given for the other')
  usable = true
  expect(await credentials.values(at(connection.id))).toMatchObject({
    ok: false,
    failure: { code: 'credentials-for-another' }
  })
})

it('three entered at the same time for another address do not clear each other', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  await edit((text) => text.replace('kyc.example.com', 'moved.example.com'))
  await Promise.all(credentialIds.map((each) => credentials.set(at(connection.id), each, `new ${each}`)))
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: true, value: { 'api-key': 'new api-key' } })
})

it('a change of the mode in Veridesk itself takes the credentials along', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  await connections.save(draft({ id: connection.id, mode: 'sandbox' }))
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: true })
  await reopen()
  expect(await credentials.values(at(connection.id))).toMatchObject({ ok: true })
})

it('credentials without a note of what they are given for are refused, and go when one of them is entered again', async () => {
  const { connection } = await saved()
  await setAll(connection.id)
  await keychain.remove(`connection/${connection.id}/given-for`)
  await reopen()
  expect(await credentials.values(at(connection.id))).toMatchObject({
    ok: false,
    failure: { code: 'credentials-for-another' }
  })
  await credentials.set(at(connection.id), 'api-key', 'new')
  expect(await secretsLeft(connection.id)).toBe(1)
})
