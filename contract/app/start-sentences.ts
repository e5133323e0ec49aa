/** Failures that a window can meet at its start; all others are in `failures/later-sentences.ts`. */
import { appFailures } from './sentences.ts'
import { applicantsFailures } from '../applicants/sentences.ts'
import { callsFailures } from '../verification/sentences.ts'
import { connectionsFailures, keychainFailures } from '../connections/sentences.ts'
import { filesFailures } from '../data-management/file-sentences.ts'
import { historyFailures } from '../history/sentences.ts'
import { lockFailures } from '../lock/sentences.ts'
import { settingsFailures } from '../settings/sentences.ts'

export const startFailures = {
  ...appFailures,
  ...connectionsFailures,
  ...keychainFailures,
  ...lockFailures,
  ...callsFailures,
  ...historyFailures,
  ...filesFailures,
  ...applicantsFailures,
  ...settingsFailures
} as const
