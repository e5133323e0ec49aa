/** The documents behind the links of records and forms: which of them, in which order, and what they are called. Pure. */
import type { DocumentSource } from '#contract/documents/channels.ts'
import type { CopyTime } from '#contract/documents/documents.ts'
import type { RecordDetail, RecordSummary } from '#contract/history/records.ts'
import { removedMark } from '#contract/links/links.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { words } from './words.ts'

type DocumentKind = 'photo' | 'passport' | 'document' | 'response'
/** What a document is, by the field that its link is in. @param hint The field's label, or its operation. */
export const kindOfField = (field: string, hint: string): DocumentKind =>
  /photo|selfie|portrait/.test(field) ? 'photo' : /passport/i.test(`${field} ${hint}`) ? 'passport' : 'document'

export interface ListedDocument {
  /** Identifies it among all that are listed. */
  readonly key: string
  readonly kind: DocumentKind
  readonly source: DocumentSource
  readonly connectionId: string
  readonly address: string
  /** It was stored without its signature, and there is no copy of the document. */
  readonly isRemoved: boolean
  /** When a copy of it was kept: opening it asks no server. Absent without one. */
  readonly kept?: CopyTime
  /** The request that it was verified with; absent if it is no document of a record. */
  readonly operation?: OperationId
}

/**
 * The documents of a record, in the order of its form; where it has several copies of one, each that is different. A list does not know whether a
 * mark in a link is Veridesk's own.
 */
export const documentsOfRecord = (
  record: RecordSummary & Partial<Pick<RecordDetail, 'linksScrubbed'>>
): ListedDocument[] =>
  operationOf(record.operation).fields.flatMap(({ kind, name: field }): ListedDocument[] => {
    const address = record.input[field] ?? ''
    if (kind !== 'url' || address === '') return []
    const kept = record.copies?.[field] ?? []
    // Without a digest, the first one opens whose file is whole.
    const copies = [...kept.filter(({ fault }) => !fault), ...kept.filter(({ fault }) => fault)]
    // A file can be the same document as the one from the link. They open by their digest, so the first one stands for both.
    const [first, ...others] = copies.filter(
      ({ sha256 }, index) => copies.findIndex((each) => each.sha256 === sha256) === index
    )
    const listed: ListedDocument = {
      key: `${record.id} ${field}`,
      kind: kindOfField(field, record.operation),
      source: { recordId: record.id, field },
      connectionId: record.connection.id,
      address,
      isRemoved: !first && record.linksScrubbed !== false && address.includes(removedMark),
      ...(first && { kept: first.when }),
      operation: record.operation
    }
    return [
      listed,
      ...others.map(({ sha256, when }) => ({
        ...listed,
        key: `${listed.key} ${sha256}`,
        kept: when,
        source: { recordId: record.id, field, copy: sha256 }
      }))
    ]
  })

/** Documents that are shown of several records; older ones are with their records. */
const maxDocuments = 6

/** What is the same document for several records: what is behind a link, or a further copy. */
const identityOf = ({ address, source }: ListedDocument): string =>
  'recordId' in source && source.copy !== undefined ? `${address} ${source.copy}` : address

/**
 * The documents of several records, each address once, with further copies of it: the newest photo, then the newest identity document, then the others
 * from the newest on. A later verification of the same link does not open it again. @param records Newest first.
 */
export function documentsOfRecords(records: readonly RecordSummary[]): ListedDocument[] {
  const known = new Map<string, ListedDocument>()
  for (const each of records.flatMap(documentsOfRecord)) {
    const key = identityOf(each)
    if (!known.has(key)) known.set(key, { ...each, key })
  }
  const found = [...known.values()]
  const photo = found.find(({ kind }) => kind === 'photo')
  return [...(photo ? [photo] : []), ...found.filter((each) => each !== photo)].slice(0, maxDocuments)
}

/** Those that are shown large, in their order: the chosen one, with the first ones beside it. @param most 1 to 3. */
export function largeDocuments<T>(documents: readonly T[], chosen: number, most: number): T[] {
  const last = Math.max(chosen, most - 1)
  return documents.filter((_each, index) => (most === 1 ? index === chosen : index < most - 1 || index === last))
}

/** What a document is, for its caption. */
export const documentLabels: Readonly<Record<DocumentKind, string>> = {
  photo: words.photo,
  passport: words.passport,
  document: words.identityDocument,
  response: words.imageInTheResponse
}

/** The same with what kind of copy it is, unless that was kept before the request. */
export const labelOfDocument = ({ kind, kept = 'before' }: Pick<ListedDocument, 'kind' | 'kept'>): string =>
  kept === 'before' || kept === 'beside' ? documentLabels[kind] : words.copyOf[kept]({ label: documentLabels[kind] })

/** “Passport, 2 of 3, same file as when it was verified”. @param drift Compared with what its record keeps, if it keeps something. */
export const documentAlt = (
  label: string,
  { at, of }: { readonly at: number; readonly of: number },
  drift: 'same' | 'changed' | undefined
): string =>
  drift === undefined
    ? words.labelPlace({ label, at, of })
    : drift === 'same'
      ? words.labelPlaceSameFile({ label, at, of })
      : words.labelPlaceOtherFile({ label, at, of })
