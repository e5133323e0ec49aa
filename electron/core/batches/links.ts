/** The check of the links of a checked file: one at a time, with what it found until the next one. */
import type { BatchLinkCheck, BatchLinkRow, BatchLinksOrder, LinkKind } from '#contract/batches/links.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { Documents } from '#core/documents/documents.ts'
import type { Clock } from '#kit/clock.ts'
import type { Checked, HeldChecks } from './held-checks.ts'
import { startLinkRun, type LinkRun } from './link-check.ts'
import type { Answer, HistoryParts } from './open-history.ts'

export interface LinkParts extends HistoryParts {
  readonly clock: Clock
  readonly documents: Pick<Documents, 'read'>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  announce(event: ConsoleEvent): void
}

export interface BatchLinks {
  /** Starts to check the links of a file; one check at a time. */
  checkLinks(order: BatchLinksOrder): Answer<BatchLinkCheck>
  stopLinks(checkId: string): Answer<BatchLinkCheck>
  linkRows(checkId: string, limit: number, kind?: LinkKind): Answer<readonly BatchLinkRow[]>
}

/** A checked file and the check of its links. */
export interface LinkedCheck {
  readonly checked: Checked
  readonly run: LinkRun
}

export function createBatchLinks(parts: LinkParts, held: HeldChecks) {
  /** The check of links, and the file as it was read for it. */
  let linked: { readonly check: Checked['check']; readonly run: LinkRun } | undefined
  function forget(): void {
    linked?.run.stop()
    linked = undefined
  }
  /** Failures: `batch-check-gone`, `batch-links-none`. */
  function of(checkId: string): Result<LinkedCheck, Failure> {
    const checked = held.get(checkId)
    if (!checked.ok) return checked
    return linked?.check === checked.value.check
      ? ok({ checked: checked.value, run: linked.run })
      : failed('batch-links-none')
  }

  const channels: BatchLinks = {
    async checkLinks(order) {
      const checked = held.decided(order.checkId)
      if (!checked.ok) return checked
      forget()
      const { check } = checked.value
      const run = startLinkRun(checked.value, order, {
        clock: parts.clock,
        documents: parts.documents,
        history: parts.history,
        onProgress: (state) => parts.announce({ kind: 'link-check', check: state })
      })
      if (!run.ok) return run
      linked = { check, run: run.value }
      void run.value.ended.then(() => {
        const { done, fine, figures } = run.value.state()
        return parts.auditTrail.note({
          kind: 'links.checked',
          plain: {
            of: 'file',
            operations: check.reading.operations,
            links: done,
            findings: done - fine,
            figures,
            sha256: check.sha256
          }
        })
      })
      return ok(run.value.state())
    },
    async stopLinks(checkId) {
      const found = of(checkId)
      if (!found.ok) return found
      found.value.run.stop()
      return ok(found.value.run.state())
    },
    async linkRows(checkId, limit, kind) {
      const found = of(checkId)
      return found.ok ? ok(found.value.run.rows(limit, kind)) : found
    }
  }
  return {
    channels,
    of,
    forget,
    /** The results of a check on a connection; a check that is still running is stopped. */
    on(checkId: string, connectionId: string): LinkRun | undefined {
      const found = of(checkId)
      if (!found.ok || found.value.run.state().connectionId !== connectionId) return undefined
      found.value.run.stop()
      return found.value.run
    },
    async close(): Promise<void> {
      const ended = linked?.run.ended
      forget()
      await ended
    }
  }
}
