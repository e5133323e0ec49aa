/**
 * The trigger values of the practice service, like the test values of payment sandboxes. The service, its tests and
 * `docs/practice.md` use this table.
 *
 * A trigger is part of the applicant's ID (`PRACTICE-429`; text after a dot is ignored, so `PRACTICE-429.0017`
 * and the like give many IDs) or of the path of any image URL (`/trigger/429`): see `naming.ts`.
 */
import type { Outcome } from '#contract/verification/outcomes.ts'
import { failWording, passWording, unclearWording } from './answers.ts'
import { applicantDetails } from './applicants.ts'
import { ordinary, ordinaryBody, raw, says, send, sendMessage, status, type Player } from './exchange.ts'
import * as faults from './faults.ts'

export interface TriggerNumber {
  readonly unit: string
  readonly usual: number
  readonly most: number
}

export interface Trigger {
  readonly name: string
  readonly group:
    | 'Answers'
    | 'Statuses'
    | 'Time and connection'
    | 'Redirects'
    | 'Invalid responses'
    | 'Size and coding'
    | 'Contents'
  /** The response, as one sentence for the documentation. */
  readonly does: string
  /** A number may follow the name: `slow-3`. */
  readonly number?: TriggerNumber
  /** The outcome of a verification with the console's default settings. */
  readonly outcome: Outcome
  readonly play: Player
}

/** A row as declared: its group and the group's default outcome are added below. */
type Row = Omit<Trigger, 'group' | 'outcome'> & Partial<Pick<Trigger, 'outcome'>>

const seconds = (usual: number): TriggerNumber => ({ unit: 'seconds', usual, most: 3600 })
const milliseconds = (usual: number): TriggerNumber => ({ unit: 'milliseconds', usual, most: 60_000 })
const busy = 'Too many requests. Please try again later.'

const nested = (depth: number): string => `{"message":"Deep.","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`

/** The given status for the first calls of a request, then the ordinary answer. */
function firstCalls(code: number, message: string): Player {
  return (exchange) => {
    if (exchange.calls() > exchange.number) ordinary(exchange)
    else sendMessage(exchange.response, code, message, { 'Retry-After': '0' })
  }
}

const answers: Row[] = [
  { name: 'pass', does: '200 with a success message, as without a trigger.', play: ordinary },
  {
    name: 'fail',
    does: '200 with a message that rejects the image.',
    play: says(({ operation }) => failWording(operation))
  },
  {
    name: 'unclear',
    does: '200 with an inconclusive message.',
    play: says(({ operation }) => unclearWording(operation))
  },
  {
    name: 'changes',
    does: '200 with an answer that differs on each call, to show the differences between two answers.',
    play: (exchange) => {
      const call = exchange.calls()
      const body = {
        message: call % 2 ? passWording(exchange.operation) : failWording(exchange.operation),
        attempt: call,
        score: Math.round(1000 / (call + 1)) / 1000,
        checks: {
          sharpness: 'passed',
          glare: call % 2 ? 'passed' : 'failed',
          ...(call > 1 && { tampering: 'passed' })
        },
        ...(call % 3 === 1 && { reviewer: null })
      }
      send(exchange.response, 200, JSON.stringify(body))
    }
  },
  {
    name: 'extra',
    does: '200 with additional fields, including nested objects and lists, for any operation.',
    play: (exchange) => {
      const { response, input, baseUrl } = exchange
      const details = applicantDetails(Object.values(input).join('\n'), baseUrl)
      send(response, 200, JSON.stringify({ ...ordinaryBody(exchange), ...details }))
    }
  },
  {
    name: 'echo',
    does: '200 with the three received credentials in the response, like a careless service.',
    play: ({ response, credentials }) =>
      send(response, 200, JSON.stringify({ message: `Received ${credentials.join(' and ')}.`, received: credentials }))
  }
]

