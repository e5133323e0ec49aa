/** Files of rows, and batches. */
import type { FailureRows } from '../failures/declaration.ts'
import { obstacleReasons } from '../failures/phrases.ts'

const nothingYet = 'Nothing was sent or stored.'
const untilConfirmed = 'Nothing is sent until you confirm.'
const rowsWait = 'Every row that was sent has an outcome; the others wait.'

export const batchesFailures = {
  'batch-file-unreadable': {
    what: 'The file {file} could not be read: {reason}.',
    impact: nothingYet,
    nextStep: 'Check that the file exists and that you can read it, then choose it again.',
    reasons: { ENOENT: 'it does not exist' }
  },
  'batch-file-not-text': {
    what: 'The file is not a text file: {reason}.',
    impact: nothingYet,
    nextStep: 'Save it as CSV in the application that created it (in Excel: “CSV UTF-8”), then choose that file.',
    reasons: {
      'packed': 'it is a compressed file',
      'old-excel': 'it seems to be an old Excel workbook',
      'pdf': 'it is a PDF',
      'gzip': 'it is compressed with gzip',
      'image': 'it is an image',
      'zeros': 'it consists mostly of zero bytes'
    }
  },
  'batch-workbook-refused': {
    what: 'This workbook cannot be read: {reason}.',
    impact: nothingYet,
    nextStep:
      'Save it in Excel as an “Excel Workbook (.xlsx)” without a password, or as “CSV UTF-8”, then choose that file.',
    guide: 'Batches',
    reasons: {
      'encrypted': 'it is protected by a password',
      'old-excel': 'it is in the old format of Excel 97 to 2003 (.xls), or another old Office document',
      'binary': 'it is a binary workbook (.xlsb)',
      'open-document': 'it is an OpenDocument spreadsheet (.ods)',
      'not-a-workbook': 'it is an archive or a document without sheets',
      'damaged': 'it is damaged, or does not follow the standard',
      'no-sheet': 'it has no sheet with cells',
      'entities': 'it declares a document type, which no workbook needs and which can hide an attack',
      'order': 'its rows or cells are not in order, so that their places are not certain',
      'many-parts': 'it has more than 2,000 parts',
      'large-sheet': 'a sheet is larger than 1 GiB',
      'large-texts': 'its texts are larger than 64 MiB',
      'large-part': 'one of its parts is larger than 64 MiB',
      'large-cell': 'a cell has more than 131,072 characters',
      'bomb': 'it unpacks to more than 200 times its size, as files do that are made to exhaust memory'
    }
  },
  'batch-workbook-ended': {
    what: 'The process that reads the workbook ended before the last line, probably because the computer has too little free memory.',
    impact: nothingYet,
    nextStep:
      'Close other applications, then choose the file again. If it happens again, save the sheet in Excel as “CSV UTF-8”, then choose that file.'
  },
  'batch-sheet-missing': {
    what: 'The workbook has no sheet “{sheet}”.',
    impact: nothingYet,
    nextStep: 'Choose one of its sheets: {sheets}.'
  },
  'batch-file-encoding': {
    what: 'Line {line} of the file contains {value}, which is not valid {encoding}.',
    impact: 'Nothing was sent or stored, and no character was replaced.',
    nextStep:
      'Choose the encoding in which the file was saved, or save it again as UTF-8 (in Excel: “CSV UTF-8”), then choose it again.',
    guide: 'Batches'
  },
  'batch-encoding-unchosen': {
    what: 'The encoding of the file is not certain: {encodings}.',
    impact: nothingYet,
    nextStep: 'Choose the one in which the names are right.',
    guide: 'Batches'
  },
  'batch-file-empty': {
    what: 'The file is empty.',
    impact: nothingYet,
    nextStep: 'Choose a file with a line of headings and one line for each verification. The template shows an example.'
  },
  'batch-file-headings-only': {
    what: 'The file contains headings, but no rows.',
    impact: nothingYet,
    nextStep: 'Add one line for each verification. If the file has more lines, check the delimiter.'
  },
  'batch-profile-missing': {
    what: 'There is no column profile “{name}”.',
    impact: nothingYet,
    nextStep: 'Choose another one, or save one for this file.'
  },
  'batch-heading-row': {
    what: 'Line {line} cannot be the line of the headings: it is empty, not in the file, or too far from its beginning.',
    impact: nothingYet,
    nextStep: 'Choose another line.'
  },
  'batch-heading-twice': {
    what: 'Columns {first} and {second} have the same heading, “{heading}”.',
    impact: nothingYet,
    nextStep: 'Rename or remove one of the columns.'
  },
  'batch-too-many-columns': {
    what: 'The first line has more than {limit} columns.',
    impact: nothingYet,
    nextStep: 'Check the delimiter, or remove columns that you do not need.'
  },
  'batch-too-many-rows': {
    what: 'The file has more than {limit} rows.',
    impact: nothingYet,
    nextStep: 'Split it into several files. Each becomes a separate batch.'
  },
  'batch-quote-open': {
    what: 'The quote that opens a cell in the row of line {line} is never closed.',
    impact: nothingYet,
    nextStep: 'Correct that line (write a quote inside a cell twice), then choose the file again.'
  },
  'batch-row-too-large': {
    what: 'The row of line {line} is larger than {limitBytes}, or a quote before it is never closed.',
    impact: nothingYet,
    nextStep: 'Correct that row, then choose the file again.'
  },
  'batch-text-too-large': {
    what: 'The pasted or dropped text is larger than {limitBytes}.',
    impact: nothingYet,
    nextStep: 'Save it as a file and choose the file. The size of files is not limited.'
  },
  'batch-check-gone': {
    what: 'The validated file is no longer available.',
    impact: nothingYet,
    nextStep: 'Choose the file again.'
  },
  'batch-mapping-invalid': {
    what: 'The columns cannot be mapped in this way: {reason}.',
    impact: nothingYet,
    nextStep: 'Choose one column for each field.',
    guide: 'Batches',
    reasons: {
      'unknown-field': 'one of the fields does not belong to this operation',
      'no-column': 'one of the columns does not exist',
      'used-twice': 'one column was chosen for two fields'
    }
  },
  'batch-links-none': {
    what: 'No links of these rows were checked, or there are none.',
    impact: 'Nothing was requested.',
    nextStep: 'Check the links again.'
  },
  'batch-links-many': {
    what: 'These rows have {count} links. At most {limit} can be checked at once.',
    impact: 'Nothing was requested.',
    nextStep: 'Split the file, or start the batch without the check.'
  },
  'batch-nothing-to-run': {
    what: 'No row can be sent: all {rows} rows are invalid.',
    impact: nothingYet,
    nextStep: 'Check the errors and the column mapping.'
  },
  'batch-unfinished': {
    what: 'The batch “{name}” of the same file is unfinished: {count} of its rows wait or are unknown.',
    impact: 'Nothing was sent or stored.',
    nextStep: 'Resume that batch ({id}). If the rows are to be sent in another batch all the same, create it anyway.'
  },
  'batch-file-changed': {
    what: 'The file {file} has changed since it was validated.',
    impact: nothingYet,
    nextStep: 'Choose it again, so that only rows that you have seen are sent.'
  },
  'batch-missing': {
    what: 'This batch is not in the history.',
    impact: 'Nothing was changed.',
    nextStep: 'It may belong to another history file.'
  },
  'batch-not-startable': {
    what: 'This batch cannot be started: {reason}.',
    impact: 'Nothing was sent.',
    nextStep: 'To run rows again, create a new batch from them.',
    reasons: { cancelled: 'it is cancelled', finished: 'it is finished' }
  },
  'batch-confirmation-missing': {
    what: '“{name}” is a live connection, and its name was not entered as confirmation.',
    impact: 'Nothing was sent.',
    nextStep: 'Enter the exact name of the connection. Each row costs money and involves a real person’s data.'
  },
  'batch-copies-space': {
    what: 'Copies of {count} documents need more than the {limitBytes} that copies may still take, and “{name}” requires them.',
    impact: 'Nothing was sent.',
    nextStep: 'Make space, or send fewer rows. Whoever manages Veridesk can raise the quota of copies.',
    guide: 'Copies of documents'
  },
  'batch-copies-missed': {
    what: 'Documents of which no copy could be stored: {count}. The disk is full, the quota of copies is used up, or their folder cannot be written.',
    impact: 'Their rows were sent, as the connection allows. Each record says which copy is missing.',
    nextStep:
      'Make space. Then open the records and keep each copy while its link works, or add the file. Whoever manages Veridesk can raise the quota.',
    guide: 'Copies of documents'
  },
  'batch-connection-changed': {
    what: 'The connection of this batch was {before} when the batch was created, and is {now} now.',
    impact: 'Nothing was sent.',
    nextStep: 'Create the batch again for the current connection.'
  },
  'batch-restored': {
    what: 'This batch was restored from the backup of {backupAt}. According to the history that was set aside, {rows} of its rows were sent since then.',
    impact: `${untilConfirmed} The outcome of those rows is unknown here.`,
    nextStep: 'Resolve the unknown rows, then resume the batch and confirm that the other rows are to be sent.'
  },
  'batch-restored-unknown': {
    what: 'This batch was restored from the backup of {backupAt}. Which of its rows were sent since then cannot be determined.',
    impact: `${untilConfirmed} The outcome of all {rows} rows that were waiting is unknown here.`,
    nextStep:
      'Find out from your provider which rows were processed, resolve the unknown rows, then resume the batch and confirm.'
  },
  'batch-restored-unconfirmed': {
    what: 'This batch was restored from a backup, and its rows may have been sent since the backup.',
    impact: untilConfirmed,
    nextStep: 'Open the batch to see why, then resume it and confirm.'
  },
  'batch-restored-rerun': {
    what: 'These rows are of a batch that was restored from the backup of {backupAt}. They may have been sent again since then.',
    impact: untilConfirmed,
    nextStep: 'Find out from your provider whether they were processed since then, then start the batch and confirm.'
  },
  'batch-stopped': {
    what: 'The batch stopped automatically after {count} errors in a row. The last one: {reason}.',
    impact: rowsWait,
    nextStep:
      'Find the cause (the connection’s reachability check helps), then start the batch again. It continues where it stopped.',
    reasons: { status: 'the provider responded with status {status}' }
  },
  'batch-asked-to-wait': {
    what: 'The provider asked to wait {minutes} minutes, longer than a batch waits automatically.',
    impact: rowsWait,
    nextStep: 'Start the batch again after that time. It continues where it stopped.'
  },
  'batch-nothing-to-resolve': {
    what: 'None of these rows has an unresolved unknown outcome.',
    impact: 'Nothing was changed.',
    nextStep: 'Open the batch again to see its current state.'
  },
  'batch-nothing-again': {
    what: 'No row of this batch can be sent again.',
    impact: 'Nothing was created or sent.',
    nextStep: 'Resolve rows with an unknown outcome first.'
  },
  'batch-results-unwritable': {
    what: 'The file {file} could not be written: {reason}.',
    impact: 'The batch and its results are in the history. An existing file is unchanged.',
    nextStep: 'Choose another location, or close the application that is using the file, then save again.',
    reasons: obstacleReasons
  }
} as const satisfies FailureRows
