/**
 * The keys of applicants, wrapped under a vault key. Whoever erases an applicant deletes the wrapped key. Whose key it is
 * is not in it: the events that it opens say so, and they are signed.
 */
import type { VaultKey } from '#team/thread/ports.ts'
import type { KeyObject } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { epochKeyBytes } from '#team/keys/epochs.ts'
import { openWith, purposeKey, sealingBytes, sealWith } from '#team/keys/sealing.ts'

export interface SubjectKeyPlace {
  /** Fingerprint of the team. */
  readonly team: string
  /** The applicant's tag in the database: 64 hex digits. */
  readonly tag: string
}

/** Derived keys, for as long as somebody has the vault key: there may be a million keys to open. */
const derived = new WeakMap<Uint8Array, KeyObject>()

function keyOf({ vault }: VaultKey): KeyObject {
  const key = derived.get(vault) ?? purposeKey(vault, 'subject-key')
  derived.set(vault, key)
  return key
}

const bindingOf = ({ team, tag }: SubjectKeyPlace, number: number): Buffer =>
  Buffer.from(canonical({ epoch: number, tag, team }), 'utf8')

/** Wraps an applicant's key of 32 bytes. Throws for another length. */
export function wrapSubjectKey(key: Uint8Array, place: SubjectKeyPlace, vault: VaultKey): Buffer {
  if (key.length !== epochKeyBytes) throw new Error('an applicant’s key has 32 bytes')
  return sealWith(keyOf(vault), bindingOf(place, vault.number), key)
}

/** Opens a wrapped key. Failure: `team-key-refused` if team, applicant, epoch, key or a byte is another. */
export function unwrapSubjectKey(
  wrapped: Uint8Array,
  place: SubjectKeyPlace,
  vault: VaultKey
): Result<Buffer, Failure> {
  if (wrapped.length !== sealingBytes + epochKeyBytes) return failed('team-key-refused', { reason: 'size' })
  const key = openWith(keyOf(vault), bindingOf(place, vault.number), wrapped)
  return key ? ok(key) : failed('team-key-refused', { reason: 'sealed' })
}
