/** Sample data: a second Veridesk with a temporary folder of its own. */
import type { FailureRows } from '../failures/declaration.ts'

export const sampleFailures = {
  'sample-not-opened': {
    what: 'The sample data could not be opened: {reason}.',
    impact: 'Your own data was not touched, and nothing was sent.',
    nextStep: 'Start Veridesk once more with the option --sample, for example from a terminal.',
    reasons: {
      host: 'this Veridesk cannot start a second one',
      appimage: 'an AppImage cannot start itself a second time',
      ended: 'the second Veridesk ended with code {status}',
      ENOENT: 'its own application file was not found'
    }
  },
  'sample-open-already': {
    what: 'Sample data is already open in a window of its own.',
    impact: 'Nothing was changed.',
    nextStep: 'Use that window. To begin again, close it first.'
  },
  'sample-not-here': {
    what: 'This window does not show sample data.',
    impact: 'It stays open, and nothing was changed.',
    nextStep: 'Close it like any other window.'
  },
  'sample-practice-only': {
    what: 'Sample data works with the practice service only.',
    impact: 'No connection was added, and nothing was stored.',
    nextStep: 'Close this window, and add the connection in your own Veridesk.'
  },
  'sample-incomplete': {
    what: 'The sample data is incomplete: {reason}.',
    impact: 'Your own data is not affected. What was added can be used.',
    nextStep: 'Close this window and open sample data again.',
    reasons: {
      'held-back': 'a request was held back',
      'error': 'an internal error occurred'
    }
  }
} as const satisfies FailureRows
