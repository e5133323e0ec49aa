/** Sentences of shell. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  checkAnApplicant: 'Check an applicant',
  askedOnceShownWithYourAccount: ({ account }: { account: Value }) =>
    `Asked once. Shown beside what you decide, with your account ${account}. Later under Settings, You.`,
  skipToTheContent: 'Skip to the content',
  menu: 'Menu',
  verideskCannotStart: 'Veridesk cannot start',
  dropOneFile: 'Drop one file',
  aCsvFileBeginsA:
    'A CSV file begins a batch, an evidence pack is verified, a trust file is shown, and a list of links or IDs fills the form. Nothing is sent.',
  newBatch: 'New batch',
  evidence: 'Evidence',
  byKeyboard:
    'By keyboard: <page>New batch</page> and <page>Choose a file</page>, <page>Evidence</page> and <page>Verify pack</page>, or paste into a form.',
  replaceTheRowsOfThe: 'Replace the rows of the new batch?',
  replaceRows: 'Replace rows',
  aBatchIsBeingCreated:
    'A batch is being created from {fileName}. Its rows are replaced by those of {name}. Nothing was sent.',
  thisBelongsToABackup:
    'This belongs to a backup. Put its folder into “backups” of the data folder, and restore it from the list.',
  thisLinkWasNotOpened:
    'A link was not opened: it does not name an applicant, a record or a batch. Nothing was changed. Ask its sender for another.',
  screenShareModeHidesNothing:
    'Screen-share mode hides nothing in files: whoever opens this one sees its personal data.',
  notices: 'Notices',
  dismissThisNotice: 'Dismiss this notice',
  personalData: 'PERSONAL DATA',
  extentPrintedByOperatorTime: '{extent} Printed by {operator}, {time}, Veridesk {version}.',
  printWithCtrlPOr:
    'Print with Ctrl P or the command “Print” in Veridesk, so that the audit trail notes what was printed.',
  keyboardShortcuts: 'Keyboard shortcuts',
  copyTheShownValue: 'Copy the shown value',
  value: 'Value',
  main: 'Main',
  records: 'Records',
  newVerification: 'New verification',
  administration: 'Administration',
  operations: 'Operations',
  keysAndEvidence: 'Keys and evidence',
  labelAndAbout: ({ label, about }: { label: Value; about: Value }) => `${label}, ${about}`,
  ninetyNineOrMore: '99+',
  runningShare: ({ share }: { share: Value }) => `Running, ${share} %`,
  mineAndUnassigned: ({ mine }: { mine: number }) =>
    plural(mine, { one: '{n} item of yours or unassigned', other: '{n} items of yours or unassigned' }),
  mineUnassignedAndOverdue: ({ mine, overdue }: { mine: number; overdue: Value }) =>
    plural(mine, {
      one: `{n} item of yours or unassigned; ${overdue} overdue in the queue`,
      other: `{n} items of yours or unassigned; ${overdue} overdue in the queue`
    }),
  unreviewedMessages: ({ unreviewed }: { unreviewed: number }) =>
    plural(unreviewed, { one: '{n} unreviewed message', other: '{n} unreviewed messages' }),
  commandIndex: ({ commandKey, index }: { commandKey: Value; index: Value }) => `${commandKey} ${index}`,
  onThisComputer: 'On this computer',
  lock: 'Lock',
  shortcutKeys: 'Shortcut keys',
  sideBarWithWords: 'Side bar with words',
  sideBarWithIconsOnly: 'Side bar with icons only',
  yourNameInDecisions: 'Your name in decisions',
  connectionAndTools: 'Connection and tools',
  personalDataHidden: 'Personal data hidden',
  hidePersonalData: 'Hide personal data (screen-share mode)',
  showPersonalDataAgain: 'Show personal data again',
  titleDataHidden: ({ title }: { title: Value }) => `(data hidden) ${title}`,
  lockedVeridesk: ({ product }: { product: Value }) => `Locked – ${product}`,
  unlockedTitle: ({ title }: { title: Value }) => `Unlocked. ${title}`,
  veridesk: 'Veridesk',
  gettingStarted: 'Getting started',
  overview: 'Overview',
  history: 'History',
  unknownOutcomesToResolve: ({ unresolved }: { unresolved: number }) =>
    plural(unresolved, { one: '{n} unknown outcome to resolve', other: '{n} unknown outcomes to resolve' }),
  batches: 'Batches',
  applicants: 'Applicants',
  queue: 'Queue',
  team: 'Team',
  requestsForApproval: ({ waiting }: { waiting: number }) =>
    plural(waiting, { one: '{n} request for approval', other: '{n} requests for approval' }),
  catalogue: 'Catalogue',
  auditTrail: 'Audit trail',
  dataManagement: 'Data management',
  connections: 'Connections',
  settings: 'Settings',
  help: 'Help',
  status: 'Status',
  openingTheHistory: 'Opening the history',
  historyNotOpen: 'History not open',
  diskFullReadOnly: 'Disk full: read-only',
  historyForThisSessionOnly: 'History for this session only',
  message: 'Message',
  undo: 'Undo',
  closeThisMessage: 'Close this message',
  currentConnection: 'Current connection',
  addAConnection: 'Add a connection',
  screenShareModeIsOn: 'Screen-share mode is on. Personal data is hidden.',
  screenShareModeIsOff: 'Screen-share mode is off. Personal data is shown.',
  replacePressUndokeysToUndo: ({ replace, undoKeys }: { replace: Value; undoKeys: Value }) =>
    `${replace}. Press ${undoKeys} to undo.`,
  copiedWhat: ({ what }: { what: Value }) => `Copied: ${what}`,
  personalDataWasErasedForms: 'Personal data was erased. Forms, results and drafts in this window were cleared.',
  anotherHistoryIsOpenForms: 'Another history is open. Forms, results and drafts in this window were cleared.',
  goTo: 'Go to',
  networkDiagnosis: 'Network diagnosis',
  about: 'About',
  print: 'Print',
  lockVeridesk: 'Lock Veridesk',
  inProgress: 'In progress',
  noConnection: 'No connection',
  theServicesMessageMessage: ({ message }: { message: Value }) => `The service’s message: ${message}`,
  challengeOfTheDecision: 'Challenge of the decision',
  decidedChallenged: ({ decidedLabels, operator }: { decidedLabels: Value; operator: Value }) =>
    `${decidedLabels} (outdated: the applicant challenged it), ${operator}`,
  decidedlabelsOutdatedNewerEvidenceHas: ({ decidedLabels, operator }: { decidedLabels: Value; operator: Value }) =>
    `${decidedLabels} (outdated: newer evidence has arrived), ${operator}`,
  outcome: 'Outcome',
  erased: 'Erased',
  thePersonalDataOfThis: 'The personal data of this record was permanently erased.',
  theServicesMessage: 'The service’s message',
  whatWentWrong: 'What went wrong',
  resolution: 'Resolution',
  connection: 'Connection',
  applicant: 'Applicant',
  idLinkedInVerideskOnly: ({ id }: { id: Value }) => `${id} (linked in Veridesk only)`,
  started: 'Started',
  duration: 'Duration',
  operator: 'Operator',
  record: 'Record',
  response: 'Response',
  sliceCutHereTheFirst: ({ slice, longestBody, body }: { slice: Value; longestBody: Value; body: Value }) => `${slice}
(cut here: the first ${longestBody} of ${body} characters)`,
  recordSeqTitle: ({ seq, title }: { seq: Value; title: Value }) => `Record ${seq}: ${title}`,
  oneRecordComplete: 'One record, complete.',
  content: 'Content',
  yourOrganisationsInterpretationReadinglabels: ({ readingLabels }: { readingLabels: Value }) =>
    `Your organisation’s interpretation: ${readingLabels}`,
  notEvidenceNo: ({ no }: { no: Value }) => `Not evidence: ${no}`,
  titleVerideskOnly: ({ title }: { title: Value }) => `${title} (Veridesk only)`,
  yourOrganisationsDecision: 'Your organisation’s decision',
  evidencePack: 'Evidence pack',
  note: 'Note',
  tags: 'Tags',
  allTagsRemoved: 'All tags removed',
  dueDate: 'Due date',
  removed: 'Removed',
  assignee: 'Assignee',
  recordLinkedInVerideskOnly: 'Record linked in Veridesk only',
  linkRemoved: 'Link removed',
  state: 'State',
  reviewIs: ({ outcome }: { outcome: Value }) => `Review: ${outcome}`,
  documentExpires: ({ document, date }: { document: Value; date: Value }) => `${document} expires ${date}`,
  riskClass: 'Risk class',
  riskIs: ({ risk }: { risk: Value }) => `Risk class: ${risk}`,
  relationship: 'Relationship',
  relationshipIs: ({ relationship }: { relationship: Value }) => `Relationship: ${relationship}`,
  dueOn: ({ date }: { date: Value }) => `Due ${date}`,
  tagsTags: ({ tags }: { tags: Value }) => `Tags: ${tags}`,
  currentDecision: 'Current decision',
  earlierTimeField: ({ time, field }: { time: Value; field: Value }) => `Earlier, ${time}: ${field}`,
  newestDetailsName: ({ name }: { name: Value }) => `Newest details: ${name}`,
  notInTheNewestAnswer: 'Not in the newest answer',
  applicantId: ({ id }: { id: Value }) => `Applicant ${id}`,
  theNewestEntriesOfThe: ({ entries }: { entries: number }) =>
    plural(entries, {
      one: 'The newest {n} entry of the timeline; older ones are not on paper.',
      other: 'The newest {n} entries of the timeline; older ones are not on paper.'
    }),
  entriesOfTheTimelineAll: ({ entries }: { entries: number }) =>
    plural(entries, {
      one: '{n} entry of the timeline, all of them.',
      other: '{n} entries of the timeline, all of them.'
    }),
  time: 'Time',
  what: 'What',
  byOrConnection: 'By or connection',
  theFirstMatchingItems: ({ items, total }: { items: Value; total: number }) =>
    plural(total, {
      one: `The first ${items} of {n} item that matches the filters.`,
      other: `The first ${items} of {n} items that match the filters.`
    }),
  theFirstItems: ({ items, total }: { items: Value; total: number }) =>
    plural(total, { one: `The first ${items} of {n} item.`, other: `The first ${items} of {n} items.` }),
  itemsAllOfThemThat: ({ total }: { total: number }) =>
    plural(total, {
      one: '{n} item, all of them that match the filters.',
      other: '{n} items, all of them that match the filters.'
    }),
  itemsAllOfThem: ({ total }: { total: number }) =>
    plural(total, { one: '{n} item, all of them.', other: '{n} items, all of them.' }),
  applicantOrRecord: 'Applicant or record',
  lastVerification: 'Last verification',
  waitingSince: 'Waiting since',
  due: 'Due',
  assigneeAndTags: 'Assignee and tags',
  recordSeq: ({ seq }: { seq: Value }) => `Record ${seq}`,
  nothingIsPrintedInScreen:
    'Nothing is printed in screen-share mode, because paper and its preview show personal data. Switch the mode off first.',
  nothingToPrintOnThis: 'Nothing to print on this page. Open a record, an applicant, the queue or the overview.',
  verideskSampleData: 'Veridesk (sample data)',
  batch: 'Batch',
  page: 'Page',

  commandPalette: 'Command palette',
  whatToDo: 'Go to a page, an applicant, a record or a setting, or do something',
  leaveTheContext: ({ context }: { context: Value }) => `Search everything, not only ${context}`,
  contextIs: ({ kind, title }: { kind: Value; title: Value }) => `${kind}: ${title}`,
  /** By the kinds of contexts. */
  contextKinds: { case: 'This case', selection: 'This selection', batch: 'This batch', record: 'This record' }
})
