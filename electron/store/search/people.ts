/** Finds the records of applicants by their name, as the newest answer with details has it, and by the notes about them. */
import type { Db } from '#wire/sqlite/files.ts'
import type { RecordColumns } from '../projections/columns.ts'
import type { NamesProjection } from '../projections/names.ts'
import type { Subjects } from '../storage/subjects.ts'
import { around, placeOf, type Found } from './found-in.ts'
import { indexable, type Indexer, type IndexTable } from './indexer.ts'
import { subjectOfRowid, type NoteTexts } from './note-texts.ts'

/** The records of the applicants that a phrase names. */
export interface People {
  has(seq: number): boolean
  /** From `low` to `high`, in the direction of `step`. */
  between(low: number, high: number, step: 1 | -1): Iterable<number>
}

/** Finds applicants by their names. */
export interface NamedSubjects {
  named(spellings: readonly string[]): ReadonlySet<number>
}

export interface PeopleParts {
  readonly history: Db
  readonly search: Db
  readonly columns: RecordColumns
  readonly subjects: Subjects
  readonly names: NamesProjection
  readonly nameSearch: NamedSubjects
  readonly notes: NoteTexts
  readonly indexer: Indexer
}

interface Named {
  readonly table: IndexTable
  readonly match: string
  readonly spellings: readonly string[]
}

export class PeopleSearch {
  private readonly parts: PeopleParts
  private readonly inNotes
  private readonly links
  private readonly linkOf
  private readonly recordsOf

  constructor(parts: PeopleParts) {
    this.parts = parts
    const { history, search } = parts
    const notesIn = (table: IndexTable) =>
      search.prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid < 0`).pluck()
    this.inNotes = { trigram: notesIn('trigram'), pair: notesIn('pair') }
    this.links = history.prepare('SELECT record, subject FROM applicant_link').raw()
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
    this.recordsOf = history.prepare('SELECT seq FROM record WHERE subject IN (SELECT value FROM json_each(?))').pluck()
  }

  /** Undefined if nobody is named. */
  of({ table, match, spellings }: Named): People | undefined {
    const { columns, indexer, nameSearch, notes, subjects } = this.parts
    indexer.catchUp()
    const found = new Set(nameSearch.named(spellings))
    for (const rowid of this.inNotes[table].all(match) as number[]) found.add(subjectOfRowid(rowid))
    for (const { subject, text } of notes.after(indexer.indexed)) {
      const own = indexable(text)
      if (spellings.some((each) => own.includes(each))) found.add(subject)
    }
    if (found.size === 0) return undefined
    const linked = new Set<number>()
    for (const [record, subject] of this.links.iterate() as IterableIterator<[number, number]>)
      if (found.has(subject)) linked.add(record)
    // Until they are loaded, as of a history that was just opened, the index of the file answers.
    return columns.isWhole ? this.scanned(found, linked, subjects.last) : this.listed(found, linked)
  }

  private scanned(found: ReadonlySet<number>, linked: ReadonlySet<number>, last: number): People {
    const { subject } = this.parts.columns.all()
    const isFound = new Uint8Array(last + 1)
    for (const each of found) isFound[each] = 1
    const has = (seq: number): boolean => isFound[subject[seq] ?? 0] === 1 || linked.has(seq)
    return {
      has,
      *between(low, high, step) {
        for (let seq = step < 0 ? high : low; seq >= low && seq <= high; seq += step) if (has(seq)) yield seq
      }
    }
  }

  private listed(found: ReadonlySet<number>, linked: ReadonlySet<number>): People {
    const seqs = new Set([...(this.recordsOf.all(JSON.stringify([...found])) as number[]), ...linked])
    const sorted = [...seqs].sort((one, other) => one - other)
    return {
      has: (seq) => seqs.has(seq),
      between: (low, high, step) => {
        const within = sorted.filter((seq) => seq >= low && seq <= high)
        return step < 0 ? within.reverse() : within
      }
    }
  }

  /** Where a record's applicant has a phrase, by its spellings: the name, or the newest note. */
  foundIn(seq: number, own: number, sought: readonly string[]): Found | undefined {
    const { names, notes } = this.parts
    const linked = this.linkOf.get(seq) as number | undefined
    const subject = linked ?? own
    const name = names.of(subject)?.name ?? ''
    const at = placeOf(name, sought)
    if (at >= 0) return { in: linked === undefined ? 'applicant' : 'linked applicant', text: around(name, at) }
    for (const { text } of notes.about(subject)) {
      const place = placeOf(text, sought)
      if (place >= 0) return { in: 'note', text: around(text, place) }
    }
    return undefined
  }
}
