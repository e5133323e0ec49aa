/** Positions of entries, newest first: what pages are made of. */
import type { TeamCursor } from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** An entry's time, and its place in the file. */
export type Position = TeamCursor
export const newest: Position = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER }

/** What is chosen, by a value for each column. */
const chosen = {
  ofKind: 'kind = ?',
  ofInstallation: 'ref = ? AND kind = ?',
  ofSubject: 'ref = ? AND subject = ?'
} as const
type Choice = keyof typeof chosen
/** Exported for `EXPLAIN QUERY PLAN`. Those of the same time have a statement of their own: there may be any number. */
export const entryStatements = (choice: Choice): { readonly same: string; readonly before: string } => ({
  same: `SELECT at, place FROM entry WHERE ${chosen[choice]} AND at = ? AND place < ? ORDER BY place DESC LIMIT ?`,
  before: `SELECT at, place FROM entry WHERE ${chosen[choice]} AND at < ? ORDER BY at DESC, place DESC LIMIT ?`
})

export class Positions {
  private readonly statements

  constructor(db: Db) {
    const prepared = (
      choice: Choice
    ): { readonly same: ReturnType<Db['prepare']>; readonly before: ReturnType<Db['prepare']> } => {
      const { same, before } = entryStatements(choice)
      return { same: db.prepare(same), before: db.prepare(before) }
    }
    this.statements = {
      ofKind: prepared('ofKind'),
      ofInstallation: prepared('ofInstallation'),
      ofSubject: prepared('ofSubject')
    }
  }

  /** At most so many after a position, in order. */
  after(choice: Choice, values: readonly number[], { at, place }: Position, limit: number): readonly Position[] {
    const { same, before } = this.statements[choice]
    const found = same.all(...values, at, place, limit) as Position[]
    return found.length === limit
      ? found
      : [...found, ...(before.all(...values, at, limit - found.length) as Position[])]
  }
}

/** Newest first. */
export const byTime = (a: Position, b: Position): number => b.at - a.at || b.place - a.place
