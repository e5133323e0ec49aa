/** The links of records behind which documents are, and which of these are opened without a click. Pure. */
import type { Connection } from '#contract/connections/connection.ts'
import { removedMark } from '#contract/links/links.ts'
import { operationOf } from '#contract/verification/operations.ts'
import type { RecordDetail, RecordSummary } from '#contract/history/records.ts'
import type { ViewedDocument } from '../documents/document-view.ts'

export interface RecordLink {
  /** Identifies it among the links of all records. */
  readonly key: string
  readonly recordId: string
  readonly connectionId: string
  readonly field: string
  readonly label: string
  readonly address: string
  /** It was stored without its signature. */
  readonly isRemoved: boolean
}

/** Documents that are opened without a click at most; the others have their button. */
export const maxAutomatic = 4

/** The links of a record, in the order of its form. A list does not know whether a mark in a link is Veridesk's own. */
export const linksOfRecord = (record: RecordSummary & Partial<Pick<RecordDetail, 'linksScrubbed'>>): RecordLink[] =>
  operationOf(record.operation).fields.flatMap(({ kind, name: field, label }) => {
    const address = record.input[field] ?? ''
    const isRemoved = record.linksScrubbed !== false && address.includes(removedMark)
    return kind === 'url' && address !== ''
      ? [
          {
            key: `${record.id} ${field}`,
            recordId: record.id,
            connectionId: record.connection.id,
            field,
            label,
            address,
            isRemoved
          }
        ]
      : []
  })

/** The links of several records, each address once. A later verification of the same link does not open it again. */
export function linksOfRecords(records: readonly RecordSummary[]): RecordLink[] {
  const known = new Map<string, RecordLink>()
  for (const link of records.flatMap(linksOfRecord))
    if (!known.has(link.address)) known.set(link.address, { ...link, key: link.address })
  return [...known.values()]
}

export const documentOf = ({ recordId, field, label }: RecordLink): ViewedDocument => ({
  field,
  label,
  source: { recordId, field }
})

export interface AutomaticLinks {
  readonly opened: readonly RecordLink[]
  /** Links that cannot be opened any more. */
  readonly removed: readonly RecordLink[]
  /** The number of those beyond the limit. */
  readonly more: number
}

/** Which links are opened without a click: those of connections that say so, if they are stored whole. */
export function automaticLinks(
  links: readonly RecordLink[],
  connections: readonly Pick<Connection, 'id' | 'documents'>[]
): AutomaticLinks {
  const ids = new Set(connections.filter(({ documents }) => documents.openAutomatically).map(({ id }) => id))
  const found = links.filter(({ connectionId }) => ids.has(connectionId))
  const whole = found.filter(({ isRemoved }) => !isRemoved)
  return {
    opened: whole.slice(0, maxAutomatic),
    removed: found.filter(({ isRemoved }) => isRemoved),
    more: Math.max(0, whole.length - maxAutomatic)
  }
}
