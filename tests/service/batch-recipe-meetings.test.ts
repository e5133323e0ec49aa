/** What meets a running batch of a recipe: a legal hold of one of its applicants, and a policy that requires a passphrase. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RowState } from '#contract/batches/rows.ts'
import { credentialIds } from '#contract/connections/credentials.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { standsAs } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { ownKeyring } from './support/keyring.ts'

const recipe: readonly OperationId[] = ['get-applicant-details', 'validate-kyc-photo', 'validate-passport']
const people = ['P-1', 'P-2']
const all = people.flatMap((person) => recipe.map((operation) => `${person} ${operation}`))
/** The call whose answer waits until it is given. */
let awaited: string | undefined
let held: ServerResponse | undefined
let received: string[]
let folder: string
let console: TestConsole
let endKeyring: () => Promise<void>

const give = (response: ServerResponse | undefined): void =>
  void response?.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"m"}')
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += String(part)))
  request.on('end', () => {
    const call = `${/P-\d/.exec(body)?.[0]} ${request.url?.split('/').at(-1)}`
    received.push(call)
    if (call === awaited) held = response
    else give(response)
  })
})
const policies = (): string => join(folder, 'policies.json')

beforeEach(async () => {
  received = []
  held = undefined
  endKeyring = await ownKeyring()
  folder = mkdtempSync(join(tmpdir(), 'veridesk-recipe-meetings-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const reader = { ...fileReader(policies(), [process.getuid?.() ?? 0]), confirmAfter: 1 }
  console = await startTestConsole(undefined, 'tester', { policies: reader })
})
afterEach(async () => {
  await console.dispose()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await endKeyring()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the batch, one row at a time, and returns it while the answer to a call is awaited. */
async function runningUntil(call: string): Promise<string> {
  awaited = call
  const { connection } = await console.get('connections.save', {
    name: 'Own',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'OW'
  })
  const connectionId = connection.id
  for (const credential of credentialIds)
    await console.get('credentials.set', { connectionId, credential, value: 'synthetic' })
  const url = (person: string, name: string): string => `https://files.example.com/${person}/${name}.jpg`
  const { checkId } = await console.get('batches.checkText', {
    name: 'rows.csv',
    text: ['applicant,photo,passport', ...people.map((id) => [id, url(id, 'photo'), url(id, 'pass')].join(','))].join(
      '\n'
    ),
    reading: { operations: [...recipe] }
  })
  const { id } = await console.get('batches.create', {
    checkId,
    connectionId,
    name: 'Recipe',
    atOnce: 1,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  await console.get('batches.start', { id })
  await expect.poll(() => held).toBeDefined()
  return id
}
const rowsOf = async (id: string) =>
  (await console.get('batches.rows', { id, offset: 0, limit: 10, visit: randomUUID() })).rows
const statesOf = async (id: string): Promise<(RowState | undefined)[][]> =>
  (await rowsOf(id)).map(({ calls = [] }) => calls.map(({ state }) => state))

/** Each call of each person, in order. */
function expectEachOnce(): void {
  expect(received).toHaveLength(all.length)
  for (const person of people)
    expect(received.filter((call) => call.startsWith(person))).toEqual(all.filter((call) => call.startsWith(person)))
}

test('a legal hold that is placed between two operations stops none, and protects what they record', async () => {
  const id = await runningUntil('P-1 validate-kyc-photo')
  // One is sent now, the other waits: both can be held.
  for (const applicantId of people) await console.get('holds.place', { applicantId, reason: 'a case' })
  give(held)
  await standsAs(console, id, 'finished')
  expectEachOnce()
  expect(await statesOf(id)).toEqual(people.map(() => recipe.map(() => 'answered')))
  const { records } = await console.get('history.page', { filter: {}, limit: 10, visit: randomUUID() })
  expect(records).toHaveLength(6)
  for (const applicantId of people) {
    const erased = await console.ask('erasure.run', { applicantId, confirmation: applicantId, reason: 'asked for' })
    expect(erased).toMatchObject({ ok: false, failure: { code: 'erasure-held' } })
  }
  expect(await console.get('audit.verify')).toMatchObject({ intact: true })
})

test('a passphrase that is required meanwhile stops the batch, which goes on with the next operation', async () => {
  const id = await runningUntil('P-1 get-applicant-details')
  writeFileSync(
    policies(),
    JSON.stringify({ format: 'veridesk-policies', version: 1, policies: { PassphraseRequired: true } })
  )
  await expect
    .poll(async () => (await console.get('app.state')).notices.map(({ code }) => code))
    .toEqual(['passphrase-required'])
  give(held)
  await standsAs(console, id, 'stopped')
  expect(await console.get('batches.show', { id })).toMatchObject({
    reason: { code: 'passphrase-required' },
    counts: { 'waiting': 2, 'unknown': 0, 'not-sent': 0 }
  })
  expect(received).toEqual(all.slice(0, 1))
  expect((await statesOf(id))[0]).toEqual(['answered', 'waiting', 'waiting'])
  expect(await console.ask('batches.start', { id })).toMatchObject({ failure: { code: 'passphrase-required' } })
  await console.get('passphrase.change', { next: 'four long words together' })
  await console.get('batches.start', { id })
  await standsAs(console, id, 'finished')
  expectEachOnce()
})
