/** Files of rows, and runs of them. */
import type { FailureRows } from './declaration.ts'

export const batchesFailures = {
  'batch-file-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'Nothing was sent or stored; the file is untouched.',
    todo: 'Check that it is there and may be read, then choose it again.'
  },
  'batch-file-not-text': {
    what: 'The file is no text: {detail}.',
    safe: 'Nothing was sent or stored; the file is untouched.',
    todo: 'Save it as CSV in the program that made it (in Excel: “CSV UTF-8”), then choose that file.'
  },
  'batch-file-encoding': {
    what: 'Line {line} of the file holds {found}, which is not valid {encoding}.',
    safe: 'Nothing was sent or stored, and no character was replaced.',
    todo: 'Choose the encoding in which the file was saved, or save it again as UTF-8 (in Excel: “CSV UTF-8”), then choose it again.'
  },
  'batch-file-empty': {
    what: 'The file is empty.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose a file with a line of headings and one line for each check; the template shows how.'
  },
  'batch-file-headings-only': {
    what: 'The file holds headings, but no rows.',
    safe: 'Nothing was sent or stored.',
    todo: 'Add one line for each check. If there are lines, check the delimiter.'
  },
  'batch-heading-twice': {
    what: 'The heading “{heading}” stands over two columns ({first} and {second}).',
    safe: 'Nothing was sent or stored: it cannot be told which of them is meant.',
    todo: 'Rename or remove one of the columns.'
  },
  'batch-too-many-columns': {
    what: 'The first line has more than {limit} columns.',
    safe: 'Nothing was sent or stored.',
    todo: 'Check the delimiter, or leave out columns that are not needed.'
  },
  'batch-too-many-rows': {
    what: 'The file has more than {limit} rows.',
    safe: 'Nothing was sent or stored.',
    todo: 'Split it into several files; each becomes a batch of its own.'
  },
  'batch-quote-open': {
    what: 'A quote that opens near line {line} is never closed.',
    safe: 'Nothing was sent or stored: where the rows after it begin cannot be told.',
    todo: 'Correct that line (a quote inside a cell is written twice), then choose the file again.'
  },
  'batch-quote-stray': {
    what: 'A quote stands where none can near line {line}.',
    safe: 'Nothing was sent or stored: where that cell ends cannot be told.',
    todo: 'Put the whole cell into quotes and write a quote inside it twice, or choose another delimiter.'
  },
  'batch-row-too-large': {
    what: 'The row near line {line} is larger than {limit}, or a quote before it is never closed.',
    safe: 'Nothing was sent or stored.',
    todo: 'Correct that row, then choose the file again.'
  },
  'batch-text-too-large': {
    what: 'The pasted or dropped text is larger than {limit}.',
    safe: 'Nothing was sent or stored.',
    todo: 'Save it as a file and choose the file: files may be of any size.'
  },
  'batch-check-gone': {
    what: 'This check of a file is no longer at hand.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose the file again.'
  },
  'batch-mapping-invalid': {
    what: 'The columns cannot be matched like this: {detail}.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose one column for each field.'
  },
  'batch-nothing-to-run': {
    what: 'No row could be sent: {detail}.',
    safe: 'Nothing was sent or stored.',
    todo: 'Look at the faults and at how the columns are matched.'
  },
  'batch-file-changed': {
    what: 'The file {file} is no longer the one that was checked.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose it again, so that what is run is what you have seen.'
  },
  'batch-missing': {
    what: 'This batch is not in the history.',
    safe: 'Nothing was changed.',
    todo: 'It may belong to another history file.'
  },
  'batch-not-startable': {
    what: 'This batch cannot be started: {detail}.',
    safe: 'Nothing was sent.',
    todo: 'To run rows again, make a new batch of them.'
  },
  'batch-confirmation-missing': {
    what: '“{name}” is a live connection, and its name was not typed as the confirmation.',
    safe: 'Nothing was sent.',
    todo: 'Type the connection’s name exactly: each row costs money and touches a real person’s data.'
  },
  'batch-connection-changed': {
    what: 'The connection of this batch was {before} when the batch was made, and is {now} now.',
    safe: 'Nothing was sent.',
    todo: 'Make the batch anew for the connection as it is.'
  },
  'batch-restored': {
    what: 'This batch was restored from the backup of {at}. Since then {rows} of its rows were sent, as the history that was set aside says.',
    safe: 'Nothing is sent until you confirm. Those rows are unknown here.',
    todo: 'Resolve the unknown rows, then resume the batch and confirm that the others are to be sent.'
  },
  'batch-restored-unknown': {
    what: 'This batch was restored from the backup of {at}. Which of its rows were sent since then cannot be determined.',
    safe: 'Nothing is sent until you confirm. All {rows} rows that were waiting are unknown here.',
    todo: 'Find out from your provider which were processed, resolve the unknown rows, then resume the batch and confirm.'
  },
  'batch-restored-rerun': {
    what: 'These rows failed in a batch that was restored from the backup of {at}. They may have been sent again since then.',
    safe: 'Nothing is sent until you confirm.',
    todo: 'Find out from your provider whether they were processed since, then start the batch and confirm.'
  },
  'batch-stopped': {
    what: 'The batch stopped by itself: {count} rows in succession met trouble. The last: {detail}.',
    safe: 'Every row that was sent has its outcome; the others wait.',
    todo: 'Find out what is wrong (the connection’s reachability check helps), then start the batch again: it goes on where it stopped.'
  },
  'batch-asked-to-wait': {
    what: 'The service asked to wait {minutes} minutes, which is longer than a batch waits by itself.',
    safe: 'Every row that was sent has its outcome; the others wait.',
    todo: 'Start the batch again when that time has passed: it goes on where it stopped.'
  },
  'batch-nothing-to-resolve': {
    what: 'None of these rows has an unknown outcome that is still to be resolved.',
    safe: 'Nothing was changed.',
    todo: 'Look at the batch again to see its present state.'
  },
  'batch-nothing-failed': {
    what: 'No row of this batch has failed in a way that can be run again.',
    safe: 'Nothing was made or sent.',
    todo: 'Rows whose outcome is unknown are to be resolved first.'
  },
  'batch-results-unwritable': {
    what: 'The file {file} could not be written: {detail}.',
    safe: 'The batch and its results are in the history; a file that was there before is as it was.',
    todo: 'Choose another place, or close the program that holds the file, then save again.'
  }
} as const satisfies FailureRows
