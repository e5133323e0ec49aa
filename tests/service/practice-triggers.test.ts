/**
 * Every trigger of the practice service over a real socket, compared with its table.
 * @deadlines
 */
import { performance } from 'node:perf_hooks'
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationOf, operations } from '#contract/verification/operations.ts'
import { failWording, unclearWording } from '#practice/answers.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { triggers } from '#practice/triggers.ts'
import { inputOf, plainSend, wellFormed, withApplicant, withUrlOnly, type PlainReply } from './practice-client.ts'

let service: PracticeService
beforeAll(async () => {
  service = await startPracticeService()
})
afterAll(() => service.close())

const operation = operationOf(withApplicant)
const byApplicant = (name: string, enough?: number): Promise<PlainReply> =>
  plainSend(service.baseUrl, {
    ...wellFormed(service, withApplicant, inputOf(withApplicant, { applicant: `PRACTICE-${name}` })),
    ...(enough !== undefined && { enough })
  })
const byUrl = (name: string): Promise<PlainReply> =>
  plainSend(
    service.baseUrl,
    wellFormed(
      service,
      withUrlOnly,
      inputOf(withUrlOnly, { url: `https://files.example.com/a/trigger/${name}/b.jpg?x=1` })
    )
  )

const bodyOf = ({ text }: PlainReply): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>
const messageOf = (reply: PlainReply): unknown => bodyOf(reply)['message']

/** A 200 of valid JSON with this message. */
const says = (message: unknown) => async (name: string) => {
  const reply = await byApplicant(name)
  expect([reply.status, messageOf(reply)]).toEqual([200, message])
}
const statusOf = (code: number) => async (name: string) => {
  for (const reply of [await byApplicant(name), await byUrl(name)])
    expect([reply.status, messageOf(reply)]).toEqual([code, expect.any(String)])
}
const retryAfter =
  (code: number, seconds: string, inName = '') =>
  async (name: string) => {
    const reply = await byApplicant(name + inName)
    expect([reply.status, reply.headers['retry-after']]).toEqual([code, seconds])
  }
const refusedFirst = (code: number) => async (name: string) => {
  const seen = []
  for (let call = 0; call < 4; call++) seen.push((await byApplicant(`${name}-2`)).status)
  expect(seen).toEqual([code, code, 200, 200])
}
const breaksOff =
  (code: string, inName = '') =>
  async (name: string) => {
    await expect(byApplicant(name + inName)).rejects.toMatchObject({ code })
  }
const movesTo = (code: number) => async (name: string) => {
  const before = service.ledger().length
  const reply = await byApplicant(name)
  expect([reply.status, reply.headers.location]).toEqual([
    code,
    `http://localhost:${new URL(service.baseUrl).port}/redirected`
  ])
  expect(service.ledger().length).toBe(before + 1)
}
const rawText =
  (text: string, type = 'application/json') =>
  async (name: string) => {
    const reply = await byApplicant(name)
    expect([reply.status, reply.text]).toEqual([200, text])
    expect(reply.headers['content-type']).toContain(type)
  }
const unparsable = async (name: string) => {
  const reply = await byApplicant(name)
  expect(reply.status).toBe(200)
  expect(() => JSON.parse(reply.text) as unknown).toThrow()
}
const pass = 'Applicant photo and ID validated successfully.'

