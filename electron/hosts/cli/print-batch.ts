/** Batches as text for people. */
import { oneLine, spelledOut } from '#contract/text/hidden-text.ts'
import { batchStateLabels, rowStateLabels, rowStates } from '#contract/batches/rows.ts'
import type { BatchCheck, BatchDelimiter, BatchRow, BatchSummary, RowFault } from '#contract/batches/batches.ts'
import { isHeld } from '#contract/batches/held-batches.ts'
import { failure } from '#contract/failures/failures.ts'
import { cellFaultSentence, rowFaultsText, sentencesOf } from '#contract/failures/sentences.ts'
import { stoppedWords } from '#contract/batches/calls.ts'
import { fieldsOfRows, operationsTitle } from '#contract/verification/recipes.ts'
import { count, number, spanText } from './print-text.ts'

const delimiterNames: Readonly<Record<BatchDelimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe'
}

/** Sentences about apostrophes before possible formulas; empty if there are none. */
export function apostropheLines({ apostrophes: { restored, rows, places }, reading }: BatchCheck): string[] {
  const lines: string[] = []
  if (restored > 0)
    lines.push(
      `Saved by Veridesk: the apostrophes added for spreadsheets were removed in ${count(restored, 'row', 'rows')}.`
    )
  if (rows === 0) return lines
  const where = `before =, +, - or @ in ${count(rows, 'row', 'rows')}`
  lines.push(
    reading.apostrophes === 'keep'
      ? `There is an apostrophe ${where}. It is sent as part of the value. Add --apostrophes remove if a spreadsheet or another program added it.`
      : `An apostrophe was removed ${where}.`
  )
  for (const { row, column } of places)
    lines.push(
      `  line ${number(row)}, “${oneLine(column)}”: ${reading.apostrophes === 'keep' ? 'apostrophe at the start or after a separator' : 'without its apostrophe'}`
    )
  if (rows > places.length) lines.push('  … and more rows')
  return lines
}

const faultLine = ({ row, column, ...found }: RowFault): string =>
  `  line ${number(row)}${column ? `, “${oneLine(column)}”` : ''}: ${oneLine(cellFaultSentence(found))}`

/** Cells that can be sent, and that a person should look at; empty if there are none. */
export function noteLines({ notes, noteCount }: BatchCheck): string[] {
  if (noteCount === 0) return []
  const lines = [`Look at ${count(noteCount, 'cell', 'cells')} before the rows are sent:`, ...notes.map(faultLine)]
  if (noteCount > notes.length) lines.push(`  … and ${number(noteCount - notes.length)} more`)
  return lines
}

/** What a person should know of a workbook; empty for a text. */
export function workbookLines({ workbook, reading }: BatchCheck): string[] {
  if (!workbook) return []
  const { sheets, hiddenRows, hiddenColumns, merged } = workbook
  const others = sheets.filter(({ name }) => name !== reading.sheet)
  const names = others.map(({ name, state }) => `“${oneLine(name)}”${state === 'visible' ? '' : ' (hidden)'}`)
  return [
    ...(others.length > 0 ? [`  Not read: ${names.join(', ')}. Choose a sheet with --sheet.`] : []),
    ...(hiddenRows > 0 ? [`  ${count(hiddenRows, 'line is', 'lines are')} hidden, and read as the others.`] : []),
    ...(hiddenColumns.length > 0 ? [`  Hidden columns: ${hiddenColumns.map(oneLine).join(', ')}`] : []),
    ...(merged > 0
      ? [`  ${count(merged, 'range is', 'ranges are')} merged: only the first cell of each has a value.`]
      : [])
  ]
}

/** Rows whose IDs look like another one, written so that the difference shows. */
function alikeLines({ lookAlikes: { rows, places } }: BatchCheck): string[] {
  if (rows === 0) return []
  return [
    `${number(rows)} ${rows === 1 ? 'line names an applicant whose ID looks like another ID' : 'lines name applicants whose IDs look like another ID'}. They are sent as they are, as different applicants:`,
    ...places.map(
      ({ row, id, other, otherRow }) =>
        `  line ${number(row)}: ${spelledOut(id)} looks like ${other === undefined ? `the ID in line ${number(otherRow ?? 0)}` : `${spelledOut(other)} in the history`}`
    ),
    ...(rows > places.length ? ['  … and more'] : [])
  ]
}

