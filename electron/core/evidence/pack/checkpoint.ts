/**
 * Heads of a tree as C2SP checkpoints (https://c2sp.org/tlog-checkpoint), which are signed notes, and inclusion proofs
 * as C2SP texts (https://c2sp.org/tlog-proof).
 */
import { createHash, type KeyObject } from 'node:crypto'
import type { InclusionProof } from '#contract/evidence/audit.ts'
import { bytesFit, keyOfSigner, signBytes } from '#wire/evidence/keys.ts'

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

const noteForm =
  /^(veridesk\/[0-9a-f]{32})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n— (veridesk\/[0-9a-f]{32}) ([A-Za-z0-9+/]{91}=)\n$/

/** Reads a checkpoint, without its signature; undefined if it is not in the only form that this program writes. */
export function readCheckpoint(text: string): (Checkpoint & { readonly signature: Buffer }) | undefined {
  const [, origin = '', digits = '', root = '', name, signed = ''] = noteForm.exec(text) ?? []
  const [size, signature] = [Number(digits), Buffer.from(signed, 'base64')]
  if (origin === '' || name !== origin || !Number.isSafeInteger(size) || signature.length !== 68) return undefined
  const head = { origin, size, root: Buffer.from(root, 'base64').toString('hex') }
  return base64(head.root) === root && signature.toString('base64') === signed ? { ...head, signature } : undefined
}

/** Whether a checkpoint is signed by a public key (hex). */
export function checkpointFits(
  { signature, ...head }: Checkpoint & { readonly signature: Buffer },
  key: string
): boolean {
  return (
    signature.subarray(0, 4).equals(keyId(head.origin, key)) &&
    bytesFit(key, Buffer.from(noteText(head), 'utf8'), signature.subarray(4))
  )
}

/** An inclusion proof with the head that it leads to. @param first Hash of event 1, hex. */
export function proofText({ seq, size, root, path }: InclusionProof, first: string, key: KeyObject): string {
  const lines = ['c2sp.org/tlog-proof@v1', `index ${seq - 1}`, ...path.map(base64)]
  return `${lines.join('\n')}\n\n${signedCheckpoint({ origin: originOf(first), size, root }, key)}`
}
