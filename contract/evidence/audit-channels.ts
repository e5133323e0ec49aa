/** Channels of the audit trail: its events, its head, proofs, and its verification. */
import { z } from 'zod'
import { auditQuerySchema, visitSchema, type AuditHead, type AuditPage, type AuditVerdict } from './audit.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

export const auditChannels = {
  'audit.page': channel<AuditPage>()({
    input: auditQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 4 * kibibyte,
    leaves: ['view.opened']
  }),
  'audit.head': channel<AuditHead>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns a number and hashes.' }
  }),
  /** A C2SP text (https://c2sp.org/tlog-proof), signed with this installation's key. */
  'audit.prove': channel<string>()({
    input: z.strictObject({ seq: z.number().int().positive(), size: z.number().int().positive().optional() }),
    maxBytes: kibibyte,
    leaves: { none: 'It returns hashes only.' }
  }),
  /** Verifies the whole audit trail; reports progress by events. */
  'audit.verify': channel<AuditVerdict>()({ input: nothing, maxBytes: kibibyte, leaves: ['evidence.verified'] })
}
