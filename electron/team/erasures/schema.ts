/** Tables of erasures, and of what was said about them, in the file of received events. */
export const erasureTables = `
        -- Events that erase, of colleagues and, with "ref" 0, of this installation: when they arrived or were shared, and the
        -- epoch that they are sealed in. "told" is 1 once an event here says that it was carried out.
        CREATE TABLE erasure (
          ref INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, epoch INTEGER NOT NULL, told INTEGER NOT NULL, PRIMARY KEY (ref, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX erasure_epoch ON erasure (epoch, at);
        CREATE INDEX erasure_untold ON erasure (ref, seq) WHERE told = 0;
        -- "by" says that it carried out the erasures of "of" up to an event. It counts if that event is one that erases, and has
        -- this hash. "at" is by the clock of "by".
        CREATE TABLE acknowledgement ("of" TEXT NOT NULL, "by" TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY ("of", "by", seq)) STRICT, WITHOUT ROWID;
        CREATE INDEX acknowledgement_by ON acknowledgement ("by");
        -- Subjects that their own installation has erased.
        CREATE TABLE erased_at_owner (installation TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (installation, number)) STRICT, WITHOUT ROWID;
        -- The last whole exchange, and when the current epoch was first seen here.
        CREATE TABLE last_exchange (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;
        CREATE TABLE epoch_seen (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;`
