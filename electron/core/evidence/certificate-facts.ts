/** What a certificate says about itself, without verifying it. */
import { X509Certificate } from 'node:crypto'

/** Whether a certificate is for a public key of 64 hex digits. */
export function isForKey(der: Uint8Array, key: string): boolean {
  try {
    const { publicKey } = new X509Certificate(der)
    return (
      publicKey.asymmetricKeyType === 'ed25519' &&
      publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex') === key
    )
  } catch {
    return false
  }
}

/** The subject of a certificate in one line; its characters come from the certificate. */
export function subjectOf(der: Uint8Array): string {
  return new X509Certificate(der).subject.split('\n').join(', ').slice(0, 300)
}
