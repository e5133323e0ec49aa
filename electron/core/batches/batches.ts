/** The batch operations that the console offers, on the open history. */
import { ok } from '#contract/failures/result.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { Policies } from '#core/policies/policies.ts'
import { createBatchChecks, type BatchChecks, type CheckParts } from './checks.ts'
import { createCopier, type CopierParts } from './copier.ts'
import { createBatchFiles, type BatchFiles, type FileParts } from './files.ts'
import { createHeldChecks } from './held-checks.ts'
import { createBatchLinks, type BatchLinks, type LinkParts } from './links.ts'
import { inHistory, type Answer } from './open-history.ts'
import { createRunning, type Running, type RunningParts } from './running.ts'
import { createBatchRuns, type BatchRunParts, type BatchRuns } from './runs.ts'
import type { TeamOfBatches } from './shared/ports.ts'
import { createYieldToUser } from './yield-to-user.ts'

export interface BatchesParts
  extends
    CheckParts,
    LinkParts,
    FileParts,
    BatchRunParts,
    Omit<RunningParts, 'host' | 'yieldFor' | 'team' | 'onWanted' | 'copies'> {
  readonly copies: NonNullable<RunningParts['copies']> & CopierParts['copies']
  readonly areCopiesOff: CopierParts['areCopiesOff']
  readonly host: Pick<HostPorts, 'launchWorker' | 'showProgress' | 'notify' | 'chooseFile' | 'chooseSavePath'>
  readonly team?: TeamOfBatches
  readonly policies?: Pick<Policies, 'limited' | 'exportRefusal'>
  readonly auditTrail: LinkParts['auditTrail'] & BatchRunParts['auditTrail']
  /** Registers a function that drops personal data from memory when such data is removed. */
  readonly onRemoval: (empty: () => void) => void
}

export interface Batches
  extends BatchChecks, BatchLinks, BatchFiles, BatchRuns, Pick<Running, 'ended' | 'pauseAll' | 'idle' | 'busy'> {
  /** Goes on to copy documents of rows beside their batches: a history has opened, or the console was unlocked. */
  copyOn(): void
  /** Resolves when no document of a row is being copied beside its batch. */
  copied(): Promise<void>
  /** Copies none until `copyOn`; those in progress are copied later. */
  stopCopying(): Promise<void>
  /** The user is active in the window: batches start no row for a moment. */
  yieldToUser(): Answer<null>
  close(): Promise<void>
}

/** Builds the batch operations of a console. Runs nothing until a batch is started. */
export function createBatches(parts: BatchesParts): Batches {
  const { clock } = parts
  const yieldToUser = createYieldToUser()
  const copier = createCopier({
    clock,
    get operator() {
      return parts.operator
    },
    copies: parts.copies,
    history: parts.history,
    areCopiesOff: parts.areCopiesOff,
    yieldFor: (now) => yieldToUser.left(now),
    onEnd(unstored) {
      parts.announce({ kind: 'history-changed' })
      for (const id of unstored) void runs.channels.announced(runs.channels.show(id))
    }
  })
  const running = createRunning({
    ...parts,
    get operator() {
      return parts.operator
    },
    yieldFor: (now) => yieldToUser.left(now),
    onWanted: copier.poke
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
    pauseAll() {
      running.pauseAll()
      void copier.pause()
    },
    async idle() {
      const isWritten = await running.idle()
      await copier.idle()
      return isWritten
    },
    copyOn: copier.resume,
    copied: copier.idle,
    stopCopying: copier.pause,
    busy: running.busy,
    async yieldToUser() {
      yieldToUser.yieldToUser(clock.monotonic())
      return ok(null)
    },
    async close() {
      await links.close()
      await running.close()
      await copier.pause()
    }
  }
}
