/**
 * Packs of format 1: the fixtures that consoles of version 0.1 made, and what signs changed ones. Independent of the
 * product, which no longer has to make such packs.
 */
import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

export interface PackField {
  readonly name: string
  readonly commitment: string
  readonly salt: string | null
  readonly value: string | null
}
interface Payload {
  readonly salt: string
  readonly text: string
}
export interface PackEvent {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string | null
  readonly commitment: string | null
  readonly previous: string
  readonly hash: string
  readonly path: readonly string[]
  readonly payload: Payload | null
  readonly fields: readonly PackField[]
}
export interface PackContent {
  readonly about: { readonly kind: 'record' | 'batch' | 'applicant'; readonly id: string }
  readonly bodies: readonly {
    readonly record: number
    readonly commitment: string
    readonly payload: Payload | null
    readonly fields: readonly PackField[]
  }[]
  readonly chain: { readonly hash: string; readonly seq: number }
  readonly events: readonly PackEvent[]
  readonly made: { readonly at: number; readonly by: string | null; readonly console: string }
  readonly profile: 'full' | 'no-personal-data' | 'for-applicant'
  readonly records: number
  readonly tree: { readonly root: string; readonly size: number }
}
interface Statement {
  readonly agrees: boolean
  readonly at: number
  readonly by: string
  readonly key: string
  readonly note: string
}
export interface Pack {
  readonly content: PackContent
  readonly countersignatures: readonly (Statement & { readonly signature: string })[]
  readonly format: 'veridesk-evidence'
  readonly signature: { readonly algorithm: 'Ed25519'; readonly key: string; readonly value: string }
  readonly version: 1
}

const folder = resolve(import.meta.dirname, '..', 'fixtures', 'evidence-1', 'packs')

/** Names of all fixtures. */
export const fixtureNames = (): string[] =>
  readdirSync(folder)
    .map((name) => basename(name, '.json'))
    .sort()
export const fixturePath = (name: string): string => join(folder, `${name}.json`)
export const fixtureText = (name: string): string => readFileSync(fixturePath(name), 'utf8')
export const fixture = (name: string): Pack => JSON.parse(fixtureText(name)) as Pack

/** Genuine packs that forgeries are made from; all but `foreign` and those of the batch are from one audit trail. */
export interface Honest {
  /** An applicant with two answered verifications, a note and a decision. */
  readonly full: Pack
  readonly redacted: Pack
  /** Another applicant in the same audit trail. */
  readonly other: Pack
  readonly record: Pack
  readonly batch: Pack
  /** The same batch, after one of its people was erased. */
  readonly halfErased: Pack
  /** The first verification in the audit trail: includes its first event. */
  readonly first: Pack
  /** From another audit trail. */
  readonly foreign: Pack
  readonly countersigned: Pack
}

export const honestPacks = (): Honest => ({
  full: fixture('applicant'),
  redacted: fixture('applicant-for-applicant'),
  other: fixture('other-applicant'),
  record: fixture('record'),
  batch: fixture('batch'),
  halfErased: fixture('batch-half-erased'),
  first: fixture('first-record'),
  foreign: fixture('foreign-record'),
  countersigned: fixture('applicant-countersigned')
})

// --- signing -------------------------------------------------------------------------------------

const sha256 = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/** Canonical JSON, without the checks of its numbers: some forgeries have a number that no pack may have. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = value as Readonly<Record<string, unknown>>
  return `{${Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(members[key])}`)
    .join(',')}}`
}

export const packText = (pack: Pack): string => `${canonical(pack)}\n`
export const signedText = (content: PackContent): string => `veridesk-evidence/1\n${canonical(content)}`
export const packDigest = ({ content, signature }: Pack): string => sha256(`${signedText(content)}\n${signature.value}`)
export const countersignedText = (digest: string, words: Statement): string =>
  `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
export const fieldCommitment = (salt: string, name: string, value: string): string =>
  sha256(canonical([salt, name, value]))

/** The raw 32 bytes of the public key, hex. */
export const keyOfSigner = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
export const fingerprintOf = (publicKey: string): string => sha256(Buffer.from(publicKey, 'hex'))
export const signWith = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text, 'utf8'), key).toString('hex')

export const signPack = (content: PackContent, key: KeyObject): Pack => ({
  content,
  countersignatures: [],
  format: 'veridesk-evidence',
  signature: { algorithm: 'Ed25519', key: keyOfSigner(key), value: signWith(key, signedText(content)) },
  version: 1
})

/** The hash of an event, hex; `plain` must be given. */
export function eventHash({
  seq,
  at,
  kind,
  subject,
  record,
  plain,
  commitment,
  previous
}: Omit<PackEvent, 'hash' | 'path' | 'payload' | 'fields'>): string {
  const words = JSON.stringify([seq, at, kind, subject, record, plain])
  return sha256(Buffer.from(previous, 'hex'), Buffer.from(commitment ?? '0'.repeat(64), 'hex'), words)
}
