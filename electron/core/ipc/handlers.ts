/** The handlers of all channels, one table per subject. Each is a few lines on the parts of core. */
import type { Handlers } from './router.ts'
import { batchHandlers } from './batches.ts'
import { appHandlers } from './app.ts'
import { applicantHandlers } from './applicants.ts'
import { auditHandlers } from './audit.ts'
import { connectionHandlers } from './connections.ts'
import { diagnosisHandlers } from './diagnosis.ts'
import { historyHandlers } from './history.ts'
import { documentHandlers } from './documents.ts'
import { lockHandlers } from './lock.ts'
import { evidenceHandlers } from './evidence.ts'
import { proxySignInHandlers } from './proxy-sign-ins.ts'
import { screenShareHandlers } from './screen-share.ts'
import { teamHandlers } from './team.ts'
import { teamBatchHandlers } from './team-batches.ts'
import { dataManagementHandlers } from './data-management.ts'
import type { HandlerParts } from './parts.ts'

export type { HandlerParts } from './parts.ts'

/** Builds the handlers of the router. */
export function createHandlers(parts: HandlerParts): Handlers {
  return {
    ...appHandlers(parts),
    ...lockHandlers(parts),
    ...connectionHandlers(parts),
    ...diagnosisHandlers(parts),
    ...proxySignInHandlers(parts),
    ...historyHandlers(parts),
    ...batchHandlers(parts.batches),
    ...applicantHandlers(parts),
    ...auditHandlers(parts),
    ...dataManagementHandlers(parts),
    ...evidenceHandlers(parts),
    ...documentHandlers(parts),
    ...screenShareHandlers(parts),
    ...teamHandlers(parts),
    ...teamBatchHandlers(parts)
  }
}
