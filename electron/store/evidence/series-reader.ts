/** Reads the events of a series back from its last one, and finds gaps. */
import type { EventLinks } from '#kit/hashing/values.ts'
import type { CompleteSeries } from '#wire/history/evidence.ts'
import { EarlierEvents } from '../events/earlier-events.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import { resolutionColumn } from '#wire/sqlite/resolution-column.ts'

interface RecordEvents {
  readonly begun: number
  readonly ended: number | null
  readonly resolved: number | null
}

export class SeriesReader {
  private readonly earlier: EarlierEvents
  private readonly recordOf
  private readonly linksOf

  constructor(history: Db) {
    this.earlier = new EarlierEvents(history)
    this.recordOf = history.prepare(`SELECT begun, ended, ${resolutionColumn} AS resolved FROM record WHERE seq = ?`)
    this.linksOf = history.prepare('SELECT links FROM event WHERE seq = ?').pluck()
  }

  /** The events of a record so far. */
  ofRecord(record: number): number[] {
    const row = this.recordOf.get(record) as RecordEvents | undefined
    if (!row) throw new DamageError({ reason: 'record-missing', number: record })
    return [row.begun, row.ended, row.resolved].filter((event) => event !== null)
  }

  /**
   * The numbers of all events of a series.
   *
   * @throws {DamageError} if they are not as many as the series has.
   */
  events([kind, id, count, last]: CompleteSeries): number[] {
    const found: number[] = []
    let seq = last
    // Events of version 0.1 have no links; they are before all others.
    for (let links = this.links(seq); seq !== 0 && links; links = this.links(seq)) {
      const link = links[kind]
      if (link?.[0] !== count - found.length || link[1] >= seq)
        throw new DamageError({ reason: 'series', number: last })
      found.push(seq)
      seq = link[1]
    }
    const earlier = this.before(kind, id, last)
    if (earlier.length !== count - found.length || (earlier.at(-1) ?? 0) !== seq)
      throw new DamageError({ reason: 'series', number: last })
    return [...earlier, ...found.reverse()]
  }

  private links(seq: number): EventLinks | null {
    const links = this.linksOf.get(seq) as string | null | undefined
    return links == null ? null : (JSON.parse(links) as EventLinks)
  }

  /** The events of version 0.1 in a series. */
  private before(kind: CompleteSeries[0], id: number | string, last: number): number[] {
    if (kind === 'record') return this.ofRecord(Number(id)).filter((seq) => seq <= Math.min(last, this.earlier.until))
    return kind === 'subject' ? this.earlier.ofSubject(Number(id)) : this.earlier.ofBatch(String(id))
  }
}
