/**
 * Salted digests of single values: each value of an event can be shown and proved by itself, and a withheld one cannot
 * be guessed. docs/evidence-format.md, "Events".
 */
import { hash } from 'node:crypto'
import { canonical, recordedJson } from './canonical-json.ts'
import { jsonOf } from './json.ts'

/** A value that is shown: 32 hex digits of salt, its name, and any JSON value. */
export type ShownValue = readonly [salt: string, name: string, value: unknown]

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** The digest of a single value, hex. */
export const valueDigest = (shown: ShownValue): string => sha256(canonical(shown))

/** The digest of a part, from the digests of its values in any order; hex. */
export const valuesDigest = (digests: readonly string[]): string => sha256(canonical([...digests].sort()))

/** Salts in a hash of 64 bytes, each of 16 bytes. */
const saltsInHash = 4

/**
 * Salts of a part's values in the order of `namedValues`, hex: derived from the part's secret salt, and nobody can
 * derive one from others. Four come from each hash, because a history computes them for every value that it records.
 */
const saltsFrom = (secret: string, index: number): string =>
  hash('sha512', `["veridesk-values","${secret}",${index}]`, 'hex')

/** The entries of a part by name; those of an entry `input` are separate values. Entries that are undefined are left out. */
export function namedValues(part: Readonly<Record<string, unknown>>): NamedValue[] {
  const values: NamedValue[] = []
  for (const name of Object.keys(part)) {
    const value = part[name]
    if (name === 'input' && typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [field, each] of Object.entries(value as Readonly<Record<string, unknown>>))
        values.push([`input.${field}`, each])
    else if (value !== undefined) values.push([name, value])
  }
  return values
}
type NamedValue = readonly [name: string, value: unknown]

/** All values of a part with their salts, sorted by name. @param secret The part's secret salt, hex. */
export function saltedValues(secret: string, part: Readonly<Record<string, unknown>>): ShownValue[] {
  return namedValues(part)
    .map(
      ([name, value], n) =>
        [
          saltsFrom(secret, Math.floor(n / saltsInHash)).slice((n % saltsInHash) * 32, ((n % saltsInHash) + 1) * 32),
          name,
          value
        ] as const
    )
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
}

/** The digest of a part: `valuesDigest` of its `saltedValues`, in half the time. @param secret The part's secret salt, hex. */
export function partDigest(secret: string, part: Readonly<Record<string, unknown>>): string {
  const digests: string[] = []
  let salts = ''
  for (const [name, value] of namedValues(part)) {
    const at = (digests.length % saltsInHash) * 32
    if (at === 0) salts = saltsFrom(secret, digests.length / saltsInHash)
    digests.push(sha256(`["${salts.slice(at, at + 32)}",${canonical(name)},${canonical(value)}]`))
  }
  return sha256(digests.length === 0 ? '[]' : `["${digests.sort().join('","')}"]`)
}

/** The values of a part, by name. */
export type Values = Readonly<Record<string, unknown>>

const isPart = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.keys(value).some(isOfInput)
const isOfInput = (name: string): boolean => name.startsWith('input.')

/**
 * The values of a part as it is stored, if their digest is this one. Undefined also if the text is not the one that is
 * recorded for them, with a name twice, for example: its digest would be the same, and another program could read other
 * values. Never throws.
 *
 * @param secret The part's secret salt, hex.
 */
export function recordedValues(secret: string, text: string, digest: string): Values | undefined {
  const values = jsonOf(text)
  try {
    return isPart(values) && recordedJson(values) === text && partDigest(secret, values) === digest ? values : undefined
  } catch {
    // Values that have no digest: too many in each other.
    return undefined
  }
}

/** What the hash of an event covers (version 1); hashes and digests in hex. */
export interface HashedEvent {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
  /** Place in the series of its kind, subject, record and batch. */
  readonly links: EventLinks
  /** The digest of the values of its plain part, and of its sealed one. */
  readonly plain: string
  readonly sealed: string | null
  readonly previous: string
}

/** `[n, before]`: the nth event of its series, and the number of the event before it in the series (0 if none). */
export type EventLink = readonly [n: number, before: number]
export interface EventLinks {
  /** Among all events of its kind in the audit trail. */
  readonly all?: EventLink
  readonly subject?: EventLink
  readonly record?: EventLink
  readonly batch?: EventLink
}

/** The text whose SHA-256 is an event's hash (version 1). */
export const hashedEventText = ({
  seq,
  at,
  kind,
  subject,
  record,
  links,
  plain,
  sealed,
  previous
}: HashedEvent): string => canonical({ at, kind, links, plain, previous, record, sealed, seq, subject, version: 1 })

/** The hash of an event (version 1), hex. */
export const hashOfEvent = (event: HashedEvent): string => sha256(hashedEventText(event))
