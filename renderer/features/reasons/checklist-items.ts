/** Editing a checklist: each change returns a new list, or a sentence that says why it cannot be made. */
import { decisions, type Decision } from '#contract/applicants/applicants.ts'
import { maxChecklistItems, type ChecklistItem, type ChecklistKind } from '#contract/applicants/checklists.ts'
import { freeCode } from './reason-codes.ts'
import { words } from './words.ts'

export type Items = readonly ChecklistItem[]
export type Edited = { readonly items: Items } | { readonly fault: string }

/** Items that many organisations ask for, by their codes; they are added as they are and can be changed then. */
const suggestions: readonly Pick<ChecklistItem, 'code' | 'label'>[] = [
  { code: 'photo-matches', label: words.thePhotoMatches },
  { code: 'document-not-expired', label: words.theDocumentHasNotExpired },
  { code: 'values-match', label: words.theValuesMatch },
  { code: 'why-no-eid', label: words.theNoteSaysWhyNoEid }
]
const itemOf = (kind: ChecklistKind, said: Pick<ChecklistItem, 'code' | 'label'>): ChecklistItem => ({
  ...said,
  required: true,
  answer: 'yes-no',
  ...(kind === 'decision' && { decisions: ['approve'] })
})

function labelFault(label: string, others: Items): string | undefined {
  if (label === '') return words.enterAName
  return others.some((other) => other.label.toLowerCase() === label.toLowerCase())
    ? words.thereIsAlreadyAnItem({ label })
    : undefined
}

/** Adds an item at the end, for approvals at first. Its code is derived from its name, and differs from all others. */
export function add(items: Items, kind: ChecklistKind, name: string): Edited {
  const label = name.trim()
  const fault = items.length >= maxChecklistItems ? words.theChecklistHoldsAtMost : labelFault(label, items)
  if (fault !== undefined) return { fault }
  const code = freeCode(
    label,
    'item',
    items.map((each) => each.code)
  )
  return { items: [...items, itemOf(kind, { code, label })] }
}

/** The suggested items that are not in the list, by code or name. */
export const suggested = (items: Items, kind: ChecklistKind): Items =>
  suggestions
    .filter(({ code, label }) => items.every((each) => each.code !== code && each.label !== label))
    .slice(0, maxChecklistItems - items.length)
    .map((each) => itemOf(kind, each))

/** Changes an item. Its code stays. */
export function alter(items: Items, code: string, change: Partial<Omit<ChecklistItem, 'code'>>): Edited {
  const others = items.filter((each) => each.code !== code)
  const label = change.label?.trim()
  const fault = label === undefined ? undefined : labelFault(label, others)
  if (fault !== undefined) return { fault }
  if (change.decisions?.length === 0) return { fault: words.anItemNeedsADecision }
  const ordered = change.decisions && decisions.filter((each) => change.decisions?.includes(each))
  return {
    items: items.map((each) =>
      each.code === code
        ? { ...each, ...change, ...(label !== undefined && { label }), ...(ordered && { decisions: ordered }) }
        : each
    )
  }
}

/** Adds a decision that an item belongs to, or removes it; removing the last one is refused. */
export function toggle(items: Items, code: string, decision: Decision, on: boolean): Edited {
  const others = items.find((each) => each.code === code)?.decisions?.filter((each) => each !== decision) ?? []
  return alter(items, code, { decisions: on ? [...others, decision] : others })
}

/** Moves an item to another position, counted from 0 and limited to the ends of the list. */
export function move(items: Items, code: string, to: number): Items {
  const others = items.filter((each) => each.code !== code)
  const place = Math.min(Math.max(to, 0), others.length)
  return [...others.slice(0, place), ...items.filter((each) => each.code === code), ...others.slice(place)]
}
