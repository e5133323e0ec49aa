/** Certificates and keys in a text that a person or an administrator gave. */
import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'

/** Whether each certificate of a PEM text can be read. */
export function areCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== undefined)
  } catch {
    return false
  }
}

/** Keys enter as DER, which OpenSSL and Electron's BoringSSL read alike; a policy's text may have lost its line breaks. */
function derOf(text: string, label: 'PUBLIC KEY' | 'PRIVATE KEY'): Buffer | undefined {
  const [, body] =
    new RegExp(`^\\s*-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----\\s*$`).exec(text) ?? []
  return body === undefined ? undefined : Buffer.from(body, 'base64')
}

/** The public key of a PEM text (SPKI); undefined if it cannot be read. */
export function publicKeyIn(text: string): KeyObject | undefined {
  const key = derOf(text, 'PUBLIC KEY')
  try {
    return key && createPublicKey({ key, type: 'spki', format: 'der' })
  } catch {
    return undefined
  }
}

/** The private key of a PEM text (PKCS #8, not encrypted); undefined if it cannot be read. */
export function privateKeyIn(text: string): KeyObject | undefined {
  const key = derOf(text, 'PRIVATE KEY')
  try {
    return key && createPrivateKey({ key, type: 'pkcs8', format: 'der' })
  } catch {
    return undefined
  }
}