const expected: Record<string, (name: string) => Promise<unknown>> = {
  'pass': says(pass),
  'fail': says(failWording(operation)),
  'unclear': says(unclearWording(operation)),
  'changes': async (name) => {
    const replies = [await byApplicant(name), await byApplicant(name), await byApplicant(name)]
    expect(replies.map((reply) => bodyOf(reply)['attempt'])).toEqual([1, 2, 3])
    expect(messageOf(replies[0] as PlainReply)).not.toBe(messageOf(replies[1] as PlainReply))
  },
  'extra': async (name) => {
    const body = bodyOf(await byUrl(name))
    expect(body).toMatchObject({
      message: expect.any(String),
      documents: [{ type: 'passport' }, { type: 'id_card' }],
      risk: {}
    })
  },
  'echo': async (name) => {
    const { text } = await byApplicant(name)
    for (const value of Object.values(service.credentials)) expect(text).toContain(value)
  },
  ...Object.fromEntries([400, 401, 403, 404, 409, 422, 500].map((code) => [String(code), statusOf(code)])),
  '429': async (name) => {
    await retryAfter(429, '2')(name)
    await retryAfter(429, '30', '-30')(name)
  },
  '429-date': async (name) => {
    const reply = await byApplicant(`${name}-60`)
    const ahead = Date.parse(reply.headers['retry-after'] ?? '') - Date.now()
    expect(reply.headers['retry-after']).toMatch(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/)
    expect(ahead).toBeGreaterThan(55_000)
    expect(ahead).toBeLessThanOrEqual(60_000)
  },
  '429-absurd': retryAfter(429, '1e12'),
  '429-first': refusedFirst(429),
  '502': async (name) => {
    const reply = await byApplicant(name)
    expect([reply.status, reply.headers['content-type']]).toEqual([502, 'text/html'])
  },
  '503': retryAfter(503, '7', '-7'),
  '503-first': refusedFirst(503),
  'status': async (name) => {
    expect((await byApplicant(name)).status).toBe(418)
    expect((await byApplicant(`${name}-507`)).status).toBe(507)
    expect((await byApplicant(`${name}-600`)).status).toBe(400)
  },
  'slow': async (name) => {
    const reply = await byApplicant(`${name}-1`)
    expect(reply.headersAfter).toBeGreaterThan(990)
    expect(messageOf(reply)).toBe(pass)
  },
  'drip': async (name) => {
    const reply = await byApplicant(`${name}-4`)
    expect(reply.endedAfter - reply.headersAfter).toBeGreaterThan(4 * (reply.body.length - 2))
    expect(messageOf(reply)).toBe(pass)
  },
  'drip-headers': async (name) => {
    const reply = await byApplicant(`${name}-2`)
    expect(reply.headersAfter).toBeGreaterThan(200)
    expect(messageOf(reply)).toBe(pass)
  },
  'silent': async (name) => {
    const quiet = await startPracticeService()
    const reply = plainSend(
      quiet.baseUrl,
      wellFormed(quiet, withApplicant, inputOf(withApplicant, { applicant: `PRACTICE-${name}` }))
    )
    const waited = new Promise((resolve) => setTimeout(() => resolve('nothing'), 300))
    expect(await Promise.race([reply.catch(() => 'broke off'), waited])).toBe('nothing')
    await quiet.close()
  },
  'cut': breaksOff('ECONNRESET'),
  'cut-headers': breaksOff('ECONNRESET'),
  'cut-body': breaksOff('ECONNRESET'),
  'cut-after': async (name) => {
    for (const at of [0, 1, 16, 100, 150]) await breaksOff('ECONNRESET', `-${at}`)(name)
    expect(messageOf(await byApplicant(`${name}-100000`))).toBe(pass)
  },
  'reset': breaksOff('ECONNRESET'),
  ...Object.fromEntries([301, 302, 303, 307, 308].map((code) => [String(code), movesTo(code)])),
  'html': async (name) => {
    const reply = await byApplicant(name)
    expect(reply.headers['content-type']).toContain('text/html')
    expect(reply.text).toContain('Sign in')
  },
  'truncated': unparsable,
  'bom': async (name) => {
    await unparsable(name)
    expect([...(await byApplicant(name)).body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  },
  'empty': rawText(''),
  '204': async (name) => {
    const reply = await byApplicant(name)
    expect([reply.status, reply.text]).toEqual([204, ''])
  },
  'array': rawText('[{"message":"In an array."}]'),
  'null': rawText('null'),
  'no-message': says(undefined),
  'message-number': says(42),
  'message-object': says({ text: 'Nested.' }),
  'proto': async (name) => {
    expect(Object.keys(bodyOf(await byApplicant(name)))).toEqual(['__proto__'])
  },
  'invalid-utf8': async (name) => {
    const { body } = await byApplicant(name)
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow()
  },
  'deep': async (name) => {
    expect((await byApplicant(name)).text.match(/\[/g)).toHaveLength(100_000)
    expect((await byApplicant(`${name}-3`)).text).toBe('{"message":"Deep.","deep":[[[]]]}')
  },
  'huge': async (name) => {
    expect(((await byApplicant(name)).body.length / 1024) | 0).toBe(2048)
    expect(String(messageOf(await byApplicant(`${name}-3`)))).toHaveLength(3072)
  },
  'endless': async (name) => {
    expect((await byApplicant(name, 20 * 1024 * 1024)).body.length).toBeGreaterThanOrEqual(20 * 1024 * 1024)
  },
  'gzip': async (name) => {
    const reply = await byApplicant(name)
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(reply.body).toString())).toEqual({ message: pass })
  },
  'br': async (name) => {
    const reply = await byApplicant(name)
    expect(reply.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(reply.body).toString())).toEqual({ message: pass })
  },
  'bomb': async (name) => {
    const reply = await byApplicant(`${name}-8`)
    expect(reply.body.length).toBeLessThan(200_000)
    let unpacked = 0
    for await (const part of createGunzip().end(reply.body)) unpacked += (part as Buffer).length
    expect(unpacked).toBeGreaterThan(8 * 1024 * 1024)
  },
  'unicode': async (name) => {
    expect(messageOf(await byApplicant(name))).toMatch(/検証済み.*👩🏽‍💻/u)
  },
  'bidi': async (name) => {
    expect(messageOf(await byApplicant(name))).toMatch(/\u202e.*\u2067/)
  },
  'markup': async (name) => {
    expect(messageOf(await byApplicant(name))).toContain('<script>')
  },
  'formula': async (name) => {
    expect(messageOf(await byApplicant(name))).toMatch(/^=HYPERLINK/)
  },
  'control': async (name) => {
    expect(messageOf(await byApplicant(name))).toContain('\r\nLine two\t\u0007\u001b[31m')
  },
  'long': async (name) => {
    expect(messageOf(await byApplicant(`${name}-120000`))).toHaveLength(120_000)
  },
  'empty-message': says(''),
  'big-number': async (name) => {
    expect((await byApplicant(name)).text).toContain(':12345678901234567890,')
  },
  'twice': rawText('{"message":"First.","message":"Second."}')
}

