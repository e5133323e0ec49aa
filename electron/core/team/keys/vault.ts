/** The keys of applicants, wrapped under a vault key. Whoever erases an applicant deletes the wrapped key. */
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { canonical } from '#core/hashing/canonical-json.ts'
import { epochKeyBytes, type EpochKeys } from './epochs.ts'
import { openUnder, sealUnder, sealingBytes } from './sealing.ts'

export interface SubjectKeyPlace {
  /** Fingerprint of the team. */
  readonly team: string
  /** The applicant's tag in the database: 64 hex digits. */
  readonly tag: string
}

type VaultKey = Pick<EpochKeys, 'number' | 'vault'>

const purpose = 'subject-key'
const bindingOf = ({ team, tag }: SubjectKeyPlace, number: number): Buffer => Buffer.from(canonical({ epoch: number, tag, team }), 'utf8')

/** Wraps an applicant's key of 32 bytes. Throws for another length. */
export function wrapSubjectKey(key: Uint8Array, place: SubjectKeyPlace, { number, vault }: VaultKey): Buffer {
  if (key.length !== epochKeyBytes) throw new Error('an applicant’s key has 32 bytes')
  return sealUnder(vault, purpose, bindingOf(place, number), key)
}

/** Opens a wrapped key. Failure: `team-key-refused` if team, applicant, epoch, key or a byte is another. */
export function unwrapSubjectKey(wrapped: Uint8Array, place: SubjectKeyPlace, { number, vault }: VaultKey): Result<Buffer, Failure> {
  if (wrapped.length !== sealingBytes + epochKeyBytes) return failed('team-key-refused', { reason: 'size' })
  const key = openUnder(vault, purpose, bindingOf(place, number), wrapped)
  return key ? ok(key) : failed('team-key-refused', { reason: 'sealed' })
}
