/** What a profile discloses of events that version 0.1 recorded; their form is that of version 1 of the format. */
import { randomBytes } from 'node:crypto'
import type { RedactionProfile } from '#contract/evidence/evidence.ts'
import type { OpenedPayload, ProvenBody, ProvenEvent } from '#wire/history/evidence.ts'
import { fieldCommitment, fieldSalt, flatFields, type PackBodyText, type PackEvent, type PackField } from './pack.ts'

/** Names of the fields that a profile discloses, of an event's payload and of its plain part. */
export const disclosed: Readonly<
  Record<Exclude<RedactionProfile, 'full'>, (kind: string, part: 'payload' | 'plain', name: string) => boolean>
> = {
  'no-personal-data': (_kind, part, name) => part === 'plain' && !staff.has(name),
  'for-applicant': (kind, part, name) =>
    part === 'plain' ? !staff.has(name) : kind === 'record.begun' || kind === 'record.ended' || kind === 'body'
}
/** Fields about staff and the credentials they used. */
export const staff = new Set([
  'operator',
  'credentialFingerprint',
  'signer',
  'snapshot',
  'connection',
  'evidence',
  'records',
  'readings',
  'supersedes'
])

function fieldsOf(
  kind: string,
  part: 'payload' | 'plain',
  text: string,
  saltOf: (name: string) => string,
  shown: (typeof disclosed)['for-applicant']
): PackField[] {
  return flatFields(text).map(([name, value]) => {
    const full = part === 'plain' ? `plain.${name}` : name
    const salt = saltOf(full)
    const open = shown(kind, part, name)
    return {
      name: full,
      commitment: fieldCommitment(salt, full, value),
      salt: open ? salt : null,
      value: open ? value : null
    }
  })
}

/** An event of version 0.1 with what a profile discloses. */
export function redactedEvent(event: ProvenEvent, shown: (typeof disclosed)['for-applicant']): PackEvent {
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

/** A response of version 0.1 with what a profile discloses. */
export function redactedBody(body: ProvenBody, shown: (typeof disclosed)['for-applicant']): PackBodyText {
  const payload: OpenedPayload | null = body.payload
  const fields = payload
    ? fieldsOf('body', 'payload', payload.text, (name) => fieldSalt(payload.salt, name), shown)
    : []
  return { ...body, payload: null, fields }
}