/** The result of checking a file, with its errors. */
export function checkText(check: BatchCheck): string {
  const { reading, columns } = check
  const columnOf = (column: number): string => (column < 0 ? '(none)' : `“${oneLine(columns[column] ?? '')}”`)
  const lines = [
    `${oneLine(check.fileName)}: ${count(check.rows, 'row', 'rows')}, ${number(check.good)} valid, ${number(check.invalid)} invalid, ${count(check.duplicates, 'duplicate', 'duplicates')}`,
    check.workbook
      ? `Sheet “${oneLine(reading.sheet)}”, headings in line ${number(reading.headingRow)}`
      : `Read as ${reading.encoding}, separated by ${delimiterNames[reading.delimiter]}, headings in line ${number(reading.headingRow)}`,
    ...workbookLines(check),
    ...fieldsOfRows(reading.operations).map(({ name }) => `  ${name} from ${columnOf(reading.mapping[name] ?? -1)}`)
  ]
  if (reading.applicantColumn >= 0)
    lines.push(`  applicant, in Veridesk only, from ${columnOf(reading.applicantColumn)}`)
  lines.push(...check.faults.map(faultLine))
  if (check.moreFaults)
    lines.push(`  … and ${count(check.faultCount - check.faults.length, 'more error', 'more errors')}`)
  lines.push(...noteLines(check), ...apostropheLines(check), ...alikeLines(check))
  return lines.join('\n')
}

function countsText({ counts }: BatchSummary): string {
  return rowStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${number(counts[state])} ${rowStateLabels[state].toLowerCase()}`)
    .join(', ')
}

/** One batch in one line. */
export const batchLine = (batch: BatchSummary): string =>
  [
    batch.id,
    new Date(batch.createdAt).toISOString(),
    batchStateLabels[batch.state].padEnd(8),
    `${oneLine(batch.name)}:`,
    countsText(batch)
  ].join('  ')

/** The progress of a batch, in one line. */
export function progressLine(batch: BatchSummary): string {
  const left = batch.counts.waiting + batch.counts.open
  const here = batch.rows - batch.counts.shared
  const done = Math.floor((100 * (here - left)) / Math.max(1, here))
  const rate = batch.rate === undefined ? '' : `, ${batch.rate.toFixed(1)} a second`
  const time = batch.secondsLeft === undefined ? '' : `, ${spanText(batch.secondsLeft)} left`
  return `${done} %${rate}${time}: ${countsText(batch)}`
}

/** One batch in detail. */
export function batchText(batch: BatchSummary): string {
  const lines: [string, string | undefined][] = [
    ['Batch', batch.id],
    ['Name', oneLine(batch.name)],
    ['File', `${oneLine(batch.fileName)} (SHA-256 ${batch.sha256})`],
    [batch.operations.length === 1 ? 'Operation' : 'Operations', operationsTitle(batch.operations)],
    ['Connection', `${oneLine(batch.connection.name)} (${batch.connection.mode}) ${batch.connection.origin}`],
    ['State', isHeld(batch) ? 'Held after a restore' : batchStateLabels[batch.state]],
    ['Reason', batch.reason && oneLine(sentencesOf(batch.reason).what)],
    ['Rows', countsText(batch)],
    [
      'Needs resolution',
      batch.unresolved > 0
        ? `${number(batch.unresolved)} unknown: batch resolve ID --as sent, or --as again`
        : undefined
    ],
    [
      'Copies',
      batch.copiesMissed === undefined
        ? undefined
        : oneLine(sentencesOf(failure('batch-copies-missed', { count: batch.copiesMissed })).what)
    ],
    ['Rerun of', batch.rerunOf]
  ]
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label.padEnd(12)}${value}`)
    .join('\n')
}

/** One row in one line. */
export const rowLine = (row: BatchRow): string =>
  [
    `line ${row.row}`.padEnd(12),
    rowStateLabels[row.state].padEnd(17),
    oneLine(row.fault === undefined ? (row.message ?? row.cells.join(' ')) : rowFaultsText(row.fault)),
    (row.calls && stoppedWords(row.calls)) ?? '',
    row.recordId ?? ''
  ]
    .join('  ')
    .trimEnd()
