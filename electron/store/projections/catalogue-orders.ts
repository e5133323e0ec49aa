/**
 * The catalogue's messages in the orders of its list, from a position on. The number of messages is limited, so an order
 * other than newest first is sorted for each page.
 */
import {
  readingMeanings,
  type CatalogueCursor,
  type CatalogueOrder,
  type CatalogueQuery
} from '#contract/applicants/applicants.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Dictionary } from './dictionary.ts'

export interface MessageRow {
  readonly subject: number
  readonly operation: number
  readonly status: number
  readonly event: number
  readonly count: number
  readonly first_at: number
  readonly last_at: number
  readonly reading: number | null
  /** What it was sorted by. */
  readonly key?: number
}

const newest = Number.MAX_SAFE_INTEGER
const unreviewed = 'reading IS NULL'
/** The place of an interpretation; 0 without one. */
const reading = `coalesce((SELECT CASE json_extract(e.plain, '$.means') ${readingMeanings.map((means, place) => `WHEN '${means}' THEN ${place + 1}`).join(' ')} END FROM event e WHERE e.seq = reading), 0)`

/** The position after a message. */
export const cursorOf = ({ subject, key }: MessageRow): CatalogueCursor => ({
  id: subject,
  ...(key !== undefined && { key })
})

export class CatalogueOrders {
  private readonly history: Db
  private readonly dictionary: Pick<Dictionary, 'operationNames'>
  private readonly all
  private readonly unread

  constructor(history: Db, dictionary: Pick<Dictionary, 'operationNames'>) {
    this.history = history
    this.dictionary = dictionary
    this.all = history.prepare('SELECT * FROM message WHERE subject < ? ORDER BY subject DESC')
    this.unread = history.prepare(`SELECT * FROM message WHERE subject < ? AND ${unreviewed} ORDER BY subject DESC`)
  }

  rows({ unread, order, after }: Pick<CatalogueQuery, 'unread' | 'order' | 'after'>): IterableIterator<MessageRow> {
    if (!order) return (unread ? this.unread : this.all).iterate(after?.id ?? newest) as IterableIterator<MessageRow>
    const [way, beyond] = order.reversed ? ['DESC', '<'] : ['ASC', '>']
    const statement = this.history.prepare(
      `SELECT * FROM (SELECT *, ${this.keyOf(order.by)} AS key FROM message ${unread ? `WHERE ${unreviewed}` : ''})
       WHERE $key IS NULL OR key ${beyond} $key OR (key = $key AND subject < $id) ORDER BY key ${way}, subject DESC`
    )
    return statement.iterate({ key: after?.key ?? null, id: after?.id ?? newest }) as IterableIterator<MessageRow>
  }

  /** The SQL expression that an order sorts by. */
  private keyOf(by: CatalogueOrder['by']): string {
    switch (by) {
      case 'operation': {
        const sorted = [...this.dictionary.operationNames]
          .map(([ref, id]) => ({ ref, name: operationOf(id as OperationId).shortTitle }))
          .sort((a, b) => a.name.localeCompare(b.name, 'en'))
        const ranks = sorted.map(
          ({ ref, name }) => `WHEN ${ref} THEN ${sorted.findIndex((other) => other.name === name)}`
        )
        return ranks.length === 0 ? '0' : `CASE operation ${ranks.join(' ')} END`
      }
      case 'reading':
        return reading
      case 'status':
      case 'count':
        return by
      case 'last':
        return 'last_at'
      case 'first':
        // They are numbered as they are first seen.
        return 'subject'
    }
  }
}
