/** The audit trail: its events, its head, proofs, and its verification. */
import type { Handlers } from './router.ts'
import { withHistory, type HandlerParts } from './parts.ts'

type Names = 'audit.page' | 'audit.head' | 'audit.prove' | 'audit.verify'

export function auditHandlers(parts: HandlerParts): Pick<Handlers, Names> {
  const { host, auditTrail } = parts
  return {
    'audit.page': (query) => withHistory(parts, ({ audit }) => audit.page(query)),
    'audit.head': () => withHistory(parts, ({ audit }) => audit.head()),
    'audit.prove': ({ seq, size }) => withHistory(parts, ({ audit }) => audit.inclusion(seq, size)),
    'audit.verify': () => auditTrail.verify((verified, total) => host.announce({ kind: 'audit-progress', verified, total }))
  }
}
