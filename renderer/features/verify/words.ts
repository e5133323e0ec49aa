/** Sentences of verify. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  show: 'Show',
  editTheRequest: 'Edit the request',
  showDocument: ({ document }: { document: Value }) => `Show: ${document}`,
  oneBillableRequest: ({ price }: { price: Value }) => `1 billable request, ${price}.`,
  verifiedByAColleague: 'Verified by a colleague',
  memberVerifiedThisRelative: '{member} verified this {relative}',
  theSameRequestWasAnswered:
    'The same request was answered by the same service. Nothing was sent now: a repeated request may be billed again.',
  theSameRequestMayHave:
    'The same request may have been sent to the same service. Nothing was sent now: a repeated request may be billed again.',
  theColleaguesVerification: 'The colleague’s verification',
  viewTheApplicant: 'View the applicant',
  noCopy: 'No copy of a document',
  noCopyCanBeKept: 'No copy of a document can be kept',
  nothingWasSentTheRecord: 'Nothing was sent yet. If you send it, the record says which document has no copy, and why.',
  notSentYetNoCopy: 'Not sent yet: no copy of a document can be kept.',
  fillWithExamples: 'Fill with examples',
  examplesForAnotherOutcome: 'Examples for another outcome',
  theSameFileWasChecked: ({ time }: { time: Value }) =>
    `The same file was checked for <link>the record of ${time}</link>.`,
  itsApplicantIs: 'Its applicant is {applicantId}.',
  linkCheck: 'Link check',
  stop: 'Stop',
  checkLinks: 'Check links',
  checkingTheLinks: 'Checking the links …',
  asksTheServersOfThe: 'Asks the servers of the links, not the service: it costs nothing there.',
  nothingStandsOutACheck: 'Nothing stands out. A check is not a verification.',
  linksWithFindingsYouCan: ({ found }: { found: number }) =>
    plural(found, {
      one: '{n} link with findings. You can send anyway.',
      other: '{n} links with findings. You can send anyway.'
    }),
  theLinksWereNotChecked: 'The links were not checked',
  checkBeforeYouSend: 'Check before you send',
  nothingWasSentToThe:
    'Nothing was sent to the service yet. A verification may be billed even if the service cannot use a document.',
  backToTheForm: 'Back to the form',
  sendToLiveAnyway: 'Send to LIVE anyway',
  sendAnyway: 'Send anyway',
  theServiceWillProbablyNot: 'The service will probably not be able to fetch it',
  theHistoryStoresLinksWithout: 'The history stores links without their signature. Paste a new link.',
  thisSignedLinkExpiresAt: ({ at }: { at: Value }) => `This signed link expires ${at}.`,
  theTimesInThisSigned: ({ unfetched }: { unfetched: Value }) =>
    `The times in this signed link are missing or invalid. ${unfetched}.`,
  thisSignedLinkExpiredAt: ({ at, unfetched }: { at: Value; unfetched: Value }) =>
    `This signed link expired ${at}. ${unfetched}.`,
  thisSignedLinkBecomesValid: ({ at, unfetched }: { at: Value; unfetched: Value }) =>
    `This signed link becomes valid ${at}. ${unfetched} before.`,
  confirmLiveVerification: 'Confirm live verification',
  sendToLive: 'Send to LIVE?',
  connectionIsALiveConnection:
    '{connection} is a live connection: the request costs money and processes a real person’s data. Nothing was sent yet.',
  confirmAndSend: 'Confirm and send',
  theLastRequestMay: 'The last request may already have been processed',
  lastRequestWasSent:
    '“{operation}” for {subject} was sent to {connection} {relative}. No complete response came back. If it is sent again, it may be processed and billed twice.',
  lastRequestInProgress:
    '“{operation}” for {subject} was sent to {connection} {relative} and is in progress. If it is sent again, it may be processed and billed twice.',
  keepItUnresolved: '<strong>Keep it unresolved</strong> and ask the provider first',
  itWasNotProcessed: 'It was not processed: the provider has confirmed it',
  sendAgainAnyway: 'Send again anyway',
  sendAgainTypeLive: 'Send again anyway. Type {live} to confirm',
  typeLive: 'Type LIVE to confirm',
  keepUnresolved: 'Keep unresolved',
  resolveAndSend: 'Resolve and send',
  openTheUnresolvedRecord: 'Open the unresolved record',
  mayHaveBeenSentAlready: 'May have been sent already',
  alreadySent: 'Already sent',
  theSameRequestOnTheSameConnection:
    'The same request on the same connection was sent at {time}. The history has since been restored from an earlier backup, so its record is in the history that was set aside. Nothing was sent now: a repeated request may be billed again.',
  theHistoryWasRestoredAt:
    'The history was restored at {restoredAt} from the backup of {backupAt}. Which requests were sent in between cannot be determined. Nothing was sent now. If this request may have been one of them, ask your provider first: it may be billed again.',
  recentlyAnswered: 'Recently answered',
  alreadyAnsweredRelative: ({ relative }: { relative: Value }) => `Already answered ${relative}`,
  theSameRequestOnTheSameConnectionWas:
    'The same request on the same connection was answered at {time}. Nothing was sent now: a repeated request may be billed again.',
  viewEarlierAnswer: 'View earlier answer',
  runningVerification: 'Running verification',
  cancelling: 'Cancelling',
  starting: 'Starting',
  elapsedS: '{elapsed} s',
  cancel: 'Cancel',
  theRequestWasSentIf: 'The request was sent. If you cancel now, its outcome is unknown and needs resolution.',
  nothingWasSentYetYou: 'Nothing was sent yet. You can cancel safely.',
  recordingTheRequest: 'Recording the request',
  connecting: 'Connecting',
  sentWaitingForTheAnswer: 'Sent, waiting for the answer',
  receivingTheAnswer: 'Receiving the answer',
  exampleExample: ({ example }: { example: Value }) => `Example: ${example}`,
  toVerifyYouNeedA: 'To verify, you need a connection: the service’s address and its three credentials.',
  setUpAConnection: 'Set up a connection',
  notSetYetMissing: 'Not set yet: {missing}. <link>Set credentials</link>',
  sendLive: 'Send to LIVE',
  send: 'Send',
  clear: 'Clear',
  enterSends: '{enter} sends to {connection}',
  pasteJsonACopiedRequest:
    'Paste JSON, a copied request, “name: value” lines, a table row or a list of links into any field. Fields fill automatically.',
  valuesMatchedNoField: ({ count, names }: { count: number; names: Value }) =>
    plural(count, { one: `{n} value matched no field: ${names}.`, other: `{n} values matched no field: ${names}.` }),
  credentialsIgnored: ({ credentials }: { credentials: Value }) =>
    `Credentials in the pasted text were ignored: ${credentials}. Requests use those of the connection.`,
  pastedForOther: ({ operation }: { operation: Value }) =>
    `This is a request for “${operation}”. Nothing was filled in.`,
  switchTo: ({ operation }: { operation: Value }) => `Switch to ${operation}`,
  keepHere: 'Keep here',
  nothingFits: 'Nothing in the pasted text fits a field of this form. Nothing was filled in.',
  otherApplicantIgnored: ({ applicant }: { applicant: Value }) =>
    `The applicant ID of the pasted text was ignored: this page is about ${applicant}.`,
  filledLabelsFrom: ({ labels, from }: { labels: Value; from: Value }) => `Filled ${labels}. Read as: ${from}.`,
  noValueOfTheDropped: 'No value of the dropped file matches a field of this form.',
  notSent: 'Not sent',
  openConnections: 'Open Connections',
  diagnoseNetwork: 'Diagnose network',
  openTheHistory: 'Open the history',
  notRecorded: 'Not recorded',
  thisIsTheOnlyCopy: 'This is the only copy of the answer. Copy what you need before you leave this page.',
  theAnswerAppearsHere: 'The answer appears here',
  theServicesExactMessageIts:
    'The service’s exact message, its status, the full response and the duration. Every request is recorded in the history.',
  result: 'Result',
  success: 'Success',
  rejectedImage: 'Rejected image',
  inconclusiveAnswer: 'Inconclusive answer',
  serverError500: 'Server error (500)',
  invalidResponse: 'Invalid response',
  unknownOutcome: 'Unknown outcome',
  linksCheckedNothingStandsOut: 'Links checked. Nothing stands out.',
  linksCheckedLinksWithFindings: ({ found }: { found: number }) =>
    plural(found, { one: 'Links checked. {n} link with findings.', other: 'Links checked. {n} links with findings.' }),
  aCurlCommand: 'Command of curl',
  aWgetCommand: 'Command of wget',
  aPowershellCommand: 'PowerShell command',
  anHttpieCommand: 'HTTPie command',
  aRequest: 'HTTP request',
  aList: 'List',
  aForm: 'Form',
  aTableRow: 'Table row',
  nameAndValueLines: 'Name and value lines',
  countedLines: ({ lines }: { lines: number }) => plural(lines, { one: '{n} line', other: '{n} lines' }),
  notSentTheSameRequest: 'Not sent: the same request was recently answered.',
  notSentAColleagueRecently: 'Not sent: a colleague recently made the same request.',
  notSentTheOutcomeOf: 'Not sent: the outcome of the same request is unknown.',
  notSentTheSameRequestMay: 'Not sent: the same request may have been sent already.',
  notSentYetConnectionIs: ({ connection }: { connection: Value }) =>
    `Not sent yet: ${connection} is LIVE. Confirm the verification.`,
  theVerificationIsInProgress: 'The verification is in progress.',
  outcomeStatus: ({ outcome, status }: { outcome: Value; status: Value }) => `${outcome}, status ${status}`,
  theServicesMessageIs: ({ message }: { message: Value }) => `The service’s message: ${message}`
})
