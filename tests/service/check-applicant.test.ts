/** Check an applicant: each operation a record of its own, at most once, in order, until the first that stops it. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { fieldsOfCheck, inputOfCheck } from '#contract/verification/recipes.ts'
import { operationIds, operationOf, type OperationId } from '#contract/verification/operations.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
let service: Server
let connectionId: string
/** The paths that the service received, in order. */
let received: string[]
/** How the service ends a request, by its operation; 200 by default. */
let ends: Partial<Record<OperationId, number | 'lost' | 'held'>>
let release: (() => void) | undefined

const operations: OperationId[] = [
  'get-applicant-details',
  'validate-applicant-documents',
  'validate-passport',
  'validate-kyc-photo'
]

beforeAll(async () => {
  service = createServer((request, response) => {
    request.resume().on('end', () => {
      const operation = (request.url ?? '').split('/').at(-1) as OperationId
      received.push(operation)
      const end = ends[operation] ?? 200
      const reply = (status: number): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"m"}')
      if (end === 'lost') request.socket.destroy()
      else if (end === 'held') release = () => reply(200)
      else reply(end)
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  console = await startTestConsole()
  const draft = {
    name: 'Acme',
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    mode: 'sandbox' as const,
    colour: 'blue' as const,
    mark: 'AC'
  }
  connectionId = (await console.get('connections.save', draft)).connection.id
  for (const { id: credential } of credentials)
    await console.get('credentials.set', { connectionId, credential, value: console.practice.credentials[credential] })
})
afterAll(async () => {
  await console.dispose()
  service.closeAllConnections()
  service.close()
})
beforeEach(() => {
  received = []
  ends = {}
  release = undefined
})

const values = (person: string) =>
  Object.fromEntries(
    fieldsOfCheck(operations).map(({ key, field }) => [
      key,
      field.kind === 'applicant-id' ? person : `https://files.example.com/${person}/${key}.png`
    ])
  )
const check = (
  person: string,
  more: { repeat?: OperationId[]; unknownAgain?: { operation: OperationId; answer: 'anyway' }[]; checkId?: string } = {}
) =>
  console.get('check.run', {
    checkId: randomUUID(),
    connectionId,
    operations,
    values: values(person),
    applicantId: person,
    ...more
  })
const kinds = (parts: Awaited<ReturnType<typeof check>>) => parts.map(({ kind }) => kind)

test('each value is entered once, and each operation gets its own', () => {
  expect(fieldsOfCheck(operations).map(({ key }) => key)).toEqual(['applicant', 'photo', 'id-document', 'passport'])
  expect(fieldsOfCheck(operationIds).map(({ key }) => key)).toEqual(['applicant', 'photo', 'id-document', 'passport'])
  expect(fieldsOfCheck(['validate-applicant-id-document', 'validate-kyc-id'])[1]?.field.label).toBe('ID document URL')
  const all = values('P-1')
  for (const id of operationIds) {
    const input = inputOfCheck(id, all)
    expect(Object.keys(input)).toEqual(operationOf(id).fields.map(({ name }) => name))
    for (const value of Object.values(input)) expect(value).not.toBe('')
  }
})

test('sends each operation once, in order, as records of the applicant, and uses what was answered already', async () => {
  const parts = await check('P-1')
  expect(kinds(parts)).toEqual(['recorded', 'recorded', 'recorded', 'recorded'])
  expect(received).toEqual(operations)
  const { records } = await console.get('history.page', { filter: {}, limit: 10 })
  expect(records.map(({ operation }) => operation).reverse()).toEqual(operations)
  expect((await console.get('history.record', { id: records[0]!.id })).applicant).toMatchObject({
    id: 'P-1',
    local: true
  })

  const planned = await console.get('check.plan', { connectionId, operations, values: values('P-1') })
  expect(planned.map(({ earlier }) => earlier?.kind)).toEqual(['answered', 'answered', 'answered', 'answered'])
  const again = await check('P-1', { repeat: ['validate-passport'] })
  expect(kinds(again)).toEqual(['used', 'used', 'recorded', 'used'])
  expect(received).toEqual([...operations, 'validate-passport'])
})

test.each([401, 403, 429, 'lost'] as const)('stops at %s and names what was not sent', async (end) => {
  ends = { 'validate-applicant-documents': end }
  const person = `STOP-${end}`
  const parts = await check(person)
  expect(kinds(parts)).toEqual(['recorded', 'recorded', 'not-sent', 'not-sent'])
  expect(parts[2]).toMatchObject({ why: 'stopped', after: 'validate-applicant-documents' })
  expect(received).toEqual(operations.slice(0, 2))
})

test('goes on after other answers, and asks about an unknown outcome before it is sent again', async () => {
  ends = { 'get-applicant-details': 404, 'validate-applicant-documents': 500, 'validate-passport': 'lost' }
  expect(kinds(await check('P-2'))).toEqual(['recorded', 'recorded', 'recorded', 'not-sent'])
  ends = {}
  const asked = await check('P-2')
  expect(kinds(asked)).toEqual(['used', 'used', 'held', 'not-sent'])
  expect(asked[2]).toMatchObject({ why: 'may-have-been-sent' })
  // Repeating what was answered is no answer to that question.
  expect(kinds(await check('P-2', { repeat: operations }))).toEqual(['recorded', 'recorded', 'held', 'not-sent'])
  expect(received.filter((each) => each === 'validate-passport')).toHaveLength(1)
  expect(kinds(await check('P-2', { unknownAgain: [{ operation: 'validate-passport', answer: 'anyway' }] }))).toEqual([
    'used',
    'used',
    'recorded',
    'recorded'
  ])
  expect(received.filter((each) => each === 'validate-passport')).toHaveLength(2)
})

test('sends nothing more once the rest is cancelled; what is in progress ends', async () => {
  ends = { 'get-applicant-details': 'held' }
  const checkId = randomUUID()
  const running = check('P-3', { checkId })
  await expect.poll(() => release !== undefined).toBe(true)
  expect((await console.get('check.show', { checkId })).map(({ kind }) => kind)).toEqual([
    'sending',
    'waiting',
    'waiting',
    'waiting'
  ])
  expect(await console.get('check.cancelRest', { checkId })).toBe(true)
  release?.()
  const parts = await running
  expect(kinds(parts)).toEqual(['recorded', 'not-sent', 'not-sent', 'not-sent'])
  expect(parts[1]).toMatchObject({ why: 'cancelled' })
  expect(received).toEqual(['get-applicant-details'])
  expect(await console.get('check.cancelRest', { checkId })).toBe(false)
})
