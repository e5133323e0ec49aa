/**
 * Verifies a pack. `verifier/verify.mjs` does the same independently, for readers without a console; a test compares
 * the two.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { verifyInclusion } from '#kit/hashing/merkle.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { countersignaturesFinding } from '../countersigners.ts'
import { isWorthless, signatureFits } from '#wire/evidence/keys.ts'
import { namesInvolved } from './names.ts'
import { checkAbout, checkDisclosure, checkErased, checkReplies } from './meaning.ts'
import {
  countersignedText,
  fieldCommitment,
  packDigest,
  packFormat,
  packText,
  signedText,
  type Pack,
  type PackContent,
  type PackEvent,
  type PackField
} from './pack.ts'
import { must, refusal, Refusal } from '../refusal.ts'

export const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
const whole = z.int().nonnegative()
/** The range of a date (ECMAScript): 100,000,000 days around 1970. */
export const time = z.int().min(-8.64e15).max(8.64e15)
const field = z.strictObject({
  name: z.string(),
  commitment: hex(32),
  salt: hex(16).nullable(),
  value: z.string().nullable()
})
const payload = z.strictObject({ salt: hex(16), text: z.string() }).nullable()
/** An event as a pack contains it. */
export const eventSchema = z.strictObject({
  seq: z.int().positive(),
  at: time,
  kind: z.string(),
  subject: whole.nullable(),
  record: whole.nullable(),
  plain: z.string().nullable(),
  commitment: hex(32).nullable(),
  previous: hex(32),
  hash: hex(32),
  path: z.array(hex(32)),
  payload,
  fields: z.array(field)
})
export const bodySchema = z.strictObject({ record: whole, commitment: hex(32), payload, fields: z.array(field) })
const packSchema: z.ZodType<Pack> = z.strictObject({
  content: z.strictObject({
    about: z.union([
      z.strictObject({ kind: z.enum(['record', 'batch', 'applicant']), id: z.string() }),
      z.strictObject({ kind: z.enum(['record', 'batch', 'applicant']), id: z.null() })
    ]),
    bodies: z.array(bodySchema),
    chain: z.strictObject({ hash: hex(32), seq: z.int().positive() }),
    events: z.array(eventSchema).min(1),
    made: z.strictObject({ at: time, by: z.string().nullable(), console: z.string() }),
    profile: z.enum(['full', 'no-personal-data', 'for-applicant']),
    records: whole,
    tree: z.strictObject({ root: hex(32), size: z.int().positive() })
  }),
  countersignatures: z.array(
    z.strictObject({
      agrees: z.boolean(),
      at: time,
      by: z.string(),
      key: hex(32),
      note: z.string(),
      signature: hex(64)
    })
  ),
  format: z.literal(packFormat),
  signature: z.strictObject({ algorithm: z.literal('Ed25519'), key: hex(32), value: hex(64) }),
  version: z.literal(1)
}) as unknown as z.ZodType<Pack>

