/** The mailbox key of an installation: others seal keys of the team for it. Private half in the keychain. */
import type { KeyObject } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { agree, newPrivateKey, privateKeyOf, publicKeyOf, rawPrivateKey } from '#kit/sealing/x25519.ts'

export interface Mailbox {
  readonly key: KeyObject
  /** The public half: 64 hex digits. */
  readonly publicKey: string
}

const form = /^mailbox-1:([0-9a-f]{64})$/

const mailboxOf = (key: KeyObject): Mailbox => ({ key, publicKey: publicKeyOf(key).toString('hex') })

export const newMailbox = (): Mailbox => mailboxOf(newPrivateKey())

/** A mailbox key as the keychain stores it: secret. */
export const mailboxText = ({ key }: Mailbox): string => `mailbox-1:${rawPrivateKey(key).toString('hex')}`

/** Reads what `mailboxText` wrote. Failure: `team-key-refused`. */
export function parseMailbox(text: string): Result<Mailbox, Failure> {
  const [, raw] = form.exec(text) ?? []
  return raw === undefined
    ? failed('team-key-refused', { reason: 'stored' })
    : ok(mailboxOf(privateKeyOf(Buffer.from(raw, 'hex'))))
}

/** Whether something can be sealed for a public key (64 hex digits): false for those of small order. */
export const isUsableMailbox = (publicKey: string): boolean =>
  agree(newPrivateKey(), Buffer.from(publicKey, 'hex')) !== undefined
