/** Every failure that a user can be shown: one file per subject, and one table of them all. */
import { laterFailures } from './later-sentences.ts'
import { startFailures } from '../app/start-sentences.ts'

export const failureTable = { ...startFailures, ...laterFailures } as const
