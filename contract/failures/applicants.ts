/** Applicants, decisions, the catalogue and the audit trail. */
import type { FailureRows } from './declaration.ts'

export const applicantsFailures = {
  'applicant-missing': {
    what: 'The history knows no applicant with exactly this id.',
    safe: 'Nothing was changed.',
    todo: 'Check the id; it may have been erased.'
  },
  'link-refused': {
    what: 'This check cannot be linked: {detail}.',
    safe: 'Nothing was changed.',
    todo: 'Only checks of which the service was told no applicant are linked by hand, each to one applicant.'
  },
  'decision-invalid': {
    what: 'The decision is not complete: {detail}.',
    safe: 'Nothing was decided.',
    todo: 'Complete the marked fields.'
  },
  'decision-outdated': {
    what: 'Newer evidence has arrived since this page was loaded.',
    safe: 'Nothing was decided.',
    todo: 'Look at what is new, then decide.'
  },
  'message-missing': {
    what: 'This message is not in the catalogue, or its wording was erased.',
    safe: 'Nothing was changed.',
    todo: 'Open the catalogue again to see its present state.'
  },
  'event-missing': {
    what: 'The audit trail has no such event: it has {size}.',
    safe: 'Nothing was changed.',
    todo: 'Choose an event of the list.'
  }
} as const satisfies FailureRows
