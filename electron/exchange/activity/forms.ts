/**
 * What a colleague's event says, as far as it is shown. A member can put anything into an event: a value of another type is
 * absent, a long text is cut, and what an event cannot be shown without makes it unreadable.
 */
import { z } from 'zod'
import { decisions, maxNoteLength, maxTags } from '#contract/applicants/applicants.ts'
import { checksSchema } from '#contract/applicants/checklists.ts'
import { civilDateSchema, relationshipStates } from '#contract/applicants/relationships.ts'
import { reviewOutcomes } from '#contract/applicants/reviews.ts'
import { connectionModes } from '#contract/connections/connection.ts'
import { operationIds } from '#contract/verification/operations.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import { maxAssigneeLength } from '#contract/applicants/queue.ts'
import { colleagueEntrySchema } from '#contract/team/queue.ts'
import { resolutions } from '#contract/history/records.ts'
import { shortMessage } from '#wire/history/record-payloads.ts'

const text = (most: number) => z.string().transform((given) => given.slice(0, most).toWellFormed())
const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
/** The first ones of a list. */
const few = <T extends z.ZodType>(schema: T, most: number) =>
  z
    .array(z.unknown())
    .transform((given) => given.slice(0, most))
    .pipe(z.array(schema))
const lastDate = 8.64e15
/** At most one for each installation. */
const mostNamed = 1000
/** Records that a decision rests on. */
const mostRecords = 10_000
const named = z.tuple([z.string().regex(/^[0-9a-f]{32}$/), z.int().min(1), z.string().regex(/^[0-9a-f]{64}$/)])
const hexOf = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
/** A name in decisions and an account. */
const longestSignature = 250
const by = { operator: maybe(text(longestSignature)) }

const partOfAll = z.tuple([z.int().min(0), z.int().min(0)]).refine(([part, all]) => part <= all)

export const plainOf = {
  any: z.object(by),
  begun: z.object({ ...by, operation: z.enum(operationIds), connection: maybe(z.int().min(0)) }),
  ended: z.object({
    outcome: z.enum(outcomeIds),
    reply: maybe(z.object({ status: z.int().min(100).max(999) }).nullable())
  }),
  resolved: z.object({ as: z.enum(resolutions) }),
  decision: z.object({
    ...by,
    decision: z.enum(decisions),
    evidence: maybe(z.int().min(0)),
    requires: maybe(z.int()),
    supersedes: maybe(few(named, mostNamed)),
    // One of which nothing is known is of many.
    set: maybe(z.object({ share: z.number().catch(0) })),
    seen: maybe(z.object({ answers: partOfAll, documents: partOfAll })),
    records: maybe(few(z.int().min(0), mostRecords)),
    checklist: maybe(z.object({ ref: z.int().min(0), complete: z.boolean() }))
  }),
  checklist: z.object({ text: z.string() }),
  due: z.object({ ...by, due: z.int().min(0).max(lastDate).nullable() }),
  review: z.object({ ...by, outcome: z.enum(reviewOutcomes) }),
  risk: z.object({ ...by, class: text(40), months: z.int().min(1).max(1200) }),
  relationship: z.object({ ...by, state: z.enum(relationshipStates), on: civilDateSchema }),
  assignee: z.object({
    ...by,
    assigned: z.boolean(),
    late: maybe(z.boolean()),
    to: maybe(z.string().regex(/^[0-9a-f]{32}$/)),
    of: colleagueEntrySchema.optional()
  }),
  connection: z.object({ snapshot: z.string() }),
  asked: z.object({ ...by, scope: z.string(), decision: named, evidence: few(named, mostNamed) }),
  // Whole: it is signed.
  answered: z.object({
    operator: maybe(z.string()),
    scope: z.string(),
    asked: named,
    agrees: z.boolean(),
    salt: hexOf(16),
    signer: hexOf(32),
    signature: hexOf(64)
  })
} as const

export const sealedOf = {
  begun: z.object({ input: z.record(z.string(), z.string()) }),
  ended: z.object({ message: maybe(text(shortMessage)) }),
  decision: z.object({
    reasons: maybe(few(text(40), 20)),
    note: maybe(text(maxNoteLength)),
    checks: maybe(checksSchema)
  }),
  note: z.object({ text: maybe(text(maxNoteLength)) }),
  expiry: z.object({ document: maybe(text(60)), expires: maybe(civilDateSchema) }),
  noted: z.object({ note: maybe(text(maxNoteLength)) }),
  tags: z.object({ tags: maybe(few(text(60), maxTags)) }),
  assignee: z.object({ assignee: maybe(text(maxAssigneeLength)) })
} as const

export const connectionForm = z.object({ name: text(60), origin: text(300), mode: z.enum(connectionModes) })
