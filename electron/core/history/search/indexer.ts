/**
 * Updates search.db from the evidence, in small steps between requests. Texts not indexed yet are in memory, where
 * searches find them: neither a batch nor a search waits for the index.
 */
import { codeOfState } from '#core/history/projections/columns.ts'
import { keyedDigest } from '#core/history/storage/seal.ts'
import { sqliteCode, type Db } from '#core/history/storage/files.ts'
import type { Reader } from '#core/history/records/reader.ts'
import type { PostCommit } from '#core/history/records/writer.ts'

/** Parts of a record in the index; the rowid is seq * 4 + part. */
export const parts = { asked: 0, answered: 1 } as const
export const rowidOf = (seq: number, part: number): number => seq * 4 + part
export const seqOfRowid = (rowid: number): number => Math.floor(rowid / 4)

const answered = codeOfState('answered')
/** Maximum number and total characters of texts held in memory; beyond these, texts are read from the evidence. */
const freshLimit = { texts: 8192, characters: 16 * 1024 * 1024 }
/** Events that may wait for the index while writes continue; fewer if their texts are long. */
const maxBehind = { events: 4000, characters: 8 * 1024 * 1024 }
/** Maximum events of an earlier run that a query waits for. */
const maxAwaited = 20_000

/** A text that is not indexed yet. */
interface Fresh {
  readonly record: number
  readonly text: string
  /** For an answer: the digest of its verification. */
  readonly answer?: Buffer
  /** For a request: the digests of the documents that a check saw. */
  readonly seen?: readonly Buffer[]
  /** Set by the first search that scans it. */
  folded?: string
}

// A NUL would end the text for SQLite's tokenizer.
export const indexable = (text: string): string => text.replaceAll('\0', ' ')
/** Folded for comparison, approximately as the index does it. */
export const folded = (text: string): string => indexable(text).toLowerCase().replaceAll('ς', 'σ')

interface EventRow {
  readonly seq: number
  readonly kind: string
  readonly record: number | null
}

export class Indexer {
  /** The last event that is indexed. */
  private done: number
  /** The last event of an earlier run: its texts are not in memory, and the spend guard must find them. */
  private readonly left: number
  private readonly fresh = new Map<number, Fresh>()
  private characters = 0
  /** The last event whose text is not in memory: of an earlier run, or beyond the memory limit. */
  private unread: number
  /** The last event up to which memory contains everything that the index does not. */
  private remembered = 0
  // Answers not indexed yet, by digest: the spend guard must find them without indexing everything first.
  private readonly recent = new Map<string, number[]>()
  private lastRecent = 0
  private readonly search: Db
  private readonly reader: Reader
  private readonly digestKey: Buffer
  private readonly events
  private readonly insertText
  private readonly insertAnswer
  private readonly mark
  private readonly latest
  private readonly newestOf

  constructor(search: Db, history: Db, reader: Reader, digestKey: Buffer) {
    this.search = search
    this.reader = reader
    this.digestKey = digestKey
    this.done = search.prepare('SELECT event FROM watermark').pluck().get() as number
    this.left = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck().get() as number
    this.unread = this.left
    this.events = history.prepare('SELECT seq, kind, record FROM event WHERE seq > ? ORDER BY seq LIMIT ?')
    this.insertText = search.prepare('INSERT INTO trigram (rowid, part) VALUES (?, ?)')
    this.insertAnswer = search.prepare('INSERT OR IGNORE INTO answered VALUES (?, ?)')
    this.mark = search.prepare('UPDATE watermark SET event = ?')
    this.newestOf = search.prepare('SELECT record FROM answered WHERE digest = ? ORDER BY record DESC LIMIT ?').pluck()
    this.latest = search.prepare('SELECT record FROM answered WHERE digest = ? AND record < ? ORDER BY record DESC LIMIT 1').pluck()
  }

  /** Registers what a committed write leaves to be indexed. */
  note({ text, row }: PostCommit): void {
    if (!text) return
    const { event, text: words, check, seen } = text
    const answer = check !== undefined && row.state === answered ? this.digest(check) : undefined
    if (words === undefined || this.fresh.size >= freshLimit.texts || this.characters >= freshLimit.characters) this.unread = event
    else {
      this.fresh.set(event, { record: row.seq, text: words, answer, seen: seen?.map((each) => this.digest(each)) })
      this.characters += words.length
    }
    if (answer) this.noteAnswer(answer, row.seq, event)
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
    this.search.transaction(() => {
      for (const event of events) this.index(event)
      this.mark.run(last.seq)
    }).immediate()
    this.done = last.seq
    for (const { seq } of events) {
      const known = this.fresh.get(seq)
      if (!known) continue
      if (known.answer) this.forget(known.answer, known.record)
      this.characters -= known.text.length
      this.fresh.delete(seq)
    }
    if (this.done >= this.lastRecent) this.recent.clear()
    return events.length === limit
  }

