/**
 * What a reader relies on besides the pack itself: authorities for time-stamps and for certificates, and revocations of
 * keys.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import type { Result } from '#contract/failures/result.ts'
import type { ChainReason } from './signer-chain.ts'
import type { CheckedPack } from './pack/check.ts'
import { endorsedBytes } from '#wire/evidence/dsse.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { finding } from './refusal.ts'
import type { TrustFile } from './trust-file.ts'
import { approverFindings, signerStanding } from './trust-standing.ts'
import { countingFor, mayBeSince, type Revocation } from './revocation.ts'

export interface TrustOrder {
  /** PEM of certificate authorities that may vouch for a signer; empty for none. */
  readonly authorities: string
  /** PEM of certificate authorities of time-stamps; empty for none. */
  readonly timestampAuthorities: string
  readonly revocations: readonly Revocation[]
  /** Fingerprints of keys that may revoke others. */
  readonly trusted: readonly string[]
  /** The company's trust file, and the time at which it is read. */
  readonly company?: { readonly file: TrustFile; readonly now: number } | undefined
}

/** Time-stamps and certificates are then named as not checked. */
export const reliesOnNothing: TrustOrder = { authorities: '', timestampAuthorities: '', revocations: [], trusted: [] }

export interface TrustedPack {
  readonly findings: readonly EvidenceFinding[]
  /** Whether the certificates of the signer lead to an authority that the reader gave. */
  readonly vouched: boolean
  /** Whether the trust file speaks for the signer; absent without one. With one, it alone says whether a signer is known. */
  readonly known?: boolean
}

/** What a reader gave, with what the company's trust file adds: keepers may revoke, and its authorities count. */
function withCompany({ company, ...order }: TrustOrder): TrustOrder {
  if (!company) return order
  const { speaking } = company.file
  return {
    company,
    authorities: [order.authorities, ...speaking.ca].filter(Boolean).join('\n'),
    timestampAuthorities: [order.timestampAuthorities, ...speaking.timestamps].filter(Boolean).join('\n'),
    revocations: order.revocations,
    trusted: [...order.trusted, ...speaking.keepers.map(fingerprintOf)]
  }
}

interface Counting {
  readonly since: number
  readonly reason: string
  readonly refuses: boolean
}

/** What the trust file says of the revocation of a key: two keepers signed it, so it counts from its own `since`. */
const companyRevocation = ({ company }: TrustOrder, signer: string, stamped: readonly number[]): readonly Counting[] =>
  (company?.file.speaking.revocations ?? [])
    .filter(({ key }) => key === signer)
    .map((found) => ({ ...found, refuses: !stamped.some((latest) => latest < found.since) }))

/** What the revocations that count mean for a pack: the first that refuses it, else the first. */
function revocationFindings({ revocations, company }: TrustOrder, counting: readonly Counting[]): EvidenceFinding[] {
  const revoked = counting.find(({ refuses }) => refuses) ?? counting[0]
  const count = revocations.length + (company?.file.speaking.revocations.length ?? 0)
  if (!revoked) return count > 0 ? [finding('key-not-revoked', { count })] : []
  const details = { time: new Date(revoked.since).toISOString(), name: revoked.reason }
  return [finding(revoked.refuses ? 'key-revoked' : 'key-revoked-since', details)]
}

/** What the certificates of a signer show. @param needed Whether the reader named an authority to which they must lead. */
function certificateFinding(
  chain: Result<string, ChainReason>,
  authorities: string,
  needed: boolean
): { readonly vouched: boolean; readonly found: EvidenceFinding } {
  if (chain.ok) return { vouched: true, found: finding('certificate-right', { name: chain.value }) }
  if (needed || chain.failure === 'key') return { vouched: false, found: finding(`certificate-${chain.failure}`) }
  return { vouched: false, found: finding(authorities === '' ? 'certificates-unchecked' : 'certificate-elsewhere') }
}

/** Checks an intact pack against what its reader relies on; one that is not intact is returned as it is. */
export async function checkTrust(checked: CheckedPack, given: TrustOrder): Promise<TrustedPack> {
  const order = withCompany(given)
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

  const at = stamps.length > 0 ? Math.min(...stamps.map(({ time }) => time)) : view.madeAt
  const certificates = pack.content.signer.certificates.map((text) => Buffer.from(text, 'base64'))
  const needed = given.authorities !== ''
  const { vouched, found } = certificateFinding(
    checkSignerChain(certificates, order.authorities, at, view.key),
    order.authorities,
    needed
  )
  // A signer whom a trust file lists needs no certificate.
  if (certificates.length > 0 || needed) findings.push(found)

  const latest = stamps.map((stamp) => stamp.latest)
  const signer = fingerprintOf(view.key)
  const dated = countingFor(order.revocations, signer, order.trusted).map((each) => ({
    ...each,
    refuses: mayBeSince({ ...each, proven: provenTime(each) }, latest)
  }))
  findings.push(...revocationFindings(order, [...companyRevocation(order, signer, latest), ...dated]))
  if (!order.company) return { findings, vouched }
  const { file, now } = order.company
  const standing = signerStanding(file, signer, vouched, { madeAt: view.madeAt, stamped: latest, now })
  return {
    findings: [...findings, ...standing.findings, ...approverFindings(file, pack.content)],
    vouched,
    known: standing.known
  }
}
