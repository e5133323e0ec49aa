/** Erasure and retention periods. */
import type { FailureRows } from '../failures/declaration.ts'

export const erasureFailures = {
  'erasure-held': {
    what: 'A legal hold prevents this.',
    impact: 'Nothing was erased.',
    nextStep: 'Lift the legal hold first and give a reason, if you are authorised to.'
  },
  'erasure-unconfirmed': {
    what: 'The applicant’s ID was not entered as confirmation.',
    impact: 'Nothing was erased.',
    nextStep: 'Enter the exact ID. Erased data cannot be restored.'
  },
  'erasure-open-check': {
    what: 'A verification of this applicant is in progress.',
    impact: 'Nothing was erased.',
    nextStep: 'Wait until it is complete, then try again.'
  },
  'erasure-copies': {
    what: 'Stored copies cannot be rewritten now: {reason}.',
    impact: 'Nothing was erased.',
    nextStep: 'Check the data folder and its permissions, then try again.',
    reasons: { 'backup-in-progress': 'a backup is being created' }
  },
  'erasure-unfinished': {
    what: 'The data was erased from the history, but not yet from every stored copy: {reason}.',
    impact: 'The erasure is recorded in the audit trail and is completed at the next start.',
    nextStep: 'Fix the cause, then restart Veridesk.'
  },
  'retention-changed': {
    what: 'The data to be deleted has changed since it was shown.',
    impact: 'Nothing was erased.',
    nextStep: 'Review the new list, then confirm again.'
  }
} as const satisfies FailureRows
