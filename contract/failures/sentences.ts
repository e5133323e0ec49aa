/** All sentences. A window imports `filling.ts` and loads these after its start: most windows never show them. */
import { addRows } from './filling.ts'
import { laterFailures } from './later-sentences.ts'

addRows(laterFailures)

export * from './filling.ts'
export * from '../evidence/check-sentences.ts'