const statuses: Row[] = [
  {
    name: '400',
    does: '400, bad request.',
    play: status(400, 'Bad request: the image could not be fetched from the given URL.')
  },
  {
    name: '401',
    does: '401, although the credentials are right.',
    play: status(401, 'Unauthorized: the credentials have expired.')
  },
  { name: '403', does: '403.', play: status(403, 'Forbidden: this operation is not part of your plan.') },
  { name: '404', does: '404 from the operation itself.', play: status(404, 'Applicant not found.') },
  {
    name: '409',
    does: '409.',
    play: status(409, 'Conflict: a verification of this applicant is already in progress.')
  },
  { name: '422', does: '422.', play: status(422, 'Unprocessable: no face was found in the image.') },
  {
    name: '429',
    does: '429 with Retry-After in seconds.',
    number: seconds(2),
    play: status(429, busy, ({ number }) => ({ 'Retry-After': String(number) }))
  },
  {
    name: '429-date',
    does: '429 with Retry-After as an HTTP date N seconds ahead.',
    number: seconds(2),
    play: status(429, busy, ({ number, now }) => ({ 'Retry-After': new Date(now() + number * 1000).toUTCString() }))
  },
  {
    name: '429-absurd',
    does: '429 with `Retry-After: 1e12`.',
    play: status(429, busy, () => ({ 'Retry-After': '1e12' }))
  },
  {
    name: '429-first',
    does: '429 for the first N calls of a request, then a pass.',
    number: { unit: 'calls', usual: 1, most: 1000 },
    play: firstCalls(429, busy)
  },
  { name: '500', does: '500.', play: status(500, 'Internal server error.') },
  {
    name: '502',
    outcome: 'invalid-response',
    does: '502 with a gateway’s HTML page.',
    play: raw(
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
      502,
      'text/html'
    )
  },
  {
    name: '503',
    does: '503 with Retry-After in seconds.',
    number: seconds(2),
    play: status(503, 'The service is temporarily unavailable.', ({ number }) => ({ 'Retry-After': String(number) }))
  },
  {
    name: '503-first',
    does: '503 for the first N calls of a request, then a pass.',
    number: { unit: 'calls', usual: 1, most: 1000 },
    play: firstCalls(503, 'The service is temporarily unavailable.')
  },
  {
    name: 'status',
    does: 'Status N, with a message.',
    number: { unit: 'status', usual: 418, most: 599 },
    play: ({ response, number }) => sendMessage(response, Math.max(200, number), `Status ${Math.max(200, number)}.`)
  }
]

const connection: Row[] = [
  {
    name: 'slow',
    outcome: 'answered',
    does: 'A pass after N seconds.',
    number: seconds(5),
    play: (exchange) => exchange.after(exchange.number * 1000, () => ordinary(exchange))
  },
  {
    name: 'drip',
    does: 'The headers at once, then the body of a pass, one byte every N milliseconds.',
    number: milliseconds(1000),
    play: faults.drip('body')
  },
  {
    name: 'drip-headers',
    does: 'The whole response, headers included, one byte every N milliseconds.',
    number: milliseconds(1000),
    play: faults.drip('head')
  },
  { name: 'silent', does: 'No response; the connection stays open.', play: faults.silent },
  { name: 'cut', does: 'The connection closes before any header.', play: faults.cut('before-headers') },
  { name: 'cut-headers', does: 'The connection closes in the middle of the headers.', play: faults.cut('mid-headers') },
  { name: 'cut-body', does: 'The connection closes in the middle of the body.', play: faults.cut('mid-body') },
  {
    name: 'cut-after',
    does: 'The connection closes after N bytes of the response.',
    number: { unit: 'bytes', usual: 100, most: 1_000_000 },
    play: faults.cutAfter
  },
  { name: 'reset', does: 'The connection is reset before any header.', play: faults.reset }
]

const redirects: Row[] = [301, 302, 303, 307, 308].map((code) => ({
  name: String(code),
  does: `${code} to \`/redirected\` at another host name of this computer.`,
  play: faults.redirect(code)
}))

const loginPage =
  '<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1><form><input name="user"></form></body></html>'

const invalidResponses: Row[] = [
  { name: 'html', does: '200 with a sign-in page in HTML.', play: raw(loginPage, 200, 'text/html; charset=utf-8') },
  { name: 'truncated', does: '200 with truncated JSON.', play: raw('{"message":"Photo valid') },
  {
    name: 'bom',
    does: '200 with two byte order marks before the JSON.',
    play: raw('\ufeff\ufeff{"message":"Validated after two byte order marks."}')
  },
  { name: 'empty', does: '200 with an empty body.', play: raw('') },
  { name: '204', does: '204, which has no body.', play: ({ response }) => void response.writeHead(204).end() },
  { name: 'array', does: '200 with an array.', play: raw('[{"message":"In an array."}]') },
  { name: 'null', does: '200 with `null`.', play: raw('null') },
  { name: 'no-message', does: '200 with an object that has no message.', play: raw('{"result":"ok"}') },
  { name: 'message-number', does: '200 with a message that is a number.', play: raw('{"message":42}') },
  {
    name: 'message-object',
    does: '200 with a message that is an object.',
    play: raw('{"message":{"text":"Nested."}}')
  },
  {
    name: 'proto',
    does: '200 with a message only under `__proto__`.',
    play: raw('{"__proto__":{"message":"Not its own."}}')
  },
  {
    name: 'invalid-utf8',
    does: '200 with bytes that are not valid UTF-8.',
    play: raw(Buffer.from('{"message":"Caf\xe9"}', 'latin1'))
  }
]

