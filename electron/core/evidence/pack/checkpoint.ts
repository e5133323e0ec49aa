/**
 * Heads of a tree as C2SP checkpoints (https://c2sp.org/tlog-checkpoint), which are signed notes, and inclusion proofs
 * as C2SP texts (https://c2sp.org/tlog-proof).
 */
import { createHash, type KeyObject } from 'node:crypto'
import type { InclusionProof } from '#contract/evidence/audit.ts'
import { keyOfSigner, signBytes } from '#wire/evidence/keys.ts'

/** The head of a tree; the root in hex. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: string
}

/** The name of an audit trail. @param first Hash of its event 1, hex. */
export const originOf = (first: string): string => `veridesk/${first.slice(0, 32)}`

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** The first bytes of a signature: they identify a key under a name (https://c2sp.org/signed-note). */
const keyId = (origin: string, key: string): Buffer =>
  createHash('sha256').update(`${origin}\n`).update(Buffer.of(1)).update(key, 'hex').digest().subarray(0, 4)

const noteText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${base64(root)}\n`

/** A checkpoint, signed. */
export function signedCheckpoint(head: Checkpoint, key: KeyObject): string {
  const text = noteText(head)
  const signature = Buffer.concat([keyId(head.origin, keyOfSigner(key)), signBytes(key, Buffer.from(text, 'utf8'))])
  return `${text}\n— ${head.origin} ${signature.toString('base64')}\n`
}

/** An inclusion proof with the head that it leads to. @param first Hash of event 1, hex. */
export function proofText({ seq, size, root, path }: InclusionProof, first: string, key: KeyObject): string {
  const lines = ['c2sp.org/tlog-proof@v1', `index ${seq - 1}`, ...path.map(base64)]
  return `${lines.join('\n')}\n\n${signedCheckpoint({ origin: originOf(first), size, root }, key)}`
}
