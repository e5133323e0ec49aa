/** Applicants, links, decisions, due dates and the message catalogue: projections of events. */

/** Lists of applicants, of what waits and of what was answered must not read a million records. */
export const applicantTables = `
  -- One row an applicant. "state" counts in the order of the contract's applicantStates; "decision" and
  -- "tags" are the events that hold, "evidence" the last event of what a decision must have seen.
  CREATE TABLE applicant (
    subject INTEGER PRIMARY KEY,
    state INTEGER NOT NULL,
    checks INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    evidence INTEGER NOT NULL,
    decision INTEGER,
    -- The answer of a second person by which the decision holds, or was returned.
    answer INTEGER,
    tags INTEGER,
    due INTEGER,
    -- Which one it is counts in the order of the contract's relationshipStates; the day is a text.
    relationship INTEGER,
    relationship_on TEXT,
    -- Code of its class.
    risk TEXT,
    -- The day of the next review, and why then.
    review_at TEXT,
    review_cause TEXT,
    -- The day on which the next document expires, or has expired since the last review.
    expires TEXT
  ) STRICT;
  CREATE INDEX applicant_state ON applicant(state, last_at, subject);
  CREATE INDEX applicant_due ON applicant(due, subject) WHERE due IS NOT NULL;
  CREATE INDEX applicant_relationship ON applicant(relationship, relationship_on) WHERE relationship IS NOT NULL;
  CREATE INDEX applicant_review ON applicant(review_at, subject, state, due) WHERE review_at IS NOT NULL;
  CREATE INDEX applicant_risk ON applicant(risk, review_at, subject) WHERE risk IS NOT NULL;
  -- Active, or nobody has recorded a relationship.
  CREATE INDEX applicant_unrated ON applicant(relationship, risk, subject) WHERE risk IS NULL AND coalesce(relationship, 0) = 0;
  CREATE INDEX applicant_expires ON applicant(expires, subject) WHERE expires IS NOT NULL;
  CREATE INDEX applicant_tagged ON applicant(last_at, subject) WHERE tags IS NOT NULL;

  -- Kept by the database itself: no list has to count.
  CREATE TABLE applicant_count (state INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
  CREATE TRIGGER applicant_made AFTER INSERT ON applicant BEGIN
    INSERT INTO applicant_count VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER applicant_moved AFTER UPDATE OF state ON applicant WHEN new.state <> old.state BEGIN
    UPDATE applicant_count SET count = count - 1 WHERE state = old.state;
    INSERT INTO applicant_count VALUES (new.state, 1) ON CONFLICT (state) DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER applicant_gone AFTER DELETE ON applicant BEGIN
    UPDATE applicant_count SET count = count - 1 WHERE state = old.state;
  END;

  -- Events about an applicant that are no record's: decisions, notes, tags, links, due dates.
  CREATE TABLE applicant_event (subject INTEGER NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (subject, event)) STRICT, WITHOUT ROWID;
  -- Checks that were linked by hand. The record keeps its own subject, and its own key.
  CREATE TABLE applicant_link (record INTEGER PRIMARY KEY, subject INTEGER NOT NULL, event INTEGER NOT NULL) STRICT;
  CREATE INDEX applicant_link_subject ON applicant_link(subject, record);
  CREATE TABLE record_due (record INTEGER PRIMARY KEY, due INTEGER NOT NULL) STRICT;

  -- One row a distinct message; "subject" has its key, "event" its wording. "own" is 1 once it contained a value of an applicant.
  CREATE TABLE message (
    subject INTEGER PRIMARY KEY,
    operation INTEGER NOT NULL REFERENCES operation(ref),
    status INTEGER NOT NULL,
    event INTEGER NOT NULL,
    count INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    reading INTEGER,
    version INTEGER NOT NULL DEFAULT 0,
    own INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX message_operation ON message(operation, subject);
  CREATE TABLE message_reading (message INTEGER NOT NULL, version INTEGER NOT NULL, event INTEGER NOT NULL,
    PRIMARY KEY (message, version)) STRICT, WITHOUT ROWID;
  -- Answers that found no place in the catalogue.
  CREATE TABLE message_state (one INTEGER PRIMARY KEY CHECK (one = 1), beyond INTEGER NOT NULL) STRICT;
  INSERT INTO message_state VALUES (1, 0);
  -- Reviews of a period, and for which day each was scheduled.
  CREATE INDEX event_reviewed ON event(at, json_extract(plain, '$.due'), json_extract(plain, '$.on')) WHERE kind = 'review.recorded';
  -- Whether a document of a record was opened.
  CREATE INDEX event_viewed ON event(record, seq) WHERE kind = 'document.viewed' AND record IS NOT NULL;
  -- Everything but the checks themselves, which would drown it.
  CREATE INDEX event_trail ON event(kind, seq) WHERE kind NOT IN ('record.begun', 'record.ended');
`

/** Of the file with the keys: equal messages are found by a keyed digest, which goes with the key when the wording is erased. */
export const messageTables = `
CREATE TABLE message (digest BLOB PRIMARY KEY, subject INTEGER NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
`
