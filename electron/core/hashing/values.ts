/**
 * Salted digests of single values: each value of an event can be shown and proved by itself, and a withheld one cannot
 * be guessed. docs/evidence-format.md, "Events".
 */
import { hash } from 'node:crypto'
import { canonical } from './canonical-json.ts'

/** A value that is shown: 32 hex digits of salt, its name, and any JSON value. */
export type ShownValue = readonly [salt: string, name: string, value: unknown]

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** The digest of a single value, hex. */
export const valueDigest = (shown: ShownValue): string => sha256(canonical(shown))

/** The digest of a part, from the digests of its values in any order; hex. */
export const valuesDigest = (digests: readonly string[]): string => sha256(canonical([...digests].sort()))

/** The salt of a value, derived from the secret salt of its part (hex): nobody can derive one from another. */
export const valueSalt = (secret: string, name: string): string => sha256(canonical(['veridesk-value', secret, name])).slice(0, 32)

/** The entries of a part by name; those of an entry `input` are separate values. Entries that are undefined are left out. */
export function namedValues(part: Readonly<Record<string, unknown>>): NamedValue[] {
  return Object.entries(part).flatMap(([name, value]): NamedValue[] => {
    if (value === undefined) return []
    if (name !== 'input' || typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
    return Object.entries(value as Readonly<Record<string, unknown>>).map(([field, each]) => [`input.${field}`, each])
  })
}
type NamedValue = readonly [name: string, value: unknown]

/** All values of a part with their salts, sorted by name. @param secret The part's secret salt, hex. */
export function saltedValues(secret: string, part: Readonly<Record<string, unknown>>): ShownValue[] {
  return namedValues(part)
    .map(([name, value]) => [valueSalt(secret, name), name, value] as const)
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
}

/** The digest of a part: `valuesDigest` of its `saltedValues`, in half the time. @param secret The part's secret salt, hex. */
export function partDigest(secret: string, part: Readonly<Record<string, unknown>>): string {
  const digests = namedValues(part).map(([name, value]) => {
    const quoted = JSON.stringify(name)
    const salt = sha256(`["veridesk-value","${secret}",${quoted}]`).slice(0, 32)
    return `"${sha256(`["${salt}",${quoted},${canonical(value)}]`)}"`
  })
  return sha256(`[${digests.sort().join(',')}]`)
}

/** What the hash of an event covers (version 2); hashes and digests in hex. */
export interface HashedEvent {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
  /** Place in the series of its subject, record and batch. */
  readonly links: EventLinks
  readonly plain: readonly [text: string, values: string]
  readonly sealed: readonly [text: string, values: string] | null
  readonly previous: string
}

/** `[n, before]`: the nth event of its series, and the number of the event before it in the series (0 if none). */
export type EventLink = readonly [n: number, before: number]
export interface EventLinks {
  readonly subject?: EventLink
  readonly record?: EventLink
  readonly batch?: EventLink
}

/** The text whose SHA-256 is an event's hash (version 2). */
export const hashedEventText = ({ seq, at, kind, subject, record, links, plain, sealed, previous }: HashedEvent): string =>
  canonical({ at, kind, links, plain, previous, record, sealed, seq, subject, version: 2 })

/** The hash of an event (version 2), hex. */
export const hashOfEvent = (event: HashedEvent): string => sha256(hashedEventText(event))
