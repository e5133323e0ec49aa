/** The batch operations that the console offers, on the open history. */
import { ok } from '#contract/failures/result.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { Policies } from '#core/policies/policies.ts'
import { createBatchChecks, type BatchChecks, type CheckParts } from './checks.ts'
import { createBatchFiles, type BatchFiles, type FileParts } from './files.ts'
import { createHeldChecks } from './held-checks.ts'
import { createBatchLinks, type BatchLinks, type LinkParts } from './links.ts'
import { inHistory, type Answer } from './open-history.ts'
import { createRunning, type Running, type RunningParts } from './running.ts'
import { createBatchRuns, type BatchRunParts, type BatchRuns } from './runs.ts'
import type { TeamOfBatches } from './shared/ports.ts'
import { createYieldToUser } from './yield-to-user.ts'

export interface BatchesParts
  extends CheckParts, LinkParts, FileParts, BatchRunParts, Omit<RunningParts, 'host' | 'yieldFor' | 'team'> {
  readonly host: Pick<HostPorts, 'launchWorker' | 'showProgress' | 'notify' | 'chooseFile' | 'chooseSavePath'>
  readonly team?: TeamOfBatches
  readonly policies?: Pick<Policies, 'limited' | 'exportRefusal'>
  readonly auditTrail: LinkParts['auditTrail'] & BatchRunParts['auditTrail']
  /** Registers a function that drops personal data from memory when such data is removed. */
  readonly onRemoval: (empty: () => void) => void
}

export interface Batches
  extends BatchChecks, BatchLinks, BatchFiles, BatchRuns, Pick<Running, 'ended' | 'pauseAll' | 'idle' | 'busy'> {
  /** The user is active in the window: batches start no row for a moment. */
  yieldToUser(): Answer<null>
  close(): Promise<void>
}

/** Builds the batch operations of a console. Runs nothing until a batch is started. */
export function createBatches(parts: BatchesParts): Batches {
  const { clock } = parts
  const yieldToUser = createYieldToUser()
  const running = createRunning({
    ...parts,
    get operator() {
      return parts.operator
    },
    yieldFor: (now) => yieldToUser.left(now)
  })
  // Without a history, a file is compared with itself alone.
  const held = createHeldChecks(parts.host.launchWorker, async (ids) => {
    const found = await inHistory(parts, ({ applicants }) => applicants.alike(ids))
    return found.ok ? found.value : undefined
  })
  const checks = createBatchChecks(parts, held)
  const links = createBatchLinks(parts, held)
  const runs = createBatchRuns(parts, running, {
    held,
    links: links.on,
    stopCounting: checks.stopCounting,
    forgetChosen: checks.forgetChosen
  })
  parts.onRemoval(held.forget)
  parts.onRemoval(links.forget)
  return {
    ...checks.channels,
    ...links.channels,
    ...createBatchFiles(parts, { held, linksOf: links.of, show: runs.show }),
    ...runs.channels,
    ended: running.ended,
    pauseAll: running.pauseAll,
    idle: running.idle,
    busy: running.busy,
    async yieldToUser() {
      yieldToUser.yieldToUser(clock.monotonic())
      return ok(null)
    },
    async close() {
      await links.close()
      await running.close()
    }
  }
}
