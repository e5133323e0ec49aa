/** Batches and their rows, in the same file as records. */

/** A row that waits must outlive the program, and its move must be one transaction with its record’s. */
export const batchTables = `
  -- A batch under making that a crash has left over is taken away at the next opening.
  CREATE TABLE batch (
    ref INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state INTEGER NOT NULL,
    created_at INTEGER NOT NULL UNIQUE,
    started_at INTEGER,
    ended_at INTEGER,
    draft TEXT NOT NULL,
    reason TEXT,
    -- Documents of which no copy was kept because it could not be stored, and the event of the last of them.
    copies_missed INTEGER NOT NULL DEFAULT 0,
    missed_event INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- What changes with each move is kept apart from the cells, which never change.
  CREATE TABLE batch_row (
    batch INTEGER NOT NULL,
    row INTEGER NOT NULL,
    state INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    record INTEGER,
    PRIMARY KEY (batch, row)
  ) STRICT, WITHOUT ROWID;
  -- Cells and fault, sealed under the key of the row's subject.
  CREATE TABLE batch_cells (
    batch INTEGER NOT NULL,
    row INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (batch, row)
  ) STRICT, WITHOUT ROWID;

  -- Operations of a row that have ended, of a batch with several.
  CREATE TABLE batch_call (
    batch INTEGER NOT NULL,
    row INTEGER NOT NULL,
    call INTEGER NOT NULL,
    state INTEGER NOT NULL,
    record INTEGER,
    PRIMARY KEY (batch, row, call)
  ) STRICT, WITHOUT ROWID;

  -- Kept by the database itself, so that no list has to count a hundred thousand rows.
  CREATE TABLE batch_count (
    batch INTEGER NOT NULL,
    state INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (batch, state)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER batch_row_made AFTER INSERT ON batch_row BEGIN
    INSERT INTO batch_count VALUES (new.batch, new.state, 1) ON CONFLICT (batch, state) DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER batch_row_moved AFTER UPDATE OF state ON batch_row WHEN new.state <> old.state BEGIN
    UPDATE batch_count SET count = count - 1 WHERE batch = old.batch AND state = old.state;
    INSERT INTO batch_count VALUES (new.batch, new.state, 1) ON CONFLICT (batch, state) DO UPDATE SET count = count + 1;
  END;
`
