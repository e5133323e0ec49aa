/**
 * Erasures that have begun and are not wholly done, in subjects.db: the file that they take the keys from. Two files
 * cannot be committed as one, so an erasure leaves here what the next opening needs to finish it:
 *
 * - intended: on disk before anything is touched. The console takes it up again, unless a hold has come meanwhile.
 * - destroyed: written in the very transaction that takes the keys away, so that neither is ever there without the
 *   other. What is missing in the history (its event, and what lists keep) is then written at the opening.
 * - refused: nothing was destroyed, and it was told so; the index may still have to take texts back that it forgot.
 * - uncleared: both files are on disk, and kept copies may still hold the keys. The console clears them.
 *
 * The row goes when the copies are cleared. Until the event is there it may hold a person's words, and is overwritten
 * like the keys.
 */
import type { ErasureIntent, ErasureOrder, UnclearedErasure } from '#core/history/api/erasure.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { Migration } from '#core/history/storage/migrate.ts'

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
}

/** What stands in the chain for the copies of what an erasure destroyed. */
export interface ClearedPlain {
  /** Of the erasure. */
  readonly id: string
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
  /** Of the destroyed keys. */
  readonly digests: readonly string[]
}

/** How far an erasure is, as the table's column `destroyed` says it. */
export const stages = { intended: 0, destroyed: 1, uncleared: 2, refused: 3 } as const

export class ErasureIntents {
  private readonly put
  private readonly all
  private readonly remove

  constructor(subjects: Db) {
    this.put = subjects.prepare('INSERT INTO erasure VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET destroyed = excluded.destroyed, words = excluded.words')
    this.all = subjects.prepare('SELECT id, words FROM erasure WHERE destroyed = ?')
    this.remove = subjects.prepare('DELETE FROM erasure WHERE id = ? AND destroyed = ?')
  }

  intend(id: string, order: Omit<ErasureIntent, 'id'>): void {
    this.put.run(id, stages.intended, JSON.stringify(order))
  }
  refuse(id: string): void {
    for (const { id: _id, ...order } of this.intended().filter((one) => one.id === id)) this.put.run(id, stages.refused, JSON.stringify(order))
  }
  /** One that was refused, once nothing of it is left to be put right. */
  abandon(id: string): void {
    this.remove.run(id, stages.refused)
  }
  refused(): ErasureIntent[] {
    return this.read<Omit<ErasureIntent, 'id'>>(stages.refused).map(({ id, words }) => ({ ...words, id }))
  }
  /** To be called within the transaction that destroys the keys. */
  destroy(destroyed: Destroyed): void {
    this.put.run(destroyed.plain.id, stages.destroyed, JSON.stringify(destroyed))
  }
  /** To be called when the event is on disk. */
  recorded({ plain: { id }, digests }: Destroyed): void {
    this.put.run(id, stages.uncleared, JSON.stringify({ digests, held: [] }))
  }
  clearing(id: string, held: readonly string[]): void {
    const one = this.uncleared().find((erasure) => erasure.id === id)
    if (one) this.put.run(id, stages.uncleared, JSON.stringify({ digests: one.digests, held }))
  }
  cleared(id: string): void {
    this.remove.run(id, stages.uncleared)
  }
  intended(): ErasureIntent[] {
    return this.read<Omit<ErasureIntent, 'id'>>(stages.intended).map(({ id, words }) => ({ ...words, id }))
  }
  destroyed(): Destroyed[] {
    return this.read<Destroyed>(stages.destroyed).map(({ words }) => words)
  }
  uncleared(): UnclearedErasure[] {
    return this.read<Omit<UnclearedErasure, 'id'>>(stages.uncleared).map(({ id, words }) => ({ ...words, id }))
  }

  private read<Words>(stage: number): { readonly id: string; readonly words: Words }[] {
    return (this.all.all(stage) as { id: string; words: string }[]).map(({ id, words }) => ({ id, words: JSON.parse(words) as Words }))
  }
}
