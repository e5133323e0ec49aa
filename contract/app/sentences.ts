/** Failures of the window, the router and core themselves. */
import type { FailureRows } from '../failures/declaration.ts'

export const appFailures = {
  'input-invalid': {
    what: 'Some fields are invalid.',
    impact: 'Nothing was sent.',
    nextStep: 'Correct the marked fields and try again.'
  },
  'text-holds-credential': {
    what: '{reason} contains a credential, or something that looks like one.',
    impact: 'Nothing was sent or stored.',
    nextStep: 'Remove it and try again. If others may have seen it, replace it at the provider.',
    reasons: {
      'text': 'The text',
      'name': 'The name of the batch',
      'file-name': 'The name of the file',
      'heading': 'A heading of the file',
      'row': 'Line {row}, column “{column}”'
    }
  },
  'answer-outdated': {
    what: 'Personal data was erased, or another history was opened, before this response arrived.',
    impact: 'The response was discarded. The requested change may have been made.',
    nextStep: 'Open the page again to see the current state.'
  },
  'request-refused': {
    what: 'Veridesk rejected a request from its own window ({reason}).',
    impact: 'Nothing was sent or changed.',
    nextStep: 'Restart Veridesk. If this happens again, report it with the diagnostics page.',
    reasons: {
      'not-from-window': 'it did not come from the window',
      'too-many-parts': 'it has too many parts',
      'in-progress': 'this verification is already in progress',
      'unknown-channel': 'unknown channel',
      'too-large': 'it is too large',
      'not-plain-data': '{channel}: it is not plain data',
      'forbidden-key': '{channel}: it contains a forbidden key',
      'channel-too-large': '{channel}: it is too large',
      'invalid': '{channel}: it is invalid'
    }
  },
  'internal': {
    what: 'Veridesk encountered an internal error ({reason}).',
    impact: 'The history is unaffected.',
    nextStep: 'Check the history before you repeat the step, and report the error.',
    reasons: {
      'error': '{error}',
      'method': '{method}: {error}',
      'worker-ended': 'a background process ended: {ending}',
      'no-answer': 'no response from the core',
      'router': 'the request could not be handled',
      'ended-twice': 'a record was completed twice',
      'write-unanswered': 'a write was not confirmed',
      'open-already': 'the history is already open',
      'row-not-waiting': 'a row was started that was not waiting',
      'rows-unreadable': 'the rows could not be read',
      'not-held': 'a restored copy could not be locked',
      'scheduled-backup': 'during a scheduled backup',
      'no-route': 'a route without any hop'
    }
  },
  'window-crashed': {
    what: 'The window closed unexpectedly and was reloaded.',
    impact: 'Verifications in progress continued, and the history contains their outcomes.',
    nextStep: 'Check the history before you run the last verification again.'
  }
} as const satisfies FailureRows

/** Sample data: a second Veridesk with a temporary folder of its own. */
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
