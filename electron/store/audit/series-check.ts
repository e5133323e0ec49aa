/** Compares the list of the last events of series with the events: the next event of a series follows from it. */
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { ChainedEvent } from '#wire/history/events.ts'
import type { Db } from '#wire/sqlite/files.ts'

type Head = readonly [count: number, last: number]
const maxCached = 4096

export class SeriesCheck {
  private readonly subjects: Heads<number>
  private readonly batches: Heads<string>
  private readonly kinds: Heads<EventKind>

  constructor(history: Db) {
    this.subjects = new Heads(history, 'subject')
    this.batches = new Heads(history, 'batch')
    this.kinds = new Heads(history, 'kind')
  }

  /** Drops what is cached: it may have changed since. */
  renew(): void {
    this.subjects.renew()
    this.batches.renew()
    this.kinds.renew()
  }

  /**
   * The number of series of which an event is the last one; undefined if its place does not fit the list.
   *
   * @param batchId ID of the batch of an event that is one of a batch.
   */
  ends(
    { seq, kind, links, subject }: Pick<ChainedEvent, 'seq' | 'kind' | 'links' | 'subject'>,
    batchId: () => string | undefined
  ): number | undefined {
    if (links === '{}') return 0
    const ofKind = placeIn(links, '"all":[')
    const ofSubject = placeIn(links, '"subject":[')
    const ofBatch = placeIn(links, '"batch":[')
    const ends = [
      ofKind === undefined ? false : this.kinds.ends(kind, ofKind, seq),
      ofSubject === undefined ? false : this.subjects.ends(subject ?? undefined, ofSubject, seq),
      ofBatch === undefined ? false : this.batches.ends(batchId(), ofBatch, seq)
    ]
    return ends.includes(undefined) ? undefined : ends.filter(Boolean).length
  }

  /**
   * An event that the list names as the last one of a series, and that is not; undefined if there is none. If it is the
   * last one of another series, the last event of all.
   *
   * @param found Number of last events found. Series can have got later events since.
   */
  wrong(found: number, until: number): number | undefined {
    const all = [this.subjects, this.batches, this.kinds]
    if (found >= all.reduce((sum, each) => sum + each.listed(until), 0)) return undefined
    return all.map((each) => each.wrong(until)).find((event) => event !== undefined) ?? until
  }
}

/** The list of one kind of series. */
class Heads<Id extends number | string> {
  private readonly cached = new Map<Id, Head | undefined>()
  private readonly head
  private readonly count
  private readonly mismatch

  constructor(history: Db, of: 'subject' | 'batch' | 'kind') {
    this.head = history.prepare(`SELECT count, last FROM ${of}_series WHERE ${of} = ?`).raw()
    this.count = history.prepare(`SELECT count(*) FROM ${of}_series WHERE last <= ?`).pluck()
    this.mismatch = history
      .prepare(
        `SELECT s.last FROM ${of}_series s LEFT JOIN event e ON e.seq = s.last
         WHERE s.last <= ? AND json_extract(e.links, '$.${of === 'kind' ? 'all' : of}[0]') IS NOT s.count ORDER BY s.last LIMIT 1`
      )
      .pluck()
  }

  renew(): void {
    this.cached.clear()
  }

  /** Whether event `seq`, the nth of its series, is the last one; undefined if it does not fit the list. */
  ends(id: Id | undefined, n: number, seq: number): boolean | undefined {
    const head = id === undefined ? undefined : this.headOf(id)
    if (!head || n > head[0] || (n === head[0]) !== (seq === head[1]) || seq > head[1]) return undefined
    return n === head[0]
  }

  private headOf(id: Id): Head | undefined {
    if (this.cached.has(id)) return this.cached.get(id)
    const head = this.head.get(id) as Head | undefined
    if (this.cached.size >= maxCached) this.cached.clear()
    this.cached.set(id, head)
    return head
  }

  listed(until: number): number {
    return this.count.get(until) as number
  }

  wrong(until: number): number | undefined {
    return this.mismatch.get(until) as number | undefined
  }
}

/** The number after a name in links; undefined if the name is not in them. Parsing them as JSON takes several times as long. */
function placeIn(links: string, name: string): number | undefined {
  const at = links.indexOf(name)
  return at < 0 ? undefined : Number.parseInt(links.slice(at + name.length), 10)
}
