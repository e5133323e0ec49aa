/** A pack of version 1, which earlier consoles made. The format: docs/evidence-format-1.md. */
import { createHash } from 'node:crypto'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import type { ProvenBody, ProvenEvent } from '#wire/history/evidence.ts'

export const packFormat = 'veridesk-evidence'

/** A single value, proved by its commitment; salt and value are null if it is withheld. */
export interface PackField {
  readonly name: string
  readonly commitment: string
  readonly salt: string | null
  readonly value: string | null
}
export interface PackEvent extends Omit<ProvenEvent, 'plain'> {
  /** Null if a part of it is withheld: then `fields` contains its values. */
  readonly plain: string | null
  readonly fields: readonly PackField[]
}
export interface PackBodyText extends ProvenBody {
  readonly fields: readonly PackField[]
}
export interface PackContent {
  readonly about: EvidenceAbout | { readonly kind: EvidenceAbout['kind']; readonly id: null }
  readonly bodies: readonly PackBodyText[]
  readonly chain: { readonly hash: string; readonly seq: number }
  readonly events: readonly PackEvent[]
  readonly made: { readonly at: number; readonly by: string | null; readonly console: string }
  readonly profile: RedactionProfile
  readonly records: number
  readonly tree: { readonly root: string; readonly size: number }
}
/** What a countersigner states. */
export interface SignedWords {
  readonly agrees: boolean
  readonly at: number
  readonly by: string
  readonly key: string
  readonly note: string
}
export interface PackCountersignature extends SignedWords {
  readonly signature: string
}
export interface Pack {
  readonly content: PackContent
  readonly countersignatures: readonly PackCountersignature[]
  readonly format: typeof packFormat
  readonly signature: { readonly algorithm: 'Ed25519'; readonly key: string; readonly value: string }
  readonly version: 1
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** SHA-256 of the canonical JSON of [salt, name, value]. */
export const fieldCommitment = (salt: string, name: string, value: string): string =>
  sha256(canonical([salt, name, value]))

/**
 * The salt of a field of a sealed payload, derived from the payload's salt, so that the same field has the same
 * commitment in every pack and a withheld value can be compared with a pack that discloses it.
 */
export const fieldSalt = (payloadSalt: string, name: string): string =>
  sha256(canonical(['veridesk-field', payloadSalt, name])).slice(0, 32)

/** The values of a payload by name: those of `input` individually; values other than text as JSON. */
export function flatFields(text: string): (readonly [name: string, value: string])[] {
  const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(JSON.parse(text) as Record<string, unknown>).flatMap(([name, value]) =>
    name === 'input' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([part, each]) => [`input.${part}`, written(each)] as const)
      : [[name, written(value)] as const]
  )
}

/** The bytes that a signature covers: a prefix that no other signature uses, and the canonical content. */
export const signedText = (content: PackContent): string => `veridesk-evidence/1\n${canonical(content)}`

/** The file's text; canonical, so that no byte can differ. */
export const packText = (pack: Pack): string => `${canonical(pack)}\n`
/** Identifies a signed pack: SHA-256 of the signed text and the signature. */
export const packDigest = (pack: Pack): string => sha256(`${signedText(pack.content)}\n${pack.signature.value}`)

/** The bytes that a countersignature covers: the pack and the countersigner's statement. */
export const countersignedText = (digest: string, words: SignedWords): string =>
  `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
