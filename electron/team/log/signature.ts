/** Signed heads: an installation vouches for its last event, and through the chain for all before it. */
import type { KeyObject } from 'node:crypto'
import { bytesFit, signBytes } from '#wire/evidence/keys.ts'
import type { TeamPlace } from '../thread/ports.ts'

export interface SignedPlace extends TeamPlace {
  readonly seq: number
  readonly hash: Buffer
}

/**
 * Not the first event of the segment: the hash covers all before it, and after a commit whose answer was lost a segment
 * may be stored in part, beginning where another one ended.
 */
const signedText = ({ team, installation, seq, hash }: SignedPlace): Buffer =>
  Buffer.from(JSON.stringify(['veridesk/team/head', 1, team, installation, seq, hash.toString('hex')]), 'utf8')

/** Ed25519, 64 bytes. */
export const signHead = (key: KeyObject, place: SignedPlace): Buffer => signBytes(key, signedText(place))

/** Whether the owner of a public key (32 bytes, hex) signed this head. Never throws. */
export const isSignedBy = (publicKey: string, place: SignedPlace, signature: Buffer): boolean =>
  bytesFit(publicKey, signedText(place), signature)
