/** Sentences of data management. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  backups: 'Backups',
  creatingAndVerifying: 'Creating and verifying',
  backUpNow: 'Back up now',
  backUpEvery: 'Back up every',
  runsInTheBackground0: 'Runs in the background. 0 turns scheduled backups off.',
  keep: 'Keep',
  theOldestIsDeletedWhen: 'The oldest is deleted when a newer one is verified.',
  backupsNewestFirst: 'Backups, newest first',
  recordsEventsEventsBytes: ({ records, events, bytes }: { records: number; events: Value; bytes: Value }) =>
    `${plural(records, { one: '{n} record', other: '{n} records' })}, ${events} events, ${bytes}`,
  invalid: 'Invalid',
  unreadable: 'Unreadable',
  verifyTheBackupOfTime: ({ time }: { time: Value }) => `Verify the backup of ${time}`,
  verify: 'Verify',
  restoreTheBackupOfTime: ({ time }: { time: Value }) => `Restore the backup of ${time}`,
  restore: 'Restore',
  noBackupYet: 'No backup yet.',
  folderFolder: 'Folder: {folder}',
  restoreThisBackup: 'Restore this backup?',
  restoring: 'Restoring',
  theHistoryReturnsToTime: ({ records }: { records: number }) =>
    plural(records, {
      one: 'The history returns to {time}, with {n} record. The current files are set aside and kept; nothing is deleted. Applicants erased since then stay erased. Forms, results and drafts in this window are cleared.',
      other:
        'The history returns to {time}, with {n} records. The current files are set aside and kept; nothing is deleted. Applicants erased since then stay erased. Forms, results and drafts in this window are cleared.'
    }),
  backupCreatedAndVerifiedRecords: ({ records }: { records: number }) =>
    plural(records, {
      one: 'Backup created and verified: {n} record',
      other: 'Backup created and verified: {n} records'
    }),
  theBackupIsValid: 'The backup is valid.',
  theBackupIsInvalidFailure: ({ failure }: { failure: Value }) => `The backup is invalid: ${failure}`,
  restored: 'Restored.',
  dataManagement: 'Data management',
  backupsRecoveryExportsRetentionAnd: 'Backups, recovery, exports, retention and erasure.',
  backupsOfSampleDataAre: 'Backups of sample data are deleted with it. Files that you export stay where you save them.',
  exports: 'Exports',
  theWholeHistory: 'The whole history',
  toExportAPartFilter: 'To export a part, filter the history and choose “Export” there.',
  allApplicants: 'All applicants',
  dataThatWouldRemain: 'Data that would remain',
  recordsThatWouldRemain: 'Records that would remain',
  applicantApplicantid: 'Applicant {applicantId}',
  noApplicant: 'No applicant',
  linkedToAnotherApplicant: 'Linked to another applicant',
  searchTheHistory: 'Search the history',
  theListShowsTheNewest: 'The list shows the newest {records}. {searchTheHistory} for all of them.',
  linkRecordsToThisApplicant: ({ linkable }: { linkable: number }) =>
    plural(linkable, { one: 'Link {n} record to this applicant', other: 'Link {n} records to this applicant' }),
  linkedRecordsAreErasedWith:
    'Linked records are erased with the applicant. Open them first: a short ID may appear in them by chance.',
  othersOfOtherApplicantsContain: ({ others }: { others: Value }) =>
    `${others} of other applicants contain this ID, and would remain.`,
  someDataCouldNotBe: 'Some data could not be searched. There may be more.',
  anInterruptedExportLeftA: 'An interrupted export left a file that is not removed yet: {path}',
  notesAndReasons: ({ notes }: { notes: number }) =>
    plural(notes, { one: '{n} note or reason', other: '{n} notes and reasons' }),
  batchRows: ({ batchRows }: { batchRows: number }) =>
    plural(batchRows, { one: '{n} batch row', other: '{n} batch rows' }),
  legalHoldAndErasure: 'Legal hold and erasure',
  applicantId: 'Applicant ID',
  placeLegalHold: 'Place legal hold',
  erase: 'Erase',
  legalHolds: 'Legal holds',
  liftTheLegalHoldOf: ({ applicantId }: { applicantId: Value }) => `Lift the legal hold of ${applicantId}`,
  lift: 'Lift',
  placeLegalHold2: 'Place legal hold?',
  placeHold: 'Place hold',
  whileTheHoldIsIn: 'While the hold is in place, {applicantId} cannot be erased, by retention or by request.',
  reason: 'Reason',
  liftLegalHold: 'Lift legal hold?',
  liftHold: 'Lift hold',
  applicantidCanThenBeErased: '{applicantId} can then be erased, by retention or by request.',
  permanentlyEraseThisApplicant: 'Permanently erase this applicant?',
  erasing: 'Erasing',
  permanentlyErase: 'Permanently erase',
  close: 'Close',
  aLegalHoldPreventsThis: 'A legal hold prevents this: {reason}',
  placedByByTimeNothing:
    'Placed by {by}, {time}. Nothing was erased. If the hold has ended, lift it in the list of legal holds first.',
  ofWhichLinkedLinkedIn: ({ linked }: { linked: Value }) => `, of which ${linked} linked in Veridesk only`,
  andBatchRows: ({ batchRows }: { batchRows: number }) =>
    plural(batchRows, { one: ' and {n} batch row', other: ' and {n} batch rows' }),
  recordsPartAndFromTime: ({ records }: { records: number }) =>
    plural(records, {
      one: '{n} record{part}{and}, from {time} to {time2}, permanently lose their personal data: requests, responses, notes, decisions. {backupsRewritten}',
      other:
        '{n} records{part}{and}, from {time} to {time2}, permanently lose their personal data: requests, responses, notes, decisions. {backupsRewritten}'
    }),
  earlierExportsAndDataHeld:
    'Earlier exports and data held by your provider are not affected. All forms, results and drafts in this window are cleared.',
  liftApplicantid: ({ applicantId }: { applicantId: Value }) => `lift ${applicantId}`,
  legalHoldPlacedThisApplicant: 'Legal hold placed. This applicant cannot be erased.',
  legalHoldLifted: 'Legal hold lifted',
  erasedItIsEventEvent: ({ event }: { event: Value }) =>
    `Erased. It is event ${event} in the audit trail. The receipt is listed below.`,
  exportRows: {
    history: 'Export records',
    applicants: 'Export applicants',
    audit: 'Export events',
    batches: 'Export batches',
    catalogue: 'Export messages'
  },
  extentContentsTheAuditTrail: ({ extent, contents }: { extent: Value; contents: Value }) =>
    `${extent} ${contents} The audit trail records the export and its number of rows.`,
  theFileContainsPersonalData: 'The file contains personal data.',
  theFileContainsTheIds: 'The file contains the IDs of applicants and records.',
  theFileContainsTheNames: 'The file contains the names of batches and files, and the numbers of their rows.',
  theFileContainsMessagesVerbatim: 'The file contains messages verbatim, which may contain personal data.',
  format: 'Format',
  stopExport: 'Stop export',
  exportInProgress: 'Export in progress',
  rowsWritten: 'Rows written',
  rowsWritten2: ({ done }: { done: number }) => plural(done, { one: '{n} row written', other: '{n} rows written' }),
  rowsOfTotalWritten: ({ done, total }: { done: number; total: Value }) =>
    `${plural(done, { one: '{n} row', other: '{n} rows' })} of ${total} written`,
  chooseWhereToSaveThe: 'Choose where to save the file',
  exported: 'Exported',
  rows: ({ rows }: { rows: number }) => plural(rows, { one: '{n} row', other: '{n} rows' }),
  savedAsPath: 'Saved as {path}',
  sha256Sha256ItNames: 'SHA-256 {sha256}; it names the head of the audit trail at event {seq}.',
  csvSafeForSpreadsheets: 'CSV, safe for spreadsheets',
  jsonLinesLossless: 'JSON lines, lossless',
  exportedRows: ({ rows }: { rows: number }) => plural(rows, { one: 'Exported {n} row', other: 'Exported {n} rows' }),
  erasureReceipts: 'Erasure receipts',
  receiptsNewestFirst: 'Receipts, newest first',
  byBy: ' by {by}',
  ofAnAuditTrailThat: ' of an audit trail that was replaced',
  recordsErasedByRequestBy: ({ records }: { records: number }) =>
    plural(records, {
      one: '{n} record erased by request{by}; event {event}{part}',
      other: '{n} records erased by request{by}; event {event}{part}'
    }),
  recordsErasedByRetentionBy: ({ records }: { records: number }) =>
    plural(records, {
      one: '{n} record erased by retention{by}; event {event}{part}',
      other: '{n} records erased by retention{by}; event {event}{part}'
    }),
  backupsAndCopiesAreStill:
    'Backups and copies are still being cleared. This finishes automatically, at the next start at the latest. Nothing is left in the history.',
  couldNotBeReachedAnd: 'Could not be reached and may still contain personal data: {copiesNotReached}',
  saveTheReceiptOfTime: ({ time }: { time: Value }) => `Save the receipt of ${time}`,
  save: 'Save',
  receiptSavedAsPath: ({ path }: { path: Value }) => `Receipt saved as ${path}`,
  yourRecoveryKey: 'Your recovery key',
  onlyOnce: 'only once',
  thisKeyOpensTheHistory:
    'This key opens the history if the keychain of this user account is lost. It is shown {onlyOnce} and is not stored. Anyone with this key and the history files can read everything.',
  groupsOfTheRecoveryKey: 'Groups of the recovery key',
  groupIndex: ({ index }: { index: Value }) => `Group ${index}: `,
  writeItDownOrPrint:
    'Write it down or print it, and keep it away from this computer, for example in a safe. If you copy it, it stays on the clipboard until you copy something else.',
  copyKey: 'Copy key',
  printKey: 'Print key',
  enterTwoGroupsFromYour: 'Enter two groups from your copy.',
  groupGroup: ({ group }: { group: Value }) => `Group ${group}`,
  iHaveACopy: 'I have a copy',
  showKeyAgain: 'Show key again',
  confirm: 'Confirm',
  recoveryKey: 'Recovery key',
  openWithRecoveryKey: 'Open with recovery key',
  theGroupsShownWhenThe: 'The groups shown when the key was created. Dashes, spaces and letter case do not matter.',
  keyNotAccepted: 'Key not accepted',
  theHistoryIsOpenAgain: 'The history is open again.',
  recoveryKeyReminder: 'Recovery key reminder',
  remindMeInAWeek: 'Remind me in a week',
  sampleDataIsDeletedWhen: 'Sample data is deleted when this window closes, so it has no recovery key.',
  theHistoryIsInMemory: 'The history is in memory for this session only, so a recovery key cannot open it.',
  thereIsARecoveryKey: 'There is a recovery key, but no copy has been confirmed.',
  partIfYouHaveNo: '{part} If you have no copy, create a new key. The current key then stops working.',
  createdTime: ', created {time}',
  thereIsARecoveryKeyCreated: 'There is a recovery key{created}.',
  thereisarecoverykeyItOpensTheHistory: '{thereIsARecoveryKey} It opens the history if the keychain is lost.',
  thereIsNoRecoveryKey: 'There is no recovery key.',
  thereisnorecoverykeyIfTheKeychainOf:
    '{thereIsNoRecoveryKey} If the keychain of this user account is lost, the history is lost too.',
  createNewRecoveryKey: 'Create new recovery key',
  createRecoveryKey: 'Create recovery key',
  createNewRecoveryKey2: 'Create new recovery key?',
  create: 'Create',
  theExistingKeyAndIts: 'The existing key and its copies stop working.',
  theRecoveryKeyIsConfirmed: 'The recovery key is confirmed.',
  theKeyWasCreatedBut: 'The key was created but not confirmed. If you have no copy, create a new key.',
  verideskRecoveryKey: 'Veridesk recovery key',
  createdTimeItOpensThe: ({ time }: { time: Value }) =>
    `Created ${time}. It opens the history of this installation if the keychain of the user account is lost. It stops working when a new recovery key is created.`,
  toUseItOpenThe:
    'To use it: open the history page in Veridesk, enter the groups in order, and choose “Open with recovery key”. Dashes, spaces and letter case do not matter.',
  anyoneWithThisSheetAnd:
    'Anyone with this sheet and the history files can read everything in the history. Keep it in a safe or with a second person, away from the computer.',
  restored2: 'Restored',
  theBackupWasRestored: 'The backup was restored.',
  theEarlierFilesAreKept: 'The earlier files are kept in {setAside}.',
  sentAfterThatBackupRequests: ({ sent }: { sent: number }) =>
    plural(sent, {
      one: 'Sent after that backup: {n} request. The spend guard asks before it sends one of them again.',
      other: 'Sent after that backup: {n} requests. The spend guard asks before it sends one of them again.'
    }),
  theRequestsSentAfterThat:
    'The requests sent after that backup cannot be determined. The spend guard asks before each request.',
  openBatches: 'Open Batches',
  retention: 'Retention',
  previewDeletions: 'Preview deletions',
  indefinitely: 'Indefinitely',
  days: 'days',
  daysAfterWhichAnApplicants:
    'Days after which an applicant’s records may be erased. Leave empty to keep them indefinitely. Nothing is erased until a person confirms it.',
  previewOfDeletions: 'Preview of deletions',
  previewFailed: 'Preview failed',
  nothingWouldBeErasedNow: 'Nothing would be erased now.',
  recordsOfSubjectsWouldBe: ({ records, toErase }: { records: number; toErase: number }) =>
    `${plural(records, { one: '{n} record', other: '{n} records' })} of ${plural(toErase, { one: '{n} subject', other: '{n} subjects' })} would be erased.`,
  toeraseStayUnderALegal: '{toErase} {stay} under a legal hold. Nothing was changed.',
  toeraseNothingWasChanged: '{toErase}  Nothing was changed.',
  pastRetentionOldestFirst: 'Past retention, oldest first',
  records: ({ records }: { records: number }) => plural(records, { one: '{n} record', other: '{n} records' }),
  toTime: ' to {time}',
  held: 'held',
  theListIsShortenedThe: 'The list is shortened. The totals include everything.',
  eraseTheseNow: 'Erase these now',
  eraseRecordsPastRetention: 'Erase records past retention?',
  recordsAre: ({ held }: { held: number }) => plural(held, { one: '{n} record is', other: '{n} records are' }),
  moreAre: ({ held }: { held: number }) => plural(held, { one: '{n} more is', other: '{n} more are' }),
  erasedTheReceiptIsListed: 'Erased. The receipt is listed below.',
  teamNotNotifiedYetThe: 'Team: not notified yet. The next exchange does this, if this installation shares anything.',
  teamNoOtherInstallation: 'Team: no other installation.',
  teamAcknowledgedByAllOthers: ({ asked }: { asked: number }) =>
    plural(asked, {
      one: 'Team: acknowledged by all others ({n} installation)',
      other: 'Team: acknowledged by all others ({n} installations)'
    }),
  teamAcknowledgedOfOtherInstallations: ({
    acknowledged,
    asked,
    pending
  }: {
    acknowledged: Value
    asked: number
    pending: Value
  }) =>
    `Team: ${acknowledged} of ${plural(asked, { one: '{n} other installation', other: '{n} other installations' })} acknowledged, ${pending} pending`,
  otherInstallationsOfTheTeam: 'Other installations of the team',
  acknowledgedTime: 'acknowledged {time}',
  removedFromTheTeamBefore: 'removed from the team before it acknowledged',
  pending: 'pending',
  thereIsARecoveryKeyBut:
    'There is a recovery key, but no copy of it has been confirmed. Without a copy, the history is lost with the keychain of this user account.',
  thereIsNoRecoveryKeyIf:
    'There is no recovery key. If the keychain of this user account is lost, the history is lost too.',
  youWillBeRemindedIn: 'You will be reminded in a week.',
  removedConnectionThisAppliesTo: ({ count }: { count: number }) =>
    plural(count, {
      one: 'Removed connection. This applies to its {n} record.',
      other: 'Removed connection. This applies to its {n} records.'
    }),
  removedConnection: 'Removed connection',
  noRecordsLeft: 'No records left.',
  unitHours: 'hours',
  unitBackups: 'backups'
})
