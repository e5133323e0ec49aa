/** Finds applicants by part of their id, and reads ids in their order. */
import { folded } from '#kit/text/folding.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { TextBlocks } from './text-blocks.ts'

/** Ids read at a time. */
const idsPerStep = 5000

export class ApplicantIds {
  private readonly texts = new TextBlocks()
  private last = 0
  private readonly newer
  private readonly up
  private readonly down

  constructor(subjects: Db) {
    const ids = 'SELECT ref, applicant FROM subject WHERE applicant IS NOT NULL AND applicant'
    this.up = subjects.prepare(`${ids} > ? ORDER BY applicant LIMIT ?`).raw()
    this.down = subjects.prepare(`${ids} < ? ORDER BY applicant DESC LIMIT ?`).raw()
    this.newer = subjects
      .prepare('SELECT ref, applicant FROM subject WHERE ref > ? AND applicant IS NOT NULL ORDER BY ref LIMIT ?')
      .raw()
  }

  /** The next ids in their order, after one, with their subjects. */
  sorted(
    after: string | undefined,
    reversed: boolean,
    limit: number
  ): readonly (readonly [subject: number, id: string])[] {
    // No id begins with a character as high as this.
    return (reversed ? this.down.all(after ?? '\u{10ffff}', limit) : this.up.all(after ?? '', limit)) as [
      number,
      string
    ][]
  }

  /** Drops everything; the next search reads it again. Called after an erasure. */
  forget(): void {
    this.texts.forget()
    this.last = 0
  }

  /** Reads the next ids, for a few milliseconds; true if there may be more. */
  warm(): boolean {
    const read = this.newer.all(this.last, idsPerStep) as [number, string][]
    this.texts.add(read.map(([ref, id]) => [ref, folded(id)]))
    this.last = read.at(-1)?.[0] ?? this.last
    return read.length === idsPerStep
  }

  /** Subjects whose id contains one of the folded texts; undefined if there are more than `most`. */
  holding(needles: readonly string[], most: number): ReadonlySet<number> | undefined {
    while (this.warm());
    return this.texts.holding(needles, most)
  }
}
