/**
 * The recovery key of a team: 32 bytes on paper, made when the team is created and stored nowhere. Three keys are derived from
 * it: one that signs, one that the content key of each epoch is sealed for, and that of the list of members. Vault keys
 * are not sealed for it: docs/decisions/0033-team-recovery-key.md.
 */
import { createHmac, createPrivateKey, type KeyObject } from 'node:crypto'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { openSealed, sealFor, sealedExtra, type SealedFor } from '#kit/sealing/hpke.ts'
import { privateKeyOf, publicKeyOf } from '#kit/sealing/x25519.ts'

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const contentKeyBytes = 32
const version = 1
/** Version, sealed content key; in hex digits. */
export const sealedForRecovery = 2 * (1 + sealedExtra + contentKeyBytes)

/** The public halves, which the first entry of the list of members names: hex. */
export interface RecoveryPublic {
  readonly identity: string
  readonly mailbox: string
}

export interface RecoveryKeys {
  readonly signer: KeyObject
  readonly mailbox: KeyObject
  /** Of the list of members, 32 bytes. */
  readonly rosterKey: Buffer
  readonly public: RecoveryPublic
}

const derived = (key: Uint8Array, use: string): Buffer =>
  createHmac('sha256', key)
    .update(`veridesk/team/recovery/1/${use}`)
    .update(Buffer.from([1]))
    .digest()

/** What a recovery key stands for. @param key 32 random bytes. */
export function recoveryKeysOf(key: Uint8Array): RecoveryKeys {
  const signer = createPrivateKey({
    key: Buffer.concat([privatePrefix, derived(key, 'signer')]),
    type: 'pkcs8',
    format: 'der'
  })
  const mailbox = privateKeyOf(derived(key, 'mailbox'))
  return {
    signer,
    mailbox,
    rosterKey: derived(key, 'roster'),
    public: { identity: keyOfSigner(signer), mailbox: publicKeyOf(mailbox).toString('hex') }
  }
}

const info = Buffer.from('veridesk/team/recovery/1')
const sealedIn = (number: number): SealedFor => ({ info, bound: Buffer.from(canonical({ epoch: number }), 'utf8') })

/** Seals the content key of an epoch for a recovery key: hex. Undefined for a public key that nothing can be sealed for. */
export function sealForRecovery(content: Uint8Array, number: number, mailbox: string): string | undefined {
  const sealed = sealFor(Buffer.from(mailbox, 'hex'), sealedIn(number), content)
  return sealed && Buffer.concat([Buffer.from([version]), sealed]).toString('hex')
}

/** The content key of an epoch; undefined if it was sealed for another key or epoch. Anybody can seal one: the caller compares its commitment. */
export function openForRecovery(sealed: string, number: number, { mailbox }: RecoveryKeys): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'hex')
  return bytes[0] === version ? openSealed(mailbox, sealedIn(number), bytes.subarray(1)) : undefined
}
