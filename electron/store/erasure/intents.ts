/**
 * The state of each erasure, stored in subjects.db: the file that the keys are removed from. Two files cannot be committed
 * together, so an erasure stores here what the next opening needs to finish it. All states:
 *
 *   (none) ── decided ──▶ intended ── keys destroyed ──▶ destroyed ── event on disk ──▶ uncleared ── copies cleared ──▶ (none)
 *                             │                                                          │   ▲
 *                             └── refused ──▶ refused ── texts put back ──▶ (none)       └───┘ copies that hold a key noted
 *
 * - intended: on disk before anything is changed. The next opening continues it, unless there is a hold by then: then it
 *   is refused.
 * - destroyed: written in the transaction that removes the keys, so that neither exists without the other. What is
 *   missing in the history (its event, and data in lists) is then written at opening.
 * - uncleared: both files are on disk, and retained copies may still hold the keys. After they are cleared the row is
 *   deleted, and the receipt is complete.
 * - refused: nothing was destroyed, and the user was informed; texts may still have to be put back into the index.
 *
 * Until the event is written a row may contain personal data, and is overwritten like the keys. What happens outside
 * the history (copies, the list of destroyed keys) is in `#core/erasure/clearing.ts`.
 */
import type { ErasedPlain, ErasureIntent, UnclearedErasure } from '#wire/history/erasure.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** A power cut between the two files must leave no erasure without its event. */
export const intentTables = `
CREATE TABLE erasure (id TEXT PRIMARY KEY, destroyed INTEGER NOT NULL, words TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

/** The content of the event for an erasure's copies. */
export interface ClearedPlain {
  /** Id of the erasure. */
  readonly id: string
  readonly operator: string
  readonly backupsRewritten: number
  readonly copiesNotReached: readonly string[]
  /** Files of copies of documents that could not be deleted, and that nobody can open; absent for none. */
  readonly documentsNotDeleted?: number
}

/** The event to be written. */
export interface Destroyed {
  readonly plain: ErasedPlain
  readonly at: number
  readonly reason: string
  /** The subject whose key seals the reason, since a reason may name somebody. */
  readonly own: number
  /** Digests of the destroyed keys. */
  readonly digests: readonly string[]
  /** Names of the files of copies of documents. */
  readonly files: readonly string[]
}

/** Stages as stored in the table's column `destroyed`. */
export const stages = { intended: 0, destroyed: 1, uncleared: 2, refused: 3 } as const
export type Stage = keyof typeof stages

/** Allowed transitions; `none` is an erasure without a row. */
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
    this.put = subjects.prepare(
      'INSERT INTO erasure VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET destroyed = excluded.destroyed, words = excluded.words'
    )
    this.all = subjects.prepare('SELECT id, words FROM erasure WHERE destroyed = ?')
    this.one = subjects.prepare('SELECT destroyed FROM erasure WHERE id = ?').pluck()
    this.remove = subjects.prepare('DELETE FROM erasure WHERE id = ?')
  }

  /** The stage of an erasure. */
  stage(id: string): Stage | 'none' {
    return stageOf(this.one.get(id) as number | undefined)
  }

  /** Throws, without writing, if the transition is not allowed. */
  private move(id: string, to: Stage | 'none', words: object = {}): void {
    const from = this.stage(id)
    if (!transitions[from].includes(to)) throw new Error(`an erasure cannot become ${to} while it is ${from}`)
    if (to === 'none') this.remove.run(id)
    else this.put.run(id, stages[to], JSON.stringify(words))
  }

  intend(id: string, order: Omit<ErasureIntent, 'id'>): void {
    this.move(id, 'intended', order)
  }
  /** No-op if there is no intent with this id. */
  refuse(id: string): void {
    for (const { id: _id, ...order } of this.intended().filter((one) => one.id === id)) this.move(id, 'refused', order)
  }
  /** For a refused intent once everything has been put right. */
  abandon(id: string): void {
    this.move(id, 'none')
  }
  refused(): ErasureIntent[] {
    return this.read<Omit<ErasureIntent, 'id'>>('refused').map(({ id, words }) => ({ ...words, id }))
  }
  /** Call within the transaction that destroys the keys. */
  destroy(destroyed: Destroyed): void {
    this.move(destroyed.plain.id, 'destroyed', destroyed)
  }
  /** Call when the event is on disk. */
  recorded({ plain: { id }, digests, files }: Destroyed): void {
    this.move(id, 'uncleared', { digests, held: [], files })
  }
  /** No-op if nothing is to be cleared with this id. */
  clearing(id: string, held: readonly string[]): void {
    const one = this.uncleared().find((erasure) => erasure.id === id)
    if (one) this.move(id, 'uncleared', { digests: one.digests, held, files: one.files })
  }
  /** No-op if nothing is to be cleared with this id, because it was cleared before a crash. */
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
    return (this.all.all(stages[stage]) as { id: string; words: string }[]).map(({ id, words }) => ({
      id,
      words: JSON.parse(words) as Words
    }))
  }
}
