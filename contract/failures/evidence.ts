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
  'case-own-name': {
    what: 'You made this case or the decision in it: it bears your name, {name}, and four-eyes approval needs two people.',
    safe: 'Nothing was signed.',
    todo: 'Send the file to a second person, who opens it in Veridesk with an account of their own.'
  },
  'case-names-withheld': {
    what: 'This case does not say who made it or who made its decision, or your account has no name, so nobody could tell whether you are a second person.',
    safe: 'Nothing was signed.',
    todo: 'Ask its sender for a pack that discloses everything, and countersign that.'
  },
  'case-same-person': {
    what: 'This case was not countersigned by a second person: {detail}.',
    safe: 'Nothing was taken over.',
    todo: 'Have it countersigned by a colleague with an account of their own.'
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
