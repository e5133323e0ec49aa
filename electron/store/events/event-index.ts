/**
 * The condition of the index over all events except those of verifications: SQLite uses it for queries that repeat
 * it.
 */
export const inAuditTrail = `kind NOT IN ('record.begun', 'record.ended')`
