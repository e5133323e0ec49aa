/**
 * Verifies a pack. `verify.mjs` does the same independently; docs/evidence-format.md has the
 * rules.
 */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { isForKey } from '../certificate-facts.ts'
import { fingerprintOf, isWorthless } from '#wire/evidence/keys.ts'
import { demand, finding, Refusal } from '../refusal.ts'
import { approvalFinding, checkApprovals, isApproved, requiredApproval, type RequiredApproval } from './approvals.ts'
import { checkCompleteness } from './completeness.ts'
import { envelopeFits } from '#wire/evidence/dsse.ts'
import { checkErasure, checkEvents, checkResponses, withheldEvents } from './events.ts'
import { openPack } from './form.ts'
import type { OpenedPack } from './pack.ts'
import { checkSubject } from './subject.ts'
import { checkTree } from './tree.ts'
import { viewOf, type PackView } from './view.ts'

export interface CheckedPack {
  /** Nothing is wrong with it; it may lack the answer of a second person that it must have. */
  readonly intact: boolean
  readonly verified: boolean
  readonly findings: readonly EvidenceFinding[]
  /** As it is in the file; absent if the text is not a pack. */
  readonly pack?: OpenedPack
  /** Number of withheld values. */
  readonly withheld: number
  /** What can be shown of it; present if it is intact. */
  readonly view?: PackView
  /** Of a decision that needs a second person. */
  readonly approval?: RequiredApproval
}

/** Checks everything in a pack; never throws. */
export function checkPack(text: string): CheckedPack {
  const findings: EvidenceFinding[] = []
  let pack: OpenedPack | undefined
  try {
    pack = openPack(text)
    findings.push(finding('form-right'))
    checkSignature(pack)
    findings.push(finding('signature-right'))
    const { content } = pack
    const withheld = checkEvents(content)
    findings.push(finding('events-right', { events: content.events.length }))
    const { made, findings: ofTree } = checkTree(content)
    findings.push(...ofTree)
    checkResponses(content)
    checkErasure(content)
    findings.push(finding('responses-right', { bodies: content.bodies.length }), ...withheldFindings(pack, withheld))
    checkSubject(content, made)
    findings.push(finding('subject-right'), ...checkCompleteness(content, made))
    const ofApprovals = checkApprovals(content)
    checkAttachments(pack)
    const approval = requiredApproval(content)
    return {
      intact: true,
      verified: !approval || isApproved(approval),
      findings: [...findings, ...ofApprovals, ...(approval ? [approvalFinding(approval)] : [])],
      pack,
      withheld,
      view: viewOf(pack, made),
      ...(approval && { approval })
    }
  } catch (error) {
    const found = error instanceof Refusal ? error.finding : finding('unreadable')
    return { intact: false, verified: false, findings: [...findings, found], withheld: 0, ...(pack && { pack }) }
  }
}

function checkSignature({ content: { signer }, file: { envelope } }: OpenedPack): void {
  demand(!isWorthless(signer.key), 'key-worthless')
  demand(envelope.signatures[0]?.keyid === fingerprintOf(signer.key), 'key-of-another')
  demand(envelopeFits(envelope, signer.key), 'signature-wrong')
  // Whether they lead to an authority depends on the reader; whose key they are for does not.
  const [own] = signer.certificates
  demand(own === undefined || isForKey(Buffer.from(own, 'base64'), signer.key), 'certificate-key')
}

/** What is withheld, and what of it rests on the signer's word alone. */
function withheldFindings({ content }: OpenedPack, withheld: number): EvidenceFinding[] {
  const kinds = withheldEvents(content).map(({ kind, count }) => `${kind} ${count}`)
  return [
    finding('values-right', { withheld }),
    ...(kinds.length > 0 ? [finding('events-withheld', { kinds: kinds.join(', ') })] : [])
  ]
}

function checkAttachments({ content: { attachments } }: OpenedPack): void {
  const names = new Set<string>()
  for (const { name } of attachments) {
    demand(!names.has(name), 'attachment-twice', { name })
    names.add(name)
  }
}
