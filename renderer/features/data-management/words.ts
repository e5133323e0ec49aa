/** Sentences of data management. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  backups: 'Backups',
  creatingAndVerifying: 'Creating and verifying',
  backUpNow: 'Back up now',
  backUpEvery: 'Back up every',
  runsInTheBackground: 'Runs in the background. 0 turns scheduled backups off.',
  keep: 'Keep',
  theOldestIsDeletedWhen: 'The oldest is deleted when a newer one is verified.',
  backupsNewestFirst: 'Backups, newest first',
  events: ({ events }: { events: number }) => plural(events, { one: '{n} event', other: '{n} events' }),
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
  copiesOfDocuments: 'Copies of documents',
  verifyAllCopies: 'Verify all',
  verifyingCopies: ({ done, total }: { done: Value; total: Value }) => `Verifying ${done} of ${total}`,
  copies: ({ copies }: { copies: number }) => plural(copies, { one: '{n} file', other: '{n} files' }),
  eachWasKeptOrVerified: 'Each was kept or verified at {time} or later.',
  copiesVerified: ({ checked }: { checked: number }) =>
    plural(checked, { one: '{n} file verified. It is whole.', other: '{n} files verified. All are whole.' }),
  copiesWithFaults: ({ checked, missing, damaged }: { checked: number; missing: Value; damaged: Value }) =>
    plural(checked, {
      one: `{n} file verified: ${missing} missing, ${damaged} damaged.`,
      other: `{n} files verified: ${missing} missing, ${damaged} damaged.`
    }),
  filesWithFaults: ({ missing, damaged }: { missing: number; damaged: number }) =>
    plural(missing + damaged, {
      one: `{n} file cannot be opened: ${missing} missing, ${damaged} damaged.`,
      other: `{n} files cannot be opened: ${missing} missing, ${damaged} damaged.`
    }),
  copiesThatCannotBeOpened: 'Copies that cannot be opened',
  missing: 'Missing',
  damaged: 'Damaged',
  andMoreFiles: ({ more }: { more: number }) => plural(more, { one: '{n} more file', other: '{n} more files' }),
  putTheFilesBack:
    'The records still say which documents they were. If the files are on another disk, put them back into the folder “documents”. Otherwise keep a copy again: on the record, from the link while it is whole, or from a file.',
  otherFiles: ({ others }: { others: number }) =>
    plural(others, {
      one: '{n} other file is in the folder: of a history that was set aside, of a backup, or not from Veridesk. It stays until a person deletes it.',
      other:
        '{n} other files are in the folder: of a history that was set aside, of a backup, or not from Veridesk. They stay until a person deletes them.'
    }),
  deleteOtherFiles: 'Delete other files',
  readingBackups: 'Reading backups',
  noOtherFileToDelete:
    'No file can be deleted: a history that was set aside or a backup names it, or it has another name than copies have.',
  otherFilesUnread: 'No file can be deleted, because these folders cannot be read and may name it:',
  deleteOtherFilesTitle: 'Delete other files?',
  deleteFiles: ({ files }: { files: number }) => plural(files, { one: 'Delete {n} file', other: 'Delete {n} files' }),
  filesThatNothingNames: ({ files, bytes }: { files: number; bytes: Value }) =>
    plural(files, {
      one: `{n} file (${bytes}) is named by no history and no backup in the data folder. It cannot be brought back.`,
      other: `{n} files (${bytes}) are named by no history and no backup in the data folder. They cannot be brought back.`
    }),
  readForOtherFiles: ({ read }: { read: number }) =>
    plural(read, {
      one: 'The history and {n} backup or history that was set aside were read for this.',
      other: 'The history and {n} backups and histories that were set aside were read for this.'
    }),
  otherFilesNamed: ({ named }: { named: number }) =>
    plural(named, {
      one: '{n} other file stays, because one of these names it.',
      other: '{n} other files stay, because one of these names them.'
    }),
  otherFilesUnlike: ({ unlike }: { unlike: number }) =>
    plural(unlike, {
      one: '{n} other file stays, because it has another name than copies have.',
      other: '{n} other files stay, because they have other names than copies have.'
    }),
  backupsElsewhereAreNotRead:
    'Backups that you copied elsewhere are not read. If one of them needs these files, copy them first: “veridesk backup documents --to FOLDER”.',
  otherFilesDeleted: ({ deleted, left }: { deleted: number; left: number }) =>
    left === 0
      ? plural(deleted, { one: '{n} file deleted', other: '{n} files deleted' })
      : plural(deleted, {
          one: `{n} file deleted, ${left} not deleted`,
          other: `{n} files deleted, ${left} not deleted`
        }),
  backupsDoNotContainThem:
    'Backups do not contain these files. “veridesk backup documents --to FOLDER” copies them, encrypted, to another disk.',
  documentsMissingAfterRestore: ({ missing }: { missing: number }) =>
    plural(missing, {
      one: '{n} copy of a document is missing from the folder “documents”.',
      other: '{n} copies of documents are missing from the folder “documents”.'
    }),
  dataManagement: 'Data management',
  backupsRecoveryExportsRetentionAnd: 'Backups, recovery, exports, retention and erasure.',
  backupsOfSampleDataAre: 'Backups of sample data are deleted with it. Files that you export stay where you save them.',
  exports: 'Exports',
  theWholeHistory: 'The whole history',
  toExportAPartFilter: 'To export a part, filter the history and choose “Export” there.',
  allApplicants: 'All applicants',
  othersLookLikeThisAndRemain: ({ others }: { others: number }) =>
    plural(others, {
      one: 'Another applicant has an ID that looks the same, and would remain. If it is the same person, erase it as well.',
      other:
        '{n} other applicants have IDs that look the same, and would remain. If they are the same person, erase them as well.'
    }),
  previewThisOne: 'Preview this one instead',
  dataThatWouldRemain: 'Data that would remain',
  recordsThatWouldRemain: 'Records that would remain',
  applicantApplicantid: 'Applicant {applicantId}',
  noApplicant: 'No applicant',
  linkedToAnotherApplicant: 'Linked to another applicant',
  theListShowsTheNewest: 'The list shows the newest {records}. <link>Search the history</link> for all of them.',
  linkRecordsToThisApplicant: ({ linkable }: { linkable: number }) =>
    plural(linkable, { one: 'Link {n} record to this applicant', other: 'Link {n} records to this applicant' }),
  linkedRecordsAreErasedWith:
    'Linked records are erased with the applicant. Open them first: a short ID may appear in them by chance.',
  someDataCouldNotBe: 'Some data could not be searched. There may be more.',
  anInterruptedExportLeftA: 'An interrupted export left a file that is not removed yet: {path}',
  notesOfOthers: ({ notes }: { notes: number }) =>
    plural(notes, {
      one: '{n} note or reason of other applicants contains this ID, and would remain.',
      other: '{n} notes and reasons of other applicants contain this ID, and would remain.'
    }),
  batchRowsOfOthers: ({ batchRows }: { batchRows: number }) =>
    plural(batchRows, {
      one: '{n} batch row of other applicants contains this ID, and would remain.',
      other: '{n} batch rows of other applicants contain this ID, and would remain.'
    }),
  legalHoldAndErasure: 'Legal hold and erasure',
  applicantId: 'Applicant ID',
  placeLegalHold: 'Place legal hold',
  erase: 'Erase',
  legalHolds: 'Legal holds',
  liftTheLegalHoldOf: ({ applicantId }: { applicantId: Value }) => `Lift the legal hold of ${applicantId}`,
  lift: 'Lift',
  changeTheLegalHoldOf: ({ applicantId }: { applicantId: Value }) => `Change the legal hold of ${applicantId}`,
  change: 'Change',
  changeThisLegalHold: 'Change legal hold?',
  changeHold: 'Change hold',
  legalHoldChanged: 'Legal hold changed. This applicant cannot be erased.',
  placeThisLegalHold: 'Place legal hold?',
  placeHold: 'Place hold',
  whileTheHoldIsIn: 'While the hold is in place, {applicantId} cannot be erased, by retention or by request.',
  lastDayOptional: 'Last day (optional)',
  referenceOptional: 'Reference of the order (optional)',
  holdUntil: ({ date }: { date: Value }) => `Until ${date}`,
  holdPassed: ({ date }: { date: Value }) => `Past its last day, ${date}`,
  holdsHavePassed: ({ holds }: { holds: number }) =>
    plural(holds, {
      one: '{n} legal hold is past its last day. It holds until a person lifts it.',
      other: '{n} legal holds are past their last day. They hold until a person lifts them.'
    }),
  liftLegalHold: 'Lift legal hold?',
  liftHold: 'Lift hold',
  applicantidCanThenBeErased: '{applicantId} can then be erased, by retention or by request.',
  permanentlyEraseThisApplicant: 'Permanently erase this applicant?',
  erasing: 'Erasing',
  permanentlyErase: 'Permanently erase',
  close: 'Close',
  aLegalHoldPreventsThis: 'A legal hold prevents this: {reason}',
  aColleagueHoldsThis:
    'A legal hold of {colleague} prevents this. Nothing was erased. If the hold has ended, ask {colleague} to lift it.',
  placedByByTimeNothing:
    'Placed by {by}, {time}. Nothing was erased. If the hold has ended, lift it in the list of legal holds first.',
  recordsLoseTheirData: ({ records }: { records: number }) =>
    plural(records, {
      one: '{n} record, {period}, permanently loses its personal data: request, response, notes, decisions.',
      other: '{n} records, {period}, permanently lose their personal data: requests, responses, notes, decisions.'
    }),
  linkedRecords: ({ linked }: { linked: number }) =>
    plural(linked, {
      one: '{n} of them is linked in Veridesk only.',
      other: '{n} of them are linked in Veridesk only.'
    }),
  batchRowsLoseTheirData: ({ batchRows }: { batchRows: number }) =>
    plural(batchRows, {
      one: '{n} batch row loses its personal data as well.',
      other: '{n} batch rows lose their personal data as well.'
    }),
  earlierExportsAndDataHeld:
    'Earlier exports and data held by your provider are not affected. All forms, results and drafts in this window are cleared.',
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
  theAuditTrailRecordsIt: 'The audit trail records the export and its number of rows.',
  theFileContainsPersonalData: 'The file contains personal data.',
  theFileContainsTheIds: 'The file contains the IDs of applicants and records.',
  theFileContainsTheNames: 'The file contains the names of batches and files, and the numbers of their rows.',
  theFileContainsMessagesVerbatim: 'The file contains messages verbatim, which may contain personal data.',
  format: 'Format',
  stopExport: 'Stop export',
  exportInProgress: 'Export in progress',
  rowsWritten: 'Rows written',
  countedRowsWritten: ({ done }: { done: number }) =>
    plural(done, { one: '{n} row written', other: '{n} rows written' }),
  rowsOfTotalWritten: ({ done, total }: { done: number; total: Value }) =>
    plural(done, { one: `{n} row of ${total} written`, other: `{n} rows of ${total} written` }),
  chooseWhereToSaveThe: 'Choose where to save the file',
  exported: 'Exported',
  rows: ({ rows }: { rows: number }) => plural(rows, { one: '{n} row', other: '{n} rows' }),
  savedAsPath: 'Saved as {path}',
  sha256Sha256ItNames: 'SHA-256 {sha256}; it names the head of the audit trail at event {seq}.',
  csvSafeForSpreadsheets: 'CSV, safe for spreadsheets',
  workbookForSpreadsheets: 'Workbook (.xlsx), for Excel',
  cellsCut: ({ cells }: { cells: number }) =>
    plural(cells, {
      one: '{n} text was cut at the 32,767 characters that a cell holds. JSON lines have it whole.',
      other: '{n} texts were cut at the 32,767 characters that a cell holds. JSON lines have them whole.'
    }),
  jsonLinesLossless: 'JSON lines, lossless',
  exportedRows: ({ rows }: { rows: number }) => plural(rows, { one: 'Exported {n} row', other: 'Exported {n} rows' }),
  erasureReceipts: 'Erasure receipts',
  receiptsNewestFirst: 'Receipts, newest first',
  recordsErasedByRequest: ({ records }: { records: number }) =>
    plural(records, {
      one: '{n} record erased by request; event {event}.',
      other: '{n} records erased by request; event {event}.'
    }),
  erasedBy: 'Erased by {by}.',
  inAReplacedTrail: 'The event is in an audit trail that was replaced.',
  recordsErasedByRetention: ({ records }: { records: number }) =>
    plural(records, {
      one: '{n} record erased by retention; event {event}.',
      other: '{n} records erased by retention; event {event}.'
    }),
  backupsAndCopiesAreStill:
    'Backups and copies are still being cleared. This finishes automatically, at the next start at the latest. Nothing is left in the history.',
  couldNotBeReachedAnd: 'Could not be reached and may still contain personal data: {copiesNotReached}',
  saveTheReceiptOfTime: ({ time }: { time: Value }) => `Save the receipt of ${time}`,
  save: 'Save',
  receiptSavedAsPath: ({ path }: { path: Value }) => `Receipt saved as ${path}`,
  yourRecoveryKey: 'Your recovery key',
  thisKeyOpensTheHistory:
    'This key opens the history if the keychain of this user account is lost. It is shown <strong>only once</strong> and is not stored. Anyone with this key and the history files can read everything.',
  sealedForYourOrganisation: 'It is sealed for your organisation as well, which can open the history with it.',
  yourOrganisationRequiresASealed:
    'Your organisation requires a recovery key that is sealed for it as well, so that it can open the history. Create a new one.',
  groupsOfTheRecoveryKey: 'Groups of the recovery key',
  writeItDownOrPrint:
    'Write it down or print it, and keep it away from this computer, for example in a safe. If you copy it, it stays on the clipboard until you copy something else.',
  printKey: 'Print key',
  recoveryKey: 'Recovery key',
  openWithRecoveryKey: 'Open with recovery key',
  theGroupsShownWhenThe: 'The groups shown when the key was created. Dashes, spaces and letter case do not matter.',
  keyNotAccepted: 'Key not accepted',
  theHistoryIsOpenAgain: 'The history is open again.',
  sampleDataIsDeletedWhen: 'Sample data is deleted when this window closes, so it has no recovery key.',
  theHistoryIsInMemory: 'The history is in memory for this session only, so a recovery key cannot open it.',
  noCopyIsConfirmed:
    '<strong>There is a recovery key, but no copy has been confirmed.</strong> If you have no copy, create a new key. The current key then stops working.',
  thereIsARecoveryKey: '<strong>There is a recovery key.</strong> It opens the history if the keychain is lost.',
  itWasCreated: 'It was created {time}.',
  thereIsNoRecoveryKey:
    '<strong>There is no recovery key.</strong> If the keychain of this user account is lost, the history is lost too.',
  createNewRecoveryKey: 'Create new recovery key',
  createRecoveryKey: 'Create recovery key',
  createThisRecoveryKey: 'Create new recovery key?',
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
  restoredNote: 'Restored',
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
  daysAfterWhichAnApplicants:
    'Days after which an applicant’s records may be erased. Leave empty to keep them indefinitely. Nothing is erased until a person confirms it.',
  retentionCountsFrom: 'Retention counts from',
  newestRecord: 'Newest record',
  endOfRelationship: 'End of relationship',
  fromTheEndOfARelationship:
    'From the day on which a relationship ended, was refused or was for one occasion. Applicants without such a day are kept.',
  keepApplicantsFor: 'Keep applicants for',
  yearsAfterTheRelationship: 'Years after that day. Nothing is erased until a person confirms it.',
  daysForRecordsWithoutApplicant:
    'Days after which records without an applicant may be erased. Leave empty to keep them indefinitely. Nothing is erased until a person confirms it.',
  withoutRelationship: ({ applicants }: { applicants: number }) =>
    plural(applicants, {
      one: 'No relationship is recorded for {n} applicant, who is never due.',
      other: 'No relationship is recorded for {n} applicants, who are never due.'
    }),
  previewOfDeletions: 'Preview of deletions',
  previewFailed: 'Preview failed',
  nothingWouldBeErasedNow: 'Nothing would be erased now.',
  recordsWouldBeErased: ({ records }: { records: number }) =>
    plural(records, { one: '{n} record would be erased.', other: '{n} records would be erased.' }),
  subjectsAreAffected: ({ subjects }: { subjects: number }) =>
    plural(subjects, { one: '{n} subject is affected.', other: '{n} subjects are affected.' }),
  nothingWasChanged: 'Nothing was changed.',
  pastRetentionOldestFirst: 'Past retention, oldest first',
  records: ({ records }: { records: number }) => plural(records, { one: '{n} record', other: '{n} records' }),
  held: 'Held',
  heldBy: 'Held by {colleague}',
  theListIsShortenedThe: 'The list is shortened. The totals include everything.',
  eraseTheseNow: 'Erase these now',
  eraseRecordsPastRetention: 'Erase records past retention?',
  heldByLawOrColleagues: ({ held }: { held: number }) =>
    plural(held, {
      one: '{n} record is held, by a legal hold or by a colleague.',
      other: '{n} records are held, by a legal hold or by a colleague.'
    }),
  recordsAreHeld: ({ held }: { held: number }) =>
    plural(held, { one: '{n} record is under a legal hold.', other: '{n} records are under a legal hold.' }),
  moreAreHeld: ({ held }: { held: number }) =>
    plural(held, { one: '{n} more is under a legal hold.', other: '{n} more are under a legal hold.' }),
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
    plural(asked, {
      one: `Team: ${acknowledged} of {n} other installation acknowledged, ${pending} pending`,
      other: `Team: ${acknowledged} of {n} other installations acknowledged, ${pending} pending`
    }),
  otherInstallationsOfTheTeam: 'Other installations of the team',
  acknowledgedTime: 'Acknowledged {time}',
  removedFromTheTeamBefore: 'Removed from the team before it acknowledged',
  pending: 'Pending',
  removedConnectionThisAppliesTo: ({ count }: { count: number }) =>
    plural(count, {
      one: 'Removed connection. This applies to its {n} record.',
      other: 'Removed connection. This applies to its {n} records.'
    }),
  removedConnection: 'Removed connection',
  noRecordsLeft: 'No records left.',
  units: { hours: 'hours', backups: 'backups', days: 'days', years: 'years' }
})
