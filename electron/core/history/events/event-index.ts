/** In the words of the index over all events but those of checks: SQLite uses it for a query that repeats them. */
export const inAuditTrail = `kind NOT IN ('record.begun', 'record.ended')`
