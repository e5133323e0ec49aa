/** The list of reasons for decisions, as it is edited: each change is a new list, or why it cannot be. */
import { decisions, maxReasonCodes, maxRemovedReasons, reasonCodeSchema, type Decision, type ReasonCode } from '#contract/applicants.ts'
import type { Settings } from '#contract/settings.ts'

export type Reasons = Pick<Settings, 'decisionReasons' | 'removedReasons'>
export type ReasonField = 'label' | 'code' | 'decisions'
export interface ReasonFault {
  readonly field: ReasonField
  /** A whole sentence. */
  readonly words: string
}
export type Edited = { readonly reasons: Reasons } | { readonly fault: ReasonFault }

const maxCode = 40
const fault = (field: ReasonField, words: string): { readonly fault: ReasonFault } => ({ fault: { field, words } })

/** A code for a label: “Über 18 Jahre” becomes “uber-18-jahre”. Empty where the label has none of its letters. */
export const codeOf = (label: string): string =>
  label.normalize('NFKD').toLowerCase().replace(/[\u0300-\u036f’']/g, '').replace(/[^a-z0-9]+/g, '-').slice(0, maxCode).replace(/^-+|-+$/g, '')

function labelFault(label: string, others: readonly ReasonCode[]): ReasonFault | undefined {
  const same = label.toLowerCase()
  if (label === '') return { field: 'label', words: 'Enter a name.' }
  if (!reasonCodeSchema.shape.label.safeParse(label).success) return { field: 'label', words: 'A name has at most 120 characters.' }
  if (others.some((other) => other.label.toLowerCase() === same)) return { field: 'label', words: `There is already a reason called “${label}”.` }
  return undefined
}

/** Adds a reason at the end. An empty code is made from the name. */
export function add({ decisionReasons, removedReasons }: Reasons, draft: ReasonCode): Edited {
  const label = draft.label.trim()
  const code = draft.code.trim() || codeOf(label)
  if (decisionReasons.length >= maxReasonCodes) return fault('label', `The list holds at most ${maxReasonCodes} reasons. Remove one first.`)
  const named = labelFault(label, decisionReasons)
  if (named) return { fault: named }
  if (code === '') return fault('code', 'Enter a code: lower-case letters, digits and hyphens.')
  if (!reasonCodeSchema.shape.code.safeParse(code).success) return fault('code', `A code has lower-case letters, digits and hyphens, at most ${maxCode}, and begins with a letter or digit.`)
  if (decisionReasons.some((other) => other.code === code)) return fault('code', `The code “${code}” is already in the list.`)
  const removed = removedReasons.find((other) => other.code === code)
  // The same code with another meaning would change what old decisions say.
  if (removed) return fault('code', `The code “${code}” belongs to the removed reason “${removed.label}”. Restore that reason, or choose another code.`)
  if (draft.decisions.length === 0) return fault('decisions', 'Choose at least one decision.')
  return { reasons: { decisionReasons: [...decisionReasons, { code, label, decisions: inOrder(draft.decisions) }], removedReasons } }
}

/** Gives a reason another name or other decisions. Its code stays: decisions name it by that. */
export function alter({ decisionReasons, removedReasons }: Reasons, code: string, change: Partial<Omit<ReasonCode, 'code'>>): Edited {
  const label = change.label?.trim()
  const named = label === undefined ? undefined : labelFault(label, decisionReasons.filter((other) => other.code !== code))
  if (named) return { fault: named }
  if (change.decisions?.length === 0) return fault('decisions', 'A reason needs at least one decision. Remove it if it is not used.')
  const altered = (reason: ReasonCode): ReasonCode => ({
    code, label: label ?? reason.label, decisions: change.decisions ? inOrder(change.decisions) : reason.decisions
  })
  return { reasons: { decisionReasons: decisionReasons.map((reason) => (reason.code === code ? altered(reason) : reason)), removedReasons } }
}

/** Takes a reason out of its place and puts it at another, counted from 0. Beyond an end it stays at the end. */
export function move({ decisionReasons, removedReasons }: Reasons, code: string, to: number): Reasons {
  const reason = decisionReasons.find((each) => each.code === code)
  if (!reason) return { decisionReasons, removedReasons }
  const others = decisionReasons.filter((each) => each !== reason)
  const place = Math.min(Math.max(to, 0), others.length)
  return { decisionReasons: [...others.slice(0, place), reason, ...others.slice(place)], removedReasons }
}

/** Takes a reason off the list; its name is kept for decisions that gave it. */
export function remove({ decisionReasons, removedReasons }: Reasons, code: string): Reasons {
  const gone = decisionReasons.filter((reason) => reason.code === code)
  return {
    decisionReasons: decisionReasons.filter((reason) => reason.code !== code),
    removedReasons: [...gone, ...removedReasons.filter((reason) => reason.code !== code)].slice(0, maxRemovedReasons)
  }
}

/** Puts a removed reason back, at the end. */
export function putBack(reasons: Reasons, code: string): Edited {
  const removed = reasons.removedReasons.find((reason) => reason.code === code)
  const removedReasons = reasons.removedReasons.filter((reason) => reason.code !== code)
  return removed ? add({ ...reasons, removedReasons }, removed) : { reasons }
}

const inOrder = (given: readonly Decision[]): Decision[] => decisions.filter((decision) => given.includes(decision))
