/**
 * Updates search.db from the evidence, in small steps between requests. Texts not indexed yet are in memory, where
 * searches find them: neither a batch nor a search waits for the index.
 */
import { codeOfState } from '../projections/columns.ts'
import { keyedDigest } from '#kit/sealing/seal.ts'
import { folded, pairsIn } from '#kit/text/folding.ts'
import { sqliteCode, type Db } from '#wire/sqlite/files.ts'
import { canonicalUnknown } from '#wire/history/record-payloads.ts'
import type { Identity, Reader } from '../records/reader.ts'
import type { PostCommit } from '../records/writer.ts'
import { isNote, rowidOfNote, type NoteTexts } from './note-texts.ts'

/** Parts of a record in the index; the rowid is seq * 4 + part. */
export const parts = { asked: 0, answered: 1 } as const
export const rowidOf = (seq: number, part: number): number => seq * 4 + part
export const seqOfRowid = (rowid: number): number => Math.floor(rowid / 4)

const [answered, unknown] = [codeOfState('answered'), codeOfState('unknown')]
/** Maximum number and total characters of texts held in memory; beyond these, texts are read from the evidence. */
const freshLimit = { texts: 8192, characters: 16 * 1024 * 1024 }
/** Events that may wait for the index while writes continue; fewer if their texts are long. */
const maxBehind = { events: 4000, characters: 8 * 1024 * 1024 }
/** Maximum events of an earlier run whose digests a query loads. */
const maxAwaited = 20_000

/** A text that is not indexed yet. */
interface Fresh {
  readonly record: number
  readonly text: string
  /** For an answer: the digest of its verification; for a request: those of the documents that a check saw. */
  readonly digests: readonly Buffer[]
  /** Set by the first search that scans it. */
  folded?: string
}

/**
 * Digests of verifications and documents that the index does not contain yet, so that the spend guard finds them
 * without waiting for the index.
 */
class UnindexedDigests {
  private readonly records = new Map<string, number[]>()

  /** Adds the digests of a record. Adding one twice has no effect. */
  add(digests: readonly Buffer[], record: number): void {
    for (const digest of digests) {
      const key = digest.toString('hex')
      const known = this.records.get(key)
      if (!known) this.records.set(key, [record])
      else if (!known.includes(record)) known.push(record)
    }
  }

  /** Removes what the index now contains from memory, which a batch of many rows would otherwise fill. */
  remove(digests: readonly Buffer[], record: number): void {
    for (const digest of digests) {
      const key = digest.toString('hex')
      const left = this.records.get(key)?.filter((seq) => seq !== record) ?? []
      if (left.length === 0) this.records.delete(key)
      else this.records.set(key, left)
    }
  }

  /** The records with a digest, in the order in which they were added. */
  recordsOf(digest: Buffer): readonly number[] {
    return this.records.get(digest.toString('hex')) ?? []
  }
}

/** A text as the index holds it and as a query is compared with it. A NUL would end it for SQLite's tokenizer. */
export const indexable = (text: string): string => folded(text.replaceAll('\0', ' '))

/** The two tables of the index: what each holds of an indexable text. */
export const indexTables = { trigram: (text: string): string => text, pair: pairsIn } as const
export type IndexTable = keyof typeof indexTables
export const indexTableNames = Object.keys(indexTables) as readonly IndexTable[]

interface EventRow {
  readonly seq: number
  readonly kind: string
  readonly record: number | null
}

/** The part of its record that an event adds to the index, if any. */
const partOf = ({ kind, record }: EventRow): number | undefined =>
  record === null
    ? undefined
    : kind === 'record.begun'
      ? parts.asked
      : kind === 'record.ended'
        ? parts.answered
        : undefined

export class Indexer {
  /** The last event that is indexed. */
  private done: number
  /** The last event of an earlier run: neither its texts nor its digests are in memory at first. */
  private readonly left: number
  /** Whether the digests of the events of an earlier run are in memory or in the index. */
  private learned = false
  private readonly fresh = new Map<number, Fresh>()
  private characters = 0
  /** The last event whose text is not in memory: of an earlier run, or beyond the memory limit. */
  private unread: number
  /** The last event up to which memory contains everything that the index does not. */
  private remembered = 0
  private readonly digests = new UnindexedDigests()
  private readonly search: Db
  private readonly reader: Reader
  private readonly digestKey: Buffer
  private readonly notes: NoteTexts
  private readonly events
  private readonly insertText
  private readonly insertAnswer
  private readonly mark
  private readonly latest
  private readonly newestOf

