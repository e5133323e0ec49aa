/** Synthetic verifications for testing the history at size: a realistic mix, deterministic for a given number. */
import { failure } from '#contract/failures/failures.ts'
import { applicantFieldOf, operationOf, operations, type OperationId } from '#contract/verification/operations.ts'
import { recordContextValues, type RecordContext } from '#contract/history/record-context.ts'
import type { RecordConnection, RecordEnding } from '#contract/history/records.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'

/** Circumstances of made-up verifications: each that is declared has a value of its type, so that a new one is added nowhere else. */
export const madeUpContext = (given: Partial<RecordContext>): RecordContext =>
  ({
    ...Object.fromEntries(
      Object.entries(recordContextValues).map(([name, words]) => [name, words.startsWith('text') ? name : false])
    ),
    credentialFingerprint: '0011223344556677',
    consoleVersion: '1.0.0',
    operator: 'tester',
    timeZone: 'Africa/Accra',
    ...given
  }) as RecordContext

const day = 86_400_000
const years = 2

type Weighted = RecordConnection & { readonly weight: number }
const connections: readonly [Weighted, ...Weighted[]] = [
  {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Live',
    origin: 'https://kyc.example.com',
    mode: 'live',
    colour: 'red',
    mark: 'LV',
    weight: 70
  },
  {
    id: '00000000-0000-4000-8000-000000000002',
    name: 'Branch office',
    origin: 'https://kyc.example.net',
    mode: 'live',
    colour: 'orange',
    mark: 'BR',
    weight: 18
  },
  {
    id: '00000000-0000-4000-8000-000000000003',
    name: 'Sandbox',
    origin: 'https://sandbox.example.com',
    mode: 'sandbox',
    colour: 'blue',
    mark: 'SB',
    weight: 9
  },
  {
    id: '00000000-0000-4000-8000-000000000004',
    name: 'Practice',
    origin: 'http://127.0.0.1:4010',
    mode: 'sandbox',
    colour: 'teal',
    mark: 'PR',
    weight: 3
  }
]
const weights: readonly number[] = [22, 18, 20, 14, 12, 14]
const good: readonly [string, ...string[]] = [
  'Validation successful',
  'Document accepted',
  'Photo matches the document',
  'Applicant found',
  'Passport is valid',
  'Face detected'
]
const bad: readonly [string, ...string[]] = [
  'Image could not be fetched',
  'Document is blurred',
  'Face not found in the photo',
  'Applicant not found',
  'Document has expired',
  'Bad request'
]
const names: readonly [string, ...string[]] = [
  'Amara',
  'Jonas',
  'Sofía',
  'Wei',
  'Nadia',
  'Tomasz',
  'Leïla',
  'Hugo',
  'Mirjam',
  'Arjun',
  'Chloé',
  'Dmitri',
  'Grace',
  'Yuki'
]
const families: readonly [string, ...string[]] = [
  'Okafor',
  'Lindqvist',
  'García',
  'Zhang',
  'Haddad',
  'Nowak',
  'Dupont',
  'Weber',
  'Patel',
  'Ivanova',
  'Mensah',
  'Tanaka'
]

