/** Sentences of applicants. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  applicants: 'Applicants',
  someOfApplicants: ({ some, all }: { some: Value; all: number }) =>
    plural(all, { one: `${some} of {n} applicant`, other: `${some} of {n} applicants` }),
  export: 'Export',
  searchIdsNamesDatesTags: 'Search IDs, names, dates of birth, tags',
  checkAnApplicant: 'Check an applicant',
  tag: 'Tag',
  clearFilters: 'Clear filters',
  loadingTheApplicants: 'Loading the applicants',
  applicantsThatLookAlike: 'Applicants that look alike',
  theseIdsDifferByMore:
    'The IDs differ by accents, capitals, width, spaces or characters that are not visible. Each has its own records and decisions.',
  thisApplicant: 'This applicant',
  noResults: 'No results',
  noApplicantsMatchThisSearch: 'No applicants match this search and these filters.',
  noApplicantsYet: 'No applicants yet',
  anApplicantAppearsHereWith:
    'An applicant appears here with the first record that has an applicant ID, or when you link a record.',
  copyRows: 'Copy rows',
  exportSelection: 'Export selection',
  selectedApplicants: ({ ids }: { ids: number }) =>
    plural(ids, { one: '{n} selected applicant.', other: '{n} selected applicants.' }),
  allApplicantsInTheHistory: 'All applicants in the history, regardless of the search here.',
  state: 'State',
  name: 'Name',
  dateOfBirth: 'Date of birth',
  country: 'Country',
  assignee: 'Assignee',
  connection: 'Connection',
  unassigned: 'Unassigned',
  removedConnection: 'Removed connection',
  views: 'Views',
  all: 'All',
  pending: 'Pending',
  ofOneBatch: 'Of one batch',
  ofOneBatchRemove: 'Of one batch: remove this filter',
  noDetails: 'No details',
  noDetailsYet: 'No details yet',
  noNameInTheDetails: 'No name in the details',
  getDetails: 'Get details',
  whichValuesAreTheName: 'Which values are the name',
  fieldsOfTheDetailsAnswer:
    'Fields of the answer to “Get applicant details”, separated by commas, such as given_name, family_name or address.country. Fields of a name are joined. Empty fields are guessed.',
  guessed: 'Guessed',
  tags: 'Tags',
  dueOn: ({ date }: { date: Value }) => `Due ${date}`,
  changeApplicants: ({ ids }: { ids: number }) =>
    plural(ids, { one: 'Change {n} applicant', other: 'Change {n} applicants' }),
  addTag: 'Add tag',
  removeTag: 'Remove tag',
  dueDate: 'Due date',
  removeTheDueDate: 'Remove the due date',
  whatIsLeftEmptyStays:
    'What is left empty stays as it is. Each applicant gets an event of its own in the audit trail.',
  changeOfApplicants: 'Change of applicants',
  stop: 'Stop',
  cancel: 'Cancel',
  applicantsChanged: ({ changed }: { changed: number }) =>
    plural(changed, { one: '{n} applicant changed', other: '{n} applicants changed' }),
  sameAlreadySo: ({ same }: { same: Value }) => `${same} already so`,
  fullNotChangedAtMost: ({ full, maxTags }: { full: Value; maxTags: Value }) =>
    `${full} not changed: at most ${maxTags} tags`,
  stoppedBeforeOthers: ({ ids }: { ids: number }) =>
    plural(ids, { one: 'Stopped before {n} other', other: 'Stopped before {n} others' }),
  decisionsDifferActOnThe: 'Decisions differ. Act on the strictest one; a new decision replaces all of them.',
  replacedByTheDecisionOf: 'Replaced by the decision of a colleague:',
  colleaguesDecisions: 'Colleagues’ decisions',
  decidedlabelsByMemberTime: '{decidedLabels} by {member}, {time}',
  basedOnRecords: ({ records }: { records: number }) =>
    plural(records, { one: 'Based on {n} record.', other: 'Based on {n} records.' }),
  readinglabelsVersionVersion: ({ readingLabels, version }: { readingLabels: Value; version: Value }) =>
    `${readingLabels}, version ${version}`,
  interpretationsAre: ({ used, means }: { used: number; means: Value }) =>
    plural(used, { one: `{n} interpretation: ${means}.`, other: `{n} interpretations: ${means}.` }),
  meaningTimes: ({ meaning, times }: { meaning: Value; times: Value }) => `${meaning} ${times}`,
  linkToAnApplicant: 'Link to an applicant',
  theRecordAppearsOnThis: 'The record appears on this applicant’s timeline in Veridesk only. Not sent to provider.',
  applicantId: 'Applicant ID',
  linkRecord: 'Link record',
  knownApplicantWithRecords: ({ checks }: { checks: number }) =>
    plural(checks, { one: 'Known applicant with {n} record.', other: 'Known applicant with {n} records.' }),
  newApplicantNoRecordHas: 'New applicant: no record has this ID yet.',
  openTheCase: 'Open the case',
  linkedInVerideskOnlyNot: 'Linked in Veridesk only. Not sent to provider.',
  records: 'Records',
  due: 'Due',
  lastActivity: 'Last activity',
  applicantsLatestActivityFirst: 'Applicants, latest activity first',
  approved: 'Approved',
  declined: 'Declined',
  escalated: 'Escalated',
  approve: 'Approve',
  decline: 'Decline',
  escalate: 'Escalate',
  approvalRequestedInTheTeam: 'Approval requested in the team',
  requestForApprovalAnsweredAgrees: 'Request for approval answered: agrees',
  requestForApprovalAnsweredDoes: 'Request for approval answered: does not agree',
  answerToTheRequestFor: 'Answer to the request for approval: agrees',
  answerToTheRequestForApproval: 'Answer to the request for approval: does not agree',
  overdueSinceDay: ({ day }: { day: Value }) => `Overdue since ${day}`,
  dueToday: 'Due today',
  differentDocuments: ({ other }: { other: number }) =>
    plural(other, { one: 'Different document', other: '{n} different documents' }),
  statusNow: ({ now }: { now: Value }) => `No status, now ${now}`,
  statusBefore: ({ before }: { before: Value }) => `Status ${before}, now none`,
  statusBeforeNow: ({ before, now }: { before: Value; now: Value }) => `Status ${before}, now ${now}`,
  differentMessage: 'Different message',
  rowsSelected: ({ size }: { size: number }) =>
    plural(size, { one: '{n} applicant selected', other: '{n} applicants selected' }),
  daysOverdue: ({ days }: { days: Value }) => `${days} d overdue`,
  today: 'Today',
  tomorrow: 'Tomorrow',
  assignApplicants: ({ ids }: { ids: number }) =>
    plural(ids, { one: 'Assign {n} applicant', other: 'Assign {n} applicants' }),
  dueDateOfApplicants: ({ ids }: { ids: number }) =>
    plural(ids, { one: 'Due date of {n} applicant', other: 'Due date of {n} applicants' }),
  tagsOfApplicants: ({ ids }: { ids: number }) =>
    plural(ids, { one: 'Tags of {n} applicant', other: 'Tags of {n} applicants' }),
  removeTheAssignment: 'Remove the assignment',
  assign: 'Assign'
})
