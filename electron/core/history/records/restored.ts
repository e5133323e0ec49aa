/**
 * That this history was restored from a backup, and what is known of the requests that were sent after the backup was
 * made: another file holds their records. Without it, a restored batch or a repeated check would send them again.
 *
 * Kept with the keys of subjects: a digest of a check that names an applicant goes with that applicant's key.
 */
import { longestSpendGuard } from '#contract/settings.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { Migration } from '#core/history/storage/migrate.ts'

export const restoredMigration: Migration = {
  version: 5,
  name: 'restored from a backup',
  why: 'What was sent after a backup was made is not in it, and must not be sent again unnoticed once it is restored.',
  up: (db) =>
    db.exec(`
      -- Unix milliseconds. "known" is 0 where not every file could be read that may know what was sent in between.
      CREATE TABLE restored (at INTEGER PRIMARY KEY, backup_at INTEGER NOT NULL, known INTEGER NOT NULL) STRICT;
      -- Checks that were sent in between, as keyed digests; "subject" is NULL where this history has no such applicant.
      CREATE TABLE sent_since (digest BLOB PRIMARY KEY, subject INTEGER, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `)
}

/** Milliseconds that the setting of the spend guard allows at most. */
const longestGuard = longestSpendGuard * 60_000

/** A time of which this history knows nothing, or not everything. Unix milliseconds. */
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
      'INSERT INTO sent_since VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET at = max(at, excluded.at), subject = coalesce(excluded.subject, subject)'
    )
    this.sentAt = db.prepare('SELECT at FROM sent_since WHERE digest = ? AND at >= ?').pluck()
    this.all = db.prepare('SELECT at, backup_at, known FROM restored ORDER BY at')
  }

  /** Within a transaction. */
  note({ at, backupAt, known }: Restoring): void {
    this.insert.run(Math.trunc(at), Math.trunc(backupAt), known ? 1 : 0)
  }

  /** Within a transaction. @param subject Of the applicant in this history, where there is one. */
  noteSent(digest: Buffer, subject: number | undefined, at: number): void {
    this.insertSent.run(digest, subject ?? null, Math.trunc(at))
  }

  /** Every restoring that this file remembers, the oldest first. */
  restorings(): Restoring[] {
    return (this.all.all() as { at: number; backup_at: number; known: number }[]).map(({ at, backup_at: backupAt, known }) => ({ at, backupAt, known: known === 1 }))
  }

  /** When a check was sent that only another file has the record of, at or after a time. */
  sent(digest: Buffer, since: number): number | undefined {
    return this.sentAt.get(digest, since) as number | undefined
  }

  /** The newest restoring that leaves open what was sent at or after a time. */
  openSince(since: number): Restoring | undefined {
    return this.restorings().findLast(({ at, known }) => !known && at >= since)
  }

  /** Digests of checks, with the applicant whom they name where that is known. */
  digests(): { readonly digest: Buffer; readonly subject: number | null; readonly at: number }[] {
    return this.db.prepare('SELECT digest, subject, at FROM sent_since').all() as { digest: Buffer; subject: number | null; at: number }[]
  }

  /** Whether it holds digests that no spend guard asks for any more. */
  hasExpired(now: number): boolean {
    return this.db.prepare('SELECT 1 FROM sent_since WHERE at < ? LIMIT 1').get(now - longestGuard) !== undefined
  }

  /** Within a transaction. */
  forgetExpired(now: number): void {
    this.db.prepare('DELETE FROM sent_since WHERE at < ?').run(now - longestGuard)
  }
}

/**
 * Takes out the digests of subjects that are gone, since they could be guessed; after an erasure also those of nobody
 * known here, since the address of a document may name the person. Within a transaction.
 */
export function forgetSentSince(db: Db, erased: boolean): void {
  db.exec(`DELETE FROM sent_since WHERE ${erased ? 'subject IS NULL OR ' : ''}subject NOT IN (SELECT ref FROM subject)`)
}