  constructor(search: Db, history: Db, reader: Reader, notes: NoteTexts, digestKey: Buffer) {
    this.search = search
    this.reader = reader
    this.notes = notes
    this.digestKey = digestKey
    this.done = search.prepare('SELECT event FROM watermark').pluck().get() as number
    this.left = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck().get() as number
    this.unread = this.left
    this.events = history.prepare('SELECT seq, kind, record FROM event WHERE seq > ? ORDER BY seq LIMIT ?')
    this.insertText = indexTableNames.map(
      (table) => [indexTables[table], search.prepare(`INSERT INTO ${table} (rowid, part) VALUES (?, ?)`)] as const
    )
    this.insertAnswer = search.prepare('INSERT OR IGNORE INTO answered VALUES (?, ?)')
    this.mark = search.prepare('UPDATE watermark SET event = ?')
    this.newestOf = search.prepare('SELECT record FROM answered WHERE digest = ? ORDER BY record DESC LIMIT ?').pluck()
    this.latest = search
      .prepare('SELECT record FROM answered WHERE digest = ? AND record < ? ORDER BY record DESC LIMIT 1')
      .pluck()
  }

  /** Registers what a committed write leaves to be indexed. */
  note({ text, row }: PostCommit): void {
    if (!text) return
    const { event, text: words, check, seen = [] } = text
    // What a crash left open is not in memory, and must be found before it is indexed.
    const known = check ?? (row.state === unknown ? this.reader.identity(row.seq)?.check : undefined)
    const digests = [...(known === undefined ? [] : this.endedTexts(known, row.state)), ...seen].map((each) =>
      this.digest(each)
    )
    if (words === undefined || this.fresh.size >= freshLimit.texts || this.characters >= freshLimit.characters)
      this.unread = event
    else {
      this.fresh.set(event, { record: row.seq, text: words, digests })
      this.characters += words.length
    }
    this.digests.add(digests, row.seq)
  }

  digest(check: string): Buffer {
    return keyedDigest(this.digestKey, check)
  }

  /** The last event that the index contains. */
  get indexed(): number {
    return this.done
  }

  /** Number of events that wait for the index. */
  behind(head: number): number {
    return head - this.done
  }

  /** Whether so much is waiting that writes must wait for the index. */
  pressed(head: number): boolean {
    return this.behind(head) >= maxBehind.events || this.characters >= maxBehind.characters
  }

  /** Indexes up to `limit` events; returns whether there may be more. */
  step(limit: number): boolean {
    const events = this.events.all(this.done, limit) as EventRow[]
    const last = events.at(-1)
    if (!last) return false
    const indexed: Pick<Fresh, 'record' | 'digests'>[] = []
    this.search
      .transaction(() => {
        for (const event of events) {
          if (isNote(event.kind)) this.indexNote(event.seq)
          const text = this.fresh.get(event.seq) ?? this.textOf(event)
          if (!text) continue
          this.index(event, text)
          indexed.push(text)
        }
        this.mark.run(last.seq)
      })
      .immediate()
    this.done = last.seq
    for (const { digests, record } of indexed) this.digests.remove(digests, record)
    for (const { seq } of events) {
      this.characters -= this.fresh.get(seq)?.text.length ?? 0
      this.fresh.delete(seq)
    }
    return events.length === limit
  }

  /**
   * Indexes what waits before the file is closed, in one step: from memory and in one transaction, this takes a fraction
   * of the time that the next run would need. More than that, left by an earlier run, is left to the next one.
   */
  finish(head: number): void {
    const waiting = this.behind(head)
    if (waiting > 0 && waiting <= maxBehind.events + 512) this.step(waiting)
  }

  /** Indexes everything. */
  drain(): void {
    while (this.step(512));
  }

  /** Indexes what is only in the evidence; afterwards the index and `holding` cover every record. */
  catchUp(): void {
    this.know(this.unread)
  }

  /** Ensures that everything up to an event is in the index or, if the disk is full, in memory. */
  private know(until: number): void {
    if (this.remembered >= until) return
    try {
      while (this.done < until && this.step(512));
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_FULL') throw error
      this.remember(until)
    }
  }

