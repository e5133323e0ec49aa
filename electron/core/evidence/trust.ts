/**
 * What a reader relies on besides the pack itself: authorities for time-stamps and for certificates, and revocations of
 * keys.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { checkPack, type CheckedPack } from './pack/check.ts'
import { endorsedBytes } from '#wire/evidence/dsse.ts'
import { fileText } from './pack/pack.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { finding } from './refusal.ts'
import { revokedFor, type Revocation } from './revocation.ts'

export interface TrustOrder {
  /** PEM of certificate authorities that may vouch for a signer; empty for none. */
  readonly authorities: string
  /** PEM of certificate authorities of time-stamps; empty for none. */
  readonly timestampAuthorities: string
  readonly revocations: readonly Revocation[]
  /** Fingerprints of keys that may revoke others. */
  readonly trusted: readonly string[]
}

/** Time-stamps and certificates are then named as not checked. */
export const reliesOnNothing: TrustOrder = { authorities: '', timestampAuthorities: '', revocations: [], trusted: [] }

export interface TrustedPack {
  /** Without the countersignatures of revoked keys. */
  readonly checked: CheckedPack
  readonly findings: readonly EvidenceFinding[]
  /** Whether the certificates of the signer lead to an authority that the reader gave. */
  readonly vouched: boolean
}

/** Checks an intact pack against what its reader relies on; one that is not intact is returned as it is. */
export async function checkTrust(given: CheckedPack, order: TrustOrder): Promise<TrustedPack> {
  const [checked, dropped] = withoutRevoked(given, order)
  const { pack, view } = checked
  if (!pack || !view) return { checked, findings: [], vouched: false }
  const [{ checkTimestamp }, { checkSignerChain }] = await Promise.all([
    import('#core/timestamps/token.ts'),
    import('./signer-chain.ts')
  ])
  const findings: EvidenceFinding[] = dropped === 0 ? [] : [finding('countersignatures-revoked', { count: dropped })]

  const tokens = pack.file.timestamps.map((text) => Buffer.from(text, 'base64'))
  const stamps: { readonly time: number; readonly latest: number }[] = []
  if (tokens.length > 0 && order.timestampAuthorities === '')
    findings.push(finding('timestamps-unchecked', { count: tokens.length }))
  else
    for (const token of tokens) {
      const stamp = checkTimestamp(token, endorsedBytes(pack.file.envelope), order.timestampAuthorities)
      if (stamp.ok) {
        stamps.push(stamp.value)
        findings.push(
          finding('timestamp-right', { time: new Date(stamp.value.latest).toISOString(), name: stamp.value.authority })
        )
      } else findings.push(finding(`timestamp-${stamp.failure}`))
    }

  const certificates = pack.content.signer.certificates.map((text) => Buffer.from(text, 'base64'))
  const at = stamps.length > 0 ? Math.min(...stamps.map(({ time }) => time)) : view.madeAt
  let vouched = false
  if (certificates.length > 0 || order.authorities !== '') {
    const chain = checkSignerChain(certificates, order.authorities, at, view.key)
    const unchecked = order.authorities === '' && (chain.ok || chain.failure !== 'key')
    vouched = chain.ok
    if (unchecked) findings.push(finding('certificates-unchecked'))
    else
      findings.push(
        chain.ok ? finding('certificate-right', { name: chain.value }) : finding(`certificate-${chain.failure}`)
      )
  }

  const revoked = revokedFor(
    order.revocations,
    fingerprintOf(view.key),
    order.trusted,
    stamps.map(({ latest }) => latest)
  )
  if (revoked)
    findings.push(finding('key-revoked', { time: new Date(revoked.since).toISOString(), name: revoked.reason }))
  else if (order.revocations.length > 0) findings.push(finding('key-not-revoked', { count: order.revocations.length }))
  return { checked, findings, vouched }
}

/**
 * The pack without countersignatures of revoked keys, and how many there were. A time-stamp is about the pack alone, so
 * it does not show that a countersignature existed.
 */
function withoutRevoked(checked: CheckedPack, { revocations, trusted }: TrustOrder): readonly [CheckedPack, number] {
  const { pack } = checked
  if (!pack || revocations.length === 0) return [checked, 0]
  const { file } = pack
  const isRevoked = (fingerprint: string): boolean => revokedFor(revocations, fingerprint, trusted, []) !== undefined
  const countersignatures = file.countersignatures.filter(({ signatures }) => !isRevoked(signatures[0]?.keyid ?? ''))
  const dropped = file.countersignatures.length - countersignatures.length
  return dropped === 0 ? [checked, 0] : [checkPack(fileText({ ...file, countersignatures })), dropped]
}
