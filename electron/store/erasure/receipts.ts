/** Erasure receipts, built from the audit trail's events. */
import type { ErasureReceipt } from '#contract/data-management/data-management.ts'
import type { ClearedPlain, ErasedPlain } from './intents.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** Newest first. `pending`: ids of erasures whose copies are still to be cleared. */
export function receiptsIn(history: Db, pending: ReadonlySet<string>): ErasureReceipt[] {
  const copies = new Map(events<ClearedPlain>(history, 'copies.cleared').map(({ plain }) => [plain.id, plain]))
  return events<ErasedPlain>(history, 'subject.erased').map(({ seq, at, hash, plain: { operator, ...plain } }) => {
    const { backupsRewritten = 0, copiesNotReached = [] } = copies.get(plain.id) ?? {}
    const still = pending.has(plain.id) && { copiesPending: true }
    return {
      backupsRewritten,
      copiesNotReached,
      ...plain,
      ...still,
      at: Math.trunc(at),
      by: operator,
      event: seq,
      head: hash.toString('hex')
    }
  })
}

interface ErasureEvent<Plain> {
  readonly seq: number
  readonly at: number
  readonly hash: Buffer
  readonly plain: Plain
}

/** Newest first. */
function events<Plain>(history: Db, kind: 'subject.erased' | 'copies.cleared'): ErasureEvent<Plain>[] {
  const rows = history
    .prepare(`SELECT seq, at, plain, hash FROM event WHERE kind = ? AND ${inAuditTrail} ORDER BY seq DESC LIMIT 1000`)
    .all(kind) as ErasureEvent<string>[]
  return rows.map(({ plain, ...row }) => ({ ...row, plain: JSON.parse(plain) as Plain }))
}
