/** Evidence packs and case files. */
import type { FailureRows } from './declaration.ts'

export const evidenceFailures = {
  'evidence-nothing': {
    what: 'There is no evidence for this: {detail}.',
    safe: 'No file was written.',
    todo: 'Check what you chose; it may have been erased.'
  },
  'evidence-refused': {
    what: 'This file proves nothing: {detail}.',
    safe: 'Nothing was signed or taken over.',
    todo: 'Ask whoever sent it for the file as it was made.'
  },
  'case-gone': {
    what: 'This case is no longer open.',
    safe: 'Nothing was signed.',
    todo: 'Open the file again.'
  },
  'case-own-key': {
    what: 'The pack was made by this installation, so its countersignature would be the same pair of eyes.',
    safe: 'Nothing was signed.',
    todo: 'Send the file to a second person, who opens it in their own Veridesk.'
  },
  'case-not-ours': {
    what: 'This case was not made by this installation: {detail}.',
    safe: 'Nothing was taken over.',
    todo: 'Import it where its evidence is.'
  },
  'case-known': {
    what: 'Every countersignature of this case was taken over before.',
    safe: 'Nothing was added, and nothing was lost.',
    todo: 'There is nothing to do. If a new one was expected, ask for the file that was saved after it.'
  }
} as const satisfies FailureRows
