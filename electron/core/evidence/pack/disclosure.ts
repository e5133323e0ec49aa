/** What a profile discloses of an event: everything else is withheld behind its digest. */
import { staffContext } from '#contract/history/record-context.ts'
import type { RedactionProfile } from '#contract/evidence/evidence.ts'
import { valueDigest } from '#kit/hashing/values.ts'
import type { ProvenBody, ProvenEvent, ProvenPart } from '#wire/history/evidence.ts'
import type { ContentBody, ContentEvent, DisclosedPart, SealedPart } from './pack.ts'

type Shows = (name: string) => boolean

/** Values about staff and the credentials they used. */
const staff: ReadonlySet<string> = new Set([
  ...staffContext,
  'signer',
  'snapshot',
  'connection',
  'evidence',
  'records',
  'readings',
  'supersedes',
  'set'
])

function disclosedPart(entries: NonNullable<ProvenPart['entries']>, shows: Shows): DisclosedPart {
  return {
    shown: entries.filter(([, name]) => shows(name)),
    withheld: entries
      .filter(([, name]) => !shows(name))
      .map(valueDigest)
      .sort()
  }
}
const sealedPart = ({ entries, values }: ProvenPart, shows: Shows): SealedPart =>
  entries === null ? { values } : disclosedPart(entries, shows)

const all: Shows = () => true
/** Who approved, and which installations a team has, is withheld with its staff. */
function showsPlain(profile: RedactionProfile, kind: string): Shows {
  if (profile === 'full') return all
  return kind.startsWith('approval.') ? (name) => name === 'agrees' : (name) => !staff.has(name)
}
/** Every sealed part is personal data. The reason of an erasure may be about somebody else than the pack. */
const showsSealed =
  (profile: RedactionProfile, kind?: string): Shows =>
  () =>
    profile === 'full' && kind !== 'subject.erased'

/** An event with what a profile discloses. */
export function disclosedEvent(event: ProvenEvent, profile: RedactionProfile): ContentEvent {
  const { plain, sealed, kind } = event
  return {
    ...event,
    plain: disclosedPart(plain.entries ?? [], showsPlain(profile, kind)),
    sealed: sealed && sealedPart(sealed, showsSealed(profile, kind))
  }
}

/** A response with what a profile discloses. */
export function disclosedBody(body: ProvenBody, profile: RedactionProfile): ContentBody {
  return { record: body.record, version: 1, ...sealedPart(body.part, showsSealed(profile)) }
}
