/** Sentences of audit. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  verifyingTheAuditTrail: 'Verifying the audit trail',
  eventsVerified: 'Events verified',
  verifiedOfEventsVerified: ({ verified, total }: { verified: Value; total: number }) =>
    plural(total, { one: `${verified} of {n} event verified`, other: `${verified} of {n} events verified` }),
  readingTheAnchors: 'Reading the anchors',
  verificationResult: 'Verification result',
  auditTrailIntactEvents: ({ events }: { events: number }) =>
    plural(events, { one: 'Audit trail intact: {n} event', other: 'Audit trail intact: {n} events' }),
  theDataOfEventsWas: ({ erased }: { erased: number }) =>
    plural(erased, {
      one: 'The data of {n} event was erased, and the event itself is verified.',
      other: 'The data of {n} events was erased, and the events themselves are verified.'
    }),
  anchoredInMemoryAtEvent: 'Anchored in memory at event {seq} since {time}.',
  anchoredInTheKeychainAt: 'Anchored in the keychain at event {seq} since {time}.',
  thereIsNoAnchorOutside:
    'There is no anchor outside the files yet, so missing events at the end could not be detected.',
  theEncryptedDataOfEvents: ({ opened }: { opened: number }) =>
    plural(opened, {
      one: 'The encrypted data of {n} event matches.',
      other: 'The encrypted data of {n} events matches.'
    }),
  verifiedTimeInTookHead: 'Verified {time} in {took}. Head {hash}',
  auditTrailBrokenAtEvent: ({ at, breakLabels }: { at: Value; breakLabels: Value }) =>
    `Audit trail broken at event ${at}: ${breakLabels}`,
  showEvent: 'Show event',
  auditTrail: 'Audit trail',
  eventsEachLinkedToThe: ({ seq }: { seq: number }) =>
    plural(seq, {
      one: '{n} event, each linked to the previous one',
      other: '{n} events, each linked to the previous one'
    }),
  verifyAuditTrail: 'Verify audit trail',
  searchEvents: 'Search events',
  applicantRecordBatchOrConnection: 'Applicant, record, batch or connection',
  operator: 'Operator',
  category: 'Category',
  goToDate: 'Go to date',
  export: 'Export',
  clearFilters: 'Clear filters',
  showNewest: 'Show newest',
  searchedBackToEventReached: ({ reached }: { reached: Value }) => `Searched back to event ${reached}`,
  searchedForwardToEventReached: ({ reached }: { reached: Value }) => `Searched forward to event ${reached}`,
  loadingTheAuditTrail: 'Loading the audit trail',
  noResults: 'No results',
  noEvents: 'No events',
  noEventsMatchThisSearch: 'No events match this search and these filters.',
  thereAreNoEvents: 'There are no events.',
  noEventsMatchUpToThatDate: 'No events match this search and these filters up to that date.',
  noEventsUpToThatDate: 'There are no events up to that date.',
  showAllEvents: 'Show all events',
  eventsNewestFirst: 'Events, newest first',
  eventsOldestFirst: 'Events, oldest first',
  dataErased: '(data erased)',
  allEventsThatMatchThe: 'All events that match the search and the filters, oldest first.',
  allEventsOldestFirst: 'All events, oldest first.',
  allCategories: 'All categories',
  eventSeq: ({ seq }: { seq: Value }) => `Event ${seq}`,
  thePersonalDataWasErased: 'The personal data was erased. The event stays in the audit trail.',
  openRecord: 'Open record',
  openApplicant: 'Open applicant',
  copyInclusionProof: 'Copy inclusion proof',
  number: 'Number',
  time: 'Time',
  kind: 'Kind',
  hash: 'Hash',
  proof: 'Proof',
  auditTrailIntactEventsEvents: ({ events }: { events: Value }) => `Audit trail intact: ${events} events`,
  auditTrailBrokenAuditbreaktext: ({ auditBreakText }: { auditBreakText: Value }) =>
    `Audit trail broken. ${auditBreakText}`,
  verifications: 'Verifications',
  viewsOfData: 'Views of data',
  viewsOfPersonalData: 'Views of personal data',
  decisions: 'Decisions',
  notesTagsLinks: 'Notes, tags, links',
  interpretations: 'Interpretations',
  exportsAndEvidence: 'Exports and evidence',
  settings: 'Settings',
  connections: 'Connections',
  batches: 'Batches',
  holdsAndErasure: 'Holds and erasure',
  application: 'Application',
  event: 'Event',
  what: 'What',
  about: 'About',
  who: 'Who',
  record: 'Record',
  batch: 'Batch',
  openBatch: 'Open batch',
  openSettings: 'Open settings',
  openConnections: 'Open connections',
  anEventIsMissing: 'An event is missing',
  anEventOrItsPosition: 'An event or its position was changed',
  eventsAtTheEndAre: 'Events at the end are missing',
  fileDoesNotMatchThe: 'File does not match the anchor',
  encryptedDataWasReplaced: 'Encrypted data was replaced',
  aResponseBodyWasReplaced: 'A response body was replaced',
  aListDoesNotMatch: 'A list does not match the events'
})
