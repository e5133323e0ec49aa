/** The pack itself: what it discloses, and its signature. The format: docs/evidence-format.md. */
import { createHash, randomBytes, type KeyObject } from 'node:crypto'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence.ts'
import { canonical } from '#core/hashing/canonical-json.ts'
import { keyOfSigner, signWith } from '../keys.ts'
import type { Evidence, OpenedPayload, ProvenBody, ProvenEvent } from '#core/history/api/evidence.ts'

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
export interface PackCountersignature {
  readonly agrees: boolean
  readonly at: number
  readonly by: string
  readonly key: string
  readonly note: string
  readonly signature: string
}
export interface Pack {
  readonly content: PackContent
  readonly countersignatures: readonly PackCountersignature[]
  readonly format: typeof packFormat
  readonly signature: { readonly algorithm: 'Ed25519'; readonly key: string; readonly value: string }
  readonly version: 1
}

export interface PackOrder {
  readonly about: EvidenceAbout
  readonly profile: RedactionProfile
  readonly at: number
  readonly operator: string
  readonly consoleVersion: string
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** SHA-256 of the canonical JSON of [salt, name, value]. */
export const fieldCommitment = (salt: string, name: string, value: string): string => sha256(canonical([salt, name, value]))

/**
 * The salt of a field of a sealed payload, derived from the payload's salt, so that the same field has the same
 * commitment in every pack and a withheld value can be compared with a pack that discloses it.
 */
export const fieldSalt = (payloadSalt: string, name: string): string => sha256(canonical(['veridesk-field', payloadSalt, name])).slice(0, 32)

/** The values of a payload by name: those of `input` individually; values other than text as JSON. */
export function flatFields(text: string): (readonly [name: string, value: string])[] {
  const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(JSON.parse(text) as Record<string, unknown>).flatMap(([name, value]) =>
    name === 'input' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([part, each]) => [`input.${part}`, written(each)] as const)
      : [[name, written(value)] as const]
  )
}

/** Names of the fields that a profile discloses, of an event's payload and of its plain part. */
const disclosed: Readonly<Record<Exclude<RedactionProfile, 'full'>, (kind: string, part: 'payload' | 'plain', name: string) => boolean>> = {
  'no-personal-data': (_kind, part, name) => part === 'plain' && !staff.has(name),
  'for-applicant': (kind, part, name) => (part === 'plain' ? !staff.has(name) : kind === 'record.begun' || kind === 'record.ended' || kind === 'body')
}
/** Fields about staff and the credentials they used. */
const staff = new Set(['operator', 'credentialFingerprint', 'signer', 'snapshot', 'connection', 'evidence', 'records', 'readings'])

function fieldsOf(kind: string, part: 'payload' | 'plain', text: string, saltOf: (name: string) => string, shown: (typeof disclosed)['for-applicant']): PackField[] {
  return flatFields(text).map(([name, value]) => {
    const full = part === 'plain' ? `plain.${name}` : name
    const salt = saltOf(full)
    const open = shown(kind, part, name)
    return { name: full, commitment: fieldCommitment(salt, full, value), salt: open ? salt : null, value: open ? value : null }
  })
}

function redactedEvent(event: ProvenEvent, shown: (typeof disclosed)['for-applicant']): PackEvent {
  const secret = event.payload?.salt ?? randomBytes(16).toString('hex')
  const saltOf = (name: string): string => fieldSalt(secret, name)
  const hidden = flatFields(event.plain).some(([name]) => !shown(event.kind, 'plain', name))
  return {
    ...event,
    plain: hidden ? null : event.plain,
    // With it, the hash would confirm guesses of a withheld name.
    commitment: hidden ? null : event.commitment,
    payload: null,
    fields: [
      ...(hidden ? fieldsOf(event.kind, 'plain', event.plain, saltOf, shown) : []),
      ...(event.payload ? fieldsOf(event.kind, 'payload', event.payload.text, saltOf, shown) : [])
    ]
  }
}

function redactedBody(body: ProvenBody, shown: (typeof disclosed)['for-applicant']): PackBodyText {
  const payload: OpenedPayload | null = body.payload
  const fields = payload ? fieldsOf('body', 'payload', payload.text, (name) => fieldSalt(payload.salt, name), shown) : []
  return { ...body, payload: null, fields }
}

/** The signed content; ids and the creator's name are included if the profile allows it. */
export function packContent(evidence: Evidence, order: PackOrder): PackContent {
  const { head, records } = evidence
  const { profile, about } = order
  const full = profile === 'full'
  const nameless = profile === 'no-personal-data' && about.kind === 'applicant'
  return {
    about: nameless ? { kind: about.kind, id: null } : about,
    bodies: evidence.bodies.map((body) => (full ? { ...body, fields: [] } : redactedBody(body, disclosed[profile]))),
    chain: { hash: head.hash, seq: head.seq },
    events: evidence.events.map((event) => (full ? { ...event, fields: [] } : redactedEvent(event, disclosed[profile]))),
    made: { at: order.at, by: full ? order.operator : null, console: order.consoleVersion },
    profile,
    records,
    tree: { root: head.root, size: head.seq }
  }
}

/** The bytes that a signature covers: a prefix that no other signature uses, and the canonical content. */
export const signedText = (content: PackContent): string => `veridesk-evidence/1\n${canonical(content)}`

export function signPack(content: PackContent, key: KeyObject): Pack {
  return {
    content,
    countersignatures: [],
    format: packFormat,
    signature: { algorithm: 'Ed25519', key: keyOfSigner(key), value: signWith(key, signedText(content)) },
    version: 1
  }
}

/** The file's text; canonical, so that no byte can differ. */
export const packText = (pack: Pack): string => `${canonical(pack)}\n`
/** Identifies a signed pack: SHA-256 of the signed text and the signature. */
export const packDigest = (pack: Pack): string => sha256(`${signedText(pack.content)}\n${pack.signature.value}`)

/** The bytes that a countersignature covers: the pack and the countersigner's statement. */
export const countersignedText = (digest: string, words: Omit<PackCountersignature, 'signature'>): string =>
  `veridesk-countersignature/1\n${canonical({ ...words, pack: digest })}`
