/** A pack: the file, and its signed content. The format: docs/evidence-format.md. */
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { valueDigest, valuesDigest, type EventLinks, type ShownValue } from '#kit/hashing/values.ts'
import type { Envelope } from '#wire/evidence/dsse.ts'

/** A part of an event or a response: the values that are shown, and the digests of the others. */
export interface DisclosedPart {
  readonly shown: readonly ShownValue[]
  readonly withheld: readonly string[]
}
/** A sealed part whose key was destroyed. */
export interface ErasedPart {
  /** The digest of its values. */
  readonly values: string
}
export type SealedPart = DisclosedPart | ErasedPart

/** An event, proved value by value. */
export interface ContentEvent {
  readonly version: 1
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
  readonly links: EventLinks
  readonly plain: DisclosedPart
  readonly sealed: SealedPart | null
  readonly previous: string
  readonly hash: string
  readonly path: readonly string[]
}
export type ContentBody = { readonly record: number; readonly version: 1 } & SealedPart

export interface Attachment {
  readonly bytes: number
  readonly name: string
  readonly sha256: string
}
/** What a pack contains completely: `[kind, id, count, last]`. */
export type Series = readonly [kind: SeriesKind, id: number | string, count: number, last: number]
export type SeriesKind = Exclude<keyof EventLinks, 'all'>

/** The signed content. */
export interface Content {
  readonly about: EvidenceAbout | { readonly kind: EvidenceAbout['kind']; readonly id: null }
  readonly attachments: readonly Attachment[]
  readonly bodies: readonly ContentBody[]
  readonly consistency: { readonly path: readonly string[]; readonly root: string; readonly size: number } | null
  readonly console: string
  readonly events: readonly ContentEvent[]
  /** Event 1, which names the audit trail: its hash, and its inclusion proof. */
  readonly origin: { readonly leaf: string; readonly path: readonly string[] }
  readonly profile: RedactionProfile
  /** Of the tree, which ends with this pack. */
  readonly root: string
  readonly signer: { readonly certificates: readonly string[]; readonly key: string }
  readonly size: number
}

/** The file. */
export interface PackFile {
  readonly envelope: Envelope
  readonly format: 'veridesk-evidence'
  /** RFC 3161 tokens, DER as base64. */
  readonly timestamps: readonly string[]
  readonly version: 1
}

/** A file with its contents opened. */
export interface OpenedPack {
  readonly file: PackFile
  readonly content: Content
  /** SHA-256 of what is signed and the signature, hex. */
  readonly digest: string
}

export const packType = 'application/vnd.veridesk.evidence+json'

/** The file's text; canonical, so that no byte can differ. */
export const fileText = (file: PackFile): string => `${canonical(file)}\n`

export const isErased = (part: SealedPart): part is ErasedPart => 'values' in part

/** The digest of a part's values, which its event's hash covers. */
export const digestOfPart = (part: SealedPart): string =>
  isErased(part) ? part.values : valuesDigest([...part.shown.map(valueDigest), ...part.withheld])

/** A value by name; undefined if it is withheld, erased, or not part of the event. */
export const shownValue = (part: SealedPart | null, name: string): unknown =>
  part === null || isErased(part) ? undefined : part.shown.find(([, each]) => each === name)?.[2]
