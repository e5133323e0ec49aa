/**
 * Answers of colleagues to requests for approval, through a team or in a file: each is signed by the reviewer, over the
 * request that it answers. docs/evidence-format.md, "Approvals".
 */
import { isAnswerSignedBy } from '#wire/evidence/approval-signature.ts'
import { fingerprintOf, isWorthless } from '#wire/evidence/keys.ts'
import { demand, finding } from '../refusal.ts'
import type { EvidenceFinding, RedactionProfile } from '#contract/evidence/evidence.ts'
import type { NamedEvent } from '#wire/history/approvals.ts'
import type { Content, ContentEvent } from './pack.ts'
import { plainOf } from './reading.ts'

const signedNames = ['signer', 'signature', 'scope', 'asked', 'agrees', 'at', 'by', 'salt'] as const

const isDigits = (value: unknown, digits: number): value is string =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]*$/.test(value)
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15

function isNamed(value: unknown): value is NamedEvent {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [installation, seq, hash] = value as unknown[]
  return typeof installation === 'string' && Number.isSafeInteger(seq) && (seq as number) > 0 && isDigits(hash, 64)
}

/** Whether newer evidence was known when the answer arrived. */
const isVoid = (event: ContentEvent): boolean => plainOf(event, 'void') === true

/** Whether a redacted pack shows of an answer only whether the colleague agrees. */
function isUnproved({ plain: { shown } }: ContentEvent, profile: RedactionProfile): boolean {
  const [first] = shown
  return profile !== 'full' && shown.length === 1 && first?.[1] === 'agrees' && typeof first[2] === 'boolean'
}

/**
 * Checks the answers: each shows everything that its signature is over, or, in a redacted pack, only whether the
 * colleague agrees. Says how many of each there are, and how many do not agree; void ones are counted apart, since what they
 * say counts for nothing.
 */
export function checkApprovals({ events, profile }: Content): EvidenceFinding[] {
  let [held, against, late] = [0, 0, 0]
  const unproved: boolean[] = []
  for (const event of events) {
    if (event.kind !== 'approval.received') continue
    if (isUnproved(event, profile)) {
      unproved.push(plainOf(event, 'agrees') === true)
      continue
    }
    const [signer, signature, scope, asked, agrees, at, by, salt] = signedNames.map((name) => plainOf(event, name))
    const isForm =
      isDigits(signer, 64) &&
      isDigits(signature, 128) &&
      typeof scope === 'string' &&
      isNamed(asked) &&
      typeof agrees === 'boolean' &&
      isTime(at) &&
      typeof by === 'string' &&
      isDigits(salt, 32)
    demand(isForm, 'approval-form', { event: event.seq })
    const signed = { scope, asked, agrees, at, by, salt }
    demand(!isWorthless(signer) && isAnswerSignedBy(signer, signed, signature), 'approval-signature', {
      event: event.seq
    })
    const request = events.find(({ seq }) => seq === asked[1])
    demand(!request || (request.kind === 'approval.asked' && request.hash === asked[2]), 'approval-request', {
      event: event.seq
    })
    if (isVoid(event)) late += 1
    else {
      held += 1
      if (!agrees) against += 1
    }
  }
  const [all, agreeing] = [unproved.length, unproved.filter((agrees) => agrees).length]
  return [
    ...(held === 0
      ? []
      : [against === 0 ? finding('approvals-right', { held }) : finding('approvals-against', { held, against })]),
    ...(late === 0 ? [] : [finding('approvals-void', { held: late })]),
    ...(all === 0 ? [] : [finding('approvals-unproved', { held: all, against: all - agreeing })])
  ]
}

/** What second persons said of a decision that needs one. */
export interface RequiredApproval {
  readonly required: number
  readonly agreeing: number
  readonly against: number
  /** A redacted pack does not show it. */
  readonly withheld?: true
}

/** Whether enough second persons agree, and none does not. */
export const isApproved = ({ required, agreeing, against, withheld }: RequiredApproval): boolean =>
  withheld === true || (agreeing >= required && against === 0)

/** How many people must agree with the last decision that is shown; undefined without one that needs somebody. */
function requirement({
  about,
  events
}: Content): { readonly decision: ContentEvent; readonly required: number } | undefined {
  const decision = about.kind === 'applicant' ? events.findLast(({ kind }) => kind === 'decision.made') : undefined
  if (!decision) return undefined
  const required = plainOf(decision, 'requires') ?? 0
  const isCount = required === 0 || required === 1
  demand(isCount, 'value-missing', { event: decision.seq, name: 'requires' })
  return required === 0 ? undefined : { decision, required }
}

/**
 * What second persons said of the decision that stands; undefined if it needs nobody. An answer is to a request that names this decision by
 * number and hash, and came later; of each key but the signer's the last one counts.
 */
export function requiredApproval(content: Content): RequiredApproval | undefined {
  const found = requirement(content)
  if (!found) return undefined
  const { decision, required } = found
  if (content.profile !== 'full') return { required, agreeing: 0, against: 0, withheld: true }
  const { events, signer } = content
  const answers = new Map<string, boolean>()
  for (const event of events) {
    if (event.kind !== 'approval.received' || event.seq < decision.seq || isVoid(event)) continue
    const [key, asked, agrees] = ['signer', 'asked', 'agrees'].map((name) => plainOf(event, name))
    const request = events.find(({ kind, seq }) => kind === 'approval.asked' && isNamed(asked) && seq === asked[1])
    const named = request && plainOf(request, 'decision')
    if (key !== signer.key && isNamed(named) && named[1] === decision.seq && named[2] === decision.hash)
      answers.set(fingerprintOf(key as string), agrees === true)
  }
  const all = [...answers.values()]
  return { required, agreeing: all.filter(Boolean).length, against: all.filter((agrees) => !agrees).length }
}

/** What that means for a pack. */
export const approvalFinding = (approval: RequiredApproval): EvidenceFinding => {
  const { required, agreeing, against, withheld } = approval
  if (withheld) return finding('approval-withheld')
  return finding(isApproved(approval) ? 'approval-enough' : 'approval-missing', { required, agreeing, against })
}

/** A request for approval in a pack, and what an answer to it names. */
export interface FiledRequest {
  readonly applicantId: string
  readonly asked: NamedEvent
  readonly scope: string
  /** Who asked; null if withheld. */
  readonly operator: string | null
}

/** The last request for approval of the decision that stands; undefined without one that this audit trail made for a file. */
export function requestIn({ about, events, origin }: Content): FiledRequest | undefined {
  const decision = about.kind === 'applicant' ? events.findLast(({ kind }) => kind === 'decision.made') : undefined
  const request = events.findLast(({ kind }) => kind === 'approval.asked')
  if (!decision || !request || about.id === null) return undefined
  const [named, scope, operator] = ['decision', 'scope', 'operator'].map((name) => plainOf(request, name))
  if (!isNamed(named) || named[1] !== decision.seq || named[2] !== decision.hash || scope !== origin.leaf)
    return undefined
  return {
    applicantId: about.id,
    asked: [named[0], request.seq, request.hash],
    scope: origin.leaf,
    operator: typeof operator === 'string' ? operator : null
  }
}
