/** Sentences of catalogue. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  catalogue: 'Catalogue',
  allMessagesFromTheService:
    'All messages from the service; open one to add your organisation’s interpretation, which is yours, not the service’s result. Technical errors are in the history only.',
  export: 'Export',
  messages: 'Messages',
  searchMessages: 'Search messages',
  operation: 'Operation',
  unreviewedMessagesUnread: 'Unreviewed messages {unread}',
  filterByApplicant: 'Filter by applicant',
  messagesAboutApplicantApplicantOnly: 'Messages about applicant {applicant} only',
  removeFilter: 'Remove filter',
  loadingTheCatalogue: 'Loading the catalogue',
  allMessagesReviewed: 'All messages reviewed',
  noResults: 'No results',
  newMessagesFromTheService: 'New messages from the service appear here.',
  noMessagesMatchThisSearch: 'No messages match this search and these filters.',
  showAllMessages: 'Show all messages',
  noMessagesYet: 'No messages yet',
  messagesAppearHereAfterThe: 'Messages appear here after the first answer from the service.',
  versionVersionOperator: 'Version {version}, {operator}',
  copyRows: 'Copy rows',
  exportSelection: 'Export selection',
  selectedMessages: ({ ids }: { ids: number }) =>
    plural(ids, { one: '{n} selected message.', other: '{n} selected messages.' }),
  allMessagesThatMatchThe: 'All messages that match the search and the filters.',
  allMessages: 'All messages.',
  anyOperation: 'Any operation',
  yourOrganisationsInterpretation: 'Your organisation’s interpretation',
  interpretation: 'Interpretation',
  reasonOptional: 'Reason (optional)',
  impactDecisionsThatWereAlready: ({ impact }: { impact: Value }) =>
    `${impact} Decisions that were already made keep the interpretation that they are based on.`,
  interpretationsStayInVerideskThey:
    'Interpretations stay in Veridesk. They are not sent to your provider and are not shown as the service’s result. Each decision records the interpretations that it is based on.',
  versions: 'Versions',
  versionsNewestFirst: 'Versions, newest first',
  cancel: 'Cancel',
  saveInterpretation: 'Save interpretation',
  thisMessageCountsInThe: 'This message counts in the applicant’s favour.',
  thisMessageCountsAgainstThe: 'This message counts against the applicant.',
  reviewedButTheMessageAlone: 'Reviewed, but the message alone does not say enough.',
  interpretationSavedVersionVersion: ({ version }: { version: Value }) => `Interpretation saved, version ${version}`,
  theServicesMessage: 'The service’s message',
  yourInterpretation: 'Your interpretation',
  count: 'Count',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  version: 'Version',
  messagesNewestFirst: 'Messages, newest first',
  emptyOrErased: '(empty or erased)',
  rowsSelected: ({ size }: { size: number }) =>
    plural(size, { one: '{n} message selected', other: '{n} messages selected' })
})