describe('the triggers', () => {
  it('are all tested here', () => {
    expect(Object.keys(expected).toSorted()).toEqual(triggers.map(({ name }) => name).toSorted())
  })

  it.concurrent.each(triggers.filter(({ name }) => !/^(3\d\d|cut|reset|endless)/.test(name)))(
    '$name: $does',
    async ({ name }) => void (await expected[name]?.(name))
  )
  it.each(triggers.filter(({ name }) => /^(3\d\d|cut|reset|endless)/.test(name)))(
    '$name: $does',
    async ({ name }) => void (await expected[name]?.(name))
  )

  it('are named in any letter case, and text after a dot gives many IDs', async () => {
    for (const id of ['practice-404', 'PRACTICE-404.0001', 'Practice-404.x.y'])
      expect(
        (
          await plainSend(
            service.baseUrl,
            wellFormed(service, withApplicant, inputOf(withApplicant, { applicant: id }))
          )
        ).status
      ).toBe(404)
  })

  it('that do not exist are refused by name', async () => {
    for (const reply of [await byApplicant('nonsense'), await byUrl('nonsense'), await byApplicant('slow-999999')])
      expect([reply.status, messageOf(reply)]).toEqual([
        400,
        expect.stringMatching(/no trigger “(nonsense|slow-999999)”/)
      ])
  })

  it.each(['MY-PRACTICE-404', 'PRACTICE', 'PRACTICE404', 'PRACTICE-404 x'])(
    'are not seen in the id %j',
    async (applicant) => {
      const reply = await plainSend(
        service.baseUrl,
        wellFormed(service, withApplicant, inputOf(withApplicant, { applicant }))
      )
      expect(reply.status).toBe(200)
    }
  )

  it.each([
    'https://x.example/?u=/trigger/404',
    'https://x.example/#/trigger/404',
    'https://x.example/my-trigger/404',
    'https://x.example/trigger/'
  ])('are not seen in the URL %s', async (url) => {
    expect(
      (await plainSend(service.baseUrl, wellFormed(service, withUrlOnly, inputOf(withUrlOnly, { url })))).status
    ).toBe(200)
  })

  it('work in each URL field of each operation', async () => {
    for (const { id, fields } of operations) {
      for (const { name } of fields.filter(({ kind }) => kind === 'url')) {
        const input = { ...inputOf(id), [name]: 'http://127.0.0.1/trigger/422' }
        expect((await plainSend(service.baseUrl, wellFormed(service, id, input))).status).toBe(422)
      }
    }
  })

  it('leave nothing behind: the endless one stops when its reader goes', async () => {
    await byApplicant('endless', 1024 * 1024)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = performance.eventLoopUtilization()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })
})
