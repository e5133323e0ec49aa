/** Updates by notice: the feed that a policy or a person names, and what a window knows of its last notice. */
import { z } from 'zod'
import type { Failure, FieldFault } from '../failures/failures.ts'
import { invalidField } from '../failures/failures.ts'
import { issueOf, rule } from '../verification/field-issues.ts'
import { releaseChannels, type Release } from './releases.ts'
import { authorityUrlFault } from '../evidence/timestamps.ts'

/** Maximum public keys that are trusted at a time. */
const maxUpdateKeys = 8

/** Why the address of a feed is invalid: https, or http on this computer, with a path and without a query, which could identify somebody. */
export function feedUrlFault(text: string): FieldFault | undefined {
  return (
    authorityUrlFault(text) ?? (new URL(text).search || text.includes('?') ? invalidField('base-url-query') : undefined)
  )
}

/** A public key of minisign: the second line of its file. */
export const updateKeySchema = z
  .string()
  .trim()
  .regex(/^RW[Q-T][A-Za-z0-9+/]{53}$/, rule('update-key-invalid'))

export const updateFeedSchema = z.strictObject({
  url: z
    .string()
    .trim()
    .superRefine((text, context) => {
      const fault = feedUrlFault(text)
      if (fault) context.addIssue(issueOf(fault))
    }),
  /** A notice of another channel is refused. */
  channel: z.enum(releaseChannels),
  /** At least one of them must have signed a notice. With two, a key can be replaced by another. */
  publicKeys: z
    .array(updateKeySchema)
    .min(1, rule('update-key-invalid'))
    .max(maxUpdateKeys)
    .refine((keys) => new Set(keys).size === keys.length, rule('update-keys-repeated'))
})
export type UpdateFeed = z.output<typeof updateFeedSchema>

/** A feed as text, for the list of policies and the audit trail. */
export const feedText = (feed: UpdateFeed | null): string =>
  feed ? `${feed.url} (${feed.channel}; ${feed.publicKeys.join(', ')})` : ''

/** What a window and the command line know of updates. Times are Unix milliseconds. */
export interface UpdatesState {
  /** `off`: no feed is set. `sample`: with sample data, nothing is fetched. */
  readonly mode: 'off' | 'sample' | 'on'
  readonly checking: boolean
  /** When the feed was last asked; absent if it never was. */
  readonly checkedAt?: number
  /** Why there is no notice: that of the last check, or that the notice has expired since. */
  readonly failure?: Failure
  /** The last valid notice. */
  readonly notice?: { readonly release: Release; readonly newer: boolean; readonly acceptedAt: number }
}
