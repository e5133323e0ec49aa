/** Reads the events of a series back from its last one, and finds gaps. */
import type { EventLinks } from '#kit/hashing/values.ts'
import type { CompleteSeries } from '#wire/history/evidence.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'

interface RecordEvents {
  readonly begun: number
  readonly ended: number | null
  readonly resolved: number | null
}

export class SeriesReader {
  private readonly recordOf
  private readonly linksOf

  constructor(history: Db) {
    this.recordOf = history.prepare(`SELECT begun, ended, resolved FROM record WHERE seq = ?`)
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
  events([kind, , count, last]: CompleteSeries): number[] {
    const found: number[] = []
    let seq = last
    while (seq !== 0) {
      const link = this.links(seq)?.[kind]
      if (link?.[0] !== count - found.length || link[1] >= seq)
        throw new DamageError({ reason: 'series', number: last })
      found.push(seq)
      seq = link[1]
    }
    if (found.length !== count) throw new DamageError({ reason: 'series', number: last })
    return found.reverse()
  }

  private links(seq: number): EventLinks | undefined {
    const links = this.linksOf.get(seq) as string | undefined
    return links === undefined ? undefined : (JSON.parse(links) as EventLinks)
  }
}
