/** Erasure and days kept. */
import type { FailureRows } from './declaration.ts'

export const erasureFailures = {
  'erasure-held': {
    what: 'A legal hold forbids this.',
    safe: 'Nothing was erased.',
    todo: 'Lift the hold first, with its reason, if you may.'
  },
  'erasure-unconfirmed': {
    what: 'The applicant’s id was not typed as the confirmation.',
    safe: 'Nothing was erased.',
    todo: 'Type the id exactly: what is erased cannot be brought back.'
  },
  'erasure-open-check': {
    what: 'A check of this applicant is under way.',
    safe: 'Nothing was erased.',
    todo: 'Wait for its end, then try again.'
  },
  'erasure-copies': {
    what: 'Kept copies could not be rewritten now: {detail}.',
    safe: 'Nothing was erased.',
    todo: 'Check the folder of the data and its permissions, then try again.'
  },
  'erasure-unfinished': {
    what: 'The data is destroyed in the history, but not yet in every kept copy: {detail}.',
    safe: 'The erasure stands, with its event, and is finished at the next start.',
    todo: 'Fix the cause, then close Veridesk and start it again.'
  },
  'retention-changed': {
    what: 'What would go is no longer what you were shown.',
    safe: 'Nothing was erased.',
    todo: 'Look at the new list, then decide again.'
  }
} as const satisfies FailureRows
