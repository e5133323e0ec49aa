/** DSSE envelopes with one Ed25519 signature. */
import { fingerprint, fromBase64, joined, sha256, toHex, utf8 } from './bytes.mjs'
import { must } from './canonical.mjs'
import { ed25519Holds, isSmallOrder } from './ed25519.mjs'
import { isBase64, isHex, oneOf, shape, tupleOf } from './shape.mjs'

export const isEnvelope = (type) =>
  shape({
    payload: isBase64,
    payloadType: oneOf(type),
    signatures: tupleOf(shape({ keyid: isHex(32), sig: isBase64 }))
  })

/** The content of an envelope, what its signature covers, and what others refer to; all as bytes. */
export function openEnvelope({ payload, payloadType, signatures: [{ keyid, sig }] }) {
  const content = fromBase64(payload)
  const type = utf8.encode(payloadType)
  const signed = joined(
    utf8.encode('DSSEv1 '),
    utf8.encode(`${type.length} `),
    type,
    utf8.encode(` ${content.length} `),
    content
  )
  const signature = fromBase64(sig)
  return { content, signed, signature, keyid, referred: joined(signed, signature) }
}

/** Refuses an envelope that was not signed with a key (hex). */
export async function mustBeSigned({ keyid, signed, signature }, key, why) {
  must(!isSmallOrder(key), 'One of its keys has small order: its signatures prove nothing.')
  must(keyid === (await fingerprint(key)) && (await ed25519Holds(key, signed, signature)), why)
}

/** What time-stamps refer to. */
export const digestOf = async ({ referred }) => toHex(await sha256(referred))
