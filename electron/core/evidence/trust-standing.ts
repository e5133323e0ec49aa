/** What the company's trust file says of a pack: whether its signer may sign packs, and who of those who answered may approve. */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import type { Content } from './pack/pack.ts'
import { plainOf } from './pack/reading.ts'
import { finding } from './refusal.ts'
import type { TrustFile, TrustVersion } from './trust-file.ts'

/** When a pack was made, as far as it is known. */
export interface PackTimes {
  /** As its signer says. */
  readonly madeAt: number
  /** The latest moment of each valid time-stamp. */
  readonly stamped: readonly number[]
  readonly now: number
}
export interface SignerStanding {
  /** Whether the file speaks for the key of the pack's signer. */
  readonly known: boolean
  readonly findings: readonly EvidenceFinding[]
}

const text = (at: number): string => new Date(at).toISOString()

/**
 * Whether a trust file speaks for the key of a pack. Whoever has a key can date a pack back, so only a time-stamp shows
 * that one was made before the file expired or the period of its signer ended.
 *
 * @param signer Fingerprint of the pack's key.
 * @param vouched Whether an authority in the file vouches for a key that it does not list.
 */
export function signerStanding(
  { speaking, origin }: TrustFile,
  signer: string,
  vouched: boolean,
  { madeAt, stamped, now }: PackTimes
): SignerStanding {
  const { expires, organisation, version, signers } = speaking
  const latest = stamped.length > 0 ? Math.min(...stamped) : now
  const details = { version, name: organisation, time: text(expires) }
  const spoke = (findings: readonly EvidenceFinding[], known: boolean): SignerStanding => ({ known, findings })
  if (latest >= expires) return spoke([finding('trust-expired', details)], false)
  const speaks = finding(now >= expires ? 'trust-spoke' : 'trust-speaks', { ...details, digest: origin })
  const entry = signers.find(({ key }) => key === signer)
  if (!entry) return spoke([speaks, ...(vouched ? [] : [finding('trust-unlisted')])], vouched)
  const { name, roles, from, until } = entry
  if (!roles.includes('pack')) return spoke([speaks, finding('trust-role', { name })], false)
  const inPeriod = Math.min(madeAt, ...stamped) >= from && (until === null || latest < until)
  return inPeriod
    ? spoke([speaks, finding('trust-signer', { name })], true)
    : spoke([speaks, finding('trust-period', { name })], false)
}

/** Whose answers to requests for approval count by the file: what it says of the key of each, at the time of the answer. */
export function approverFindings(
  { speaking: { signers, revocations } }: TrustFile,
  content: Content
): EvidenceFinding[] {
  return content.events.flatMap((event) => {
    const [key, at, isVoid] = ['signer', 'at', 'void'].map((name) => plainOf(event, name))
    if (event.kind !== 'approval.received' || typeof key !== 'string' || isVoid === true) return []
    const name = approverName({ signers, revocations }, fingerprintOf(key), at as number)
    return [
      name === undefined
        ? finding('trust-approver-unknown', { event: event.seq })
        : finding('trust-approver', { event: event.seq, name })
    ]
  })
}

/** The name of whoever may approve with a key at a time; undefined if nobody may. */
export function approverName(
  { signers, revocations }: Pick<TrustVersion, 'signers' | 'revocations'>,
  fingerprint: string,
  at: number
): string | undefined {
  const entry = signers.find(
    ({ key, roles, from, until }) =>
      key === fingerprint && roles.includes('approver') && at >= from && (until === null || at < until)
  )
  const isRevoked = revocations.some(({ key, since }) => key === fingerprint && at >= since)
  return isRevoked ? undefined : entry?.name
}

/** Whether a key may approve now, with an answer of an earlier time. An expired file names nobody. */
export function mayApprove(
  { speaking }: TrustFile,
  publicKey: string,
  { at, now }: { readonly at: number; readonly now: number }
): 'yes' | 'no' | 'expired' {
  if (now >= speaking.expires) return 'expired'
  const key = fingerprintOf(publicKey)
  return [at, now].every((moment) => approverName(speaking, key, moment) !== undefined) ? 'yes' : 'no'
}
