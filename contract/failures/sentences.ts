/**
 * All sentences, also those of a team. A window imports `filling.ts` and loads these after its start: most windows never
 * show them.
 */
import { addRows } from './filling.ts'
import { teamFailures } from '../team/sentences.ts'

addRows(teamFailures)

export * from './filling.ts'
