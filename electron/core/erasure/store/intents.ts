/**
 * Where each erasure is, in subjects.db: the file that it takes the keys from. Two files cannot be committed as one,
 * so an erasure leaves here what the next opening needs to finish it. This table is the whole of its states:
 *
 *   (none) ── decided ──▶ intended ── keys destroyed ──▶ destroyed ── event on disk ──▶ uncleared ── copies cleared ──▶ (none)
 *                             │                                                          │   ▲
 *                             └── refused ──▶ refused ── texts put back ──▶ (none)       └───┘ copies that hold a key noted
 *
 * - intended: on disk before anything is touched. The console goes on with it at the next opening, unless a hold has
 *   come meanwhile: then it is refused.
 * - destroyed: written in the very transaction that takes the keys away, so that neither is ever there without the
 *   other. What is missing in the history (its event, and what lists keep) is then written at the opening.
 * - uncleared: both files are on disk, and kept copies may still hold the keys. The console clears them; then the row
 *   goes, and the receipt is complete.
 * - refused: nothing was destroyed, and the person was told so; the index may still have to take texts back.
 *
 * Until the event is there a row may hold a person's words, and is overwritten like the keys. What happens outside of
 * the history (copies, the list of destroyed keys) is in `../clearing.ts`.
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

/** Stages as the table's column `destroyed` stores them. */
export const stages = { intended: 0, destroyed: 1, uncleared: 2, refused: 3 } as const
export type Stage = keyof typeof stages

/** What may follow what; `none` is an erasure without a row. */
export const transitions: Readonly<Record<Stage | 'none', readonly (Stage | 'none')[]>> = {
  none: ['intended', 'destroyed'],
  intended: ['destroyed', 'refused'],
  destroyed: ['uncleared'],
  uncleared: ['uncleared', 'none'],
  refused: ['none']
}

const stageOf = (stored: number | undefined): Stage | 'none' =>
  (Object.keys(stages) as Stage[]).find((stage) => stages[stage] === stored) ?? 'none'

export class ErasureIntents {
  private readonly put
  private readonly all
  private readonly one
  private readonly remove

  constructor(subjects: Db) {
    this.put = subjects.prepare('INSERT INTO erasure VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET destroyed = excluded.destroyed, words = excluded.words')
    this.all = subjects.prepare('SELECT id, words FROM erasure WHERE destroyed = ?')
    this.one = subjects.prepare('SELECT destroyed FROM erasure WHERE id = ?').pluck()
    this.remove = subjects.prepare('DELETE FROM erasure WHERE id = ?')
  }

  /** Where an erasure is. */
  stage(id: string): Stage | 'none' {
    return stageOf(this.one.get(id) as number | undefined)
  }

  /** Throws where the table of transitions does not have it: then nothing is written. */
  private move(id: string, to: Stage | 'none', words: object = {}): void {
    const from = this.stage(id)
    if (!transitions[from].includes(to)) throw new Error(`an erasure cannot become ${to} while it is ${from}`)
    if (to === 'none') this.remove.run(id)
    else this.put.run(id, stages[to], JSON.stringify(words))
  }

  intend(id: string, order: Omit<ErasureIntent, 'id'>): void {
    this.move(id, 'intended', order)
  }
  /** No-op where nothing is intended under this id. */
  refuse(id: string): void {
    for (const { id: _id, ...order } of this.intended().filter((one) => one.id === id)) this.move(id, 'refused', order)
  }
  /** One that was refused, once nothing of it is left to be put right. */
  abandon(id: string): void {
    this.move(id, 'none')
  }
  refused(): ErasureIntent[] {
    return this.read<Omit<ErasureIntent, 'id'>>('refused').map(({ id, words }) => ({ ...words, id }))
  }
  /** To be called within the transaction that destroys the keys. */
  destroy(destroyed: Destroyed): void {
    this.move(destroyed.plain.id, 'destroyed', destroyed)
  }
  /** To be called when the event is on disk. */
  recorded({ plain: { id }, digests }: Destroyed): void {
    this.move(id, 'uncleared', { digests, held: [] })
  }
  /** No-op where nothing is to be cleared under this id. */
  clearing(id: string, held: readonly string[]): void {
    const one = this.uncleared().find((erasure) => erasure.id === id)
    if (one) this.move(id, 'uncleared', { digests: one.digests, held })
  }
  /** No-op where nothing is to be cleared under this id: it was cleared before a crash. */
  cleared(id: string): void {
    if (this.stage(id) !== 'none') this.move(id, 'none')
  }
  intended(): ErasureIntent[] {
    return this.read<Omit<ErasureIntent, 'id'>>('intended').map(({ id, words }) => ({ ...words, id }))
  }
  destroyed(): Destroyed[] {
    return this.read<Destroyed>('destroyed').map(({ words }) => words)
  }
  uncleared(): UnclearedErasure[] {
    return this.read<Omit<UnclearedErasure, 'id'>>('uncleared').map(({ id, words }) => ({ ...words, id }))
  }

  private read<Words>(stage: Stage): { readonly id: string; readonly words: Words }[] {
    return (this.all.all(stages[stage]) as { id: string; words: string }[]).map(({ id, words }) => ({ id, words: JSON.parse(words) as Words }))
  }
}
