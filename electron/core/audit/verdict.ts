/** The result of a finished verification of the audit trail. */
import type { AuditVerdict } from '#contract/evidence/audit.ts'
import { rootOfSubtrees } from '#kit/hashing/merkle.ts'
import type { WalkStep } from '#wire/history/audit-walk.ts'

/** The verdict of a finished verification. */
export function verdictOf(
  step: Exclude<WalkStep, { readonly kind: 'more' }>,
  took: number,
  anchor?: { readonly seq: number; readonly at: number }
): AuditVerdict {
  if (step.kind === 'broken') return { intact: false, ...step.broken, took }
  const { seq, hash, opened, erased, tree } = step.state
  const root = rootOfSubtrees(tree)
  return { intact: true, events: seq, head: { seq, hash, root }, opened, erased, anchor, took }
}
