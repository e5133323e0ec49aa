/** Responses that are almost answers: none may be read as an answer that the service did not give. */
import { sendVerification } from '#core/client/send.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { orderTo, startRawService, trustIn } from '../../../tests/service/support/client-services.ts'
import { seeded, type Random } from '../random.ts'

const whole = Buffer.from(
  '{"message":"Document “accepted”","score":0.97,"details":{"list":[1,2,{"message":"inner"}],"text":"a\\u0041\\n"}}'
)

/** The message that a response really contains: by this project's own reading of the rules, without its parser. */
function messageOf(body: Buffer): string | undefined {
  const text = body.toString('utf8')
  // What is not UTF-8 does not come back as it was.
  if (!Buffer.from(text).equals(body) || text.startsWith('\ufeff')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const own =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.getOwnPropertyDescriptor(value, 'message')?.value
        : undefined
    return typeof own === 'string' ? own : undefined
  } catch {
    return undefined
  }
}

const withByte = (random: Random): Buffer => {
  const copy = Buffer.from(whole)
  copy.writeUInt8(random(256), random(copy.length))
  return copy
}
const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'message',
  '"message"',
  '"message":',
  '"m"',
  'null',
  'true',
  '1e999',
  '\\',
  '\ufeff',
  '\u0000',
  '__proto__',
  '<html>',
  '{"message":"m"}',
  '{"__proto__":{"message":"m"}}',
  ' '
]
const composed = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)] ?? '').join(''))

const fixed: readonly (readonly [string, Buffer])[] = [
  ['empty, with status 200', ''],
  ['white space', ' \r\n\t'],
  ['HTML', '<html><body>{"message":"m"}</body></html>'],
  ['a byte order mark', '\ufeff{"message":"m"}'],
  ['a message of the prototype', '{"__proto__":{"message":"m"}}'],
  ['a message in a list', '[{"message":"m"}]'],
  ['a message that is no text', '{"message":1}'],
  ['two values', '{"message":"m"}{"message":"n"}'],
  ['a comment', '{"message":"m"} // x'],
  ['single quotes', "{'message':'m'}"],
  ['a trailing comma', '{"message":"m",}'],
  ['depth 100,000 of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['depth 100,000 of objects', `${'{"message":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['a depth of 100,000 that is not closed', `{"message":"m","x":${'['.repeat(100_000)}`],
  ['NaN', '{"message":NaN}'],
  ['UTF-16', Buffer.from('{"message":"m"}', 'utf16le')]
].map(([name, body]) => [String(name), Buffer.from(body as string)] as const)

/** Sends for each body. Errors: answers where there is none, another message, and messages that are not found. */
export async function proveReplies({ sized, progress }: SectionRun): Promise<Measured> {
  const faults: string[] = []
  const rows: (string | number)[][] = []
  const random = seeded(7)
  let body: Buffer = whole
  const service = await startRawService((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`)
    socket.end(body)
  })
  const trust = await trustIn()
  const times = sized(5000, 50)
  const step = Math.ceil(5000 / times)
  const lots: readonly (readonly [string, readonly (() => Buffer)[]])[] = [
    ['as it should be', [() => whole]],
    [
      'cut at each byte',
      Array.from({ length: Math.ceil(whole.length / step) }, (_, at) => () => whole.subarray(0, at * step))
    ],
    ['one byte changed', Array.from({ length: times }, () => () => withByte(random))],
    ['composed of pieces', Array.from({ length: times }, () => () => composed(random))],
    ...fixed.map(([name, bytes]) => [name, [() => bytes]] as const)
  ]
  try {
    for (const [name, bodies] of lots) {
      const counts = { answered: 0, unreadable: 0, wrong: 0 }
      for (const make of bodies) {
        body = make()
        const ending = await sendVerification(await orderTo(service.origin, { trust }))
        if (ending.outcome === 'answered' || ending.outcome === 'unreadable') counts[ending.outcome] += 1
        const message = messageOf(body)
        const right =
          message === undefined
            ? ending.outcome === 'unreadable'
            : ending.outcome === 'answered' && ending.message === message
        if (right) continue
        counts.wrong += 1
        faults.push(`${name}: ${JSON.stringify(body.toString('latin1').slice(0, 120))} ended as ${ending.outcome}`)
      }
      rows.push([name, bodies.length, counts.answered, counts.unreadable, counts.wrong])
      if (bodies.length > 1) progress(name)
    }
  } finally {
    service.end()
  }
  return { table: { columns: ['response', 'times', 'answered', 'invalid', 'read wrongly'], rows }, faults }
}
