/**
 * The team's database: the signed events of each installation, sealed keys, the order of claims, and who runs which shared
 * batch. PostgreSQL 15 or newer, with ordinary tables, row locks and functions alone: no triggers, sequences, advisory locks or
 * replication slots.
 *
 * The database stores what it cannot read and is not trusted with anything but availability: installations verify
 * signatures, chains and members themselves. Its rules keep an honest mistake, or a member who left, from harming others.
 */

/** SQLSTATE of what the functions refuse. */
export const refusals = {
  notMember: 'VD001',
  fork: 'VD002',
  gap: 'VD003',
  tooLarge: 'VD004',
  erasedKey: 'VD005',
  olderEpoch: 'VD006',
  otherRunner: 'VD007'
} as const

/** Limits of one call, checked by the database. A response of the service has at most 1 MiB before it is sealed. */
export const limits = {
  segmentEvents: 256,
  bodyBytes: 4 * 1024 * 1024,
  rosterBytes: 32 * 1024,
  claims: 256,
  intents: 1000,
  leaseSeconds: 3600
} as const

const roles = `
-- vd_owner owns the tables and runs the functions; vd_member is what every installation's own role is a member of.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vd_owner') THEN CREATE ROLE vd_owner NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'vd_member') THEN CREATE ROLE vd_member NOLOGIN; END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO vd_member', current_database());
  EXECUTE format('GRANT vd_owner TO %I', current_user);
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
-- Anybody who can connect may otherwise store large objects without limit. Only the functions' owner can revoke this.
DO $$
DECLARE name text;
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RAISE WARNING 'members can store large objects: only a superuser can revoke this';
    RETURN;
  END IF;
  FOREACH name IN ARRAY ARRAY['lo_creat(integer)', 'lo_create(oid)', 'lo_from_bytea(oid, bytea)', 'lo_put(oid, bigint, bytea)', 'lowrite(integer, bytea)', 'lo_open(oid, integer)']
  LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION pg_catalog.%s FROM PUBLIC', name); END LOOP;
END $$;
CREATE SCHEMA veridesk AUTHORIZATION vd_owner;
SET LOCAL ROLE vd_owner;
ALTER DEFAULT PRIVILEGES FOR ROLE vd_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA veridesk TO vd_member;`

const tables = `
CREATE TABLE veridesk.schema_version (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp());

-- Which role is which installation: for addressing. Who is trusted follows from the team's signed list of members.
CREATE TABLE veridesk.member (login name PRIMARY KEY, installation bytea NOT NULL UNIQUE CHECK (octet_length(installation) = 16));

-- The signed list of members, sealed. Of two entries at once, one is refused, and its author signs it again after the
-- other: installations decide what an entry is worth.
CREATE TABLE veridesk.roster (
  height integer PRIMARY KEY CHECK (height > 0),
  installation bytea NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  body bytea NOT NULL CHECK (octet_length(body) BETWEEN 1 AND ${limits.rosterBytes})
);

-- The last event of each installation.
CREATE TABLE veridesk.head (
  installation bytea PRIMARY KEY CHECK (octet_length(installation) = 16),
  seq bigint NOT NULL CHECK (seq > 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);

-- Sealed events. The event before it in the chain is the row before, so its hash is not stored again. A signature
-- stands with the last event of each segment and covers those before it, through the chain.
CREATE TABLE veridesk.event (
  installation bytea NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  epoch integer NOT NULL CHECK (epoch >= 0),
  body bytea NOT NULL,
  sig bytea CHECK (octet_length(sig) = 64),
  PRIMARY KEY (installation, seq)
);
-- Bodies are encrypted: compressing them would cost time and save nothing.
ALTER TABLE veridesk.event ALTER COLUMN body SET STORAGE EXTERNAL;

-- The keys of an epoch, sealed to one installation. With its author in the key, nobody can take another's place.
CREATE TABLE veridesk.grant_box (
  epoch integer NOT NULL CHECK (epoch >= 0),
  installation bytea NOT NULL CHECK (octet_length(installation) = 16),
  author bytea NOT NULL,
  box bytea NOT NULL CHECK (octet_length(box) <= 4096),
  PRIMARY KEY (epoch, installation, author)
);

-- Keys of applicants, wrapped; NULL once erased. The row stays, so that an installation that was away cannot bring the
-- key back, and an erasure and a new key at the same moment wait for each other.
CREATE TABLE veridesk.subject_key (
  tag bytea PRIMARY KEY CHECK (octet_length(tag) = 32),
  vault_epoch integer NOT NULL CHECK (vault_epoch >= 0),
  wrapped bytea CHECK (octet_length(wrapped) <= 4096)
);

-- The order of claims of the work queue: nobody can tell it from the chains of the installations, since none of them knows of
-- the others' events when it adds one. The database learns which events are claims, and nothing of what they claim.
-- The count is locked by whoever numbers claims: numbers are then in the order of commits, and a reader who has seen one
-- misses none before it.
CREATE TABLE veridesk.claim_count (one boolean PRIMARY KEY DEFAULT true CHECK (one), n bigint NOT NULL);
INSERT INTO veridesk.claim_count (n) VALUES (0);
CREATE TABLE veridesk.claim_order (
  n bigint PRIMARY KEY CHECK (n > 0),
  installation bytea NOT NULL,
  seq bigint NOT NULL,
  UNIQUE (installation, seq)
);

-- Who has run a shared batch. The last one runs it until this time, or until it hands over (NULL).
CREATE TABLE veridesk.runner (
  batch uuid NOT NULL,
  fence bigint NOT NULL CHECK (fence > 0),
  installation bytea NOT NULL,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz,
  intents bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (batch, fence)
);
-- Which rows it is about to send.
CREATE TABLE veridesk.intent (
  batch uuid NOT NULL,
  row_no bigint NOT NULL CHECK (row_no > 0),
  installation bytea NOT NULL,
  fence bigint NOT NULL,
  attempt uuid NOT NULL,
  PRIMARY KEY (batch, row_no)
);`

