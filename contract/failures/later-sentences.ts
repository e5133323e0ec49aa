/** Failures of what nobody does in a window's first second: it loads their sentences after its start. */
import { sampleFailures } from '../app/sentences.ts'
import { backupFailures, erasureFailures } from '../data-management/sentences.ts'
import { batchesFailures } from '../batches/sentences.ts'
import { diagnosisFailures } from '../connections/diagnosis-sentences.ts'
import { documentFailures } from '../documents/sentences.ts'
import { evidenceFailures } from '../evidence/sentences.ts'
import { policiesFailures } from '../settings/policy-sentences.ts'
import { teamFailures } from '../team/sentences.ts'
import { forwardingFailures, timestampFailures } from '../evidence/timestamp-sentences.ts'
import { updateFailures } from '../updates/sentences.ts'

export const laterFailures = {
  ...batchesFailures,
  ...backupFailures,
  ...erasureFailures,
  ...evidenceFailures,
  ...timestampFailures,
  ...documentFailures,
  ...diagnosisFailures,
  ...policiesFailures,
  ...forwardingFailures,
  ...sampleFailures,
  ...updateFailures,
  ...teamFailures
} as const
