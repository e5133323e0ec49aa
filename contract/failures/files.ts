/** Files that a person chose, to read or to write. */
import type { FailureRows } from './declaration.ts'

export const filesFailures = {
  'file-unwritable': {
    what: 'The file {file} could not be written: {detail}.',
    safe: 'A file that was there before is as it was.',
    todo: 'Choose another place, or close the program that holds the file, then try again.'
  },
  'file-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'Nothing was changed; the file is untouched.',
    todo: 'Check that it is there and may be read, then choose it again.'
  },
  'export-stopped': {
    what: 'The export was stopped.',
    safe: 'No file was written; one that was there before is as it was.',
    todo: 'Start it again whenever you like.'
  }
} as const satisfies FailureRows
