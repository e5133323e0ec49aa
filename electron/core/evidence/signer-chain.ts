/** Whether certificates belong to a signing key and lead to a certificate authority of the reader. */
import { X509Certificate } from 'node:crypto'
import { fail, ok, type Result } from '#contract/result.ts'
import { demand, demandChain, mayBeUsed, readable, readAuthorities, readCertificate, Refused, same, type RefusalReason } from '#core/timestamps/x509.ts'

export type ChainReason = RefusalReason | 'key' | 'none'

/** Whether a certificate is for a public key of 64 hex digits. */
export function isForKey(der: Uint8Array, key: string): boolean {
  try {
    const { publicKey } = new X509Certificate(der)
    return publicKey.asymmetricKeyType === 'ed25519' && publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex') === key
  } catch {
    return false
  }
}

/** The subject of a certificate in one line; its characters come from the certificate. */
export function subjectOf(der: Uint8Array): string {
  return new X509Certificate(der).subject.split('\n').join(', ').slice(0, 300)
}

/**
 * Verifies the certificates of a signer.
 *
 * @param certificates Each as DER, the signer's own first.
 * @param authorities PEM.
 * @param at The time at which all must be valid.
 * @param key The signer's public key, 64 hex digits.
 * @returns The subject of the signer's certificate.
 */
export function checkSignerChain(certificates: readonly Uint8Array[], authorities: string, at: number, key: string): Result<string, ChainReason> {
  const [first] = certificates
  if (!first) return fail('none')
  if (!isForKey(first, key)) return fail('key')
  try {
    const own = readCertificate(first)
    demand(mayBeUsed(own, 0, 1), 'purpose')
    const given = readAuthorities(authorities)
    demandChain(own, readable(certificates.slice(1)), given, at, given.some(({ raw }) => same(raw, own.raw)))
    return ok(own.name)
  } catch (error) {
    return fail(error instanceof Refused ? error.reason : 'unreadable')
  }
}
