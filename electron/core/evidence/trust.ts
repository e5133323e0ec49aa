/**
 * What a reader relies on besides the pack itself: authorities for time-stamps and for certificates, and revocations of
 * keys.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import type { CheckedPack } from './pack/check.ts'
import { endorsedBytes } from '#wire/evidence/dsse.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { finding } from './refusal.ts'
import { countingFor, mayBeSince, type Revocation } from './revocation.ts'

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
  readonly findings: readonly EvidenceFinding[]
  /** Whether the certificates of the signer lead to an authority that the reader gave. */
  readonly vouched: boolean
}

/** Checks an intact pack against what its reader relies on; one that is not intact is returned as it is. */
export async function checkTrust(checked: CheckedPack, order: TrustOrder): Promise<TrustedPack> {
  const { pack, view } = checked
  if (!pack || !view) return { findings: [], vouched: false }
  const [{ checkTimestamp }, { checkSignerChain }] = await Promise.all([
    import('#core/timestamps/token.ts'),
    import('./signer-chain.ts')
  ])
  const findings: EvidenceFinding[] = []

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

  const provenTime = ({ file }: Revocation): number | undefined =>
    file.timestamps
      .flatMap((text) => {
        const stamp = checkTimestamp(
          Buffer.from(text, 'base64'),
          endorsedBytes(file.envelope),
          order.timestampAuthorities
        )
        return stamp.ok ? [stamp.value.time] : []
      })
      .sort((a, b) => a - b)[0]

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

  const counting = countingFor(order.revocations, fingerprintOf(view.key), order.trusted).map((each) => ({
    ...each,
    proven: provenTime(each)
  }))
  const [first] = counting
  const latest = stamps.map((stamp) => stamp.latest)
  const refusing = counting.find((each) => mayBeSince(each, latest))
  const revoked = refusing ?? first
  if (revoked)
    findings.push(
      finding(refusing ? 'key-revoked' : 'key-revoked-since', {
        time: new Date(revoked.since).toISOString(),
        name: revoked.reason
      })
    )
  else if (order.revocations.length > 0) findings.push(finding('key-not-revoked', { count: order.revocations.length }))
  return { findings, vouched }
}
