/** Sentences of checking an applicant. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  checkAnApplicant: 'Check an applicant',
  severalOperationsForOnePerson: 'Several operations for one person, in one go. Each is a record of its own.',
  recipe: 'Recipe',
  ownChoice: 'Own choice',
  saveAsRecipe: 'Save as a recipe',
  recipeActions: 'Recipe actions',
  rename: 'Rename',
  deleteRecipe: 'Delete',
  shareWithTheTeam: 'Share with the team',
  stopSharing: 'Stop sharing',
  sharedWithTheTeam: 'Shared with the team',
  recipeOfMember: ({ name, member }: { name: Value; member: Value }) => `${name} (${member})`,
  nameOfTheRecipe: 'Name of the recipe',
  save: 'Save',
  cancel: 'Cancel',
  aRecipeWithThisName: 'A recipe has this name already. Choose another name.',
  operationsInOrder: 'Operations, sent in this order',
  ofAll: ({ ticked, all }: { ticked: Value; all: Value }) => `${ticked} of ${all}`,
  answerOf: ({ time }: { time: Value }) => `Answer of ${time}`,
  outcomeUnknown: 'Outcome unknown',
  wasAnsweredAt: ({ operation, time }: { operation: Value; time: Value }) =>
    `“${operation}” was answered at ${time} with the same input. That answer is used.`,
  sendItAgainInstead: 'Send it again instead',
  billableRequests: ({ requests }: { requests: number }) =>
    plural(requests, { one: '{n} billable request', other: '{n} billable requests' }),
  nothingIsSent: 'Nothing is sent: every answer is there already',
  withPrice: ({ requests, price }: { requests: Value; price: Value }) => `${requests}, ${price}.`,
  withoutPrice: ({ requests }: { requests: Value }) => `${requests}.`,
  stopsAtTheFirst: 'Stops at the first unknown outcome or refusal.',
  sendRequests: ({ requests }: { requests: number }) =>
    plural(requests, { one: 'Send {n} request', other: 'Send {n} requests' }),
  sendRequestsToLive: ({ requests }: { requests: number }) =>
    plural(requests, { one: 'Send {n} request to LIVE', other: 'Send {n} requests to LIVE' }),
  showTheAnswers: 'Show the answers',
  sendingOf: ({ at, all }: { at: Value; all: Value }) => `Sending ${at} of ${all}`,
  clear: 'Clear',
  confirmTitle: 'Send to LIVE?',
  eachCostsMoney:
    '{connection} is a live connection: each request costs money and processes a real person’s data. They are confirmed once, here.',
  chooseARecipe: 'Choose a recipe or tick operations.',
  theAnswersAppearHere: 'The answers appear here.',
  result: 'Result',
  answersInOrder: 'Answers, in the order sent',
  answered: ({ answered, all }: { answered: Value; all: Value }) => `${answered} of ${all} answered`,
  counted: ({ n, means }: { n: Value; means: Value }) => `${n} ${means}`,
  notSentCancelled: ({ notSent }: { notSent: number }) =>
    plural(notSent, { one: '{n} not sent: you cancelled the rest.', other: '{n} not sent: you cancelled the rest.' }),
  countNotSentUnknown: ({ notSent }: { notSent: number }) =>
    plural(notSent, {
      one: '{n} not sent: stopped after an unknown outcome.',
      other: '{n} not sent: stopped after an unknown outcome.'
    }),
  notSentUnknown: 'Not sent: stopped after an unknown outcome.',
  countNotSentRefused: ({ notSent }: { notSent: number }) =>
    plural(notSent, { one: '{n} not sent: stopped after a refusal.', other: '{n} not sent: stopped after a refusal.' }),
  notSentRefused: 'Not sent: stopped after a refusal.',
  countNotSentQuestion: ({ notSent }: { notSent: number }) =>
    plural(notSent, {
      one: '{n} not sent: stopped after a question that you have to answer.',
      other: '{n} not sent: stopped after a question that you have to answer.'
    }),
  notSentQuestion: 'Not sent: stopped after a question that you have to answer.',
  countNotSentFailed: ({ notSent }: { notSent: number }) =>
    plural(notSent, { one: '{n} not sent: stopped after a failure.', other: '{n} not sent: stopped after a failure.' }),
  notSentFailed: 'Not sent: stopped after a failure.',
  cancelTheRest: 'Cancel the rest',
  cancelling: 'The rest is cancelled. What is in progress ends.',
  openTheCase: 'Open the case',
  backToTheForm: 'Back to the form',
  waiting: 'Waiting',
  sending: 'Sending …',
  notSentYouCancelled: 'Not sent: you cancelled the rest.',
  heldUnknown: 'Not sent: the last request may already have been processed.',
  heldColleague: 'Not sent: a colleague recently made the same request.',
  heldLive: 'Not sent: the connection became LIVE. Send again to confirm.',
  heldCopyRequired: 'Not sent: no copy of a document can be kept, and the connection requires one of each.',
  heldCopy: 'Not sent: no copy of a document can be kept. Send this verification by itself to do without.',
  answerTheQuestion: 'Answer the question',
  record: 'Record',
  recordOf: ({ operation }: { operation: Value }) => `Record of ${operation}`,
  linkedInVerideskOnly: 'Operations without an applicant ID are linked to this applicant in Veridesk only.',
  operationAnswered: ({ operation, said }: { operation: Value; said: Value }) => `${operation} answered: ${said}`
})
