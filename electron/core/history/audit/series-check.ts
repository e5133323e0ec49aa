/** Compares the list of the last events of series with the events: the next event of a series follows from it. */
import type { EventLink, EventLinks } from '#core/hashing/values.ts'
import type { Db } from '#core/history/storage/files.ts'

interface HeadRow {
  readonly count: number
  readonly last: number
  /** Of the event that the list names. */
  readonly links: string | null
}
interface Head {
  readonly count: number
  readonly last: number
  /** Whether the event that the list names has this place. */
  readonly fits: boolean
}
const maxCached = 4096

const headOf = (of: 'subject' | 'batch'): string =>
  `SELECT s.count, s.last, e.links FROM ${of}_series s LEFT JOIN event e ON e.seq = s.last WHERE s.${of} = ?`

export class SeriesCheck {
  private readonly heads = new Map<string, Head | undefined>()
  private readonly statements

  constructor(history: Db) {
    this.statements = { subject: history.prepare(headOf('subject')), batch: history.prepare(headOf('batch')) }
  }

  /** Drops what is cached: it may have changed since. */
  renew(): void {
    this.heads.clear()
  }

  /**
   * Whether an event's place in the series of its person and its batch fits the list.
   *
   * @param links As recorded; null for an event of version 0.1.
   * @param batchId ID of the batch of an event that is one of a batch.
   */
  fits(seq: number, links: string | null | undefined, subject: number | null, batchId: () => string | undefined): boolean {
    if (links == null || links === '{}') return true
    const { subject: ofSubject, batch: ofBatch } = JSON.parse(links) as EventLinks
    if (ofSubject && !this.fitsOne('subject', subject, seq, ofSubject)) return false
    return !ofBatch || this.fitsOne('batch', batchId(), seq, ofBatch)
  }

  private fitsOne(of: 'subject' | 'batch', id: number | string | null | undefined, seq: number, [n]: EventLink): boolean {
    const head = id == null ? undefined : this.head(of, id)
    return head !== undefined && head.fits && n <= head.count && (n === head.count) === (seq === head.last)
  }

  private head(of: 'subject' | 'batch', id: number | string): Head | undefined {
    const name = `${of} ${id}`
    if (this.heads.has(name)) return this.heads.get(name)
    const row = this.statements[of].get(id) as HeadRow | undefined
    const head = row && { count: row.count, last: row.last, fits: placeIn(row.links, of) === row.count }
    if (this.heads.size >= maxCached) this.heads.clear()
    this.heads.set(name, head)
    return head
  }
}

/** The number that an event's links say; undefined for links that are damaged, which its hash shows. */
function placeIn(links: string | null, of: 'subject' | 'batch'): number | undefined {
  try {
    return links === null ? undefined : (JSON.parse(links) as EventLinks)[of]?.[0]
  } catch {
    return undefined
  }
}
