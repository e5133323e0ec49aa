/** Editing the list of reasons for decisions: each change returns a new list, or an error. */
import {
  decisions,
  maxReasonCodes,
  maxRemovedReasons,
  reasonCodeSchema,
  type Decision,
  type ReasonCode
} from '#contract/applicants/applicants.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { words } from './words.ts'

export type Reasons = Pick<Settings, 'decisionReasons' | 'removedReasons'>
export type ReasonField = 'label' | 'code' | 'decisions'
export interface ReasonFault {
  readonly field: ReasonField
  /** A complete sentence. */
  readonly words: string
}
export type Edited = { readonly reasons: Reasons } | { readonly fault: ReasonFault }

const maxCode = 40
const fault = (field: ReasonField, words: string): { readonly fault: ReasonFault } => ({ fault: { field, words } })

/** Derives a code from a label: “Über 18 Jahre” becomes “uber-18-jahre”. Empty if the label has no usable letters. */
export const codeOf = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f’']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxCode)
    .replace(/^-+|-+$/g, '')

/** A code from a label that is none of those taken: “high”, “high-2”. */
export function freeCode(label: string, fallback: string, taken: readonly string[]): string {
  const base = codeOf(label) || fallback
  // As many numbers as there are codes: one of them is free.
  const numbered = taken.map((_, at) => `${base.slice(0, maxCode - 3)}-${at + 2}`)
  return [base, ...numbered].find((each) => !taken.includes(each)) ?? base
}

function labelFault(label: string, others: readonly ReasonCode[]): ReasonFault | undefined {
  const same = label.toLowerCase()
  if (label === '') return { field: 'label', words: words.enterAName }
  if (!reasonCodeSchema.shape.label.safeParse(label).success) return { field: 'label', words: words.aNameHasAtMost }
  if (others.some((other) => other.label.toLowerCase() === same))
    return { field: 'label', words: words.thereIsAlreadyAReason({ label }) }
  return undefined
}

/** Adds a reason at the end. An empty code is derived from the name. */
export function add({ decisionReasons, removedReasons }: Reasons, draft: ReasonCode): Edited {
  const label = draft.label.trim()
  const code = draft.code.trim() || codeOf(label)
  if (decisionReasons.length >= maxReasonCodes) return fault('label', words.theListHoldsAtMost({ maxReasonCodes }))
  const named = labelFault(label, decisionReasons)
  if (named) return { fault: named }
  if (code === '') return fault('code', words.enterACodeLowerCase)
  if (!reasonCodeSchema.shape.code.safeParse(code).success) return fault('code', words.aCodeHasLowerCase({ maxCode }))
  if (decisionReasons.some((other) => other.code === code)) return fault('code', words.theCodeCodeIsAlready({ code }))
  const removed = removedReasons.find((other) => other.code === code)
  // Using the same code with another meaning would change old decisions.
  if (removed) return fault('code', words.theCodeCodeBelongsTo({ code, label: removed.label }))
  if (draft.decisions.length === 0) return fault('decisions', words.chooseAtLeastOneDecision)
  return {
    reasons: {
      decisionReasons: [
        ...decisionReasons,
        {
          code,
          label,
          decisions: inOrder(draft.decisions),
          ...(draft.wording !== undefined && { wording: draft.wording })
        }
      ],
      removedReasons
    }
  }
}

/** Changes a reason's name, decisions or wording. Its code stays, since decisions refer to it. */
export function alter(
  { decisionReasons, removedReasons }: Reasons,
  code: string,
  change: Partial<Omit<ReasonCode, 'code'>>
): Edited {
  const label = change.label?.trim()
  const named =
    label === undefined
      ? undefined
      : labelFault(
          label,
          decisionReasons.filter((other) => other.code !== code)
        )
  if (named) return { fault: named }
  if (change.decisions?.length === 0) return fault('decisions', words.aReasonNeedsAtLeast)
  // An empty one takes it away.
  const wordingOf = ({ wording }: ReasonCode): string | undefined =>
    (change.wording === undefined ? wording : change.wording.trim()) || undefined
  const altered = (reason: ReasonCode): ReasonCode => {
    const wording = wordingOf(reason)
    return {
      code,
      label: label ?? reason.label,
      decisions: change.decisions ? inOrder(change.decisions) : reason.decisions,
      ...(wording !== undefined && { wording })
    }
  }
  return {
    reasons: {
      decisionReasons: decisionReasons.map((reason) => (reason.code === code ? altered(reason) : reason)),
      removedReasons
    }
  }
}

/** Moves a reason to another position, counted from 0 and limited to the ends of the list. */
export function move({ decisionReasons, removedReasons }: Reasons, code: string, to: number): Reasons {
  const reason = decisionReasons.find((each) => each.code === code)
  if (!reason) return { decisionReasons, removedReasons }
  const others = decisionReasons.filter((each) => each !== reason)
  const place = Math.min(Math.max(to, 0), others.length)
  return { decisionReasons: [...others.slice(0, place), reason, ...others.slice(place)], removedReasons }
}

/** Removes a reason from the list; its name is kept for decisions that used it. */
export function remove({ decisionReasons, removedReasons }: Reasons, code: string): Reasons {
  const gone = decisionReasons.filter((reason) => reason.code === code)
  return {
    decisionReasons: decisionReasons.filter((reason) => reason.code !== code),
    removedReasons: [...gone, ...removedReasons.filter((reason) => reason.code !== code)].slice(0, maxRemovedReasons)
  }
}

/** Restores a removed reason at the end of the list. */
export function restore(reasons: Reasons, code: string): Edited {
  const removed = reasons.removedReasons.find((reason) => reason.code === code)
  const removedReasons = reasons.removedReasons.filter((reason) => reason.code !== code)
  return removed ? add({ ...reasons, removedReasons }, removed) : { reasons }
}

const inOrder = (given: readonly Decision[]): Decision[] => decisions.filter((decision) => given.includes(decision))
