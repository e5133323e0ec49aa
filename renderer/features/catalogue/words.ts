/** Sentences of catalogue. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  catalogue: 'Catalogue',
  export: 'Export',
  messages: 'Messages',
  searchMessages: 'Search messages',
  filterByApplicant: 'Filter by applicant',
  messagesAboutApplicantApplicantOnly: 'Messages about applicant {applicant} only',
  removeFilter: 'Remove filter',
  loadingTheCatalogue: 'Loading the catalogue',
  allMessagesReviewed: 'All messages reviewed',
  noResults: 'No results',
  noMessagesMatchThisSearch: 'No messages match this search and these filters.',
  showAllMessages: 'Show all messages',
  copyRows: 'Copy rows',
  exportSelection: 'Export selection',
  selectedMessages: ({ ids }: { ids: number }) =>
    plural(ids, { one: '{n} selected message.', other: '{n} selected messages.' }),
  allMessagesThatMatchThe: 'All messages that match the search and the filters.',
  allMessages: 'All messages.',
  interpretation: 'Interpretation',
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
  count: 'Count',
  lastSeen: 'Last seen',
  emptyOrErased: '(empty or erased)',
  rowsSelected: ({ size }: { size: number }) =>
    plural(size, { one: '{n} message selected', other: '{n} messages selected' }),
  message: 'Message',
  operations: 'Operations',
  http: 'HTTP',
  operation: 'Operation',
  operationsOf: ({ some }: { some: number }) => plural(some, { one: '{n} operation', other: '{n} operations' }),
  messagesLastSeenFirst: 'Messages, last seen first',
  rowName: ({ message, means, times, operations }: { message: Value; means: Value; times: Value; operations: Value }) =>
    `${message}. ${means}. ${times}, ${operations}.`,
  timesOf: ({ times }: { times: number }) => plural(times, { one: '{n} time', other: '{n} times' }),
  differs: 'Differs',
  openOperations: ({ operations }: { operations: Value }) => `${operations}, each by itself`,
  total: ({ total }: { total: number }) => plural(total, { one: '{n} message', other: '{n} messages' }),
  unreviewedOf: ({ unread }: { unread: number }) => plural(unread, { one: '{n} unreviewed', other: '{n} unreviewed' }),
  views: 'Views',
  all: 'All',
  newThisMonth: 'New this month',
  mergeEqualTexts: 'Merge equal texts',
  noMessagesYet: 'No messages yet',
  messagesAppearHere: 'Messages appear here once the service has answered.',
  allReviewed: ({ total }: { total: number }) =>
    plural(total, { one: '{n} message has an interpretation.', other: 'All {n} messages have an interpretation.' }),
  interpretAsLabel: 'Interpret as',
  interpretAs: ({ means }: { means: Value }) => `Interpret as ${means}`,
  explain: 'Explanation…',
  explanationOptional: 'Explanation (optional)',
  interpretMessages: ({ texts }: { texts: number }) =>
    plural(texts, { one: 'Interpret {n} message', other: 'Interpret {n} messages' }),
  waitingShowIt: ({ waiting, texts }: { waiting: number; texts: number }) =>
    texts === 1
      ? plural(waiting, {
          one: '{n} waiting applicant shows it. No decision changes.',
          other: '{n} waiting applicants show it. No decision changes.'
        })
      : plural(waiting, {
          one: '{n} waiting applicant shows one of them. No decision changes.',
          other: '{n} waiting applicants show one of them. No decision changes.'
        }),
  recordsOf: ({ records }: { records: number }) => plural(records, { one: '{n} record', other: '{n} records' }),
  waitingApplicants: ({ waiting }: { waiting: number }) =>
    plural(waiting, { one: '{n} waiting applicant', other: '{n} waiting applicants' }),
  interpretedAs: ({ texts, means }: { texts: number; means: Value }) =>
    plural(texts, { one: `${means}: {n} message`, other: `${means}: {n} messages` }),
  takenBack: 'The interpretation was taken back.',
  saveAndNext: 'Save and next',
  interpretMessagesTitle: 'Interpret messages',
  messagesOfTheSelection: 'Messages of the newest answers',
  noneOfThemHasAMessage: 'None of the selected applicants has a newest answer with a message.',
  done: 'Done',
  takenBackVersion: 'Taken back'
})
