/**
 * Finds applicants by part of their id. The ids are in memory, in blocks of text, since no index finds substrings in
 * time.
 */
import { folded, spellings } from '#kit/text/folding.ts'
import type { Db } from '#wire/sqlite/files.ts'

const blockSize = 4096
/** Ids read at a time. */
const idsPerStep = 5000

interface Block {
  readonly refs: number[]
  /** Folded ids, each between two line breaks; no id contains one. */
  text: string
}

export class ApplicantIds {
  private blocks: Block[] = []
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
    this.blocks = []
    this.last = 0
  }

  /** Reads the next ids, for a few milliseconds; true if there may be more. */
  warm(): boolean {
    return this.catchUp(idsPerStep)
  }

  private catchUp(limit: number): boolean {
    let read = 0
    let parts: string[] = []
    let block = this.blocks.at(-1)
    const flush = (): void => {
      if (block && parts.length > 0) block.text += `${parts.join('\n')}\n`
      parts = []
    }
    for (const [ref, id] of this.newer.iterate(this.last, limit) as IterableIterator<[number, string]>) {
      if (!block || block.refs.length === blockSize) {
        flush()
        block = { refs: [], text: '\n' }
        this.blocks.push(block)
      }
      block.refs.push(ref)
      parts.push(folded(id))
      this.last = ref
      read += 1
    }
    flush()
    return read === limit
  }

  /** Subjects whose id contains the text as people see it; undefined if there are more than `most`. */
  holding(text: string, most: number): number[] | undefined {
    while (this.catchUp(idsPerStep));
    const found = new Set<number>()
    for (const spelling of spellings(text)) {
      const own = this.withSpelling(spelling, most)
      if (!own) return undefined
      for (const ref of own) found.add(ref)
    }
    return found.size > most ? undefined : [...found]
  }

  private withSpelling(needle: string, most: number): number[] | undefined {
    if (needle.includes('\n')) return []
    const found: number[] = []
    for (const block of this.blocks) {
      let line = 0
      let counted = 0
      for (let at = block.text.indexOf(needle); at >= 0;) {
        for (
          let next = block.text.indexOf('\n', counted + 1);
          next >= 0 && next <= at;
          next = block.text.indexOf('\n', counted + 1)
        ) {
          line += 1
          counted = next
        }
        const ref = block.refs[line]
        if (ref !== undefined) found.push(ref)
        if (found.length > most) return undefined
        const end = block.text.indexOf('\n', at + 1)
        at = end < 0 ? -1 : block.text.indexOf(needle, end)
      }
    }
    return found
  }
}
