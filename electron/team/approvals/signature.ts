/**
 * The signature of an answer: of the reviewer's signing key over the request's event, whose hash covers the decision and
 * the evidence that it names. docs/decisions/0019-team-approvals.md.
 */
import type { KeyObject } from 'node:crypto'
import { bytesFit, signWith } from '#wire/evidence/keys.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'

/** What is signed. The note is not: it can be erased, and the hash of the answer's own event covers it. */
export interface SignedAnswer {
  /** Fingerprint of the team. */
  readonly team: string
  readonly asked: NamedEvent
  readonly agrees: boolean
  /** Unix milliseconds. */
  readonly at: number
  readonly operator: string
}

const signedText = ({ team, asked, agrees, at, operator }: SignedAnswer): string =>
  JSON.stringify(['veridesk/team/approval', 1, team, asked, agrees, at, operator])

/** Ed25519, hex. */
export const signAnswer = (key: KeyObject, answer: SignedAnswer): string => signWith(key, signedText(answer))

/** Whether the owner of a public key (32 bytes, hex) signed this answer. Never throws. */
export const isAnswerSignedBy = (publicKey: string, answer: SignedAnswer, signature: string): boolean =>
  bytesFit(publicKey, Buffer.from(signedText(answer), 'utf8'), Buffer.from(signature, 'hex'))
