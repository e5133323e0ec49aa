/** What the system asks the console to open: a link to a place, or a file that somebody opened with Veridesk. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { LinkedPlace } from './link-to.ts'

/** What a link can lead to, each named by its ID alone. */
export const linkedPages = {
  applicant: applicantIdSchema,
  record: z.uuid(),
  batch: z.uuid()
} as const satisfies Record<LinkedPlace['page'], z.ZodType>
export type LinkedPage = keyof typeof linkedPages

/** The endings of packs: of one for reading, and of one with a request for approval. */
export const packEndings = ['veridesk-evidence', 'veridesk-case'] as const
/** The ending of an answer to a request for approval. */
export const approvalEnding = 'veridesk-approval'
/** The endings of other files that the console opens: tables for a batch. */
export const tableEndings = ['csv', 'tsv', 'xlsx', 'xlsm'] as const

/**
 * The place that a link leads to. Undefined for anything else: another page, an ID that cannot be one, a query, a fragment,
 * a name or a port. A browser or a mail program passes on what somebody else wrote, so nothing is repaired.
 */
export function placeOf(link: string): LinkedPlace | undefined {
  const [, page, coded] = /^veridesk:\/\/([a-z]+)\/([^/?#]+)\/?$/i.exec(link) ?? []
  const named = page?.toLowerCase()
  if (!named || coded === undefined || !Object.hasOwn(linkedPages, named)) return undefined
  let id: string
  try {
    id = decodeURIComponent(coded)
  } catch {
    return undefined
  }
  const key = named as LinkedPage
  return linkedPages[key].safeParse(id).success ? { page: key, id } : undefined
}

/** Where a notification of the system leads. */
export type NotifiedPlace = LinkedPlace | { readonly page: 'queue' | 'team' | 'connections' }

/** The next thing to open. `refused`: a link that leads nowhere here. */
export type Opening =
  | { readonly what: 'place'; readonly place: NotifiedPlace }
  | { readonly what: 'file'; readonly name: string; readonly base64: string }
  | { readonly what: 'refused' }
