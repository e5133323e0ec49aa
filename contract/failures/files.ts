/** The data folder, and files that a person chose, to read or to write. */
import type { FailureRows } from './declaration.ts'

export const filesFailures = {
  'data-folder-unusable': {
    what: 'The data folder {folder} cannot be used: {detail}.',
    safe: 'Nothing was sent or changed.',
    todo: 'Check what is at this path and its permissions, or name another folder with --data DIR; then start Veridesk again.'
  },
  'data-folder-narrowed': {
    what: 'Other users of this computer had access to the data folder: {detail}.',
    safe: 'Only you have access now. Credentials were never in these files, and the history is encrypted.',
    todo: 'Check the settings and connections if others could have changed them.'
  },
  'data-folder-open': {
    what: 'Other users of this computer have access to the folder {folder}, and its permissions were left as they are: {detail}.',
    safe: 'The files of Veridesk in it that belong to you are accessible to you alone.',
    todo: 'Give Veridesk a folder of its own.'
  },
  'file-unwritable': {
    what: 'The file {file} could not be written: {detail}.',
    safe: 'A file that was there before is as it was.',
    todo: 'Choose another place, or close the program that holds the file, then try again.'
  },
  'file-not-writable': {
    what: 'The file {file} cannot be written: {detail}.',
    safe: 'Nothing was sent, changed or erased.',
    todo: 'Name another place, then try again.'
  },
  'output-lost': {
    what: 'Standard output could not be written: {detail}.',
    safe: '{kept} What the command did stays done.',
    todo: 'Give the output another place before you run the command again.'
  },
  'data-file-damaged': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It was kept as {kept}; nothing was deleted.',
    todo: 'Put a good copy of the file back and start again if you need what it held.'
  },
  'data-file-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    safe: 'It is untouched, and nothing is saved over it.',
    todo: 'Update Veridesk.'
  },
  'data-file-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It is untouched, and nothing is saved over it.',
    todo: 'Check its permissions and whether another program holds it, then start Veridesk again.'
  },
  'file-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'Nothing was changed; the file is untouched.',
    todo: 'Check that it is there and may be read, then choose it again.'
  },
  'program-file-unreadable': {
    what: 'The file {file} of Veridesk itself could not be read: {detail}.',
    safe: 'Nothing was saved; your data is untouched.',
    todo: 'Install Veridesk again, then try again.'
  },
  'export-stopped': {
    what: 'The export was stopped.',
    safe: 'No file was written; one that was there before is as it was.',
    todo: 'Start it again whenever you like.'
  }
} as const satisfies FailureRows