  /** Removes what the index now contains from memory, which a batch of many rows would otherwise fill. */
  private forget(answer: Buffer, record: number): void {
    const key = answer.toString('hex')
    const left = this.recent.get(key)?.filter((seq) => seq !== record) ?? []
    if (left.length === 0) this.recent.delete(key)
    else this.recent.set(key, left)
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
        if (found.answer) this.noteAnswer(found.answer, found.record, event.seq)
      }
      from = last.seq
    }
    this.remembered = Math.max(this.remembered, until)
  }

  /** The text to index for an event, read from the evidence. */
  private textOf({ kind, record }: EventRow): Fresh | undefined {
    if (record === null || (kind !== 'record.begun' && kind !== 'record.ended')) return undefined
    const texts = this.reader.texts(record)
    const text = kind === 'record.begun' ? texts?.asked : texts?.answered
    const answer = kind === 'record.ended' && texts?.state === answered && texts.check !== undefined ? this.digest(texts.check) : undefined
    const seen = kind === 'record.begun' ? texts?.seen.map((each) => this.digest(each)) : undefined
    return text === undefined && !answer ? undefined : { record, text: text ?? '', answer, seen }
  }

  private noteAnswer(answer: Buffer, record: number, event: number): void {
    const key = answer.toString('hex')
    const before = this.recent.get(key) ?? []
    if (!before.includes(record)) this.recent.set(key, [...before, record])
    this.lastRecent = Math.max(this.lastRecent, event)
  }

  /** Records from `low` to `high` with a folded text that is not indexed yet; each once, oldest first. */
  holding(sought: string, low: number, high: number): number[] {
    const found = new Set<number>()
    for (const fresh of this.fresh.values()) {
      if (fresh.record < low || fresh.record > high || found.has(fresh.record)) continue
      fresh.folded ??= folded(fresh.text)
      if (fresh.folded.includes(sought)) found.add(fresh.record)
    }
    return [...found].sort((one, other) => one - other)
  }

  private index({ seq: event, kind, record }: EventRow): void {
    if (record === null || (kind !== 'record.begun' && kind !== 'record.ended')) return
    const part = kind === 'record.begun' ? parts.asked : parts.answered
    const known = this.fresh.get(event)
    const texts = known ? undefined : this.reader.texts(record)
    const text = known?.text ?? (part === parts.asked ? texts?.asked : texts?.answered)
    if (text) this.insertText.run(rowidOf(record, part), indexable(text))
    const isAnswer = part === parts.answered && texts?.state === answered && texts.check !== undefined
    const answer = known ? known.answer : isAnswer ? this.digest(texts.check) : undefined
    if (answer) this.insertAnswer.run(answer, record)
    const seen = known ? known.seen : part === parts.asked ? texts?.seen.map((each) => this.digest(each)) : undefined
    // In the same table: a digest of a document never equals one of a verification.
    for (const digest of seen ?? []) this.insertAnswer.run(digest, record)
  }

  /**
   * The newest records for which a check saw a document. Without those that are not indexed yet if a rebuild of the
   * index or a full disk delays them: what finds them is a hint.
   */
  recordsSeeing(document: string, head: number, limit: number): number[] {
    if (head - this.done <= maxAwaited) this.know(head)
    return this.newestOf.all(this.digest(document), limit) as number[]
  }

  /** The latest answered record of the same verification before a seq, including records not indexed yet. */
  latestAnswered(check: string, before = Number.MAX_SAFE_INTEGER): number | undefined {
    // Does not wait for a complete rebuild of the index.
    if (this.left - this.done <= maxAwaited) this.know(this.left)
    const digest = this.digest(check)
    const recent = this.recent.get(digest.toString('hex'))?.filter((seq) => seq < before) ?? []
    const indexed = this.latest.get(digest, before) as number | undefined
    return recent.length > 0 ? Math.max(...recent, indexed ?? 0) : indexed
  }
}
