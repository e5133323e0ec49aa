/** Every failure that a user can be shown: one file per subject, and one table of them all. */
import { commonFailures } from './common.ts'
import { teamFailures } from './team.ts'

export const failureTable = { ...commonFailures, ...teamFailures } as const
