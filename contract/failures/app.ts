/** What the window, the router and the core themselves can say. */
import type { FailureRows } from './declaration.ts'

export const appFailures = {
  'input-invalid': {
    what: 'Some fields cannot be sent as they are: {detail}.',
    safe: 'Nothing was sent.',
    todo: 'Correct the marked fields and send again.'
  },
  'answer-outdated': {
    what: 'Personal data was erased, or another history was opened, before this answer arrived.',
    safe: 'The answer was dropped. What was asked for may have been done.',
    todo: 'Open the page again to see what holds now.'
  },
  'request-refused': {
    what: 'The console’s core refused a request from its own window ({detail}).',
    safe: 'Nothing was sent or changed.',
    todo: 'Close the window and start Veridesk again. If it happens again, report it with the diagnosis page.'
  },
  'internal': {
    what: 'Veridesk met an error of its own ({detail}).',
    safe: 'What is in the history stays there.',
    todo: 'Look at the history before repeating the step, and report the error.'
  },
  'window-crashed': {
    what: 'The window ended unexpectedly and was loaded again.',
    safe: 'Checks under way went on without it, and the history holds how they ended.',
    todo: 'Look at the history before you run the last check again.'
  }
} as const satisfies FailureRows
