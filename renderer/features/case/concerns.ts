/** What is open before a decision. Pure but for its words. */
import type { ApplicantDetail, DetailsAnswer, TimelineEntry } from '#contract/applicants/applicants.ts'
import { today } from '#contract/applicants/due-dates.ts'
import type { DocumentImage } from '../documents/document-images.ts'
import { labelOfDocument, type ListedDocument } from '../documents/document-list.ts'
import type { Concern } from './case.ts'
import { caseValues, fieldLabel } from './case-values.ts'
import { expiryWords } from './case-words.ts'
import { unresolvedIn } from './first-gap.ts'
import { words } from './words.ts'

/** What a case that is decided now would be decided without. @param waits Nobody has asked for them. */
export const documentConcerns = (
  documents: readonly ListedDocument[],
  images: ReadonlyMap<string, DocumentImage>,
  waits: boolean
): readonly Concern[] => [
  ...(waits
    ? [{ key: 'documents', text: words.documentsNotOpened({ documents: documents.length }), warns: true }]
    : []),
  ...documents.flatMap((each): Concern[] => {
    const image = images.get(each.key)
    const document = labelOfDocument(each)
    if (each.isRemoved || image?.failure)
      return [{ key: each.key, text: words.documentNotSeen({ document }), warns: true }]
    const { before, facts } = image?.loaded ?? {}
    return before && facts && before.sha256 !== facts.sha256
      ? [{ key: each.key, text: words.documentIsNotTheFile({ document }), warns: true }]
      : []
  })
]

/** Differences that are named one by one; more are counted. */
const fewDifferences = 2

/** @param details The answers with the applicant's details, newest first; absent while they are read. @param documents Of its documents. */
export function concernsOf(of: {
  readonly applicant: ApplicantDetail
  readonly entries: readonly TimelineEntry[]
  readonly details: readonly DetailsAnswer[] | undefined
  readonly now: number
  readonly documents: readonly Concern[]
}): readonly Concern[] {
  const { applicant, details } = of
  const unresolved = unresolvedIn(of.entries)
  const values = details ? caseValues(details, applicant.id, today(of.now)) : []
  const different = values.filter(({ comparison }) => comparison === 'differs')
  const label = (name: string): string =>
    fieldLabel(name, (path) => details?.[0]?.fields.find((field) => field.name === path && !field.none)?.value)
  return [
    ...(applicant.state === 'no-evidence'
      ? [{ key: 'evidence', text: words.thereIsNoEvidenceAbout, warns: true }]
      : []),
    ...(unresolved > 0
      ? [{ key: 'unknown', text: words.unknownNotResolved({ unresolved }), warns: true, answers: true }]
      : []),
    ...of.documents,
    ...(different.length > fewDifferences
      ? [{ key: 'values', text: words.valuesDiffer({ values: different.length }), warns: true }]
      : different.map(({ name }) => ({ key: name, text: words.fieldDiffers({ field: label(name) }), warns: true }))),
    ...values.flatMap(({ name, comparison, expiry }): Concern[] =>
      expiry && expiry.is !== 'valid' && comparison !== 'differs'
        ? [{ key: name, text: words.fieldExpiry({ field: label(name), expiry: expiryWords(expiry) }), warns: true }]
        : []
    ),
    ...(applicant.unread > 0
      ? [{ key: 'unread', text: words.messagesUnreviewed({ unread: applicant.unread }), warns: true, catalogue: true }]
      : []),
    ...(details?.length === 0 ? [{ key: 'details', text: words.noApplicantDetailsYet, warns: false }] : [])
  ]
}
