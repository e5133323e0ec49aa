/** Makes a pack: its content, signed. */
import type { KeyObject } from 'node:crypto'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import type { Evidence } from '#wire/history/evidence.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { disclosedBody, disclosedEvent } from './disclosure.ts'
import { sealEnvelope } from '#wire/evidence/dsse.ts'
import { fileText, packType, type Attachment, type Content } from './pack.ts'

export interface PackOrder {
  readonly about: EvidenceAbout
  readonly profile: RedactionProfile
  readonly console: string
  readonly attachments: readonly Attachment[]
  /** X.509, DER as base64, the signer's own first. */
  readonly certificates: readonly string[]
}

/** The content of a pack; it names the applicant if the profile does. */
export function contentOf(
  { origin, head, events, bodies, earlier }: Evidence,
  order: PackOrder,
  key: KeyObject
): Content {
  const { about, attachments, certificates, console, profile } = order
  return {
    about: about.kind === 'applicant' && profile === 'no-personal-data' ? { kind: about.kind, id: null } : about,
    attachments,
    bodies: bodies.map((body) => disclosedBody(body, profile)).sort((a, b) => a.record - b.record),
    consistency: earlier,
    console,
    events: events.map((event) => disclosedEvent(event, profile)),
    origin,
    profile,
    root: head.root,
    signer: { certificates, key: keyOfSigner(key) },
    size: head.seq
  }
}

/** The text of a pack's file, signed. */
export const sealPack = (content: Content, key: KeyObject): string =>
  fileText({
    envelope: sealEnvelope(packType, canonical(content), key),
    format: 'veridesk-evidence',
    timestamps: [],
    version: 1
  })
