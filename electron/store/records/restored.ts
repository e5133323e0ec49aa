/**
 * Records that this history was restored from a backup, and what is known of requests sent after the backup: another
 * file has their records. Otherwise a restored batch or a repeated verification would send them again.
 *
 * Stored with the subjects' keys: a digest of a verification that names an applicant is deleted with that applicant's
 * key.
 */
import { maxSpendGuardMinutes } from '#contract/settings/settings.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** What was sent after a backup was made is not in it, and must not be sent again unnoticed once it is restored. */
export const restoredTables = `
  -- Unix milliseconds. "known" is 0 where not every file could be read that may know what was sent in between.
  CREATE TABLE restored (at INTEGER PRIMARY KEY, backup_at INTEGER NOT NULL, known INTEGER NOT NULL) STRICT;
  -- Checks that were sent in between, as keyed digests; "subject" is NULL where this history has no such applicant.
  CREATE TABLE sent_since (digest BLOB PRIMARY KEY, subject INTEGER, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** Maximum setting of the spend guard, in milliseconds. */
const maxGuardMs = maxSpendGuardMinutes * 60_000

/** A period that this history does not know, or not completely. Unix milliseconds. */
export interface Restoring {
  readonly at: number
  readonly backupAt: number
  readonly known: boolean
}

export class Restored {
  private readonly db: Db
  private readonly insert
  private readonly insertSent
  private readonly sentAt
  private readonly all

  constructor(db: Db) {
    this.db = db
    this.insert = db.prepare('INSERT OR REPLACE INTO restored VALUES (?, ?, ?)')
    this.insertSent = db.prepare(
      `INSERT INTO sent_since VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET at = max(at, excluded.at),
        subject = coalesce(excluded.subject, subject)`
    )
    this.sentAt = db.prepare('SELECT at FROM sent_since WHERE digest = ? AND at >= ?').pluck()
    this.all = db.prepare('SELECT at, backup_at, known FROM restored ORDER BY at')
  }

  /** Within a transaction. */
  note({ at, backupAt, known }: Restoring): void {
    this.insert.run(Math.trunc(at), Math.trunc(backupAt), known ? 1 : 0)
  }

  /**
   * Within a transaction.
   *
   * @param subject The applicant's subject in this history, if there is one.
   */
  noteSent(digest: Buffer, subject: number | undefined, at: number): void {
    this.insertSent.run(digest, subject ?? null, Math.trunc(at))
  }

  /** Every restore of this file, oldest first. */
  restorings(): Restoring[] {
    return (this.all.all() as { at: number; backup_at: number; known: number }[]).map(
      ({ at, backup_at: backupAt, known }) => ({ at, backupAt, known: known === 1 })
    )
  }

  /** When a verification was sent, at or after `since`, that only another file has a record of. */
  sent(digest: Buffer, since: number): number | undefined {
    return this.sentAt.get(digest, since) as number | undefined
  }

  /** The newest restore that leaves open what was sent at or after `since`. */
  openSince(since: number): Restoring | undefined {
    return this.restorings().findLast(({ at, known }) => !known && at >= since)
  }

  /** Digests of verifications, with their applicant if known. */
  digests(): { readonly digest: Buffer; readonly subject: number | null; readonly at: number }[] {
    return this.db.prepare('SELECT digest, subject, at FROM sent_since').all() as {
      digest: Buffer
      subject: number | null
      at: number
    }[]
  }

  /** Whether there are digests too old for any spend guard. */
  hasExpired(now: number): boolean {
    return this.db.prepare('SELECT 1 FROM sent_since WHERE at < ? LIMIT 1').get(now - maxGuardMs) !== undefined
  }

  /** Within a transaction. */
  forgetExpired(now: number): void {
    this.db.prepare('DELETE FROM sent_since WHERE at < ?').run(now - maxGuardMs)
  }
}

/**
 * Deletes the digests of removed subjects, since their content could be guessed; after an erasure also those without
 * a subject, since a document's address may name the person. Within a transaction.
 */
export function forgetSentSince(db: Db, erased: boolean): void {
  db.exec(`DELETE FROM sent_since WHERE ${erased ? 'subject IS NULL OR ' : ''}subject NOT IN (SELECT ref FROM subject)`)
}
