/** Signed heads: an installation vouches for its last event, and through the chain for all before it. */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { TeamPlace } from './ports.ts'

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

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
export const signHead = (key: KeyObject, place: SignedPlace): Buffer => sign(null, signedText(place), key)

const known = new Map<string, KeyObject>()
/** Members of a team, several times over. */
const mostKnown = 1024

function keyOf(publicKey: string): KeyObject {
  const found = known.get(publicKey)
  if (found) return found
  if (known.size >= mostKnown) known.clear()
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')]), format: 'der', type: 'spki' })
  known.set(publicKey, key)
  return key
}

/** Whether the owner of a public key (32 bytes, hex) signed this head. Never throws. */
export function isSignedBy(publicKey: string, place: SignedPlace, signature: Buffer): boolean {
  try {
    return signature.length === 64 && verify(null, signedText(place), keyOf(publicKey), signature)
  } catch {
    return false
  }
}
