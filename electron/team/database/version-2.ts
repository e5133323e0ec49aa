/**
 * Version 2 of the team's database: the order of claims. Who claimed an entry of the work queue first cannot be told from
 * the chains of the installations, since none of them knows of the others' events when it adds one. So the database gives
 * each committed claim a number. It learns which events are claims, and nothing of what they claim.
 * docs/decisions/0022-work-queue-claims.md.
 */
import { definer, refuse } from './version-1.ts'

/** Claims in one call, checked by the database. */
export const mostClaims = 256

const tables = `
SET LOCAL ROLE vd_owner;
-- Locked by whoever numbers claims: numbers are then in the order of commits, and a reader who has seen one misses none before it.
CREATE TABLE veridesk.claim_count (one boolean PRIMARY KEY DEFAULT true CHECK (one), n bigint NOT NULL);
INSERT INTO veridesk.claim_count (n) VALUES (0);
CREATE TABLE veridesk.claim_order (
  n bigint PRIMARY KEY CHECK (n > 0),
  installation bytea NOT NULL,
  seq bigint NOT NULL,
  UNIQUE (installation, seq)
);`

// Repeating it changes nothing: an event keeps its number. An event that is not committed yet has none, so a claim that
// was made without the database comes after all that were made with it.
const functions = definer(
  'order_claims(seqs bigint[])',
  'bigint',
  'plpgsql',
  `
DECLARE
  me bytea := veridesk.caller();
  known bigint;
  added bigint;
BEGIN
  IF coalesce(cardinality(seqs), 0) NOT BETWEEN 1 AND ${mostClaims} THEN ${refuse('tooLarge', `1 to ${mostClaims} claims at a time`)}; END IF;
  SELECT c.n INTO known FROM veridesk.claim_count c FOR UPDATE;
  IF EXISTS (SELECT FROM unnest(seqs) AS given (seq) LEFT JOIN veridesk.event e ON e.installation = me AND e.seq = given.seq WHERE e.seq IS NULL)
  THEN ${refuse('gap', 'an event is missing')}; END IF;
  INSERT INTO veridesk.claim_order (n, installation, seq)
    SELECT known + row_number() OVER (ORDER BY given.seq), me, given.seq FROM (SELECT DISTINCT unnest(seqs) AS seq) AS given
    WHERE NOT EXISTS (SELECT FROM veridesk.claim_order o WHERE o.installation = me AND o.seq = given.seq);
  GET DIAGNOSTICS added = ROW_COUNT;
  UPDATE veridesk.claim_count SET n = known + added;
  RETURN known + added;
END`
)

const rights = `
ALTER TABLE veridesk.claim_count ENABLE ROW LEVEL SECURITY;
CREATE POLICY members_read ON veridesk.claim_count FOR SELECT TO vd_member USING ((SELECT veridesk.my_installation()) IS NOT NULL);
GRANT SELECT ON veridesk.claim_count TO vd_member;
ALTER TABLE veridesk.claim_order ENABLE ROW LEVEL SECURITY;
CREATE POLICY members_read ON veridesk.claim_order FOR SELECT TO vd_member USING ((SELECT veridesk.my_installation()) IS NOT NULL);
GRANT SELECT ON veridesk.claim_order TO vd_member;
GRANT EXECUTE ON FUNCTION veridesk.order_claims(bigint[]) TO vd_member;
RESET ROLE;`

export const version2 = [tables, functions, rights].join('\n')
