/** The form of a pack: its structure, and that each text in it has only one spelling. */
import { z } from 'zod'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { demand, finding, Refusal } from '../refusal.ts'
import { base64, digestOfEnvelope, envelopeForm, type Envelope } from '#wire/evidence/dsse.ts'
import { packType, type Content, type OpenedPack, type PackFile } from './pack.ts'

/** Maximum nesting of objects and lists: beyond some depth, programs differ in what they can read. */
const deepest = 64

/** Whether a JSON text is nested deeper. Scans only its characters, so it works for any depth. */
export function isTooDeep(text: string): boolean {
  let level = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at += 1
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') level += 1
    else if (sign === '}' || sign === ']') level -= 1
    if (level > deepest) return true
  }
  return false
}

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
/** The range of a date (ECMAScript): 100,000,000 days around 1970. */
const time = z.int().min(-8.64e15).max(8.64e15)
const number = z.int().positive()
const count = z.int().nonnegative()
const link = z.tuple([number, count])
const shown = z.array(z.tuple([hex(16), z.string(), z.unknown()]))
const disclosed = z.strictObject({ shown, withheld: z.array(hex(32)) })
const erased = z.strictObject({ values: hex(32) })
const version = z.literal(1)

const eventSchema = z.strictObject({
  version,
  seq: number,
  at: time,
  kind: z.string(),
  subject: number.nullable(),
  record: number.nullable(),
  links: z.strictObject({
    all: link.optional(),
    subject: link.optional(),
    record: link.optional(),
    batch: link.optional()
  }),
  plain: disclosed,
  sealed: z.union([disclosed, erased]).nullable(),
  previous: hex(32),
  hash: hex(32),
  path: z.array(hex(32))
})
const bodySchema = z.union([disclosed.extend({ record: number, version }), erased.extend({ record: number, version })])

const contentSchema = z.strictObject({
  about: z.strictObject({ kind: z.enum(['record', 'batch', 'applicant']), id: z.string().nullable() }),
  attachments: z.array(z.strictObject({ bytes: count, name: z.string(), sha256: hex(32) })),
  bodies: z.array(bodySchema),
  consistency: z.strictObject({ path: z.array(hex(32)), root: hex(32), size: number }).nullable(),
  console: z.string(),
  events: z.array(eventSchema).min(1),
  origin: z.strictObject({ leaf: hex(32), path: z.array(hex(32)) }),
  profile: z.enum(['full', 'no-personal-data']),
  root: hex(32),
  signer: z.strictObject({ certificates: z.array(base64), key: hex(32) }),
  size: number
}) as unknown as z.ZodType<Content>

const fileSchema = z.strictObject({
  envelope: envelopeForm(packType),
  format: z.literal('veridesk-evidence'),
  timestamps: z.array(base64),
  version
}) as unknown as z.ZodType<PackFile>

/** Parses a text that must be canonical JSON of a structure. @param end What follows the JSON. */
function parsed<T>(text: string, schema: z.ZodType<T>, place: string, end = ''): T {
  demand(!isTooDeep(text), 'too-deep')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal(finding('not-json'))
  }
  const read = schema.safeParse(json)
  if (!read.success)
    throw new Refusal(
      finding('form-wrong', {
        place: `${place}${read.error.issues[0]?.path.map((name) => `.${String(name)}`).join('') ?? ''}`
      })
    )
  demand(isCanonical(read.data, text, end), 'not-canonical', { place })
  return read.data
}

/** Compares what was read, so that a name that the structure does not have cannot hide. */
function isCanonical(read: unknown, text: string, end: string): boolean {
  try {
    return canonical(read) + end === text
  } catch {
    // A number that is too large is read as infinite.
    return false
  }
}

/** The text in an envelope. */
function textIn({ payload }: Envelope, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(payload, 'base64'))
  } catch {
    throw new Refusal(finding('not-canonical', { place }))
  }
}

/** A file with its contents, if each has the form that the format requires. Throws a `Refusal`. */
export function openPack(text: string): OpenedPack {
  const file = parsed(text, fileSchema, 'file', '\n')
  const content = parsed(textIn(file.envelope, 'content'), contentSchema, 'content')
  return { file, content, digest: digestOfEnvelope(file.envelope) }
}
