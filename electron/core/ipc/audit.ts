/** The audit trail: its events, its head, proofs, and its verification. */
import type { auditChannels } from '#contract/evidence/audit-channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { withHistory, type HandlerParts } from './parts.ts'

export function auditHandlers(parts: HandlerParts): HandlersOf<typeof auditChannels> {
  const { host, auditTrail, evidence } = parts
  return {
    'audit.page': (query, visit) =>
      withHistory(parts, async ({ audit }) => {
        // Before reading: this view is the newest event that it shows.
        await auditTrail.viewed({ what: 'audit', ...((query.search || query.about) && { search: true }) }, visit)
        return audit.page(query)
      }),
    'audit.head': () => withHistory(parts, ({ audit }) => audit.head()),
    'audit.prove': ({ seq, size }) => withHistory(parts, () => evidence.prove(seq, size)),
    'audit.verify': async () => {
      const verdict = await auditTrail.verify((verified, total) =>
        host.announce({ kind: 'audit-progress', verified, total })
      )
      if (verdict.ok)
        await auditTrail.note({
          kind: 'evidence.verified',
          plain: { what: 'audit-trail', verified: verdict.value.intact }
        })
      return verdict
    }
  }
}
