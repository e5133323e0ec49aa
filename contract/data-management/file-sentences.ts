/** The data folder, and files that a user chose to read or write. */
import type { FailureRows } from '../failures/declaration.ts'
import { dataFileReasons, obstacleReasons } from '../failures/phrases.ts'

export const filesFailures = {
  'dropped-document': {
    what: '{file} is an image or a PDF. Documents are named by their link and are never uploaded.',
    impact: 'Nothing was stored or sent.',
    nextStep: 'Enter the link of the document in a verification.'
  },
  'dropped-folder': {
    what: '{file} is a folder, and not one of a backup.',
    impact: 'Nothing was stored or sent.',
    nextStep: 'Drop one file: a CSV file, an evidence pack, or a list of links or IDs.'
  },
  'dropped-several': {
    what: 'Several files were dropped at once: {count}.',
    impact: 'None of them was read.',
    nextStep: 'Drop one file at a time.'
  },
  'dropped-too-large': {
    what: '{file} is larger than {limitBytes}, the limit for dropped files of its kind.',
    impact: 'Nothing was stored or sent.',
    nextStep: 'Choose the file instead: a CSV file under “New batch”, an evidence pack under “Evidence”.'
  },
  'dropped-unknown': {
    what: '{file} cannot be used here: {reason}.',
    impact: 'Nothing was stored or sent.',
    nextStep: 'Drop a CSV file, an evidence pack, or a list of links or IDs.',
    reasons: {
      empty: 'it is empty',
      page: 'it is a web page or a drawing',
      packed: 'it is an Excel workbook or another compressed file; save a table as CSV',
      media: 'it is a video',
      other: 'its kind is not known'
    }
  },
  'data-folder-unusable': {
    what: 'The data folder {folder} cannot be used: {reason}.',
    impact: 'Nothing was sent or changed.',
    nextStep: 'Check this path and its permissions, or choose another folder with --data DIR. Then restart Veridesk.',
    reasons: {
      'not-a-folder': 'it is not a folder',
      'network': 'it is on another computer ({network}), where a lost connection would damage the history',
      'lock': 'it cannot be locked: {errno}',
      'not-absolute': 'it is no absolute path on this system',
      'ENOENT': 'it cannot be created there'
    }
  },
  'data-folder-managed': {
    what: 'The data folder is set by {organisation}.',
    impact: 'Nothing was sent or changed.',
    nextStep: 'Run the command without --data.'
  },
  'data-folder-synchronised': {
    what: 'The data folder {folder} is in a folder that {cloud} synchronises with other computers.',
    impact:
      'The history may be damaged if it is copied while it changes, and its files leave this computer, encrypted.',
    nextStep: 'Close Veridesk and move the folder to a place that is not synchronised, or exclude it there.'
  },
  'data-folder-narrowed': {
    what: 'Other users of this computer had access to the data folder. Folders affected: {folders}. Files affected: {files}.',
    impact: 'Only you have access now. These files never contained credentials, and the history is encrypted.',
    nextStep: 'Check the settings and connections if others could have changed them.'
  },
  'data-folder-open': {
    what: 'Other users of this computer have access to the folder {folder}, and Veridesk did not change its permissions: {reason}.',
    impact: 'Veridesk’s own files in it are accessible only to you.',
    nextStep: 'Use a separate folder for Veridesk.',
    reasons: {
      'shared': 'it is a shared folder',
      'other-files': 'it contains other files, such as {name}',
      'other-owner': 'it belongs to another user'
    }
  },
  'file-unwritable': {
    what: 'The file {file} could not be written: {reason}.',
    impact: 'An existing file is unchanged.',
    nextStep: 'Choose another location, or close the application that is using the file, then try again.',
    reasons: obstacleReasons
  },
  'file-not-writable': {
    what: 'The file {file} cannot be written: {reason}.',
    impact: 'Nothing was sent, changed or erased.',
    nextStep: 'Choose another location, then try again.',
    reasons: obstacleReasons
  },
  'output-lost': {
    what: 'Standard output could not be written: {reason}.',
    impact: 'The printed output is incomplete. The changes made by the command remain in effect.',
    nextStep: 'Redirect the output to another location before you run the command again.',
    reasons: { closed: 'it is closed', EPIPE: 'the reading program closed it' }
  },
  'data-file-damaged': {
    what: 'The file {file} could not be read: {reason}.',
    phrase: '{reason}',
    impact: 'The file was renamed to {kept}. Nothing was deleted.',
    nextStep: 'If you need its content, replace the file with a valid copy and restart Veridesk.',
    reasons: dataFileReasons
  },
  'data-file-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    phrase: 'it was written by a newer version of Veridesk',
    impact: 'The file is unchanged and is not overwritten.',
    nextStep: 'Update Veridesk.'
  },
  'data-file-unreadable': {
    what: 'The file {file} could not be read: {reason}.',
    phrase: '{reason}',
    impact: 'The file is unchanged and is not overwritten.',
    nextStep: 'Check its permissions and whether another application is using it, then restart Veridesk.',
    reasons: dataFileReasons
  },
  'file-unreadable': {
    what: 'The file {file} could not be read: {reason}.',
    impact: 'Nothing was changed.',
    nextStep: 'Check that the file exists and that you can read it, then choose it again.',
    reasons: { ENOENT: 'it does not exist' }
  },
  'program-file-unreadable': {
    what: 'The file {file}, a part of Veridesk, could not be read: {reason}.',
    impact: 'Nothing was saved. Your data is unchanged.',
    nextStep: 'Reinstall Veridesk, then try again.',
    reasons: { ENOENT: 'it does not exist' }
  },
  'export-stopped': {
    what: 'The export was cancelled.',
    impact: 'No file was written. An existing file is unchanged.',
    nextStep: 'You can start it again at any time.'
  }
} as const satisfies FailureRows
