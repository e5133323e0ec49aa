/**
 * Compares every request of the console's client with an independent description of the interface.
 * @deadlines
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directRoute } from '#core/client/proxy.ts'
import { sendVerification } from '#core/client/send.ts'
import { createTrustStore, type Trust } from '#wire/trust.ts'
import { credentials, type CredentialValues } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import {
  detailsOperation,
  operationOf,
  operations,
  type OperationDeclaration
} from '#contract/verification/operations.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import { startIndependentMock, type IndependentMock } from './independent-mock.ts'
import { plainSend } from './practice-client.ts'

let mock: IndependentMock
let trust: Trust
beforeAll(async () => {
  mock = await startIndependentMock()
  const found = await createTrustStore().trust('')
  if (!found.ok) throw new Error(sentencesOf(found.failure).what)
  trust = found.value
})
afterAll(() => mock.close())

const values = Object.fromEntries(credentials.map(({ id }) => [id, `value of ${id}`])) as CredentialValues
const examplesOf = ({ fields }: OperationDeclaration): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, example }) => [name, example]))

/** Uses the console's own client, from the connection to the parsed reply. */
const sendByConsole = (path: string, body: VerificationInput) =>
  sendVerification({
    origin: mock.baseUrl,
    path,
    body,
    credentials: values,
    limits: defaultSettings,
    route: directRoute,
    trust,
    signal: new AbortController().signal,
    onPhase: () => {},
    clock: { now: () => Date.now(), monotonic: () => performance.now() }
  })

describe.each(operations)('$id by the console’s client', (operation) => {
  it('is accepted', async () => {
    const ending = await sendByConsole(operation.path, examplesOf(operation))
    expect(mock.verdicts.at(-1)).toMatchObject({ status: 200, operation: expect.any(String) })
    expect(ending).toMatchObject({
      outcome: 'answered',
      message: 'The independent mock accepted the request.',
      reply: { status: 200 }
    })
  })

  it('is accepted with the hardest of values', async () => {
    const hard = Object.fromEntries(
      operation.fields.map(({ name, kind }) => [
        name,
        kind === 'url' ? `https://x.example/a%20b?q=${'ü'.repeat(2000)}&s="\\` : '000 \\"ÄΩ検👩🏽‍💻 007'
      ])
    )
    expect((await sendByConsole(operation.path, hard)).reply?.status).toBe(200)
  })

  it.each(operation.fields)('is refused without $name', async ({ name }) => {
    const { [name]: _left, ...rest } = examplesOf(operation)
    const ending = await sendByConsole(operation.path, rest)
    expect(ending.reply?.status).toBe(400)
    expect(ending.message).toContain(name)
  })

  it('is refused with a field too many, and at another path', async () => {
    expect((await sendByConsole(operation.path, { ...examplesOf(operation), note: 'x' })).reply?.status).toBe(400)
    expect((await sendByConsole(`${operation.path}/`, examplesOf(operation))).reply?.status).toBe(404)
  })
})

describe('the mock', () => {
  const right = Object.fromEntries(credentials.map(({ id, header }) => [header, values[id]]))
  const details = operationOf(detailsOperation)
  const request = { path: details.path, body: JSON.stringify(examplesOf(details)) }
  const json = { 'Content-Type': 'application/json' }

  it.each(credentials)('refuses a request without $header', async ({ header }) => {
    const { [header]: _left, ...rest } = right
    expect((await plainSend(mock.baseUrl, { ...request, headers: { ...json, ...rest } })).status).toBe(401)
  })

  it('refuses another method, another content type, a body of no JSON, a field of another type', async () => {
    const status = async (change: object) =>
      (await plainSend(mock.baseUrl, { ...request, headers: { ...json, ...right }, ...change })).status
    expect(await status({})).toBe(200)
    expect(await status({ method: 'PUT' })).toBe(405)
    expect(await status({ headers: { ...right, 'Content-Type': 'text/plain' } })).toBe(415)
    expect(await status({ body: '{"applicant_id":' })).toBe(400)
    expect(await status({ body: '{"applicant_id":7}' })).toBe(400)
  })
})
