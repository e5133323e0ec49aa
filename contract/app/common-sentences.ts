/** All failures but those of a team: what a window needs at its start. */
import { appFailures, sampleFailures } from './sentences.ts'
import { applicantsFailures } from '../applicants/sentences.ts'
import { backupFailures, erasureFailures } from '../data-management/sentences.ts'
import { batchesFailures } from '../batches/sentences.ts'
import { callsFailures } from '../verification/sentences.ts'
import { connectionsFailures, keychainFailures } from '../connections/sentences.ts'
import { diagnosisFailures } from '../connections/diagnosis-sentences.ts'
import { documentFailures } from '../documents/sentences.ts'
import { evidenceFailures } from '../evidence/sentences.ts'
import { filesFailures } from '../data-management/file-sentences.ts'
import { historyFailures } from '../history/sentences.ts'
import { policiesFailures } from '../settings/policy-sentences.ts'
import { lockFailures } from '../lock/sentences.ts'
import { settingsFailures } from '../settings/sentences.ts'
import { timestampFailures } from '../evidence/timestamp-sentences.ts'
import { updateFailures } from '../updates/sentences.ts'

export const commonFailures = {
  ...appFailures,
  ...connectionsFailures,
  ...keychainFailures,
  ...lockFailures,
  ...callsFailures,
  ...historyFailures,
  ...batchesFailures,
  ...backupFailures,
  ...erasureFailures,
  ...filesFailures,
  ...evidenceFailures,
  ...applicantsFailures,
  ...settingsFailures,
  ...timestampFailures,
  ...documentFailures,
  ...diagnosisFailures,
  ...policiesFailures,
  ...sampleFailures,
  ...updateFailures
} as const