const sizes: Row[] = [
  {
    name: 'huge',
    does: '200 with a message of N KiB.',
    number: { unit: 'KiB', usual: 2048, most: 262_144 },
    play: faults.huge
  },
  { name: 'endless', does: '200 with a body that never ends.', play: faults.endless },
  { name: 'gzip', outcome: 'answered', does: 'A pass, compressed with gzip.', play: faults.compressed('gzip') },
  { name: 'br', outcome: 'answered', does: 'A pass, compressed with Brotli.', play: faults.compressed('br') },
  {
    name: 'bomb',
    does: '200 with gzip data that expands to N MiB.',
    number: { unit: 'MiB', usual: 64, most: 1024 },
    play: faults.bomb
  },
  {
    name: 'deep',
    outcome: 'answered',
    does: '200 with a message and lists nested N levels deep.',
    number: { unit: 'levels', usual: 100_000, most: 400_000 },
    play: (exchange) => send(exchange.response, 200, nested(exchange.number))
  }
]

const contents: Row[] = [
  {
    name: 'unicode',
    does: 'A message in many scripts, with combining marks and emoji.',
    play: says(() => 'Überprüft · проверено · 検証済み · تم التحقق · नमस्ते · Z͑ͫ͆a̴l͡g͢o · 👩🏽‍💻✅')
  },
  {
    name: 'bidi',
    does: 'A message with characters that reverse the reading direction.',
    play: says(() => 'Result: \u202edelifdelav ton\u202c \u2066(\u2067reversed\u2069)\u2069 \u200fend.')
  },
  {
    name: 'markup',
    does: 'A message with HTML that would run as script.',
    play: says(
      () =>
        '<script>alert(1)</script><img src=x onerror="alert(2)"><svg onload=alert(3)><a href="javascript:alert(4)">click</a> {{7*7}} ${7*7}'
    )
  },
  {
    name: 'formula',
    does: 'A message that a spreadsheet would run as a formula.',
    play: says(() => '=HYPERLINK("http://localhost/?x="&A1,"Passed")')
  },
  {
    name: 'control',
    does: 'A message with control characters, terminal sequences and line breaks.',
    play: says(() => 'Line one\r\nLine two\t\u0007\u001b[31mred\u001b[0m\u0000end')
  },
  {
    name: 'long',
    does: 'A message of N characters without a space.',
    number: { unit: 'characters', usual: 5000, most: 500_000 },
    play: says(({ number }) => 'a'.repeat(number))
  },
  { name: 'empty-message', does: 'A message that is an empty string.', play: says(() => '') },
  {
    name: 'big-number',
    does: 'Fields with numbers that a double cannot represent.',
    play: raw('{"message":"Numbers.","reference":12345678901234567890,"ratio":0.1234567890123456789,"huge":1e400}')
  },
  {
    name: 'twice',
    does: 'The field `message` twice in one object.',
    play: raw('{"message":"First.","message":"Second."}')
  }
]

const inGroup = (group: Trigger['group'], outcome: Outcome, rows: readonly Row[]): Trigger[] =>
  rows.map((row) => ({ outcome, ...row, group }))

/** Every trigger, in the order of the documentation. */
export const triggers: readonly Trigger[] = [
  ...inGroup('Answers', 'answered', answers),
  ...inGroup('Statuses', 'answered', statuses),
  ...inGroup('Time and connection', 'unknown', connection),
  ...inGroup('Redirects', 'invalid-response', redirects),
  ...inGroup('Invalid responses', 'invalid-response', invalidResponses),
  ...inGroup('Size and coding', 'invalid-response', sizes),
  ...inGroup('Contents', 'answered', contents)
]

const byName = new Map(triggers.map((trigger) => [trigger.name, trigger]))

/** Patterns for the trigger's name in an applicant's ID and in a URL's path. */
const marks = {
  'applicant-id': /^PRACTICE-([A-Za-z0-9-]+)(?:\.|$)/i,
  'url': /^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/trigger\/([A-Za-z0-9-]+)(?:[/?#]|$)/i
} as const

export interface FoundTrigger {
  readonly name: string
  /** Undefined if the table has no such trigger or its number is out of range. */
  readonly trigger: Trigger | undefined
  readonly number: number
}

/** Resolves names such as `slow-3`: a full match takes precedence over a name with a number. */
export function triggerNamed(text: string): FoundTrigger {
  const name = text.toLowerCase()
  const whole = byName.get(name)
  if (whole) return { name, trigger: whole, number: whole.number?.usual ?? 0 }
  const [, stem = '', digits = ''] = /^(.+)-(\d{1,9})$/.exec(name) ?? []
  const trigger = byName.get(stem)
  const fits = trigger?.number !== undefined && Number(digits) <= trigger.number.most
  return { name, trigger: fits ? trigger : undefined, number: Number(digits) }
}

/** The trigger in a field's value, if any. */
export function triggerIn(kind: keyof typeof marks, value: string): FoundTrigger | undefined {
  const name = marks[kind].exec(value)?.[1]
  return name === undefined ? undefined : triggerNamed(name)
}
