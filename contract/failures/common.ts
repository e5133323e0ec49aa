/** All failures but those of a team: what a window needs at its start. */
import { appFailures } from './app.ts'
import { applicantsFailures } from './applicants.ts'
import { backupFailures } from './backup.ts'
import { batchesFailures } from './batches.ts'
import { callsFailures } from './calls.ts'
import { connectionsFailures } from './connections.ts'
import { diagnosisFailures } from './diagnosis.ts'
import { documentFailures } from './documents.ts'
import { erasureFailures } from './erasure.ts'
import { evidenceFailures } from './evidence.ts'
import { filesFailures } from './files.ts'
import { historyFailures } from './history.ts'
import { keychainFailures } from './keychain.ts'
import { policiesFailures } from './policies.ts'
import { lockFailures } from './lock.ts'
import { sampleFailures } from './sample.ts'
import { settingsFailures } from './settings.ts'
import { timestampFailures } from './timestamps.ts'
import { updateFailures } from './updates.ts'

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