  /** Loads events into memory that could not be indexed; usually the few that arrived after the disk was full. */
  private remember(until: number): void {
    let from = Math.max(this.done, this.remembered)
    while (from < until) {
      const events = this.events.all(from, 512) as EventRow[]
      const last = events.at(-1)
      if (!last) break
      for (const event of events) {
        const found = this.fresh.has(event.seq) ? undefined : this.textOf(event)
        if (!found) continue
        this.fresh.set(event.seq, found)
        this.characters += found.text.length
        this.digests.add(found.digests, found.record)
      }
      from = last.seq
    }
    this.remembered = Math.max(this.remembered, until)
  }

  /** The text to index for an event, read from the evidence. */
  private textOf(event: EventRow): Fresh | undefined {
    const part = partOf(event)
    const texts = part === undefined || event.record === null ? undefined : this.reader.texts(event.record)
    if (!texts || event.record === null) return undefined
    return {
      record: event.record,
      text: part === parts.asked ? texts.asked : texts.answered,
      digests: this.digestsOf(event, texts)
    }
  }

  /** The digests that an event adds to its record. */
  private digestsOf(event: EventRow, { check, seen, state }: Identity): Buffer[] {
    const texts = partOf(event) === parts.asked ? seen : this.endedTexts(check, state)
    return texts.map((text) => this.digest(text))
  }

  /** What the end of a verification can be found by: the spend guard asks for answers and for unknown outcomes. */
  private endedTexts(check: string, state: number): string[] {
    return state === answered ? [check] : state === unknown ? [canonicalUnknown(check)] : []
  }

  /** Loads the digests of an earlier run's events, which takes a fraction of the time that indexing them would. */
  private learn(): void {
    if (this.learned || this.left - this.done > maxAwaited) return
    let from = this.done
    while (from < this.left) {
      const events = this.events.all(from, 512) as EventRow[]
      for (const event of events) {
        const identity =
          partOf(event) === undefined || event.record === null ? undefined : this.reader.identity(event.record)
        if (identity && event.record !== null && event.seq <= this.left)
          this.digests.add(this.digestsOf(event, identity), event.record)
      }
      from = events.at(-1)?.seq ?? this.left
    }
    this.learned = true
  }

  /** Records from `low` to `high` with one of the spellings in a text that is not indexed yet; each once, oldest first. */
  holding(spellings: readonly string[], low: number, high: number): number[] {
    const found = new Set<number>()
    for (const fresh of this.fresh.values()) {
      if (fresh.record < low || fresh.record > high || found.has(fresh.record)) continue
      const text = (fresh.folded ??= indexable(fresh.text))
      if (spellings.some((each) => text.includes(each))) found.add(fresh.record)
    }
    return [...found].sort((one, other) => one - other)
  }

  private insert(rowid: number, text: string): void {
    const words = indexable(text)
    for (const [heldOf, insert] of this.insertText) {
      const held = heldOf(words)
      if (held !== '') insert.run(rowid, held)
    }
  }

  private indexNote(event: number): void {
    const note = this.notes.of(event)
    if (note) this.insert(rowidOfNote(note.subject, event), note.text)
  }

  private index(event: EventRow, { record, text, digests }: Fresh): void {
    this.insert(rowidOf(record, partOf(event) ?? parts.asked), text)
    // In the same table: a digest of a document never equals one of a verification.
    for (const digest of digests) this.insertAnswer.run(digest, record)
  }

  /**
   * The newest records with a canonical text: of a document that a check saw, of a verification that was answered, or of one
   * whose outcome was unknown. Newest first, including records not indexed yet. Without those of an earlier run if a rebuild of
   * the index delays them: what finds them is a hint.
   */
  recordsOf(text: string, limit: number): number[] {
    this.learn()
    const digest = this.digest(text)
    const records = new Set([...this.digests.recordsOf(digest), ...(this.newestOf.all(digest, limit) as number[])])
    return [...records].sort((one, other) => other - one).slice(0, limit)
  }

  /** The latest answered record of the same verification before a seq, including records not indexed yet. */
  latestAnswered(check: string, before = Number.MAX_SAFE_INTEGER): number | undefined {
    // Does not wait for a complete rebuild of the index.
    this.learn()
    const digest = this.digest(check)
    const recent = this.digests.recordsOf(digest).filter((seq) => seq < before)
    const indexed = this.latest.get(digest, before) as number | undefined
    return recent.length > 0 ? Math.max(...recent, indexed ?? 0) : indexed
  }
}