/** A small, fast, deterministic generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface SeedCheck {
  readonly intent: RecordIntent
  readonly ending: RecordEnding
}

/** Generates `count` verifications over the two years before `now`. */
export function* seedChecks(count: number, now: number): Generator<SeedCheck> {
  const next = random(count)
  const below = (limit: number): number => Math.floor(next() * limit)
  const one = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0]
  const weighted = <T>(list: readonly [T, ...T[]], weightOf: (item: T, index: number) => number): T => {
    let left = next() * list.reduce((sum, item, index) => sum + weightOf(item, index), 0)
    return list.find((item, index) => (left -= weightOf(item, index)) < 0) ?? list[0]
  }
  const applicants = Math.max(1, Math.floor(count * 0.4))
  for (let n = 0; n < count; n += 1) {
    const startedAt = Math.floor(now - years * 365 * day * (1 - n / count) + below(400))
    const operation = weighted<{ readonly id: OperationId }>(operations, (_, index) => weights[index] ?? 10).id
    const { weight: _, ...connection } = weighted(connections, ({ weight }) => weight)
    const applicant = `APP-${String(below(applicants)).padStart(7, '0')}`
    const input: Record<string, string> = {}
    for (const field of operationOf(operation).fields) {
      const file = `${field.name.replace(/_url$/, '').replaceAll('_', '-')}-${below(0xffffff).toString(16)}.jpg`
      input[field.name] =
        field.kind === 'applicant-id'
          ? applicant
          : `https://files.example.com/${new Date(startedAt).toISOString().slice(0, 7)}/${file}`
    }
    const intent: RecordIntent = {
      ...madeUpContext({
        path: operationOf(operation).path,
        credentialFingerprint: 'seed000000000000',
        operator: one(['amara', 'jonas', 'nadia'])
      }),
      operation,
      connection,
      input,
      applicantId: applicantFieldOf(operation) ? applicant : undefined,
      startedAt
    }
    yield { intent, ending: endingOf(operation) }
  }

  function endingOf(operation: OperationId): Omit<RecordEnding, 'endedAt'> & { endedAt: number } {
    const took = 40 + Math.floor(next() ** 3 * 4000)
    const lot = next()
    if (lot > 0.995)
      return { outcome: 'unknown', endedAt: 0, took: 30_000, failure: failure('total-timeout', { seconds: 30 }) }
    if (lot > 0.985)
      return { outcome: 'not-sent', endedAt: 0, failure: failure('name-not-found', { host: 'kyc.example.com' }) }
    const html = lot > 0.98
    const status = html
      ? 502
      : weighted([200, 400, 404, 429, 500, 503], (code) =>
          code === 200 ? 86 : code === 400 ? 9 : code === 503 ? 0.02 : 1.2
        )
    const message = status === 200 ? one(good) : one(bad)
    const details =
      operation === 'get-applicant-details' && status === 200
        ? { name: `${one(names)} ${one(families)}`, country: one(['GH', 'SE', 'ES', 'CN', 'PL', 'FR', 'IN']) }
        : {}
    const body = html
      ? '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
      : JSON.stringify({ message, ...details, reference: below(0xffffffff).toString(16) })
    const reply = {
      status,
      statusText: '',
      headers: [['content-type', html ? 'text/html' : 'application/json']] as const,
      body,
      bytes: Buffer.byteLength(body),
      truncated: false
    }
    return html
      ? {
          outcome: 'invalid-response',
          endedAt: 0,
          took,
          reply,
          failure: failure('reply-not-json', { reason: 'web-page' })
        }
      : { outcome: 'answered', endedAt: 0, took, reply, message }
  }
}

export const busyApplicant = 'APP-BUSY-0001'
export const busyChecks = 1000

/**
 * Like `seedChecks`, but some of those with an applicant belong to the busy one, spread over the two years and
 * including the newest.
 *
 * @param busy Their number; at most a third of all.
 */
export function* withBusyApplicant(records: number, now: number, busy = busyChecks): Generator<SeedCheck> {
  const naming = [...seedChecks(records, now)]
  const places = naming.flatMap(({ intent }, index) => (intent.applicantId === undefined ? [] : [index]))
  const step = Math.floor(places.length / busy)
  const chosen = new Set(places.filter((_, at) => (places.length - 1 - at) % step === 0).slice(-busy))
  for (const [index, check] of naming.entries()) {
    const { intent } = check
    const field = applicantFieldOf(intent.operation)
    yield chosen.has(index) && field !== undefined
      ? {
          ...check,
          intent: { ...intent, applicantId: busyApplicant, input: { ...intent.input, [field]: busyApplicant } }
        }
      : check
  }
}
