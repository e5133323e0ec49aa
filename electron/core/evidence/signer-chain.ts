/** Whether certificates belong to a signing key and lead to a certificate authority of the reader. */
import { fail, ok, type Result } from '#contract/failures/result.ts'
import {
  demand,
  demandChain,
  mayBeUsed,
  readable,
  readAuthorities,
  readCertificate,
  Refused,
  type RefusalReason
} from '#kit/asn1/x509.ts'
import { isForKey } from './certificate-facts.ts'

/** `none`: no certificate. `key`: the first one is for another key. */
export type ChainReason = 'none' | 'key' | 'unreadable' | 'purpose' | 'chain' | 'validity' | 'algorithm'

/**
 * Verifies the certificates of a signer.
 *
 * @param certificates Each as DER, the signer's own first.
 * @param authorities PEM.
 * @param at The time at which all must be valid.
 * @param key The signer's public key, 64 hex digits.
 * @returns The subject of the signer's certificate.
 */
export function checkSignerChain(
  certificates: readonly Uint8Array[],
  authorities: string,
  at: number,
  key: string
): Result<string, ChainReason> {
  const [first] = certificates
  if (!first) return fail('none')
  if (!isForKey(first, key)) return fail('key')
  try {
    const own = readCertificate(first)
    demand(mayBeUsed(own, 0, 1), 'purpose')
    demandChain(own, readable(certificates.slice(1)), readAuthorities(authorities), at)
    return ok(own.name)
  } catch (error) {
    return fail(error instanceof Refused && isOfCertificates(error.reason) ? error.reason : 'unreadable')
  }
}

const isOfCertificates = (reason: RefusalReason): reason is 'purpose' | 'chain' | 'validity' | 'algorithm' =>
  ['purpose', 'chain', 'validity', 'algorithm'].includes(reason)
