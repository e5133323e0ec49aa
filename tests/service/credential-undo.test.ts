/** Clearing a credential and undoing it in a complete core, with the machine's own keychain. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConnectionDraft } from '#contract/connections/connection.ts'
import { credentials } from '#contract/connections/credentials.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
let connectionId: string
const draft = (): ConnectionDraft => ({
  name: 'Acme',
  baseUrl: console.practice.baseUrl,
  mode: 'live',
  colour: 'red',
  mark: 'AC'
})
const credential = 'api-key'

beforeEach(async () => {
  console = await startTestConsole()
  connectionId = (await console.get('connections.save', draft())).connection.id
  for (const { id } of credentials)
    await console.get('credentials.set', { connectionId, credential: id, value: console.practice.credentials[id] })
})
afterEach(() => console.dispose())

const isSet = async (): Promise<boolean | undefined> =>
  (await console.get('connections.list')).find(({ id }) => id === connectionId)?.credentials[credential]
const undo = () => console.ask('credentials.undoClear', { connectionId, credential })
const expired = { ok: false, failure: { code: 'credential-undo-expired' } }
const check = (applicant: string) =>
  console.ask('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: applicant },
    repeatAnyway: true
  })

test('a cleared value works again after undo, is noted, and no answer, event or file holds it', async () => {
  const cleared = await console.get('credentials.clear', { connectionId, credential })
  expect(await isSet()).toBe(false)
  expect(await check('APP-1')).toMatchObject({ failure: { code: 'credentials-missing' } })
  // A second click does not change what can be undone.
  await console.get('credentials.clear', { connectionId, credential })
  const restored = await undo()
  expect(restored).toMatchObject({ ok: true, value: { credentials: { [credential]: true } } })
  expect(await check('APP-2')).toMatchObject({ ok: true, value: { kind: 'recorded', record: { status: 200 } } })
  expect(await undo()).toMatchObject(expired)

  const { events } = await console.get('audit.page', { limit: 50, groups: ['connections'] })
  const words = events.map((event) => event.words)
  expect(words.filter((each) => /was (cleared|restored)/.test(each))).toEqual([
    'x-api-key of the connection “Acme” was restored.',
    'x-api-key of the connection “Acme” was cleared.',
    'x-api-key of the connection “Acme” was cleared.'
  ])
  const secret = console.practice.credentials[credential]
  expect(JSON.stringify([cleared, restored, events, console.events])).not.toContain(secret)
  await console.close()
  for (const entry of await readdir(console.dataFolder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect((await readFile(join(entry.parentPath, entry.name))).includes(secret), entry.name).toBe(false)
})

test('another value, another address, removal and a restart end the undo', async () => {
  await console.get('credentials.clear', { connectionId, credential })
  await console.get('credentials.set', { connectionId, credential, value: 'another-key' })
  expect(await undo()).toMatchObject(expired)
  expect(await check('APP-1')).toMatchObject({ value: { record: { status: 401 } } })

  await console.get('credentials.clear', { connectionId, credential })
  await console.get('connections.save', { ...draft(), id: connectionId, name: 'Renamed' })
  expect(await undo()).toMatchObject({ ok: true })
  await console.get('credentials.clear', { connectionId, credential })
  await console.get('connections.save', { ...draft(), id: connectionId, baseUrl: 'https://elsewhere.example.com' })
  await console.get('connections.save', { ...draft(), id: connectionId })
  expect(await undo()).toMatchObject(expired)

  await console.get('credentials.set', { connectionId, credential, value: 'a-key' })
  await console.get('credentials.clear', { connectionId, credential })
  await console.close()
  console = await startTestConsole(console)
  expect(await undo()).toMatchObject(expired)
  expect(await isSet()).toBe(false)

  await console.get('credentials.set', { connectionId, credential, value: 'a-key' })
  await console.get('credentials.clear', { connectionId, credential })
  await console.get('connections.remove', { id: connectionId })
  expect(await undo()).toMatchObject({ failure: { code: 'connection-missing' } })
})

test('an undo that meets a new address half-way stores no secret for it', async () => {
  await console.get('credentials.clear', { connectionId, credential })
  await Promise.all([
    undo(),
    console.get('connections.save', { ...draft(), id: connectionId, baseUrl: 'https://elsewhere.example.com' })
  ])
  expect(await isSet()).toBe(false)
  await console.get('connections.save', { ...draft(), id: connectionId })
  await console.get('credentials.set', { connectionId, credential, value: 'a-key' })
  await console.get('credentials.clear', { connectionId, credential })
  await Promise.all([
    console.get('connections.save', { ...draft(), id: connectionId, baseUrl: 'https://elsewhere.example.com' }),
    undo()
  ])
  expect(await isSet()).toBe(false)
})
