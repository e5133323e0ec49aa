/** Every failure that a user can be shown: one file per subject, and one table of them all. */
import { commonFailures } from '../app/common-sentences.ts'
import { teamFailures } from '../team/sentences.ts'

export const failureTable = { ...commonFailures, ...teamFailures } as const