/** A function for members, run as vd_owner with nothing but the catalogue in its search path. */
const definer = (signature: string, returns: string, language: 'sql' | 'plpgsql', body: string): string => `
CREATE FUNCTION veridesk.${signature} RETURNS ${returns}
LANGUAGE ${language} ${language === 'sql' ? 'STABLE ' : ''}SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
${body.trim()}
$$;`

/** SQL that refuses a call. */
const refuse = (code: keyof typeof refusals, message: string): string =>
  `RAISE EXCEPTION '${message}' USING ERRCODE = '${refusals[code]}'`

const functions = [
  definer('my_installation()', 'bytea', 'sql', `SELECT installation FROM veridesk.member WHERE login = session_user`),
  definer(
    'caller()',
    'bytea',
    'plpgsql',
    `
DECLARE me bytea := veridesk.my_installation();
BEGIN
  IF me IS NULL THEN ${refuse('notMember', 'not a member of this team')}; END IF;
  RETURN me;
END`
  ),
  // Repeating a segment changes nothing, so a commit whose answer was lost is simply sent again. Events that were lost between
  // others are put back by repeating them, and so is the head.
  definer(
    'append(first bigint, prev bytea, hashes bytea[], epochs integer[], bodies bytea[], sig bytea, wake boolean DEFAULT false)',
    'bigint',
    'plpgsql',
    `
DECLARE
  me bytea := veridesk.caller();
  count integer := cardinality(hashes);
  known veridesk.head%ROWTYPE;
  last bigint := first + count - 1;
  added bigint;
BEGIN
  IF count NOT BETWEEN 1 AND ${limits.segmentEvents} OR cardinality(epochs) <> count OR cardinality(bodies) <> count OR coalesce(first, 0) < 1 OR octet_length(sig) IS DISTINCT FROM 64
  THEN ${refuse('tooLarge', 'a segment has 1 to ' + limits.segmentEvents + ' events and a signature')}; END IF;
  IF EXISTS (SELECT FROM unnest(bodies) AS body WHERE octet_length(body) > ${limits.bodyBytes})
  THEN ${refuse('tooLarge', 'an event has at most ' + limits.bodyBytes + ' bytes')}; END IF;
  -- The row is locked, so two connections of one installation append one after the other.
  INSERT INTO veridesk.head AS h (installation, seq, hash) VALUES (me, 1, hashes[1]) ON CONFLICT (installation) DO NOTHING;
  IF FOUND THEN
    IF first <> 1 THEN ${refuse('gap', 'the first event of an installation is number 1')}; END IF;
    known.seq := 0;
  ELSE
    SELECT * INTO known FROM veridesk.head h WHERE h.installation = me FOR UPDATE;
    IF first > known.seq + 1 THEN ${refuse('gap', 'events are missing before this segment')}; END IF;
    IF (CASE WHEN first > known.seq THEN prev WHEN last >= known.seq THEN hashes[(known.seq + 1 - first)::integer] ELSE known.hash END) IS DISTINCT FROM known.hash
    THEN ${refuse('fork', 'the segment does not follow the last event')}; END IF;
  END IF;
  IF EXISTS (
    SELECT FROM unnest(hashes) WITH ORDINALITY AS given (hash, place)
    JOIN veridesk.event e ON e.installation = me AND e.seq = first + place - 1 WHERE e.hash IS DISTINCT FROM given.hash
  ) THEN ${refuse('fork', 'another event has this number already')}; END IF;
  INSERT INTO veridesk.event (installation, seq, hash, epoch, body, sig)
    SELECT me, first + place - 1, given.hash, given.epoch, given.body, CASE WHEN place = count THEN append.sig END
    FROM unnest(hashes, epochs, bodies) WITH ORDINALITY AS given (hash, epoch, body, place) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  IF last > known.seq THEN UPDATE veridesk.head SET seq = last, hash = hashes[count] WHERE head.installation = me; END IF;
  -- Only a hint for those who listen: commits with a notification wait for each other.
  IF wake AND added > 0 THEN PERFORM pg_notify('veridesk', encode(me, 'hex')); END IF;
  RETURN greatest(known.seq, last);
END`
  ),
  definer(
    'extend_roster(height integer, prev bytea, hash bytea, body bytea)',
    'void',
    'plpgsql',
    `
DECLARE
  me bytea := veridesk.caller();
  before bytea;
BEGIN
  IF coalesce(height, 0) < 1 OR octet_length(hash) IS DISTINCT FROM 32 OR coalesce(octet_length(body), 0) NOT BETWEEN 1 AND ${limits.rosterBytes}
  THEN ${refuse('tooLarge', 'an entry has a number, a hash and at most ' + limits.rosterBytes + ' bytes')}; END IF;
  IF height > 1 THEN
    SELECT r.hash INTO before FROM veridesk.roster r WHERE r.height = extend_roster.height - 1;
    IF before IS NULL THEN ${refuse('gap', 'entries are missing before this one')}; END IF;
    IF before IS DISTINCT FROM prev THEN ${refuse('fork', 'the entry does not follow the one before')}; END IF;
  END IF;
  INSERT INTO veridesk.roster (height, installation, hash, body) VALUES (extend_roster.height, me, extend_roster.hash, extend_roster.body) ON CONFLICT DO NOTHING;
  IF FOUND THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM veridesk.roster r WHERE r.height = extend_roster.height AND r.hash = extend_roster.hash)
  THEN ${refuse('fork', 'another entry has this number already')}; END IF;
END`
  ),
  // An author may replace its own box: keys are sealed before the entry that announces them, and sealed anew if another
  // entry comes first.
  definer(
    'put_box(epoch integer, installation bytea, box bytea)',
    'void',
    'plpgsql',
    `
DECLARE me bytea := veridesk.caller();
BEGIN
  INSERT INTO veridesk.grant_box (epoch, installation, author, box) VALUES (put_box.epoch, put_box.installation, me, put_box.box)
    ON CONFLICT ON CONSTRAINT grant_box_pkey DO UPDATE SET box = excluded.box;
END`
  ),
  // Which boxes of an epoch there are, and nothing of them: a colleague gives again what was lost.
  definer(
    'boxes(epoch integer)',
    'TABLE (installation bytea, author bytea)',
    'plpgsql',
    `
BEGIN
  PERFORM veridesk.caller();
  RETURN QUERY SELECT b.installation, b.author FROM veridesk.grant_box b WHERE b.epoch = boxes.epoch;
END`
  ),
  definer(
    'put_key(tag bytea, vault_epoch integer, wrapped bytea)',
    'void',
    'plpgsql',
    `
DECLARE known veridesk.subject_key%ROWTYPE;
BEGIN
  PERFORM veridesk.caller();
  IF put_key.wrapped IS NULL THEN ${refuse('tooLarge', 'a key is missing')}; END IF;
  INSERT INTO veridesk.subject_key AS k (tag, vault_epoch, wrapped) VALUES (put_key.tag, put_key.vault_epoch, put_key.wrapped)
    ON CONFLICT ON CONSTRAINT subject_key_pkey DO UPDATE SET vault_epoch = excluded.vault_epoch, wrapped = excluded.wrapped
    WHERE k.wrapped IS NOT NULL AND k.vault_epoch < excluded.vault_epoch;
  IF FOUND THEN RETURN; END IF;
  SELECT * INTO known FROM veridesk.subject_key k WHERE k.tag = put_key.tag;
  IF known.wrapped IS NULL THEN ${refuse('erasedKey', 'the applicant of this key was erased')}; END IF;
  IF known.vault_epoch > put_key.vault_epoch THEN ${refuse('olderEpoch', 'the key is wrapped for a newer epoch already')}; END IF;
END`
  ),
  // True if there was a key.
  definer(
    'erase_key(tag bytea)',
    'boolean',
    'plpgsql',
    `
DECLARE had boolean;
BEGIN
  PERFORM veridesk.caller();
  SELECT k.wrapped IS NOT NULL INTO had FROM veridesk.subject_key k WHERE k.tag = erase_key.tag FOR UPDATE;
  INSERT INTO veridesk.subject_key (tag, vault_epoch, wrapped) VALUES (erase_key.tag, 0, NULL)
    ON CONFLICT ON CONSTRAINT subject_key_pkey DO UPDATE SET wrapped = NULL;
  RETURN coalesce(had, false);
END`
  ),
  // Repeating it changes nothing: an event keeps its number. An event that is not committed yet has none, so a claim that
  // was made without the database comes after all that were made with it.
  definer(
    'order_claims(seqs bigint[])',
    'bigint',
    'plpgsql',
    `
DECLARE
  me bytea := veridesk.caller();
  known bigint;
  added bigint;
BEGIN
  IF coalesce(cardinality(seqs), 0) NOT BETWEEN 1 AND ${limits.claims} THEN ${refuse('tooLarge', `1 to ${limits.claims} claims at a time`)}; END IF;
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
  ),
  // The caller becomes the runner if nobody is, or if it was itself: a process that starts again goes on. Of two at once, the
  // primary key lets one. Returns the runner, whoever it is now.
  definer(
    'take_batch(batch uuid, lease_seconds integer)',
    'TABLE (fence bigint, installation bytea, since timestamptz)',
    'plpgsql',
    `
DECLARE
  me bytea := veridesk.caller();
  last veridesk.runner%ROWTYPE;
BEGIN
  IF lease_seconds NOT BETWEEN 1 AND ${limits.leaseSeconds} THEN ${refuse('tooLarge', 'a runner has 1 to ' + limits.leaseSeconds + ' seconds')}; END IF;
  SELECT * INTO last FROM veridesk.runner r WHERE r.batch = take_batch.batch ORDER BY r.fence DESC LIMIT 1 FOR UPDATE;
  IF last.until IS NULL OR last.until < clock_timestamp() OR last.installation = me THEN
    UPDATE veridesk.runner r SET until = NULL WHERE r.batch = take_batch.batch AND r.fence = last.fence;
    INSERT INTO veridesk.runner (batch, fence, installation, until)
      VALUES (take_batch.batch, coalesce(last.fence, 0) + 1, me, clock_timestamp() + make_interval(secs => lease_seconds)) ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT r.fence, r.installation, r.since FROM veridesk.runner r WHERE r.batch = take_batch.batch ORDER BY r.fence DESC LIMIT 1;
END`
  ),
  // Locks the caller's place, so that nobody takes over while it goes on.
  definer(
    'runs(batch uuid, fence bigint)',
    'void',
    'plpgsql',
    `
DECLARE me bytea := veridesk.caller();
BEGIN
  PERFORM FROM veridesk.runner r
    WHERE r.batch = runs.batch AND r.fence = runs.fence AND r.installation = me AND r.until > clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN ${refuse('otherRunner', 'the caller does not run this batch')}; END IF;
END`
  ),
  // A sign of life.
  definer(
    'renew_batch(batch uuid, fence bigint, lease_seconds integer)',
    'void',
    'plpgsql',
    `
BEGIN
  IF lease_seconds NOT BETWEEN 1 AND ${limits.leaseSeconds} THEN ${refuse('tooLarge', 'a runner has 1 to ' + limits.leaseSeconds + ' seconds')}; END IF;
  PERFORM veridesk.runs(renew_batch.batch, renew_batch.fence);
  UPDATE veridesk.runner r SET until = clock_timestamp() + make_interval(secs => lease_seconds) WHERE r.batch = renew_batch.batch AND r.fence = renew_batch.fence;
END`
  ),
  // Hands over.
  definer(
    'leave_batch(batch uuid, fence bigint)',
    'void',
    'plpgsql',
    `
DECLARE me bytea := veridesk.caller();
BEGIN
  UPDATE veridesk.runner r SET until = NULL WHERE r.batch = leave_batch.batch AND r.fence = leave_batch.fence AND r.installation = me;
END`
  ),
  // True for each row that the caller may send: nobody has an intent for it, or the caller has this one already, because
  // the answer to an earlier call was lost.
  definer(
    'intend(batch uuid, fence bigint, row_nos bigint[], attempts uuid[])',
    'boolean[]',
    'plpgsql',
    `
DECLARE
  me bytea := veridesk.caller();
  added bigint;
BEGIN
  IF coalesce(cardinality(row_nos), 0) NOT BETWEEN 1 AND ${limits.intents} OR cardinality(attempts) <> cardinality(row_nos) THEN ${refuse('tooLarge', '1 to ' + limits.intents + ' rows at a time')}; END IF;
  PERFORM veridesk.runs(intend.batch, intend.fence);
  INSERT INTO veridesk.intent (batch, row_no, installation, fence, attempt)
    SELECT intend.batch, given.row_no, me, intend.fence, given.attempt FROM unnest(row_nos, attempts) AS given (row_no, attempt) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  UPDATE veridesk.runner r SET intents = r.intents + added WHERE r.batch = intend.batch AND r.fence = intend.fence;
  RETURN ARRAY(
    SELECT coalesce(i.installation = me AND i.attempt = given.attempt, false)
    FROM unnest(row_nos, attempts) WITH ORDINALITY AS given (row_no, attempt, place)
    LEFT JOIN veridesk.intent i ON i.batch = intend.batch AND i.row_no = given.row_no ORDER BY given.place);
END`
  ),
  definer(
    'admit(login name, installation bytea)',
    'void',
    'plpgsql',
    `
BEGIN
  INSERT INTO veridesk.member (login, installation) VALUES (admit.login, admit.installation) ON CONFLICT ON CONSTRAINT member_pkey DO NOTHING;
END`
  ),
  definer(
    'dismiss(installation bytea)',
    'void',
    'plpgsql',
    `
BEGIN
  DELETE FROM veridesk.member m WHERE m.installation = dismiss.installation;
END`
  )
].join('\n')

/** Functions that members may call. `admit` and `dismiss` are for the administrator. */
const forMembers = [
  'my_installation()',
  'append(bigint, bytea, bytea[], integer[], bytea[], bytea, boolean)',
  'extend_roster(integer, bytea, bytea, bytea)',
  'put_box(integer, bytea, bytea)',
  'boxes(integer)',
  'put_key(bytea, integer, bytea)',
  'erase_key(bytea)',
  'order_claims(bigint[])',
  'take_batch(uuid, integer)',
  'renew_batch(uuid, bigint, integer)',
  'leave_batch(uuid, bigint)',
  'intend(uuid, bigint, bigint[], uuid[])'
]

/** Tables that members may read, and which rows of them. */
const all = '(SELECT veridesk.my_installation()) IS NOT NULL'
const readable: Readonly<Record<string, string>> = {
  schema_version: all,
  member: all,
  roster: all,
  head: all,
  event: all,
  grant_box: 'installation = (SELECT veridesk.my_installation())',
  subject_key: all,
  claim_count: all,
  claim_order: all,
  runner: all,
  intent: all
}

export const tableNames: readonly string[] = Object.keys(readable)

const rights = [
  ...Object.entries(readable).flatMap(([table, rows]) => [
    `ALTER TABLE veridesk.${table} ENABLE ROW LEVEL SECURITY;`,
    `CREATE POLICY members_read ON veridesk.${table} FOR SELECT TO vd_member USING (${rows});`,
    `GRANT SELECT ON veridesk.${table} TO vd_member;`
  ]),
  ...forMembers.map((name) => `GRANT EXECUTE ON FUNCTION veridesk.${name} TO vd_member;`)
].join('\n')

/** Of the database and of this console: installations refuse another one. */
export const schemaVersion = 1

/** Makes the database, as a whole or not at all. Its administrator runs it: installations have no right to change it. */
export const schemaSql = `-- The database of a Veridesk team, for PostgreSQL 15 or newer. Run it as an administrator, in a database of its own.
BEGIN;
${[roles, tables, functions, rights].join('\n')}
INSERT INTO veridesk.schema_version (version) VALUES (${schemaVersion});
RESET ROLE;
COMMIT;
`
