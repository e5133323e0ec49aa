/**
 * Checklists: what a person answers before a decision or with a periodic review. They are the organisation's own; each version is
 * recorded when it is first answered, so that answers are read by what was asked then.
 */
import { z } from 'zod'
import { rule } from '../verification/field-issues.ts'
import { decisions, type Decision } from './meanings.ts'

export const checklistKinds = ['decision', 'review'] as const
export type ChecklistKind = (typeof checklistKinds)[number]
/** How an item is answered: by ticking it, or by one of all answers. */
export const answerForms = ['tick', 'yes-no'] as const
export const checkAnswers = ['yes', 'no', 'not-applicable'] as const
/** A tick is a `yes`. */
export type CheckAnswer = (typeof checkAnswers)[number]
export const maxChecklistItems = 20

const codeSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, rule('reason-code-invalid'))
const item = {
  code: codeSchema,
  label: z.string().trim().min(1, rule('label-missing')).max(120),
  /** Without an answer to it nothing is recorded. */
  required: z.boolean(),
  answer: z.enum(answerForms)
}
const list = <Item extends z.ZodType<{ code: string }, unknown>>(schema: Item) =>
  z
    .array(schema)
    .max(maxChecklistItems)
    .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, rule('codes-repeated'))

export const checklistsSchema = z.strictObject({
  decision: list(
    z.strictObject({
      ...item,
      /** Decisions that it belongs to. */
      decisions: z.array(z.enum(decisions)).min(1, rule('decisions-missing')).max(decisions.length)
    })
  ),
  review: list(z.strictObject(item))
})
export type Checklists = z.output<typeof checklistsSchema>
export type ChecklistItem = Checklists['review'][number] & { readonly decisions?: readonly Decision[] }

/** Answers by the code of the item; an item without an answer is absent. */
export const checksSchema = z
  .record(codeSchema, z.enum(checkAnswers))
  .refine((checks) => Object.keys(checks).length <= maxChecklistItems, rule('value-invalid'))
export type Checks = Readonly<Record<string, CheckAnswer>>

/** The items that are answered with a decision, or with a review; none without a checklist. */
export const itemsFor = ({ decision, review }: Checklists, of: Decision | 'review'): readonly ChecklistItem[] =>
  of === 'review' ? review : decision.filter(({ decisions: its }) => its.includes(of))

/** The answer to an item: undefined if there is none. */
export const answerTo = (checks: Checks, { code }: Pick<ChecklistItem, 'code'>): CheckAnswer | undefined =>
  Object.hasOwn(checks, code) ? checks[code] : undefined

/** The required items without an answer. */
export const unansweredOf = (items: readonly ChecklistItem[], checks: Checks): readonly ChecklistItem[] =>
  items.filter((each) => each.required && answerTo(checks, each) === undefined)

/** The answers to these items alone. */
export const checksOf = (items: readonly ChecklistItem[], checks: Checks): Checks =>
  Object.fromEntries(items.flatMap((each) => [[each.code, answerTo(checks, each)] as const].filter(hasAnswer)))
const hasAnswer = (entry: readonly [string, CheckAnswer | undefined]): entry is readonly [string, CheckAnswer] =>
  entry[1] !== undefined

/** What an event says of the checklist that was answered: the number of its version, and whether all its items are. */
export interface ChecklistNamed {
  readonly ref: number
  readonly complete: boolean
}
/** A checklist as it was answered, by the labels of that version. */
export interface ChecklistAnswered {
  readonly complete: boolean
  readonly items: readonly { readonly label: string; readonly answer?: CheckAnswer }[]
}

/** A version of a checklist as the text of its event, and what such a text says; undefined if it says nothing that is known. */
export const checklistText = (kind: ChecklistKind, { [kind]: items }: Checklists): string =>
  JSON.stringify({ kind, items })
export function checklistOf(
  text: string
): { readonly kind: ChecklistKind; readonly items: readonly ChecklistItem[] } | undefined {
  try {
    const { kind, items } = JSON.parse(text) as { readonly kind: ChecklistKind; readonly items: unknown }
    const found = checklistsSchema.safeParse({ decision: [], review: [], [kind]: items })
    return found.success && checklistKinds.includes(kind) ? { kind, items: found.data[kind] } : undefined
  } catch {
    return undefined
  }
}

/** What was answered of a version: its items for the decision, in their order. Undefined if the text says nothing that is known. */
export function answeredOf(
  text: string,
  of: Decision | 'review',
  { complete, checks }: { readonly complete: boolean; readonly checks: Checks }
): ChecklistAnswered | undefined {
  const version = checklistOf(text)
  if (!version) return undefined
  const items = itemsFor({ decision: [], review: [], [version.kind]: version.items } as Checklists, of)
  return { complete, items: items.map((each) => ({ label: each.label, answer: answerTo(checks, each) })) }
}
