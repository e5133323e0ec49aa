/** Acknowledgements: an installation says in its own history which erasures of others it has carried out. */
import type { CarriedOut } from '#team/thread/ports.ts'
import { z } from 'zod'
import { jsonOf } from '#kit/hashing/json.ts'
import { erasureKind, withdrawalKind } from '../subjects/erasures.ts'

export const acknowledgementKind = 'team.acknowledged'

/** Events that erase: keys of an installation's own subjects, or keys that it deletes for the team. */
export const isErasure = (kind: string): boolean => kind === erasureKind || kind === withdrawalKind

/** As many installations as an anchor can name. */
const mostNamed = 4000
const schema = z.object({
  erasures: z
    .record(
      z.string().regex(/^[0-9a-f]{32}$/),
      z.tuple([
        z
          .int()
          .min(1)
          .max(2 ** 40),
        z.string().regex(/^[0-9a-f]{64}$/)
      ])
    )
    .refine((named) => Object.keys(named).length <= mostNamed)
})

/** What an acknowledgement says, as an installation of any version may have written it; nothing if it has another form. */
export const carriedOutIn = (plain: string): CarriedOut => schema.safeParse(jsonOf(plain)).data?.erasures ?? {}
