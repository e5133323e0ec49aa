/** Faults of values, responses, redirects and connections, by chance or in full: `npm run prove` injects many times as many. */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { credentialIds, maxCredentialBytes } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { createLinePool } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { practiceCredentials, startPracticeService, type PracticeService } from '#practice/service.ts'
import type { Trust } from '#wire/trust.ts'
import { makeApplicantBatch, openGround } from '../../scripts/batch-ground.ts'
import { faultsAgainst } from './support/batch-states.ts'
import { startRelay, type Break, type Relay } from './support/breaking-relay.ts'
import { bodySent, canaries, httpReply, leaks, orderTo, rawService, trustIn } from './support/client-order.ts'
import { seeded } from './support/random.ts'
import { counted, times } from './support/times.ts'
import { createTestAuthority } from './support/tls.ts'

const seed = randomInt(2 ** 31)
const random = seeded(seed)
const saying = `seed ${seed}`
const authority = createTestAuthority()
const issued = authority.issue({ names: ['localhost', '127.0.0.1', '127.0.0.2'] })
let folder = ''
let trust: Trust
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-faults-'))
  writeFileSync(join(folder, 'ca.pem'), authority.cert)
  trust = await trustIn(join(folder, 'ca.pem'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const valid = 'Canary-value-0123456789'
const placed = (part: string): string => {
  const at = random(valid.length + 1)
  return valid.slice(0, at) + part + valid.slice(at)
}
const oneOf = <T>(list: readonly T[]): T => list[random(list.length)]!

/** A value with one fault, by kind. */
const invalidValues: readonly (readonly [string, () => string])[] = [
  ['a line break', () => placed(oneOf(['\r', '\n', '\r\n', '\r\nx-other: 1']))],
  ['a NUL', () => placed('\0')],
  ['another control character', () => placed(String.fromCharCode(oneOf([1, 7, 8, 9, 11, 12, 14, 27, 31, 127])))],
  ['a character beyond ASCII', () => placed(String.fromCodePoint(128 + random(0xd700 - 128)))],
  ['half a character', () => placed(String.fromCharCode(0xd800 + random(2048)))],
  ['a character that only looks like ASCII', () => placed(String.fromCodePoint(0xff01 + random(94)))],
  ['a space at an end', () => (random(2) === 0 ? ` ${valid}` : `${valid} `)],
  ['too many bytes', () => 'x'.repeat(maxCredentialBytes + 1 + random(5000))]
]

it('a value that no header may have is neither saved nor sent', async ({ task }) => {
  const service = await rawService((socket) => socket.end(httpReply('{"message":"m"}')))
  const store = createCredentials({ keychain: createSessionSecrets(), session: createSessionSecrets() })
  const tried = async (id: (typeof credentialIds)[number], value: string): Promise<string> => {
    const saved = await store.set('connection', id, value)
    const sent = await sendVerification(
      await orderTo(service.origin, { trust, credentials: { ...canaries, [id]: value } })
    )
    return `${saved.ok ? 'saved' : saved.failure.code}, ${sent.failure?.code ?? sent.outcome}`
  }
  for (const value of [valid, 'x', 'x'.repeat(maxCredentialBytes), 'inner space and "quotes" \\ ~'])
    expect(await tried(credentialIds[0], value)).toBe('saved, answered')
  const good = service.sockets.length
  const each = 2 * times
  for (const [name, make] of invalidValues)
    for (let nth = 0; nth < each; nth += 1) {
      const value = make()
      const found = await tried(oneOf(credentialIds), value)
      expect(found, `${name}: ${JSON.stringify(value.slice(0, 60))}`).toBe('credential-invalid, credential-invalid')
    }
  expect(service.sockets.length - good, 'connections that were opened').toBe(0)
  counted(task, { 'refused when sent': each * invalidValues.length, 'arrived at the service': good })
})

const whole = Buffer.from(
  '{"message":"Document “accepted”","score":0.97,"details":{"list":[1,2,{"message":"inner"}],"text":"a\\u0041\\n"}}'
)

/** The message that a response really contains: by this project's own reading of the rules, without its parser. */
function messageOf(body: Buffer): string | undefined {
  const text = body.toString('utf8')
  // What is not UTF-8 does not come back as it was.
  if (!Buffer.from(text).equals(body)) return undefined
  try {
    // One byte order mark may be ignored (RFC 8259, 8.1).
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    const own =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.getOwnPropertyDescriptor(value, 'message')?.value
        : undefined
    return typeof own === 'string' ? own : undefined
  } catch {
    return undefined
  }
}

const pieces =
  '{ } [ ] " : , message "message" "message": "m" null true 1e999 \\ \ufeff \0 __proto__ <html> {"message":"m"}'
    .split(' ')
    .concat(['{"__proto__":{"message":"m"}}', ' '])
const withByte = (): Buffer => {
  const copy = Buffer.from(whole)
  copy.writeUInt8(random(256), random(copy.length))
  return copy
}
const composed = (): Buffer => Buffer.from(Array.from({ length: 1 + random(8) }, () => oneOf(pieces)).join(''))
const almost: readonly Buffer[] = [
  '',
  ' \r\n\t',
  '<html><body>{"message":"m"}</body></html>',
  '\ufeff{"message":"m"}',
  '{"__proto__":{"message":"m"}}',
  '[{"message":"m"}]',
  '{"message":1}',
  '{"message":"m"}{"message":"n"}',
  '{"message":"m"} // x',
  "{'message':'m'}",
  '{"message":"m",}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"message":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `{"message":"m","x":${'['.repeat(100_000)}`,
  '{"message":NaN}'
].map((text) => Buffer.from(text))

it('no response is read as an answer that the service did not give', { timeout: 60_000 * times }, async ({ task }) => {
  let body: Buffer = whole
  const service = await rawService((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`)
    socket.end(body)
  })
  const order = await orderTo(service.origin, { trust })
  const counts = { times: 0, answered: 0, invalid: 0 }
  for (const each of [
    whole,
    ...Array.from({ length: 20 * times }, () => whole.subarray(0, random(whole.length))),
    ...almost,
    Buffer.from('{"message":"m"}', 'utf16le'),
    ...Array.from({ length: 20 * times }, withByte),
    ...Array.from({ length: 20 * times }, composed)
  ]) {
    body = each
    const { outcome, message } = await sendVerification(order)
    const wanted = messageOf(body)
    expect({ outcome, message }, `${saying}: ${JSON.stringify(body.toString('latin1').slice(0, 120))}`).toEqual(
      wanted === undefined
        ? { outcome: 'invalid-response', message: undefined }
        : { outcome: 'answered', message: wanted }
    )
    counts.times += 1
    counts[wanted === undefined ? 'invalid' : 'answered'] += 1
  }
  counted(task, counts)
})

describe('a redirect is told and not followed', () => {
  interface Trap {
    readonly port: number
    connections: number
    bytes: string
  }
  /** A server on loopback, over TCP or TLS, that ends with its test. */
  async function listen(host: string, secure: boolean, onSocket: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>()
    const accept = (socket: Socket): void => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      onSocket(socket)
    }
    const server = secure ? tls.createServer({ ...issued }, accept) : net.createServer(accept)
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, host, resolve))
    onTestFinished(() => (sockets.forEach((socket) => socket.destroy()), server.close(), undefined))
    return (server.address() as AddressInfo).port
  }
  /** A destination that records everything that it receives, decrypted. */
  async function trap(host: string, secure: boolean): Promise<Trap> {
    const found = { connections: 0, bytes: '', port: 0 }
    found.port = await listen(host, secure, (socket) => {
      found.connections += 1
      socket.on('data', (chunk: Buffer) => {
        found.bytes += chunk.toString('latin1')
        if (found.bytes.endsWith(bodySent)) socket.end(httpReply('{"message":"trapped"}'))
      })
    })
    return found
  }
  const other = { http: 'https', https: 'http' } as const
  const destinations: readonly (readonly [string, host: string, to: (from: 'http' | 'https', at: string) => string])[] =
    [
      ['another port', '127.0.0.1', (from, at) => `${from}://${at}/x`],
      ['another host', 'localhost', (from, at) => `${from}://${at}/x`],
      ['another address of this computer', '127.0.0.2', (from, at) => `${from}://${at}/x`],
      ['another scheme', '127.0.0.1', (from, at) => `${other[from]}://${at}/x`],
      ['an address without a scheme', '127.0.0.1', (_from, at) => `//${at}/x`],
      ['one with a user and password', '127.0.0.1', (from, at) => `${from}://user:password@${at}/x`],
      ['another path of the same service', '', () => '/elsewhere']
    ]
  const cases = (['http', 'https'] as const).flatMap((from) =>
    destinations.map(([name, host, to]) => ({ from, name, host, to }))
  )

  it.for(cases)('by $from to $name', async ({ from, host, to }, { task }) => {
    let reply = ''
    let requests = 0
    const port = await listen('127.0.0.1', from === 'https', (socket) => {
      let pending = ''
      socket.on('data', (chunk: Buffer) => {
        pending += chunk.toString('latin1')
        if (!pending.endsWith(bodySent)) return
        pending = ''
        requests += 1
        socket.write(reply)
      })
    })
    const secure = new URL(to(from, 'x'), `${from}://x`).protocol === 'https:'
    const elsewhere = host === '' ? undefined : await trap(host === '127.0.0.2' ? host : '127.0.0.1', secure)
    const authorityOf = `${host}:${elsewhere?.port}`
    if (elsewhere) {
      // The control: a request that really goes there is found there, with its credentials.
      const there = await sendVerification(await orderTo(`http${secure ? 's' : ''}://${authorityOf}`, { trust }))
      expect(there).toMatchObject({ outcome: 'answered', message: 'trapped' })
      expect(leaks(elsewhere.bytes)).not.toEqual([])
      Object.assign(elsewhere, { connections: 0, bytes: '' })
    }
    const lines = createLinePool(() => performance.now())
    onTestFinished(() => lines.close())
    let sent = 0
    for (let round = 0; round < times; round += 1)
      for (const status of [301, 302, 303, 307, 308])
        for (const kept of [false, true]) {
          reply = httpReply(
            '{"message":"moved"}',
            [`location: ${to(from, authorityOf)}`, 'connection: keep-alive'],
            `${status} Moved`
          )
          const ending = await sendVerification(
            await orderTo(`${from}://127.0.0.1:${port}`, { trust, ...(kept && { lines }) })
          )
          sent += 1
          expect(ending).toMatchObject({
            outcome: 'invalid-response',
            failure: { code: 'reply-redirect' },
            reply: { status, body: '{"message":"moved"}' }
          })
          if (elsewhere) expect(sentencesOf(ending.failure!).what).toContain(`:${elsewhere.port}`)
        }
    // A late connection would have been accepted by now.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(requests).toBe(sent)
    expect([elsewhere?.connections ?? 0, elsewhere?.bytes ?? '']).toEqual([0, ''])
    counted(task, { 'responses': sent, 'reported': sent, 'connections to the destination': 0, 'bytes there': 0 })
  })
})

describe('a connection that breaks', () => {
  const operation = operationOf('get-applicant-details')
  let practice: PracticeService
  let relay: Relay
  beforeAll(async () => {
    practice = await startPracticeService({ latency: 0 })
    relay = await startRelay(Number(new URL(practice.baseUrl).port))
  })
  afterAll(async () => {
    relay.end()
    await practice.close()
  })
  /** How often the service received a body. */
  const received = (body: object): number => {
    const digest = bodyDigest(JSON.stringify(body))
    return practice.ledger().filter((entry) => entry.digest === digest).length
  }

  const cases = (['request', 'response'] as const).flatMap((of) =>
    (['new', 'kept'] as const).flatMap((line) => (['reset', 'close'] as const).map((how) => ({ of, line, how })))
  )
  it.for(cases)('after a byte of the $of, on a $line connection, by $how', async ({ of, line, how }, { task }) => {
    const but = { path: operation.path, credentials: practiceCredentials, trust }
    let nth = 0
    // All have the same length, so that one whole exchange shows how many bytes there are.
    const input = (): { applicant_id: string } => ({
      applicant_id: `${of}-${how}-${line}-${String((nth += 1)).padStart(6, '0')}`
    })
    const pool = createLinePool(() => performance.now())
    await sendVerification(
      await orderTo(relay.origin, { ...but, body: input(), ...(line === 'kept' && { lines: pool }) })
    )
    pool.close()
    const bytes = relay.seen()[of]
    const counts = { 'bytes or rows': 0, 'not sent': 0, 'unknown': 0, 'against the ledger': 0 }
    const step = Math.max(1, Math.round(80 / times))
    for (let after = random(step); after <= bytes; after += step) {
      const lines = createLinePool(() => performance.now())
      const order = { ...but, ...(line === 'kept' && { lines }) }
      const breaks: Break = { of, how, after }
      if (line === 'new') relay.breaks = () => breaks
      else {
        // A kept connection has carried one whole exchange before.
        expect(await sendVerification(await orderTo(relay.origin, { ...order, body: input() }))).toMatchObject({
          outcome: 'answered'
        })
        relay.breakOpen(breaks)
      }
      const body = input()
      const { outcome } = await sendVerification(await orderTo(relay.origin, { ...order, body }))
      lines.close()
      relay.breaks = () => undefined
      const arrived = received(body)
      const said = `${outcome}, ${arrived} received, broken at byte ${after} of ${bytes}`
      expect(arrived, said).toBeLessThanOrEqual(1)
      expect(['answered', 'not-sent', 'unknown'], said).toContain(outcome)
      if (outcome === 'not-sent') expect(arrived, said).toBe(0)
      if (outcome === 'answered') expect(arrived, said).toBe(1)
      counts['bytes or rows'] += 1
      if (outcome === 'not-sent') counts['not sent'] += 1
      if (outcome === 'unknown') counts.unknown += 1
    }
    counted(task, counts)
  })

  it('at any byte sends no row of a batch twice, and forgets none', { timeout: 60_000 * times }, async ({ task }) => {
    // Anywhere in the first exchanges of a connection, about twenty.
    relay.breaks = () => ({ of: oneOf(['request', 'response']), how: oneOf(['reset', 'close']), after: random(10_000) })
    const ground = await openGround({
      folder: join(folder, 'history'),
      baseUrl: relay.origin,
      settings: { spendGuardMinutes: 0 },
      announce: () => undefined
    })
    try {
      const rows = 25 * times
      const applicants = Array.from({ length: rows }, (_, index) => `BROKEN-${index}`)
      const id = await makeApplicantBatch(ground, applicants, { atOnce: 8 })
      const run = async () => {
        expect(await ground.batches.start(id)).toMatchObject({ ok: true })
        await ground.batches.ended(id)
        return ground.batches.show(id)
      }
      let shown = await run()
      // Ten failures in succession stop a batch; a user starts it again.
      while (shown.ok && shown.value.state === 'stopped') shown = await run()
      if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
      expect(await faultsAgainst(practice.ledger(), ground, id), saying).toEqual([])
      const { counts } = shown.value
      counted(task, {
        'bytes or rows': rows,
        'not sent': counts['not-sent'],
        'unknown': counts.unknown,
        'against the ledger': 0
      })
    } finally {
      relay.breaks = () => undefined
      await ground.close()
    }
  })
})