const bytes = (text: string): Buffer => Buffer.from(text, 'hex')
const sha256 = (...parts: readonly Buffer[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

type Entries = Pick<PackContent, 'bodies' | 'events'>

export interface CheckedFormat1 {
  readonly verified: boolean
  readonly findings: readonly EvidenceFinding[]
  /** Absent if the text is not a pack. */
  readonly pack?: Pack
  readonly withheld: number
}

/** Checks everything in a pack; never throws. */
export function checkFormat1(text: string): CheckedFormat1 {
  const findings: EvidenceFinding[] = []
  let pack: Pack | undefined
  let withheld = 0
  try {
    pack = readPack(text)
    const found = pack
    const { content, signature } = found
    findings.push({ what: 'format', passed: true, detail: 'A pack of version 1 in its canonical form.' })
    mustBeWorth('signature', signature.key)
    must(
      'signature',
      signatureFits(signature.key, signedText(content), signature.value),
      'The signature does not match the content.'
    )
    findings.push({ what: 'signature', passed: true, detail: 'The content is as it was signed.' })
    checkDisclosure(content)
    const hashed = checkEvents(found)
    findings.push({
      what: 'events',
      passed: true,
      detail: `${hashed} of ${content.events.length} events are shown whole, and their hashes are right.`
    })
    findings.push({
      what: 'inclusion',
      passed: true,
      detail: `All of them stand in the tree of ${content.tree.size} events.`
    })
    const opened = checkPayloads(content)
    checkErased(content)
    findings.push({ what: 'payloads', passed: true, detail: `${opened} payloads are what the chain committed to.` })
    withheld = checkFields(content)
    checkAbout(content)
    findings.push({
      what: 'fields',
      passed: true,
      detail: `${withheld} values are withheld, each behind its commitment.`
    })
    checkCountersignatures(found)
    if (found.countersignatures.length > 0)
      findings.push(
        countersignaturesFinding({ countersignatures: found.countersignatures, names: namesInvolved(found) })
      )
    return { verified: true, findings, pack, withheld }
  } catch (error) {
    const unread = error instanceof RangeError ? 'It is nested too deeply.' : 'The text cannot be read.'
    const finding =
      error instanceof Refusal ? error.finding : { what: 'format' as const, passed: false, detail: unread }
    return { verified: false, findings: [...findings, finding], withheld, ...(pack && { pack }) }
  }
}

function mustBeWorth(what: EvidenceFinding['what'], key: string): void {
  must(what, !isWorthless(key), 'One of its keys has small order: its signatures prove nothing.')
}

function readPack(text: string): Pack {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refusal('format', 'It is not JSON.')
  }
  const parsed = packSchema.safeParse(json)
  if (!parsed.success)
    throw refusal(
      'format',
      `This is not an evidence pack of version 1 (${parsed.error.issues[0]?.path.join('.') || 'as a whole'}).`
    )
  must('format', packText(parsed.data) === text, 'It is not in canonical form.')
  return parsed.data
}

/** The hash of an event that is shown completely; docs/decisions/0002-history-files.md. */
export function hashOf(event: PackEvent): string {
  const words = JSON.stringify([event.seq, event.at, event.kind, event.subject, event.record, event.plain])
  return sha256(
    bytes(event.previous),
    event.commitment === null ? Buffer.alloc(32) : bytes(event.commitment),
    Buffer.from(words, 'utf8')
  )
}

function checkEvents({ content: { events, chain, tree } }: Pack): number {
  let hashed = 0
  must('inclusion', tree.size === chain.seq, 'The tree and the chain differ in size.')
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    must('events', !before || before.seq < event.seq, `Event ${event.seq} is out of order.`)
    must(
      'events',
      before?.seq !== event.seq - 1 || before.hash === event.previous,
      `Event ${event.seq} does not follow the one before it.`
    )
    must('events', event.seq !== 1 || /^0+$/.test(event.previous), 'The first event follows another.')
    must('events', event.seq !== chain.seq || event.hash === chain.hash, 'The last event is not the chain’s head.')
    if (event.plain !== null) {
      must('events', hashOf(event) === event.hash, `Event ${event.seq} is not what was recorded.`)
      hashed += 1
    }
    const included = verifyInclusion(
      bytes(event.hash),
      event.seq - 1,
      tree.size,
      event.path.map(bytes),
      bytes(tree.root)
    )
    must('inclusion', included, `Event ${event.seq} is not in the tree.`)
  }
  return hashed
}

/** Checks that each payload is the recorded one, and each response the one that its event names; returns their number. */
export function checkPayloads({ events, bodies }: Entries): number {
  let count = 0
  const check = (
    commitment: string | null,
    shown: { readonly salt: string; readonly text: string } | null,
    where: string
  ): void => {
    if (!shown) return
    must(
      'payloads',
      commitment === sha256(bytes(shown.salt), Buffer.from(shown.text, 'utf8')),
      `The payload of ${where} is not what was recorded.`
    )
    count += 1
  }
  for (const { seq, commitment, payload: shown } of events) check(commitment, shown, `event ${seq}`)
  for (const body of bodies) check(body.commitment, body.payload, `the response of record ${body.record}`)
  checkReplies({ events, bodies })
  return count
}

/** Checks each value that is given by itself; returns the number of those that are withheld. */
export function checkFields({ events, bodies }: Entries): number {
  let withheld = 0
  const check = (fields: readonly PackField[], where: string): void => {
    const names = new Set<string>()
    for (const { name, commitment, salt, value } of fields) {
      must('fields', !names.has(name), `A value of ${where} occurs twice.`)
      names.add(name)
      must('fields', (salt === null) === (value === null), `A value of ${where} and its salt are not both present.`)
      if (salt === null || value === null) withheld += 1
      else
        must(
          'fields',
          fieldCommitment(salt, name, value) === commitment,
          `A value of ${where} does not match its commitment.`
        )
    }
  }
  for (const event of events) check(event.fields, `event ${event.seq}`)
  for (const body of bodies) check(body.fields, `the response of record ${body.record}`)
  return withheld
}

function checkCountersignatures(pack: Pack): void {
  const digest = packDigest(pack)
  const all = pack.countersignatures
  must(
    'countersignatures',
    new Set(all.map(canonical)).size === all.length,
    'It contains the same countersignature twice.'
  )
  for (const { signature, ...words } of all) {
    mustBeWorth('countersignatures', words.key)
    must('countersignatures', words.key !== pack.signature.key, 'It was countersigned with the key that signed it.')
    must(
      'countersignatures',
      signatureFits(words.key, countersignedText(digest, words), signature),
      `The countersignature of ${words.by} does not match.`
    )
  }
}
