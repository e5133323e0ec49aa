/** Sentences of batches. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  moreActions: 'More actions',
  evidencePack: 'Evidence pack',
  copyLink: 'Copy link',
  link: 'Link',
  opensThisBatch: 'Opens this batch in Veridesk',
  /** Other words by which people look for a command: they stand in no sentence. */
  search: {
    start: 'run send resume continue go',
    pause: 'wait hold',
    stop: 'cancel end abort',
    link: 'share url address veridesk://'
  },
  priceOfAll: ({ price }: { price: Value }) => `Price: ${price}.`,
  typeLiveToSend: 'Type LIVE to send again',
  pausing: 'Pausing',
  pause: 'Pause',
  requestsOfTheTeamsBatch:
    '<count>Requests of the team’s batch</count> will be sent to {name}, which is <live>LIVE</live>: each request costs money and processes a real person’s data.',
  requestsToLive: ({ waiting }: { waiting: number }) =>
    plural(waiting, {
      one: '<count>{n} request</count> will be sent to {name}, which is <live>LIVE</live>: each request costs money and processes a real person’s data.',
      other:
        '<count>{n} requests</count> will be sent to {name}, which is <live>LIVE</live>: each request costs money and processes a real person’s data.'
    }),
  copiesOfDocuments: ({ documents, size, free }: { documents: number; size: Value; free: Value }) =>
    plural(documents, {
      one: `A copy of {n} document takes about ${size}; ${free} are free for copies.`,
      other: `Copies of {n} documents take about ${size}; ${free} are free for copies.`
    }),
  timeOfCopies: ({ time }: { time: Value }) => `They take at least ${time} at the speed of the last copies.`,
  noSpaceForRequiredCopies: 'This connection requires them, so the batch cannot start before there is space.',
  noSpaceForCopies: 'Rows are sent all the same, and some without a copy.',
  copiesThatCouldNotBeStored: 'Copies that could not be stored',
  keepBatch: 'Keep batch',
  start: 'Start',
  startTheBatch: 'Start the batch?',
  resume: 'Resume',
  resumeOnLive: 'Resume on LIVE',
  idsThatLookAlike: 'IDs that look alike',
  rowsNameApplicantsThatLookAlike: ({ rows }: { rows: number }) =>
    plural(rows, {
      one: '{n} line names an applicant whose ID looks like another ID. It is sent as it is, as a different applicant. Correct the file if it is the same person.',
      other:
        '{n} lines name applicants whose IDs look like another ID. They are sent as they are, as different applicants. Correct the file if they are the same person.'
    }),
  rowLooksLikeRow: 'Line {row}: {id} looks like the ID in line {otherRow}',
  rowLooksLikeApplicant: 'Line {row}: {id} looks like {other} in the history',
  takeOverFrom: ({ member }: { member: Value }) => `Take over from ${member}`,
  takeOverFromOnLive: ({ member }: { member: Value }) => `Take over from ${member} on LIVE`,
  memberRunsIt: ({ member }: { member: Value }) => `${member} runs it`,
  apostrophes: 'Apostrophes',
  removeApostrophes: 'Remove apostrophes',
  keepApostrophes: 'Keep apostrophes',
  rowsWithApostrophes: 'Rows with apostrophes',
  andMore: 'And more',
  progressOfName: ({ name }: { name: Value }) => `Progress of ${name}`,
  endedOfRows: ({ ended, toSend }: { ended: Value; toSend: Value }) => `${ended} of ${toSend} rows done`,
  stateCount: ({ state, rows }: { state: Value; rows: Value }) => `${state}: ${rows}`,
  csvYourColumnsThenThe: 'Your columns, then the line and its errors',
  lineOfTheHeadings: 'Line of the headings',
  sheet: 'Sheet',
  sheetNumber: ({ number }: { number: Value }) => `Sheet ${number}`,
  hiddenSheet: ({ name }: { name: Value }) => `${name} (hidden)`,
  aboutTheWorkbook: 'About the workbook',
  sheetsNotRead: ({ names }: { names: Value }) => `Not read: ${names}.`,
  hiddenLines: ({ lines }: { lines: number }) =>
    plural(lines, {
      one: '{n} line is hidden, and read as the others.',
      other: '{n} lines are hidden, and read as the others.'
    }),
  hiddenColumns: ({ names }: { names: Value }) => `Hidden columns, read as the others: ${names}.`,
  mergedRanges: ({ ranges }: { ranges: number }) =>
    plural(ranges, {
      one: '{n} range is merged: only its first cell has a value.',
      other: '{n} ranges are merged: only the first cell of each has a value.'
    }),
  lookAtCells: ({ cells }: { cells: number }) =>
    plural(cells, {
      one: 'Look at {n} cell before the rows are sent',
      other: 'Look at {n} cells before the rows are sent'
    }),
  note: 'Note',
  theCellSays: 'The cell says “{value}”.',
  roundedNumbers: 'Rounded numbers',
  roundedCellsStopTheirRows: ({ cells }: { cells: number }) =>
    plural(cells, {
      one: '{n} cell is a number that a spreadsheet has rounded, such as 1.23457E+11, or a formula that failed. Its row is not sent. Correct the file, or keep the cell.',
      other:
        '{n} cells are numbers that a spreadsheet has rounded, such as 1.23457E+11, or formulas that failed. Their rows are not sent. Correct the file, or keep the cells.'
    }),
  roundedCellsAreKept: ({ cells }: { cells: number }) =>
    plural(cells, {
      one: '{n} cell that a spreadsheet has rounded, or whose formula failed, is kept. It is sent with the text that the file has.',
      other:
        '{n} cells that a spreadsheet has rounded, or whose formulas failed, are kept. They are sent with the text that the file has.'
    }),
  keepCellsAsTheyAre: ({ cells }: { cells: number }) =>
    plural(cells, { one: 'Keep {n} cell as it is', other: 'Keep {n} cells as they are' }),
  tablesAs: 'Tables as',
  csv: 'CSV',
  workbookXlsx: 'Workbook (.xlsx)',
  cellsCut: ({ cells }: { cells: number }) =>
    plural(cells, {
      one: '{n} text was cut at the 32,767 characters that a cell holds.',
      other: '{n} texts were cut at the 32,767 characters that a cell holds.'
    }),
  lineAndItsCells: ({ row, cells }: { row: Value; cells: Value }) => `Line ${row}: ${cells}`,
  chooseTheEncodingOfTheFile: 'Choose the encoding of the file',
  theFileDoesNotSayItsEncoding:
    'The file does not say in which encoding it was saved. Choose the one in which every name is right. No batch can be created before.',
  readAsEncoding: ({ encoding }: { encoding: Value }) => `Read as ${encoding}`,
  useThisOne: 'Use this one',
  column: 'Column',
  error: 'Error',
  wholeRow: 'Whole row',
  notCountedTheSpendGuard: 'Not counted: the spend guard is off',
  countingOfRowsLookedUp: ({ counting, rows }: { counting: Value; rows: number }) =>
    plural(rows, { one: `${counting} of {n} row looked up`, other: `${counting} of {n} rows looked up` }),
  countedWhenTheBatchIs: 'Counted when the batch is created',
  rows: 'Rows',
  valid: 'Valid',
  invalid: 'Invalid',
  recentlyAnswered: 'Recently answered',
  rowsByState: 'Rows by state',
  invalidOrDuplicate: 'Invalid or duplicate',
  showTheseRows: ({ state }: { state: Value }) => `Show the rows: ${state}`,
  saving: 'Saving',
  save: 'Save',
  csvYourColumnsThenOutcome: 'Your columns, then outcome, status, message, record and times',
  csvNotSentInvalidResponse: 'Not sent, invalid response, or a status other than 2xx',
  csvRowsWithAnUnknown: 'Rows with an unknown outcome',
  csvRowsThatCouldNot: 'Rows that could not be sent, with their errors',
  jsonLinesEverythingUnchanged: 'JSON lines: everything, unchanged',
  saveRowsWithTheirResponses: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Save {n} row with its response', other: 'Save {n} rows with their responses' }),
  saveSomeUnknownRows: 'Save unknown rows',
  noUnknownRows: 'No unknown rows',
  saveCountedUnknownRows: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Save {n} unknown row', other: 'Save {n} unknown rows' }),
  saveSomeInvalidRows: 'Save invalid rows',
  noInvalidRows: 'No invalid rows',
  saveCountedInvalidRows: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Save {n} invalid row', other: 'Save {n} invalid rows' }),
  saveSomeResults: 'Save results',
  saveCountedResults: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Save {n} result', other: 'Save {n} results' }),
  batches: 'Batches',
  countedRows: ({ rows }: { rows: number }) => plural(rows, { one: '{n} row', other: '{n} rows' }),
  progress: 'Progress',
  rate: 'Rate',
  elapsed: 'Elapsed',
  startedAt: ({ time }: { time: Value }) => `Started ${time}`,
  timeLeft: 'Time left',
  concurrencyAtOnce: ({ atOnce }: { atOnce: Value }) => `Concurrency ${atOnce}`,
  noRateLimit: 'No rate limit',
  requestsPerMinute: ({ pace }: { pace: number }) =>
    plural(pace, { one: '{n} request per minute', other: '{n} requests per minute' }),
  links: 'Links',
  stop: 'Stop',
  checkLinks: ({ linkCount }: { linkCount: number }) =>
    plural(linkCount, { one: 'Check {n} link', other: 'Check {n} links' }),
  atMostMaxcheckedlinksLinksCan: ({ maxCheckedLinks }: { maxCheckedLinks: Value }) =>
    `At most ${maxCheckedLinks} links can be checked at once. Split the file.`,
  asksTheServerOfEach:
    'Asks the server of each link once, which learns that somebody is looking. The service is not asked, and nothing is billed.',
  theLinksWereNotAll: 'The links were not all checked',
  linksChecked: 'Links checked',
  nothingStandsOutACheck: 'Nothing stands out. A check is not a verification.',
  show: 'Show',
  theFirstRows: ({ rows }: { rows: number }) => plural(rows, { one: 'The first {n} row', other: 'The first {n} rows' }),
  csvYourColumnsThenTheRow: 'Your columns, then the line and its findings',
  saveRows: ({ found }: { found: number }) => plural(found, { one: 'Save {n} row', other: 'Save {n} rows' }),
  findings: 'Findings',
  finding: 'Finding',
  skipRowsWithFindings: ({ found }: { found: number }) =>
    plural(found, { one: 'Skip {n} row with findings', other: 'Skip {n} rows with findings' }),
  unreachable: 'Unreachable',
  noDocument: 'No document',
  incomplete: 'Incomplete',
  expired: 'Expired',
  expiresTooSoon: 'Expires too soon',
  notValid: 'Not valid',
  tooSmall: 'Too small',
  sameFile: 'Same file',
  allFindings: 'All findings',
  runOneOperationForEach: 'Run one operation for each row of a file, then save the results.',
  newBatch: 'New batch',
  searchNamesFilesAndConnections: 'Search names, files and connections',
  export: 'Export',
  loadingTheBatches: 'Loading the batches',
  noResults: 'No results',
  noBatchFileOrConnection: 'No batch, file or connection has this name.',
  clearTheSearch: 'Clear the search',
  rowsNeedResolution: ({ unresolved }: { unresolved: number }) =>
    plural(unresolved, { one: '{n} row needs resolution', other: '{n} rows need resolution' }),
  copyRows: 'Copy rows',
  exportSelection: 'Export selection',
  selectedBatches: ({ ids }: { ids: number }) =>
    plural(ids, { one: '{n} selected batch.', other: '{n} selected batches.' }),
  allBatchesThatMatchThe: 'All batches that match the search.',
  everyBatch: 'All batches.',
  nothingIsSentUntilYou: 'Nothing is sent until you start the batch in the last step.',
  reading: 'Reading',
  addRowsFirst: 'Choose, drop or paste rows first.',
  chooseTheEncodingFirst: 'Choose the encoding first.',
  run: 'Run',
  connection: 'Connection',
  addAConnectionFirst: '<link>Add a connection</link> first; your entries here are kept.',
  notSetYetMissing: 'Not set yet: {missing}. <link>Set credentials</link>',
  batchName: 'Batch name',
  concurrency: 'Concurrency',
  rateLimitRequestsPerMinute: 'Rate limit (requests per minute)',
  skip: 'Skip',
  duplicatesInTheFileDuplicates: 'Duplicates in the file {duplicates}',
  recentlyAnsweredRowsRecentlyanswered: 'Recently answered rows {recentlyAnswered}',
  batchNotCreated: 'Batch not created',
  openTheUnfinishedBatch: 'Open the unfinished batch',
  createAnotherDraft: 'Create another draft',
  noConnectionToSendTo: 'There is no connection to send to yet.',
  thisConnectionIsLive: 'This connection is LIVE: each request costs money and processes a real person’s data.',
  typeNameToConfirm: 'Type {name} to confirm',
  startOnLive: 'Start on LIVE',
  saveAsDraft: 'Save as draft',
  savingTheRows: 'Saving the rows',
  thereAreNoRowsTo: 'There are no rows to send.',
  enterAName: 'Enter a name.',
  aWholeNumberFromOne: ({ maxAtOnce }: { maxAtOnce: Value }) => `A whole number from 1 to ${maxAtOnce}.`,
  aWholeNumberUpTo: 'A whole number up to 60,000; 0 for no limit.',
  toMaxatonceHigherIsFaster: ({ maxAtOnce }: { maxAtOnce: Value }) =>
    `1 to ${maxAtOnce}. Higher is faster but loads the service more.`,
  runsWithAtMost: ({ limit, organisation }: { limit: Value; organisation: Value }) =>
    `Runs with at most ${limit}, set by ${organisation}.`,
  meansNoLimitStayWithin: '0 means no limit. Stay within your contract.',
  atMostRequestsWillBe: ({ requests }: { requests: number }) =>
    plural(requests, {
      one: '<count>At most {n} request</count> will be sent to {connection}.',
      other: '<count>At most {n} requests</count> will be sent to {connection}.'
    }),
  operationOfRows: ({ operations }: { operations: Value }) => `For each row: ${operations}.`,
  requestsWillBeSentTo: ({ requests }: { requests: number }) =>
    plural(requests, {
      one: '<count>{n} request</count> will be sent to {connection}.',
      other: '<count>{n} requests</count> will be sent to {connection}.'
    }),
  encoding: 'Encoding',
  asPasted: 'As pasted',
  delimiter: 'Delimiter',
  columns: 'Columns',
  send: 'Send',
  steps: 'Steps',
  stepOf: ({ title, number }: { title: Value; number: Value }) => `Step ${number} of 4: ${title}`,
  stepDone: '{title}<hidden>, done</hidden>',
  back: 'Back',
  continue: 'Continue',
  validateRows: ({ rows }: { rows: number }) => plural(rows, { one: 'Validate {n} row', other: 'Validate {n} rows' }),
  continueWithRows: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Continue with {n} row', other: 'Continue with {n} rows' }),
  sheetQuoted: ({ name }: { name: Value }) => `Sheet “${name}”`,
  field: 'Field',
  required: 'Required',
  columnInTheFile: 'Column in the file',
  firstValues: 'First values',
  filled: ({ rows }: { rows: Value }) => `${rows} filled`,
  keptInTheResults: 'Kept in the results, not sent:',
  allCellsAreText: 'All cells are read as text: leading zeros are kept.',
  chooseByHand: 'Choose by hand',
  chooseAColumnRowsCannot: 'Choose a column. Rows cannot be sent without it.',
  applicant: 'Applicant',
  storedWithTheRecordNot: 'Stored with the record. Not sent to provider.',
  firstRows: 'First rows',
  notSent: 'Not sent',
  noColumn: 'No column',
  selected: 'Selected',
  notSelected: 'Not selected',
  record: 'Record',
  records: 'Records',
  recordOf: ({ operation }: { operation: Value }) => `Record of ${operation}`,
  recordsOfLine: ({ line }: { line: Value }) => `Records of line ${line}`,
  loading: 'Loading',
  state: 'State',
  rowsSelected: ({ chosen }: { chosen: number }) =>
    plural(chosen, { one: '{n} row selected', other: '{n} rows selected' }),
  clearSelection: 'Clear selection',
  enterOpensTheRecord: '{enter} opens the record',
  enterOpensSpaceSelects: '{enter} opens the record, {space} selects an unknown row',
  noRowsInThisState: 'No rows in this state',
  rowsAppearHereAsThe: 'Rows appear here as the batch runs.',
  showAllRows: 'Show all rows',
  rowsOfTheBatch: 'Rows of the batch',
  operation: 'Operation',
  operationOrRecipe: 'Operation or recipe',
  recipeNamed: ({ name }: { name: Value }) => `Recipe: ${name}`,
  eachRowStopsAt:
    'Each row is sent to its operations one after another. It stops at its first unknown outcome, 401, 403 or 429; the others go on.',
  messagesOf: ({ operation }: { operation: Value }) => `Messages: ${operation}`,
  template: 'Template',
  columnsMap: 'Columns: {map}',
  unfinishedBatch: 'Unfinished batch',
  theFileMustBeChosenAgain:
    'The file {name} must be chosen again. The batch’s name and settings are kept; the same rows are read as before.',
  theRowsAreNotKept:
    'The rows of {name} are not kept across a restart: choose, drop or paste them again. The batch’s name and settings are kept; the same rows are read as before.',
  discard: 'Discard',
  sha256Slice: ({ slice }: { slice: Value }) => `SHA-256 ${slice}`,
  chooseAnotherFile: 'Choose another file',
  chooseAFile: 'Choose a file',
  orDropOneHere: 'Or drop one here',
  csvOfAnySizeOr:
    'CSV or an Excel workbook (.xlsx, .xlsm) of any size, or up to 16 MiB when dropped. Cells stay text: leading zeros and long numbers are kept.',
  pastedRows: 'Pasted rows',
  orPasteRowsFromA: 'Or paste rows from a spreadsheet, including the header row',
  useTheseRows: 'Use these rows',
  fileError: 'File error',
  readAs: 'Read as',
  chooseTheEncoding: 'Choose the encoding',
  youWillNeedToChoose: 'You will need to choose the file again.',
  templates: 'Templates',
  templateName: ({ operation }: { operation: Value }) => `Template for ${operation}`,
  templateFor: '<hidden>Template for</hidden> {operation}',
  rowsWithUnknownOutcome: 'Rows with unknown outcome',
  eachOfThemWasSent:
    'Each of them was sent, or may have been sent, after the backup was made. Ask your provider whether it was processed: if sent again, it may be processed and billed twice.',
  eachMayHaveReachedThe:
    'Each may have reached the service, but no full response came back. Ask your provider whether it was processed: if sent again, it may be processed and billed twice.',
  toResolveOnlySome: 'To resolve only some, <link>select them in the table</link>.',
  markedAsSentTheseRows: 'Marked as sent. These rows are not sent again.',
  theseRowsAreSentAgain: 'These rows are sent again when you start the batch.',
  actionFailed: 'Action failed',
  loadingTheRows: 'Loading the rows',
  batch: 'Batch',
  allBatches: 'All batches',
  loadingTheBatch: 'Loading the batch',
  whyTheBatchIsHeld: 'Why the batch is held',
  whyTheBatchPaused: 'Why the batch paused',
  whyTheBatchStopped: 'Why the batch stopped',
  aNewBatchWithRows: ({ rows }: { rows: number }) =>
    plural(rows, {
      one: 'A new batch with {n} row was created. Nothing was sent yet.',
      other: 'A new batch with {n} rows was created. Nothing was sent yet.'
    }),
  noBatchesYet: 'No batches yet',
  useACsvFileOr: 'Use a CSV file, an Excel workbook, or rows from a spreadsheet, with one line for each request.',
  everyInvalidRowIsShown:
    'Every invalid row is shown before anything is sent, and each request is recorded before it is sent.',
  pauseOrCloseAtAny: 'Pause or close at any time. Even after a power cut, no row is lost or automatically sent twice.',
  startFromATemplate: 'Start from a template',
  stateResolved: ({ state }: { state: Value }) => `${state}, resolved`,
  shareWithTheTeam: 'Share with the team',
  colleaguesCanRunItToo:
    'One installation at a time runs it. A colleague can take over when it is paused, or its computer has stopped.',
  progressInTheTeam: 'Progress in the team',
  sharedWithTheTeamNobody: 'Shared with the team; nobody has started it yet',
  memberRunsItSince: '{member} has been running it since {since}',
  thisInstallationRunsItSince: 'This installation has been running it since {since}',
  nobodyRunsItNow: 'Nobody runs it now',
  whyTheTeamsPartIs: 'Why the team’s part is not shown',
  theBatchIsSharedStart: 'The batch is shared. Start it to run it here; a colleague can take it over from “Team”.',
  applicantInVerideskOnly: 'Applicant, in Veridesk only',
  attempts: 'Attempts',
  filenameNoColumnIsMapped: ({ fileName, map }: { fileName: Value; map: Value }) =>
    `${fileName}: no column is mapped to ${map}.`,
  filenameGoodValidInvalidInvalid: ({
    fileName,
    good,
    invalid,
    duplicates
  }: {
    fileName: Value
    good: Value
    invalid: Value
    duplicates: Value
  }) => `${fileName}: ${good} valid, ${invalid} invalid, ${duplicates} duplicate rows.`,
  invalidRowsSavedAsPath: ({ rows, path }: { rows: number; path: Value }) =>
    plural(rows, { one: `{n} invalid row saved as ${path}`, other: `{n} invalid rows saved as ${path}` }),
  linksCheckedRowsWithFindings: ({ found }: { found: number }) =>
    plural(found, { one: 'Links checked. {n} row with findings.', other: 'Links checked. {n} rows with findings.' }),
  theCheckOfLinksWas: 'The check of links was stopped.',
  rowsSavedAsPath: ({ rows, path }: { rows: number; path: Value }) =>
    plural(rows, { one: `{n} row saved as ${path}`, other: `{n} rows saved as ${path}` }),
  name: 'Name',
  created: 'Created',
  ended: 'Ended',
  file: 'File',
  batchesNewestFirst: 'Batches, newest first',
  comma: 'Comma (,)',
  semicolon: 'Semicolon (;)',
  pipe: 'Pipe (|)',
  finished: 'Finished',
  heldAfterARestore: 'Held after a restore',
  rowsToResolve: ({ unresolved }: { unresolved: number }) =>
    plural(unresolved, { one: '{n} row needs resolution.', other: '{n} rows need resolution.' }),
  rowsWaiting: ({ waiting }: { waiting: number }) =>
    plural(waiting, { one: '{n} row waiting.', other: '{n} rows waiting.' }),
  nothingIsSentUntilConfirmed: 'Nothing is sent until you confirm.',
  sharedWithTheTeamRows: 'Shared with the team. Whoever runs it sends the rows that nobody has sent.',
  nothingWasSentYet: 'Nothing was sent yet.',
  noMoreRowsAreSent: ({ open }: { open: number }) =>
    plural(open, {
      one: 'No more rows are sent. {n} row in progress is finishing.',
      other: 'No more rows are sent. {n} rows in progress are finishing.'
    }),
  endedOfRowsDone: ({ ended, toSend }: { ended: Value; toSend: number }) =>
    plural(toSend, { one: `${ended} of {n} row done.`, other: `${ended} of {n} rows done.` }),
  youCanResume: 'You can resume at any time.',
  nothingIsSentUntilResumed: 'Nothing is sent until you resume the batch.',
  rowsWereNeverSent: ({ cancelled }: { cancelled: number }) =>
    plural(cancelled, { one: '{n} row was never sent.', other: '{n} rows were never sent.' }),
  rowsDone: ({ ended }: { ended: number }) => plural(ended, { one: '{n} row done.', other: '{n} rows done.' }),
  batchNameState: ({ name, state }: { name: Value; state: Value }) => `Batch ${name}: ${state}.`,
  rateRowsS: ({ rate }: { rate: Value }) => `${rate} rows/s`,
  span: {
    s: ({ whole }: { whole: Value; rest: Value }) => `${whole} s`,
    min: ({ whole, rest }: { whole: Value; rest: Value }) => `${whole} min ${rest} s`,
    h: ({ whole, rest }: { whole: Value; rest: Value }) => `${whole} h ${rest} min`
  },
  rowsWithAnApostropheTo: ({ rows }: { rows: number }) =>
    plural(rows, { one: '{n} row with an apostrophe to review.', other: '{n} rows with an apostrophe to review.' }),
  templateSavedAsPath: ({ path }: { path: Value }) => `Template saved as ${path}`,
  batchesSelected: ({ size }: { size: number }) =>
    plural(size, { one: '{n} batch selected', other: '{n} batches selected' }),
  sentAs: ({ label }: { label: Value }) => `Sent as ${label}`,
  underOneSecond: 'Under 1 s',
  line: 'Line',
  message: 'Message',
  interpretation: 'Interpretation',
  decision: 'Decision',
  messages: 'Messages',
  stopping: 'Stopping',
  stopThisBatch: 'Stop this batch?',
  stopBatch: 'Stop batch',
  runAgain: 'Run again',
  rowsOfAnEarlier: 'Rows of an earlier batch',
  saveCountedUnsuccessfulRows: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Save {n} unsuccessful row', other: 'Save {n} unsuccessful rows' }),
  saveSomeUnsuccessfulRows: 'Save unsuccessful rows',
  noUnsuccessfulRows: 'No unsuccessful rows',
  sendInvalidResponsesAgain: ({ rows }: { rows: number }) =>
    plural(rows, {
      one: 'Send {n} row with an invalid response again',
      other: 'Send {n} rows with an invalid response again'
    }),
  sendNotSentAgain: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Send {n} row that was not sent', other: 'Send {n} rows that were not sent' }),
  sendAnswered3xxAgain: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Send {n} row answered 3xx again', other: 'Send {n} rows answered 3xx again' }),
  sendAnswered4xxAgain: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Send {n} row answered 4xx again', other: 'Send {n} rows answered 4xx again' }),
  sendAnswered5xxAgain: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Send {n} row answered 5xx again', other: 'Send {n} rows answered 5xx again' }),
  sendResolvedAgain: ({ rows }: { rows: number }) =>
    plural(rows, {
      one: 'Send {n} row resolved as to be sent again',
      other: 'Send {n} rows resolved as to be sent again'
    }),
  sendUnknownAgain: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Send {n} unknown row again…', other: 'Send {n} unknown rows again…' }),
  resolveRows: ({ rows }: { rows: number }) => plural(rows, { one: 'Resolve {n} row', other: 'Resolve {n} rows' }),
  resolveSelected: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Resolve {n} selected row', other: 'Resolve {n} selected rows' }),
  rowsHaveUnknownOutcome: ({ rows }: { rows: number }) =>
    plural(rows, { one: '{n} row has an unknown outcome.', other: '{n} rows have an unknown outcome.' }),
  itMayHaveBeenProcessed: 'It may have been processed. Veridesk does not send it again by itself.',
  eachMayHaveBeenSentSince: 'It was sent, or may have been sent, after the backup was made.',
  keepUnresolved: 'Not now',
  markAsSent: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Mark {n} row as sent', other: 'Mark {n} rows as sent' }),
  tickMessagesToFilter: 'Tick messages to filter the rows below',
  countedMessages: ({ messages }: { messages: number }) =>
    plural(messages, { one: '{n} message', other: '{n} messages' }),
  notFavourable: ({ rows }: { rows: number }) =>
    plural(rows, { one: '{n} not favourable', other: '{n} not favourable' }),
  messageChip: ({ chosen }: { chosen: Value }) => `Message: ${chosen}`,
  clearTheMessages: 'Clear the chosen messages',
  searchRows: 'Search rows',
  foundOfRows: ({ found, rows }: { found: Value; rows: Value }) => `${found} of ${rows}`,
  batchProgress: ({ name, percent, ended, rows }: { name: Value; percent: Value; ended: Value; rows: number }) =>
    plural(rows, {
      one: `Batch ${name}: ${percent} %. ${ended} of {n} row done.`,
      other: `Batch ${name}: ${percent} %. ${ended} of {n} rows done.`
    }),
  noRowNamesAnApplicant: 'None of these rows names an applicant: there is nobody to decide about.',
  decideThese: ({ rows }: { rows: number }) => plural(rows, { one: 'Decide this row', other: 'Decide these {n}' }),
  openInTheQueue: ({ rows }: { rows: number }) =>
    plural(rows, { one: 'Open this row in the queue', other: 'Open these {n} in the queue' }),
  noRowMatches: 'No row matches',
  clearTheFilters: 'Clear the filters',
  noRowHasThis: 'No row has what the search and the filters ask for.',
  all: 'All',
  duplicate: 'Duplicate',
  linesByKind: 'Lines by kind',
  linesOfTheFile: 'Lines of the file',
  invalidCell: ({ row, column, fault }: { row: Value; column: Value; fault: Value }) =>
    `Line ${row}, ${column}, invalid: ${fault}`,
  correctedCell: ({ row, column }: { row: Value; column: Value }) => `Line ${row}, ${column}, corrected by you`,
  cellNotShown: 'Not shown',
  noLineMatches: 'No line matches',
  noLineIsOfThese: 'No line is of the chosen kinds.',
  skipLine: 'Skip line',
  skippedLine: 'Skipped.',
  sameAsLine: ({ row }: { row: Value }) => `Same as line ${row}.`,
  sameAsEarlierLine: 'Same as an earlier line.',
  answeredRecently: 'Answered recently.',
  invalidLinesLeft: ({ rows }: { rows: number }) =>
    plural(rows, {
      one: '{n} invalid line left. You can go on without it: it is never sent and stays in the results file.',
      other: '{n} invalid lines left. You can go on without them: they are never sent and stay in the results file.'
    }),
  trim: 'Trim',
  useEscapedSpace: 'Use %20',
  addHttps: 'Add https://',
  cell: 'Cell',
  emptyCell: 'Empty',
  correctCell: ({ row, column }: { row: Value; column: Value }) => `Line ${row}, ${column}`,
  correctedByYou: 'Corrected by you.',
  undo: 'Undo',
  lineNumbersOfTheSpreadsheet: 'Line numbers are those of the spreadsheet. The file itself is not changed.',
  editKey: 'Edit',
  cancelKey: 'Cancel',
  nextError: 'Next error',
  replaceInColumn: 'Replace in column',
  replaceThis: 'Replace this text',
  replaceBy: 'With',
  onlyCellsWithErrors: 'Only in cells with an error.',
  keepTheCells: 'Keep the cells',
  replaceInCells: ({ cells }: { cells: number }) =>
    plural(cells, { one: 'Replace in {n} cell', other: 'Replace in {n} cells' }),
  columnProfile: 'Column profile',
  chosenByHand: 'By hand',
  theseHeadingsMatch: 'These headings match the profile {name}. Columns were chosen by it.',
  nameOfTheProfile: 'Name of the profile',
  saveAsProfile: 'Save as profile',
  profileSaved: ({ name }: { name: Value }) => `Column profile ${name} saved`
})
