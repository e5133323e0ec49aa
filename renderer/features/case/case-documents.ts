/** The documents of a case: which of them, in which order. Pure. */
import type { RecordSummary } from '#contract/history/records.ts'
import { linksOfRecords, type RecordLink } from '../record/record-links.ts'

/** What a document is, by the field that its link is in. */
export type DocumentKind = 'photo' | 'passport' | 'document'
export const kindOfField = (field: string, operation: string): DocumentKind =>
  /photo|selfie|portrait/.test(field) ? 'photo' : /passport/.test(`${field} ${operation}`) ? 'passport' : 'document'

export interface CaseDocument extends RecordLink {
  readonly kind: DocumentKind
}

/** Documents that a case shows; older ones are with their records. */
export const maxDocuments = 6

/** The newest photo first, then the newest identity document, then the others from the newest on. @param records Newest first. */
export function caseDocuments(records: readonly RecordSummary[]): CaseDocument[] {
  const operations = new Map(records.map(({ id, operation }) => [id, operation]))
  const found = linksOfRecords(records).map((link) => ({
    ...link,
    kind: kindOfField(link.field, operations.get(link.recordId) ?? '')
  }))
  const photo = found.find(({ kind }) => kind === 'photo')
  return [...(photo ? [photo] : []), ...found.filter((each) => each !== photo)].slice(0, maxDocuments)
}

/** Those that are shown large, in their order: the chosen one, with the first ones beside it. @param most 1 to 3. */
export function largeDocuments<T>(documents: readonly T[], chosen: number, most: number): T[] {
  const last = Math.max(chosen, most - 1)
  return documents.filter((_each, index) => (most === 1 ? index === chosen : index < most - 1 || index === last))
}
