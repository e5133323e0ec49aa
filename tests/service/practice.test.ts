/**
 * The practice service over real sockets: what it accepts, what it rejects, and its ledger.
 * @deadlines
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { firstOperation, operationOf, operations } from '#contract/verification/operations.ts'
import { bodyDigest, markerHeader, readLedger } from '#practice/ledger.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { inputOf, plainSend, rightHeaders, wellFormed, withApplicant, type PlainRequest } from './practice-client.ts'

let service: PracticeService
beforeAll(async () => {
  service = await startPracticeService()
})
afterAll(() => service.close())

const send = (request: PlainRequest) => plainSend(service.baseUrl, request)
const messageOf = (text: string): string => (JSON.parse(text) as { message: string }).message

describe.each(operations)('$id', (operation) => {
  const good = inputOf(operation.id)

  it('answers a well-formed request', async () => {
    const reply = await send(wellFormed(service, operation.id, good))
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(messageOf(reply.text)).toMatch(/successfully\.$/)
  })

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s and says what is allowed', async (method) => {
    const reply = await send({ ...wellFormed(service, operation.id, good), method })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
  })

  it.each(credentials)('refuses a missing, wrong or padded $header', async ({ header }) => {
    const { [header]: right, ...others } = rightHeaders(service)
    for (const value of [undefined, 'wrong', `${right} x`, 'Bearer ' + right]) {
      const headers = { 'Content-Type': 'application/json', ...others, ...(value !== undefined && { [header]: value }) }
      const reply = await send({ ...wellFormed(service, operation.id, good), headers })
      expect(reply.status).toBe(401)
      expect(messageOf(reply.text)).toContain(header)
    }
  })

  it.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    ''
  ])('refuses the content type “%s”', async (type) => {
    const reply = await send({
      ...wellFormed(service, operation.id, good),
      headers: { ...rightHeaders(service), 'Content-Type': type }
    })
    expect(reply.status).toBe(415)
  })

  it('accepts a content type with the right charset', async () => {
    const headers = { ...rightHeaders(service), 'Content-Type': 'Application/JSON; Charset="UTF-8"' }
    expect((await send({ ...wellFormed(service, operation.id, good), headers })).status).toBe(200)
  })

  it.each(operation.fields)('names the field $name where it is missing, empty or no string', async ({ name }) => {
    for (const value of [undefined, '', 7, null, ['x'], { x: 1 }]) {
      const reply = await send(wellFormed(service, operation.id, { ...good, [name]: value }))
      expect(reply.status).toBe(400)
      expect(messageOf(reply.text)).toContain(`field ${name} `)
    }
  })

  it('refuses a field too many and names it', async () => {
    const reply = await send(wellFormed(service, operation.id, { ...good, colour: 'red' }))
    expect(reply.status).toBe(400)
    expect(messageOf(reply.text)).toContain('colour')
  })

  it.each(['', '{', '[]', 'null', '"text"', '{"a":1}}', '\ufeff{}'])('refuses the body %j', async (body) => {
    expect((await send({ ...wellFormed(service, operation.id, good), body })).status).toBe(400)
  })
})

describe('every request', () => {
  it.each([
    '/',
    '/kyc-api/v1.0/kyc',
    '/kyc-api/v2.0/kyc/validate-passport',
    `${operationOf(firstOperation).path}/`,
    `${operationOf(firstOperation).path}?x=1`
  ])('meets 404 in JSON at %s', async (path) => {
    const reply = await send({ path, headers: rightHeaders(service) })
    expect(reply.status).toBe(404)
    expect(messageOf(reply.text)).toContain('no such path')
  })

  it('is refused with 413 over one mebibyte', async () => {
    const reply = await send(
      wellFormed(service, withApplicant, inputOf(withApplicant, { applicant: 'x'.repeat(1024 * 1024) }))
    )
    expect(reply.status).toBe(413)
  })

  it('is refused where a URL is none', async () => {
    for (const url of ['file:///etc/passwd', 'not a url', 'javascript:alert(1)', 'http://']) {
      const reply = await send(wellFormed(service, firstOperation, inputOf(firstOperation, { url })))
      expect([reply.status, messageOf(reply.text)]).toEqual([
        400,
        expect.stringContaining('must be an http or https URL')
      ])
    }
  })

  it('takes other credentials when told so, and listens on loopback only', async () => {
    const other = await startPracticeService({ credentials: { 'api-key': 'another' } })
    try {
      expect((await plainSend(other.baseUrl, wellFormed(other, withApplicant, inputOf(withApplicant)))).status).toBe(
        200
      )
      expect((await plainSend(other.baseUrl, wellFormed(service, withApplicant, inputOf(withApplicant)))).status).toBe(
        401
      )
    } finally {
      await other.close()
    }
    await expect(startPracticeService({ host: '0.0.0.0' })).rejects.toThrow('this machine only')
  })
})

describe('the answers', () => {
  const lookUp =
    operations.find(({ fields }) => fields.every(({ kind }) => kind === 'applicant-id'))?.id ?? withApplicant

  it('give the same applicant the same details, and another one others', async () => {
    const details = async (applicant: string) =>
      (await send(wellFormed(service, lookUp, { ...inputOf(lookUp, { applicant }) }))).text
    expect(await details('APP-1')).toBe(await details('APP-1'))
    const one = JSON.parse(await details('APP-1')) as Record<string, unknown>
    expect(one).toMatchObject({
      applicant_id: 'APP-1',
      name: expect.any(String),
      date_of_birth: expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    })
    expect(one['documents']).toHaveLength(2)
    expect(one).not.toEqual({ ...(JSON.parse(await details('APP-2')) as object), applicant_id: 'APP-1' })
  })

  it('name document images that the service itself serves', async () => {
    const { text } = await send(wellFormed(service, lookUp, inputOf(lookUp)))
    const { documents } = JSON.parse(text) as { documents: { image_url: string }[] }
    for (const { image_url: url } of documents) {
      const image = await plainSend(service.baseUrl, { method: 'GET', path: new URL(url).pathname })
      expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png'])
      expect(image.body.subarray(1, 4).toString()).toBe('PNG')
      expect(image.body.length).toBe(Number(image.headers['content-length']))
    }
  })

  it('wait as long as the latency says', async () => {
    const slow = await startPracticeService({ latency: { min: 120, max: 140 } })
    try {
      const reply = await plainSend(slow.baseUrl, wellFormed(slow, withApplicant, inputOf(withApplicant)))
      expect(reply.headersAfter).toBeGreaterThanOrEqual(118)
    } finally {
      await slow.close()
    }
  })
})

describe('the samples', () => {
  const get = (path: string, method = 'GET') => send({ path, method })

  it('are found by their last segment, and unknown ones are told', async () => {
    expect((await get('/samples/trigger/fail/passport.png')).status).toBe(200)
    expect((await get('/samples/portrait.png?signature=abc')).status).toBe(200)
    const missing = await get('/samples/../../package.json')
    expect(missing.status).toBe(404)
    expect((await get('/samples/nobody.png')).status).toBe(404)
    expect((await get('/samples/passport.png', 'POST')).status).toBe(405)
    const head = await get('/samples/passport.png', 'HEAD')
    expect([head.status, head.body.length, Number(head.headers['content-length']) > 1000]).toEqual([200, 0, true])
  })

  it('hold one whose picture changes behind the same address', async () => {
    expect((await get('/samples/changing.png')).body.equals((await get('/samples/changing.png')).body)).toBe(false)
  })
})

describe('the ledger', () => {
  it('has one entry a request, refused ones too, with digest and marker', async () => {
    const own = await startPracticeService({ now: () => 1234 })
    try {
      const good = wellFormed(own, withApplicant, inputOf(withApplicant, { applicant: 'PRACTICE-cut' }))
      await expect(
        plainSend(own.baseUrl, { ...good, headers: { ...good.headers, [markerHeader]: 'm-1' } })
      ).rejects.toThrow()
      await plainSend(own.baseUrl, { ...good, headers: { 'Content-Type': 'application/json' } })
      await plainSend(own.baseUrl, { path: '/elsewhere' })
      const digest = bodyDigest(good.body ?? '')
      expect(own.ledger()).toEqual([
        {
          id: 1,
          time: 1234,
          method: 'POST',
          path: good.path,
          operation: withApplicant,
          digest,
          accepted: true,
          credentials: 3,
          marker: 'm-1'
        },
        {
          id: 2,
          time: 1234,
          method: 'POST',
          path: good.path,
          operation: withApplicant,
          digest,
          accepted: false,
          credentials: 0
        },
        {
          id: 3,
          time: 1234,
          method: 'POST',
          path: '/elsewhere',
          operation: null,
          digest: bodyDigest(''),
          accepted: false,
          credentials: 0
        }
      ])
    } finally {
      await own.close()
    }
  })

  it('is in the file before any byte of the reply, and has no request whose body broke off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'practice-'))
    const file = join(folder, 'ledger.jsonl')
    const own = await startPracticeService({ ledger: file, latency: 60_000 })
    try {
      const body = JSON.stringify(inputOf(withApplicant))
      const half = connect(Number(new URL(own.baseUrl).port), '127.0.0.1')
      half.on('error', () => {})
      half.write(`POST ${operationOf(firstOperation).path} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n${body}`)
      void plainSend(own.baseUrl, wellFormed(own, withApplicant, inputOf(withApplicant))).catch(() => {})
      await expect.poll(() => readLedger(file).length).toBe(1)
      half.destroy()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(own.ledger().map(({ digest }) => digest)).toEqual([bodyDigest(body)])
    } finally {
      await own.close()
      await rm(folder, { recursive: true })
    }
  })
})

describe('starting and stopping', () => {
  it('reports a port that is taken', async () => {
    const port = Number(new URL(service.baseUrl).port)
    await expect(startPracticeService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('closes at once, whatever is in progress', async () => {
    const own = await startPracticeService()
    const under = plainSend(
      own.baseUrl,
      wellFormed(own, withApplicant, inputOf(withApplicant, { applicant: 'PRACTICE-silent' }))
    ).catch((reason: Error) => reason)
    await expect.poll(() => own.ledger().length).toBe(1)
    // The request would never be answered: closing that waited for it would not end.
    await own.close()
    expect(await under).toBeInstanceOf(Error)
  })

  it('keeps up with a bare server of Node to within a factor of five', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const time = async (baseUrl: string): Promise<number> => {
      const request = { ...wellFormed(service, withApplicant, inputOf(withApplicant)), agent }
      const begun = performance.now()
      await Promise.all(Array.from({ length: 500 }, () => plainSend(baseUrl, request)))
      return performance.now() - begun
    }
    const bare = createServer((request, response) => {
      request.resume().on('end', () => response.end('{"message":"ok"}'))
    })
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
    try {
      const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
      // The best of five runs each, alternating: a busy machine slows both.
      const best = { bare: Infinity, own: Infinity }
      for (let round = 0; round < 5; round++) {
        best.bare = Math.min(best.bare, await time(bareUrl))
        best.own = Math.min(best.own, await time(service.baseUrl))
      }
      console.info(`500 requests: bare ${Math.round(best.bare)} ms, practice ${Math.round(best.own)} ms`)
      expect(best.own).toBeLessThan(best.bare * 5)
    } finally {
      agent.destroy()
      bare.closeAllConnections()
      bare.close()
    }
  })
})
