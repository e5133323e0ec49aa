/** The index's part in an erasure: removes texts while their keys can still decrypt them. */
import { codeOfState } from '../projections/columns.ts'
import type { Db } from '#wire/sqlite/files.ts'
import {
  indexable,
  indexTableNames,
  indexTables,
  parts,
  rowidOf,
  type Indexer,
  type IndexTable
} from '../search/indexer.ts'
import { rowidOfNote, type Note, type NoteTexts } from '../search/note-texts.ts'
import type { Reader } from '../records/reader.ts'

const answered = codeOfState('answered')
/** SQLite cannot bind a list as a value; a JSON array works. */
const recordsOf = 'SELECT seq, begun, ended FROM record WHERE subject IN (SELECT value FROM json_each(?))'

/** Characters of a table's shortest term. */
const shortestTerm: Readonly<Record<IndexTable, number>> = { trigram: 3, pair: 2 }

interface Row {
  readonly seq: number
  readonly begun: number
  readonly ended: number | null
}

export class ForgottenTexts {
  private readonly search: Db
  private readonly indexer: Indexer
  private readonly reader: Reader
  private readonly notes: NoteTexts
  private readonly records

  constructor({
    search,
    history,
    indexer,
    reader,
    notes
  }: {
    readonly search: Db
    readonly history: Db
    readonly indexer: Indexer
    readonly reader: Reader
    readonly notes: NoteTexts
  }) {
    this.search = search
    this.indexer = indexer
    this.reader = reader
    this.notes = notes
    this.records = history.prepare(recordsOf)
  }

  /** Removes everything about these subjects; durable on return. Throws SQLite's errors. */
  forget(subjects: readonly number[]): void {
    this.indexer.drain()
    const { search } = this
    const tables = this.tables((table) => `INSERT INTO ${table} (${table}, rowid, part) VALUES ('delete', ?, ?)`)
    const removeAnswer = search.prepare('DELETE FROM answered WHERE digest = ? AND record = ?')
    search
      .transaction(() => {
        for (const { event, subject, text } of this.notesAbout(subjects))
          for (const table of tables) table.changeIf(true, rowidOfNote(subject, event), text)
        for (const { seq } of this.rows(subjects)) {
          const texts = this.reader.texts(seq)
          if (!texts) continue
          // Removing what is not in the index would corrupt it, for example in a second attempt after a crash.
          for (const part of ['asked', 'answered'] as const)
            for (const table of tables) table.changeIf(true, rowidOf(seq, parts[part]), texts[part])
          for (const text of [texts.check, ...texts.seen]) removeAnswer.run(this.indexer.digest(text), seq)
        }
      })
      .immediate()
    // This file is not synced with each commit: the keys must not be destroyed while the texts could return.
    search.pragma('wal_checkpoint(TRUNCATE)')
  }

  /**
   * After an erasure that was not completed: makes records that were not erased searchable again. Idempotent, also if
   * nothing was removed. Leaves what is not indexed yet to the index. Throws SQLite's errors.
   */
  putBack(subjects: readonly number[]): void {
    const { search, indexer } = this
    const tables = this.tables((table) => `INSERT INTO ${table} (rowid, part) VALUES (?, ?)`)
    const insertAnswer = search.prepare('INSERT OR IGNORE INTO answered VALUES (?, ?)')
    search
      .transaction(() => {
        for (const { event, subject, text } of this.notesAbout(subjects))
          if (event <= indexer.indexed)
            for (const table of tables) table.changeIf(false, rowidOfNote(subject, event), text)
        for (const { seq, begun, ended } of this.rows(subjects)) {
          const texts = this.reader.texts(seq)
          if (!texts) continue
          for (const [part, event] of [
            ['asked', begun],
            ['answered', ended]
          ] as const) {
            if (event === null || event > indexer.indexed) continue
            for (const table of tables) table.changeIf(false, rowidOf(seq, parts[part]), texts[part])
            if (part === 'asked') for (const text of texts.seen) insertAnswer.run(indexer.digest(text), seq)
            if (part === 'answered' && texts.state === answered) insertAnswer.run(indexer.digest(texts.check), seq)
          }
        }
      })
      .immediate()
  }

  private rows(subjects: readonly number[]): Row[] {
    return this.records.all(JSON.stringify(subjects)) as Row[]
  }

  private notesAbout(subjects: readonly number[]): Note[] {
    return subjects.flatMap((subject) => [...this.notes.about(subject)])
  }

  /** For each table of the index: how what it holds of a text is changed, if the table holds it or if it does not. */
  private tables(change: (table: IndexTable) => string) {
    return indexTableNames.map((table) => {
      // Numbers are bound as floats, and FTS5 ignores a rowid that is not an integer: every record would match.
      const find = this.search
        .prepare(`SELECT 1 FROM ${table} WHERE ${table} MATCH ? AND rowid = CAST(? AS INTEGER)`)
        .pluck()
      const statement = this.search.prepare(change(table))
      return {
        changeIf(isHeld: boolean, rowid: number, text: string): void {
          const held = indexTables[table](indexable(text))
          const start = [...held].slice(0, shortestTerm[table])
          // Too short to be indexed.
          if (start.length < shortestTerm[table]) return
          const term = `"${start.join('').replaceAll('"', '""')}"`
          if ((find.get(term, rowid) !== undefined) === isHeld) statement.run(rowid, held)
        }
      }
    })
  }
}
