/** Applicants, decisions, the catalogue and the audit trail. */
import type { FailureRows } from '../failures/declaration.ts'

export const applicantsFailures = {
  'applicant-missing': {
    what: 'No applicant in the history has this ID.',
    impact: 'Nothing was changed.',
    nextStep: 'Check the ID. The applicant may have been erased.'
  },
  'link-refused': {
    what: 'The record cannot be linked or unlinked: {reason}.',
    impact: 'Nothing was changed.',
    nextStep: 'Only records whose request named no applicant can be linked, each to one applicant.',
    reasons: {
      'names-applicant': 'its request named an applicant',
      'batch-names-applicant': 'its batch, or the applicant’s page that it was sent from, named an applicant',
      'linked': 'it is already linked to an applicant; unlink it first',
      'not-linked': 'it is not linked in Veridesk',
      'erased': 'its data was erased'
    }
  },
  'decision-invalid': {
    what: 'The decision is incomplete. {fields}',
    impact: 'No decision was recorded.',
    nextStep: 'Complete the marked fields.'
  },
  'relationship-ahead': {
    what: 'The relationship has a day that has not come.',
    impact: 'Nothing was changed.',
    nextStep: 'Enter today or an earlier day. What happens later is recorded once it has happened.'
  },
  'review-invalid': {
    what: 'The review is incomplete. {fields}',
    impact: 'No review was recorded.',
    nextStep: 'Complete the marked fields.'
  },
  'checklist-one-by-one': {
    what: 'These applicants cannot be decided together: the checklist has required items, which are answered for each applicant.',
    impact: 'No decision was recorded.',
    nextStep: 'Decide them one by one.'
  },
  'challenge-without-decision': {
    what: 'There is no decision about this applicant that could be challenged.',
    impact: 'No challenge was recorded.',
    nextStep: 'Add what the applicant says as a note.',
    guide: 'Explain a decision, and record a challenge'
  },
  'decision-outdated': {
    what: 'New evidence has arrived since this page was loaded.',
    impact: 'No decision was recorded.',
    nextStep: 'Review the new evidence, then decide.',
    guide: 'Decide a case'
  },
  'import-unreadable': {
    what: 'Line {line} cannot be read: a quotation mark is not closed, or the line is too long.',
    impact: 'Nothing was changed.',
    nextStep: 'Correct the line, then import the file again.'
  },
  'import-headings': {
    what: 'The first line of the file is not its headings.',
    impact: 'Nothing was changed.',
    nextStep: 'Begin with applicant_id and any of these, each once: {columns}.'
  },
  'risk-class-missing': {
    what: 'The settings have no risk class “{risk}”.',
    impact: 'Nothing was changed.',
    nextStep: 'Choose one of the classes in the settings, under “Decisions”.'
  },
  'sample-too-small': {
    what: 'The organisation requires a sample of at least {least} %.',
    impact: 'No decision was recorded.',
    nextStep: 'Choose a larger sample.'
  },
  'sample-open': {
    what: 'Applicants of the sample that are not decided the same way, or whose decision was returned or challenged: {count}.',
    impact: 'No further decision was recorded.',
    nextStep: 'Review all applicants, or draw another sample.'
  },
  'message-missing': {
    what: 'This message is not in the catalogue, or it was erased.',
    impact: 'Nothing was changed.',
    nextStep: 'Open the catalogue again to see its current state.'
  },
  'event-missing': {
    what: 'There is no event with this number. Events in the audit trail: {size}.',
    impact: 'Nothing was changed.',
    nextStep: 'Choose an event from the list.'
  }
} as const satisfies FailureRows
