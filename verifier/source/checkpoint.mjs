/** The head of a tree as a C2SP checkpoint: a signed note with one signature. */
import { fromBase64, joined, sha256, toBytes, toHex, utf8 } from './bytes.mjs'
import { must } from './canonical.mjs'
import { ed25519Holds } from './ed25519.mjs'

/** Origin, number of events, root and signature. */
export const checkpointForm =
  /^(veridesk\/[0-9a-f]{32})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n— \1 ([A-Za-z0-9+/]{91}=)\n$/

/** Reads a checkpoint that a key (hex) must have signed; the root in hex. */
export async function readCheckpoint(text, key) {
  const [, origin, digits, root64, signed64] = checkpointForm.exec(text) ?? []
  const [size, root, signed] = [Number(digits), fromBase64(root64 ?? ''), fromBase64(signed64 ?? '')]
  must(
    origin !== undefined && Number.isSafeInteger(size) && root?.length === 32 && signed?.length === 68,
    'The checkpoint is not in the form that it must have.'
  )
  const id = (await sha256(joined(utf8.encode(`${origin}\n`), Uint8Array.of(1), toBytes(key)))).slice(0, 4)
  const note = utf8.encode(`${origin}\n${digits}\n${root64}\n`)
  must(
    toHex(id) === toHex(signed.slice(0, 4)) && (await ed25519Holds(key, note, signed.slice(4))),
    'The signature of the checkpoint does not match.'
  )
  return { origin, size, root: toHex(root) }
}
