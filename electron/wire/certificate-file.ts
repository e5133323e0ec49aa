/**
 * The certificates in a file, in whatever form administrators get them: PEM in any encoding of text with anything around it, DER (the default of
 * Windows' export), PKCS#7 (`.p7b`, `.p7c`; RFC 2315) in both, and base64 without lines around it. Pure.
 */
import { X509Certificate } from 'node:crypto'
import type { BaseBlock } from 'asn1js'

const block = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE|PKCS7|CMS)-----([\s\S]*?)-----END \1-----/g
/** SignedData, which holds certificates, and signs nothing in such a file. */
const signedData = '1.2.840.113549.1.7.2'

/** PEM; undefined if the bytes are no certificate. */
function pemOf(certificate: string | Uint8Array): string | undefined {
  try {
    return new X509Certificate(certificate).toString().trimEnd()
  } catch {
    return undefined
  }
}

/** Members of a constructed value; empty for any other. */
const membersOf = (value: BaseBlock | undefined): readonly BaseBlock[] => {
  const members: unknown = (value?.valueBlock as { readonly value?: unknown } | undefined)?.value
  return Array.isArray(members) ? (members as BaseBlock[]) : []
}
const isContext = (value: BaseBlock, number: number): boolean =>
  value.idBlock.tagClass === 3 && value.idBlock.tagNumber === number

/** The certificates that a PKCS#7 message carries, in DER; undefined if the bytes are none. */
async function pkcs7(bytes: Uint8Array): Promise<readonly Uint8Array[] | undefined> {
  // Not at every start: such files are rare.
  const { fromBER, Sequence } = await import('asn1js')
  const { offset, result } = fromBER(bytes)
  if (offset < 0 || !(result instanceof Sequence)) return undefined
  const [type, content] = membersOf(result)
  if (type?.valueBlock.toString() !== signedData || !content || !isContext(content, 0)) return undefined
  const set = membersOf(membersOf(content)[0]).find((member) => isContext(member, 0))
  return membersOf(set)
    .filter((member) => member instanceof Sequence)
    .map((member) => member.valueBeforeDecodeView)
}

type Found = readonly (string | undefined)[]
/** Each certificate as PEM, or undefined where one is damaged. */
async function inDer(bytes: Uint8Array): Promise<Found> {
  const certificates = await pkcs7(bytes)
  return certificates ? certificates.map(pemOf) : [pemOf(bytes)]
}

/** UTF-16 by its mark or by the zeros of its first letters; anything else byte by byte, which PEM is in every encoding. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x2d && second === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x2d))
    return new TextDecoder('utf-16be').decode(bytes)
  return Buffer.from(bytes).toString('latin1')
}

/**
 * The certificates of a file in their order; undefined stands for a damaged one. Empty if it has none: text around certificates, and private keys, are
 * ignored.
 */
export async function certificatesIn(bytes: Uint8Array): Promise<Found> {
  if (bytes[0] === 0x30 && !/^0[\s\w+/=]*$/.test(Buffer.from(bytes).toString('latin1'))) return inDer(bytes)
  const text = textOf(bytes)
  const blocks = [...text.matchAll(block)]
  if (blocks.length > 0) {
    const found: (string | undefined)[] = []
    for (const [whole, label = '', body = ''] of blocks)
      found.push(...(label.endsWith('CERTIFICATE') ? [pemOf(whole)] : await inDer(Buffer.from(body, 'base64'))))
    return found
  }
  const bare = text.replaceAll(/\s/g, '')
  return /^MI[\w+/]{60,}={0,2}$/.test(bare) ? inDer(Buffer.from(bare, 'base64')) : []
}
