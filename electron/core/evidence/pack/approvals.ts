/**
 * Answers of colleagues to requests for approval in a team: each is signed by the reviewer, over the request that it
 * answers. docs/evidence-format.md, "Approvals in a team".
 */
import { canonical } from '#kit/hashing/canonical-json.ts'
import { bytesFit, isWorthless } from '#wire/evidence/keys.ts'
import { demand, finding } from '../refusal.ts'
import type { EvidenceFinding, RedactionProfile } from '#contract/evidence/evidence.ts'
import type { Content, ContentEvent } from './pack.ts'
import { plainOf } from './reading.ts'

/** In the order in which they are signed. */
const signedNames = ['team', 'asked', 'agrees', 'at', 'by'] as const

const isDigits = (value: unknown, digits: number): value is string =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]*$/.test(value)
const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15

function isNamed(value: unknown): value is readonly [installation: string, seq: number, hash: string] {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [installation, seq, hash] = value as unknown[]
  return typeof installation === 'string' && Number.isSafeInteger(seq) && (seq as number) > 0 && isDigits(hash, 64)
}

/** Whether a redacted pack shows of an answer only whether the colleague agrees. */
function isUnproved({ plain: { shown } }: ContentEvent, profile: RedactionProfile): boolean {
  const [first] = shown
  return profile !== 'full' && shown.length === 1 && first?.[1] === 'agrees' && typeof first[2] === 'boolean'
}

/**
 * Checks the answers: each shows everything that its signature is over, or, in a redacted pack, only whether the
 * colleague agrees. Says how many of each there are, and how many do not agree.
 */
export function checkApprovals({ events, profile }: Content): EvidenceFinding[] {
  let [held, against] = [0, 0]
  const unproved: boolean[] = []
  for (const event of events) {
    if (event.kind !== 'approval.received') continue
    if (isUnproved(event, profile)) {
      unproved.push(plainOf(event, 'agrees') === true)
      continue
    }
    const [signer, signature, ...line] = ['signer', 'signature', ...signedNames].map((name) => plainOf(event, name))
    const [team, asked, agrees, at, by] = line
    const isForm =
      isDigits(signer, 64) &&
      isDigits(signature, 128) &&
      typeof team === 'string' &&
      isNamed(asked) &&
      typeof agrees === 'boolean' &&
      isTime(at) &&
      typeof by === 'string'
    demand(isForm, 'approval-form', { event: event.seq })
    const bytes = Buffer.from(canonical(['veridesk/team/approval', 1, ...line]), 'utf8')
    demand(!isWorthless(signer) && bytesFit(signer, bytes, Buffer.from(signature, 'hex')), 'approval-signature', {
      event: event.seq
    })
    const request = events.find(({ seq }) => seq === asked[1])
    demand(!request || (request.kind === 'approval.asked' && request.hash === asked[2]), 'approval-request', {
      event: event.seq
    })
    held += 1
    if (!agrees) against += 1
  }
  const [all, agreeing] = [unproved.length, unproved.filter((agrees) => agrees).length]
  return [
    ...(held === 0
      ? []
      : [against === 0 ? finding('approvals-right', { held }) : finding('approvals-against', { held, against })]),
    ...(all === 0 ? [] : [finding('approvals-unproved', { held: all, against: all - agreeing })])
  ]
}
