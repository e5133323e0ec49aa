/**
 * An event as it travels: everything that its hash covers, the values that are shared with the salt of their digests,
 * and sealed parts as they are stored, under the key of their subject. docs/decisions/0018-team-exchange.md.
 */
import { z } from 'zod'
import { recordedValues, type Values } from '#kit/hashing/values.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { OutgoingEvent } from '#wire/history/exchange.ts'
import { hashedText } from '#wire/history/chain.ts'
import { sharesSealed, sharesValues } from './shared-kinds.ts'

/** The first byte of a content. */
export const contentVersion = 1

const hexOf = (bytes: number): z.ZodString => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
const count = z.int().min(0)
const link = z.tuple([count, count])
const headerSchema = z.strictObject({
  at: z.int(),
  // Another version may have further kinds.
  kind: z
    .string()
    .regex(/^[a-z-]+(?:\.[a-z-]+)+$/)
    .max(64),
  subject: count.nullable(),
  record: count.nullable(),
  links: z.strictObject({
    all: link.optional(),
    batch: link.optional(),
    record: link.optional(),
    subject: link.optional()
  }),
  /** The digest of the values of the plain part, and of the sealed one if there is one. */
  values: z.tuple([hexOf(32), hexOf(32).nullable()]),
  /** The text of the plain part with its salt; null if its values are not shared. */
  plain: z.strictObject({ salt: hexOf(16), text: z.string() }).nullable(),
  /** Bytes of the sealed part and of the sealed response, which follow in this order. */
  sealed: count.nullable(),
  reply: count.nullable()
})
type Header = z.output<typeof headerSchema>

/** An event of another installation. Its hash is not compared yet. */
export interface SharedEvent extends Omit<Header, 'sealed' | 'reply' | 'links'> {
  /** As the chain hashed it. */
  readonly links: string
  readonly sealed: Buffer | null
  readonly reply: Buffer | null
}

const saltEnd = 32
const valuesEnd = saltEnd + 64

/**
 * The content of an event of this installation, whose hash is not compared: damaged parts give an event with another one.
 *
 * @param without Its response, or all sealed parts, which are too large.
 */
export function contentOf(event: OutgoingEvent, without?: 'reply' | 'sealed'): Buffer {
  const { at, kind, subject, record, links, digests, plain } = event
  const isShared = sharesValues(event)
  const sealed = sharesSealed(event) && without !== 'sealed' ? event.sealed : null
  const reply = isShared && without === undefined ? event.reply : null
  const header: Header = {
    at,
    kind,
    subject,
    record,
    links: (objectOf(links) ?? {}) as Header['links'],
    values: [digests.slice(saltEnd, valuesEnd), digests.slice(valuesEnd) || null],
    plain: isShared ? { salt: digests.slice(0, saltEnd), text: plain } : null,
    sealed: sealed?.length ?? null,
    reply: reply?.length ?? null
  }
  const words = Buffer.from(JSON.stringify(header), 'utf8')
  const start = Buffer.alloc(5)
  start.writeUInt8(contentVersion, 0)
  start.writeUInt32BE(words.length, 1)
  return Buffer.concat([start, words, sealed ?? Buffer.alloc(0), reply ?? Buffer.alloc(0)])
}

/** Links in the form that the chain hashes: canonical JSON. */
function linksText(links: Header['links']): string {
  const parts = (['all', 'batch', 'record', 'subject'] as const).flatMap((name) =>
    links[name] ? [`"${name}":[${links[name].join(',')}]`] : []
  )
  return `{${parts.join(',')}}`
}

/** Reads a content; `newer` if its form is of a later version, undefined if it has no valid form. Never throws. */
export function readContent(content: Buffer): SharedEvent | 'newer' | undefined {
  if (content.length < 5) return undefined
  if (content.readUInt8(0) > contentVersion) return 'newer'
  const wordsEnd = 5 + content.readUInt32BE(1)
  if (content.readUInt8(0) !== contentVersion || wordsEnd > content.length) return undefined
  const header = headerOf(content.toString('utf8', 5, wordsEnd))
  if (!header) return undefined
  const sealedEnd = wordsEnd + (header.sealed ?? 0)
  if (sealedEnd + (header.reply ?? 0) !== content.length) return undefined
  // What belongs together: a part and its digest.
  if (header.values[1] === null && header.sealed !== null) return undefined
  return {
    ...header,
    links: linksText(header.links),
    sealed: header.sealed === null ? null : content.subarray(wordsEnd, sealedEnd),
    reply: header.reply === null ? null : content.subarray(sealedEnd)
  }
}

function headerOf(text: string): Header | undefined {
  try {
    const read = headerSchema.safeParse(JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

/**
 * The bytes that the hash of an event covers, at a place in a chain. Undefined if the values that travelled are not
 * those of its digests: two readers of one event could then see different things.
 */
export function hashedBytesOf(event: SharedEvent, seq: number, previous: Buffer): Buffer | undefined {
  const {
    at,
    kind,
    subject,
    record,
    links,
    plain: given,
    values: [plain, sealed]
  } = event
  if (given && !isOfDigest(given, plain)) return undefined
  const chained = { seq, at, kind: kind as EventKind, subject, record, links }
  return Buffer.from(hashedText(previous, chained, { plain, sealed }), 'utf8')
}

function isOfDigest(plain: NonNullable<SharedEvent['plain']>, digest: string): boolean {
  const values = recordedValues(plain.salt, plain.text, digest)
  if (values) known.set(plain, { values })
  return values !== undefined
}

/** By the plain part that they were read from. The hash needs them, and so does each table that follows from the event. */
const known = new WeakMap<NonNullable<SharedEvent['plain']>, { readonly values: Values | undefined }>()

/** The values of an event, read once; undefined if they are not shared or no object. */
export function valuesOf(plain: SharedEvent['plain']): Values | undefined {
  if (!plain) return undefined
  const before = known.get(plain)
  if (before) return before.values
  const values = objectOf(plain.text)
  known.set(plain, { values })
  return values
}

/** The values of a text of JSON, or undefined if it is no object. */
export function objectOf(text: string): Values | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Values) : undefined
  } catch {
    return undefined
  }
}
