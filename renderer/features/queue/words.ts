/** Sentences of queue. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  widthOfTheList: 'Width of the list',
  assignToMe: 'Assign to me',
  decideAllAs: ({ decision }: { decision: Value }) => `Decide many: ${decision}`,
  afterASample: 'After a sample',
  /** Other words by which people look for a command: they stand in no sentence. */
  search: { bulk: 'bulk mass all together many', change: 'label deadline assign tag' },
  queue: 'Queue',
  queueOfRows: ({ items }: { items: number }) => plural(items, { one: 'Queue, {n} row', other: 'Queue, {n} rows' }),
  searchIdsNamesMessages: 'Search IDs, names, messages, tags',
  state: 'State',
  name: 'Name',
  dueDate: 'Due date',
  due: 'Due',
  interpretation: 'Interpretation',
  message: 'Message',
  batch: 'Batch',
  connection: 'Connection',
  statusWithoutMessage: ({ status }: { status: Value }) => `HTTP ${status} without a message`,
  tag: 'Tag',
  operation: 'Operation',
  assignee: 'Assignee',
  sinceRemoveThisFilter: ({ since }: { since: Value }) => `${since}: remove this filter`,
  clearFilters: 'Clear filters',
  order: 'Order',
  unassigned: 'Unassigned',
  waitingSinceSpan: ({ span }: { span: Value }) => `Waiting since ${span}`,
  waitingSinceTimeOrLater: ({ time }: { time: Value }) => `Waiting since ${time} or later`,
  waitingSinceBeforeTime: ({ time }: { time: Value }) => `Waiting since before ${time}`,
  assign: 'Assign',
  dueDateOfSubject: 'Due date of {subject}',
  assigneeOfSubject: 'Assignee of {subject}',
  dueDateFieldOfSubject: ({ subject }: { subject: Value }) => `Due date of ${subject}`,
  theNameOfAColleague: 'The name of a colleague. It is stored in this history only and notifies nobody.',
  removeDate: 'Remove date',
  removeAssignment: 'Remove assignment',
  cancel: 'Cancel',
  save: 'Save',
  recordSeq: ({ seq }: { seq: Value }) => `Record ${seq}`,
  dueDateSet: 'Due date set',
  dueDateRemoved: 'Due date removed',
  assignedToValue: ({ value }: { value: Value }) => `Assigned to ${value}`,
  assignmentRemoved: 'Assignment removed',
  enterAName: 'Enter a name.',
  noResults: 'No results',
  noItemsMatchThisSearch: 'No items match this search and these filters.',
  waitingElapsedSinceIsotime: ({ elapsed, isoTime }: { elapsed: Value; isoTime: Value }) =>
    `Waiting ${elapsed}, since ${isoTime}`,
  interpretMessages: 'Interpret messages',
  export: 'Export',
  moreActions: 'More actions',
  allThatMatch: 'All that match the filter',
  reviewOneByOne: 'Review one by one',
  none: 'None',
  all: 'All',
  mine: 'Mine',
  views: 'Views',
  overdueCount: ({ overdue }: { overdue: Value }) => `${overdue} overdue`,
  theQueueIsEmpty: 'The queue is empty',
  nothingWaits: 'Nothing waits for a decision.',
  decidedToday: 'Decided today',
  decidedTodayByYou: ({ all }: { all: number }) =>
    plural(all, { one: 'You made {n} decision today.', other: 'You made {n} decisions today.' }),
  decidedTodayByColleagues: ({ all }: { all: number }) =>
    plural(all, { one: 'Colleagues made {n} decision today.', other: 'Colleagues made {n} decisions today.' }),
  decidedTodayOfAll: ({ own, all }: { own: number; all: Value }) =>
    plural(own, {
      one: `You made {n} of the ${all} decisions of today, colleagues the others.`,
      other: `You made {n} of the ${all} decisions of today, colleagues the others.`
    }),
  theNextDueDate: ({ applicants, date }: { applicants: number; date: Value }) =>
    plural(applicants, {
      one: `The next due date is ${date}: {n} applicant has it.`,
      other: `The next due date is ${date}: {n} applicants have it.`
    }),
  messageIs: ({ message }: { message: Value }) => `Message: ${message}`,
  checkAnApplicant: 'Check an applicant',
  newBatch: 'New batch',
  unknownOutcome: 'Unknown outcome',
  reviewDue: 'Review due',
  copyRows: 'Copy rows',
  applicantsOfTheSelectedItems: ({ exporting }: { exporting: number }) =>
    plural(exporting, { one: '{n} applicant of the selected items.', other: '{n} applicants of the selected items.' }),
  noSelectedItemHasAn: 'No selected item has an applicant.',
  rows: ({ items }: { items: number }) => plural(items, { one: '{n} row', other: '{n} rows' }),
  whoseItems: 'Whose items',
  thisInstallation: 'This installation',
  colleagues: 'Colleagues',
  claim: 'Claim',
  loadingTheQueue: 'Loading the queue',
  items: ({ total }: { total: number }) => plural(total, { one: '{n} item', other: '{n} items' }),
  counting: 'Counting',
  theApplicantIsNoLonger: 'The applicant is no longer in the history.',
  anUnknownOutcomeIsResolved: 'An unknown outcome is resolved, not decided.',
  nextRecordSeq: ({ seq }: { seq: Value }) => `Next: record ${seq}`,
  nextApplicantId: ({ id }: { id: Value }) => `Next: applicant ${id}`,
  nothingHasBeenDecidedSince: 'Nothing has been decided since the queue was opened.',
  claimed: 'Claimed',
  moreThanMaxmatchingapplicantsMatchNarrow: ({ maxMatchingApplicants }: { maxMatchingApplicants: Value }) =>
    `More than ${maxMatchingApplicants} match. Narrow the filters to select all.`,
  applicantId: 'Applicant ID',
  lastVerification: 'Last verification',
  tags: 'Tags',
  waiting: 'Waiting',
  inProgress: 'In progress',
  pendingDecision: 'Pending decision',
  escalated: 'Escalated',
  outdated: 'Outdated',
  overdue: 'Overdue',
  today: 'Today',
  later: 'Later',
  noDueDate: 'No due date',
  earliestDueDateFirst: 'Earliest due date first',
  latestDueDateFirst: 'Latest due date first',
  longestWaitingFirst: 'Longest waiting first',
  shortestWaitingFirst: 'Shortest waiting first',
  latestVerificationFirst: 'Latest verification first',
  earliestVerificationFirst: 'Earliest verification first',
  applicantAToZ: 'Applicant, A to Z',
  applicantZToA: 'Applicant, Z to A',
  minutesMin: ({ minutes }: { minutes: Value }) => `${minutes} min`,
  rowsSelected: ({ size }: { size: number }) => plural(size, { one: '{n} selected', other: '{n} selected' }),
  decideAll: 'Decide',
  decideApplicants: ({ size }: { size: number }) =>
    plural(size, { one: 'Decide {n} applicant', other: 'Decide {n} applicants' }),
  approveApplicants: ({ size }: { size: number }) =>
    plural(size, { one: 'Approve {n} applicant', other: 'Approve {n} applicants' }),
  declineApplicants: ({ size }: { size: number }) =>
    plural(size, { one: 'Decline {n} applicant', other: 'Decline {n} applicants' }),
  escalateApplicants: ({ size }: { size: number }) =>
    plural(size, { one: 'Escalate {n} applicant', other: 'Escalate {n} applicants' }),
  reviewThenApprove: ({ sample, size }: { sample: Value; size: Value }) => `Review ${sample}, then approve ${size}`,
  reviewThenDecline: ({ sample, size }: { sample: Value; size: Value }) => `Review ${sample}, then decline ${size}`,
  reviewThenEscalate: ({ sample, size }: { sample: Value; size: Value }) => `Review ${sample}, then escalate ${size}`,
  reviewAllOneByOne: ({ size }: { size: Value }) => `Review ${size}, one by one`,
  approveTheOthers: ({ rest }: { rest: number }) =>
    plural(rest, { one: 'Approve the other one', other: 'Approve the other {n}' }),
  declineTheOthers: ({ rest }: { rest: number }) =>
    plural(rest, { one: 'Decline the other one', other: 'Decline the other {n}' }),
  escalateTheOthers: ({ rest }: { rest: number }) =>
    plural(rest, { one: 'Escalate the other one', other: 'Escalate the other {n}' }),
  approvedApplicants: ({ decided }: { decided: number }) =>
    plural(decided, { one: '{n} applicant approved.', other: '{n} applicants approved.' }),
  declinedApplicants: ({ decided }: { decided: number }) =>
    plural(decided, { one: '{n} applicant declined.', other: '{n} applicants declined.' }),
  escalatedApplicants: ({ decided }: { decided: number }) =>
    plural(decided, { one: '{n} applicant escalated.', other: '{n} applicants escalated.' }),
  proposedApprovals: ({ decided }: { decided: number }) =>
    plural(decided, {
      one: '{n} approval proposed. A second person must countersign.',
      other: '{n} approvals proposed. A second person must countersign each.'
    }),
  proposedDeclines: ({ decided }: { decided: number }) =>
    plural(decided, {
      one: '{n} decline proposed. A second person must countersign.',
      other: '{n} declines proposed. A second person must countersign each.'
    }),
  approvedOfSample: ({ some, size }: { some: number; size: Value }) =>
    plural(some, { one: `{n} of ${size} was approved.`, other: `{n} of ${size} were approved.` }),
  declinedOfSample: ({ some, size }: { some: number; size: Value }) =>
    plural(some, { one: `{n} of ${size} was declined.`, other: `{n} of ${size} were declined.` }),
  escalatedOfSample: ({ some, size }: { some: number; size: Value }) =>
    plural(some, { one: `{n} of ${size} was escalated.`, other: `{n} of ${size} were escalated.` }),
  othersNotApproved: ({ rest }: { rest: number }) =>
    plural(rest, { one: 'The other one is not approved.', other: 'The other {n} are not approved.' }),
  othersNotDeclined: ({ rest }: { rest: number }) =>
    plural(rest, { one: 'The other one is not declined.', other: 'The other {n} are not declined.' }),
  othersNotEscalated: ({ rest }: { rest: number }) =>
    plural(rest, { one: 'The other one is not escalated.', other: 'The other {n} are not escalated.' }),
  allOfSampleReviewed: ({ size }: { size: Value }) => `${size} of ${size} reviewed.`,
  sampleAtOf: ({ at, size }: { at: Value; size: Value }) => `Sample ${at} of ${size}`,
  sampleOfManyDecisions: 'Sample',
  reviewAllOfThem: 'Review all',
  drawMore: ({ again }: { again: Value }) => `Draw ${again} more`,
  returnAllToTheQueue: 'Return all to the queue',
  restStaysInTheQueue: ({ rest }: { rest: number }) =>
    plural(rest, { one: '{n} applicant stays in the queue.', other: '{n} applicants stay in the queue.' }),
  openNextOfSample: 'Open the next one',
  done: 'Done',
  outMissing: ({ some }: { some: number }) =>
    plural(some, { one: '{n} no longer known', other: '{n} no longer known' }),
  outDecided: ({ some }: { some: number }) =>
    plural(some, { one: '{n} decided already', other: '{n} decided already' }),
  outProposed: ({ some }: { some: number }) =>
    plural(some, { one: '{n} that waits for a second person', other: '{n} that wait for a second person' }),
  outReturned: ({ some }: { some: number }) =>
    plural(some, { one: '{n} returned by a second person', other: '{n} returned by a second person' }),
  outChallenged: ({ some }: { some: number }) =>
    plural(some, { one: '{n} challenged by the applicant', other: '{n} challenged by the applicant' }),
  outNoEvidence: ({ some }: { some: number }) =>
    plural(some, { one: '{n} without evidence', other: '{n} without evidence' }),
  outHeld: ({ some }: { some: number }) =>
    plural(some, { one: '{n} under a legal hold', other: '{n} under a legal hold' }),
  outClaimed: ({ some }: { some: number }) =>
    plural(some, { one: '{n} taken by a colleague', other: '{n} taken by colleagues' }),
  outColleagueDecided: ({ some }: { some: number }) =>
    plural(some, { one: '{n} decided by a colleague', other: '{n} decided by colleagues' }),
  outUnresolved: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with an unresolved unknown outcome', other: '{n} with an unresolved unknown outcome' }),
  outTagged: ({ some, tag }: { some: number; tag: Value }) =>
    plural(some, { one: `{n} tagged ${tag}`, other: `{n} tagged ${tag}` }),
  outDiffers: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with a difference in the values', other: '{n} with a difference in the values' }),
  outChanged: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with newer evidence', other: '{n} with newer evidence' }),
  outUnfavourable: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with an unfavourable message', other: '{n} with an unfavourable message' }),
  outUnclear: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with an unclear message', other: '{n} with an unclear message' }),
  outUnreviewed: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with an unreviewed message', other: '{n} with an unreviewed message' }),
  outUnanswered: ({ some }: { some: number }) =>
    plural(some, {
      one: '{n} with a verification without an answer',
      other: '{n} with a verification without an answer'
    }),
  outExpired: ({ some }: { some: number }) =>
    plural(some, { one: '{n} with an expired date in the details', other: '{n} with an expired date in the details' }),
  haveANoteOfAColleague: ({ some }: { some: number }) =>
    plural(some, {
      one: '{n} has a note of a colleague.',
      other: '{n} have a note of a colleague.'
    }),
  notedSinceTheNewestAnswer: 'Noted since the newest answer',
  someAreLeftOut: ({ some, why }: { some: number; why: Value }) =>
    plural(some, { one: `{n} is left out: ${why}.`, other: `{n} are left out: ${why}.` }),
  showThem: 'Show them',
  hideThem: 'Hide them',
  messagesOfTheNewestAnswers: 'Messages of the newest answers',
  nobodyIsLeftToDecide: 'Nobody of the selection can be decided this way.',
  atMostApplicantsAtOnce: ({ most }: { most: Value }) =>
    `At most ${most} applicants can be decided in one step. Narrow the filters.`,
  reviewASampleFirst: 'Review a sample first',
  sampleShare: ({ share, sample }: { share: Value; sample: number }) =>
    plural(sample, {
      one: `${share} %, {n} applicant, drawn at random`,
      other: `${share} %, {n} applicants, drawn at random`
    }),
  sampleOfAtLeast: ({ share, least, sample }: { share: Value; least: Value; sample: number }) =>
    plural(sample, {
      one: `${share} %, at least ${least}: {n} applicant, drawn at random`,
      other: `${share} %, at least ${least}: {n} applicants, drawn at random`
    }),
  sampleIsEverybody: ({ share, least, sample }: { share: Value; least: Value; sample: number }) =>
    plural(sample, {
      one: `${share} %, at least ${least}: the only applicant`,
      other: `${share} %, at least ${least}: all {n} applicants`
    }),
  decidedAndNotInTheQueue: ({ decided, all }: { decided: number; all: Value }) =>
    plural(decided, {
      one: `{n} of ${all} is decided already and not in the queue.`,
      other: `{n} of ${all} are decided already and not in the queue.`
    }),
  showThemInApplicants: 'Show them in Applicants',
  mineOrUnassigned: ({ mine }: { mine: Value }) => `${mine} mine or unassigned`,
  theOthersWait: 'The others wait until every sample is reviewed.',
  allOfThemOneByOne: 'All of them, one by one',
  checklistIsAnsweredForEach:
    'The checklist of this decision has required items. They are answered for each applicant, so all are decided one by one.',
  noSampleNotAllowed: 'None (not allowed by your organisation)',
  reasonsAtLeastOne: 'Reasons <must>at least one</must>',
  noteIsRequired: 'Note <must>required</must>',
  noteIsOptional: 'Note <may>optional</may>',
  chooseAtLeastOneReason: 'Choose at least one reason.',
  enterANote: 'Enter a note that explains the decision.',
  eachApplicantGetsADecision: 'Each applicant gets a decision of their own. Nothing is sent to the provider.',
  decision: 'Decision',
  approve: 'Approve',
  decline: 'Decline',
  escalate: 'Escalate'
})
