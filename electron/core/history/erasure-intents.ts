/**
 * Erasures that have begun and are not wholly done, in subjects.db: the file that they take the keys from. Two files
 * cannot be committed as one, so an erasure leaves here what the next opening needs to finish it:
 *
 * - intended: on disk before the first copy is touched. The console takes it up again from its beginning.
 * - destroyed: written in the very transaction that takes the keys away, so that neither is ever there without the
 *   other. What is missing in the history (its event, and what lists keep) is then written at the opening.
 *
 * The row goes when both files are on disk. It may hold a person's words, and is overwritten like the keys.
 */
import type { ErasureIntent, ErasureOrder } from '../retention/store.ts'
import type { Db } from './files.ts'
import type { Migration } from './migrate.ts'

export const intentsMigration: Migration = {
  version: 3,
  name: 'erasures under way',
  why: 'A power cut between the two files must leave no erasure without its event.',
  up: (db) => db.exec('CREATE TABLE erasure (id TEXT PRIMARY KEY, destroyed INTEGER NOT NULL, words TEXT NOT NULL) STRICT, WITHOUT ROWID;')
}

/** What stands in the chain for an erasure: nothing about whom. */
export interface ErasedPlain {
  readonly id: string
  readonly cause: ErasureOrder['cause']
  readonly subjects: readonly number[]
  readonly records: number
  readonly batchRows: number
  readonly operator: string
  readonly backupsRewritten: number
  readonly copiesNotReached: readonly string[]
}

/** The event as it is to be written. */
export interface Destroyed {
  readonly plain: ErasedPlain
  readonly at: number
  readonly reason: string
  /** The subject under whose key the reason is sealed: a reason may name somebody. */
  readonly own: number
}

export class ErasureIntents {
  private readonly put
  private readonly all
  private readonly remove

  constructor(subjects: Db) {
    this.put = subjects.prepare('INSERT INTO erasure VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET destroyed = excluded.destroyed, words = excluded.words')
    this.all = subjects.prepare('SELECT id, words FROM erasure WHERE destroyed = ?')
    this.remove = subjects.prepare('DELETE FROM erasure WHERE id = ?')
  }

  intend(id: string, order: Omit<ErasureIntent, 'id'>): void {
    this.put.run(id, 0, JSON.stringify(order))
  }
  /** To be called within the transaction that destroys the keys. */
  destroy(destroyed: Destroyed): void {
    this.put.run(destroyed.plain.id, 1, JSON.stringify(destroyed))
  }
  done(id: string): void {
    this.remove.run(id)
  }
  intended(): ErasureIntent[] {
    return (this.all.all(0) as { id: string; words: string }[]).map(({ id, words }) => ({ ...(JSON.parse(words) as Omit<ErasureIntent, 'id'>), id }))
  }
  destroyed(): Destroyed[] {
    return (this.all.all(1) as { words: string }[]).map(({ words }) => JSON.parse(words) as Destroyed)
  }
}
