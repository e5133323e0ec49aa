/**
 * The signature of an answer to a request for approval, through a team or in a file: of the reviewer's signing key over
 * the request's event, whose hash covers the decision and everything recorded before. docs/evidence-format.md, "Approvals".
 */
import { randomBytes, type KeyObject } from 'node:crypto'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { valueDigest } from '#kit/hashing/values.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'
import { bytesFit, signWith } from './keys.ts'

/** What is signed. The note is not: it can be erased, and the hash of the answer's own event covers it. */
export interface SignedAnswer {
  /** Fingerprint of the team, or, without one, the origin of the audit trail that asks: the hash of its event 1. */
  readonly scope: string
  readonly asked: NamedEvent
  readonly agrees: boolean
  /** Unix milliseconds. */
  readonly at: number
  /** The reviewer's name. Only its digest is signed, so that it can be withheld. */
  readonly by: string
  /** 16 random bytes, hex: nobody guesses a name from its digest. */
  readonly salt: string
}

/** 16 random bytes, hex. */
export const newSalt = (): string => randomBytes(16).toString('hex')

const signedText = ({ scope, asked, agrees, at, by, salt }: SignedAnswer): string =>
  canonical(['veridesk/approval', 1, scope, asked, agrees, at, valueDigest([salt, 'by', by])])

/** Ed25519, hex. */
export const signAnswer = (key: KeyObject, answer: SignedAnswer): string => signWith(key, signedText(answer))

/** Whether the owner of a public key (32 bytes, hex) signed this answer. Never throws. */
export const isAnswerSignedBy = (publicKey: string, answer: SignedAnswer, signature: string): boolean =>
  bytesFit(publicKey, Buffer.from(signedText(answer), 'utf8'), Buffer.from(signature, 'hex'))
