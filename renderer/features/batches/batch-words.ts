/** Labels for batches: states, counts, rates. Every figure of a batch is computed here. */
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeIds, outcomeOf, type Outcome } from '#contract/verification/outcomes.ts'
import { rowStates, type RowState } from '#contract/batches/rows.ts'
import type { BatchCheck, BatchDelimiter, BatchEncoding, BatchSummary } from '#contract/batches/batches.ts'
import { isHeld } from '#contract/batches/held-batches.ts'
import { formats } from '../../kit/formats.ts'
import { count, plural } from '../../kit/text.ts'

const isOutcome = (state: RowState): state is Outcome => outcomeIds.some((id) => id === state)
const others: Readonly<Record<Exclude<RowState, Outcome>, string>> = {
  'waiting': 'Waiting',
  'open': 'In progress',
  'invalid': 'Invalid',
  'duplicate': 'Duplicate',
  'recently-answered': 'Recently answered',
  'cancelled': 'Cancelled',
  'shared': 'With the team'
}
/** The label of a row's state. */
export const rowLabel = (state: RowState): string => (isOutcome(state) ? outcomeOf(state).label : others[state])

export const encodingLabels: Readonly<Record<BatchEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 little-endian',
  'utf-16be': 'UTF-16 big-endian',
  'windows-1252': 'Windows-1252 (Western)'
}
export const delimiterLabels: Readonly<Record<BatchDelimiter, string>> = {
  ',': 'Comma ,',
  ';': 'Semicolon ;',
  '\t': 'Tab',
  '|': 'Pipe |'
}

/** Rows to send: all but invalid, duplicate and recently answered ones, and those that are with the team. */
export const toSend = ({ rows, counts }: BatchSummary): number =>
  rows - counts.invalid - counts.duplicate - counts['recently-answered'] - counts.shared
/** Rows to send that have ended. */
export const ended = ({ counts }: BatchSummary): number =>
  outcomeIds.reduce((sum, id) => sum + counts[id], 0) + counts.cancelled
/**
 * Whether rows may have failed, so that counting them is useful. Answers with a status other than 2xx count as failed,
 * and the counts do not distinguish them.
 */
export const mayHaveFailed = ({ counts }: BatchSummary): boolean =>
  counts.answered + counts.unreadable + counts['not-sent'] > 0

/** From 0 to 100; 100 only if all rows are done. */
export function percent(batch: BatchSummary): number {
  const all = toSend(batch)
  return all === 0 ? 100 : Math.floor((ended(batch) / all) * 100)
}

const stateLabels: Readonly<Record<BatchSummary['state'], string>> = {
  made: 'Draft',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped automatically',
  cancelled: 'Cancelled',
  finished: 'Finished'
}
export function stateLabel(batch: BatchSummary): string {
  const { state, ending } = batch
  if (isHeld(batch)) return 'Held after a restore'
  if (state === 'running' && ending) return ending === 'pausing' ? 'Pausing' : 'Cancelling'
  return stateLabels[state]
}

/** The colour of a state's label, as a class. */
export const stateTones: Readonly<Record<BatchSummary['state'], string>> = {
  made: 'text-ink',
  running: 'text-accent',
  paused: 'text-warning',
  stopped: 'text-danger',
  cancelled: 'text-ink-2',
  finished: 'text-good'
}

/** The batch's state as a sentence. */
export function stateSentence(batch: BatchSummary): string {
  const { state, ending, counts, unresolved } = batch
  const unknown = unresolved > 0 ? ` ${plural(unresolved, 'row needs', 'rows need')} resolution.` : ''
  const waiting = plural(counts.waiting, 'row')
  if (isHeld(batch)) return `${waiting} waiting. Nothing is sent until you confirm.${unknown}`
  if (batch.shared && (state === 'made' || state === 'paused'))
    return `Shared with the team. Rows that nobody has sent are sent by those who run it.${unknown}`
  if (state === 'made') return `Nothing was sent yet. ${waiting} waiting.`
  if (state === 'running') {
    if (ending)
      return `No more rows are sent. ${plural(counts.open, 'row')} in progress ${counts.open === 1 ? 'is' : 'are'} finishing.`
    return `${count(ended(batch))} of ${plural(toSend(batch), 'row')} done.`
  }
  if (state === 'paused') return `${waiting} waiting. You can resume at any time.${unknown}`
  if (state === 'stopped') return `${waiting} waiting. Nothing is sent until you resume the batch.${unknown}`
  if (state === 'cancelled')
    return `${plural(counts.cancelled, 'row')} ${counts.cancelled === 1 ? 'was' : 'were'} never sent.${unknown}`
  return `${plural(ended(batch), 'row')} done.${unknown}`
}

/** The announcement for screen readers when a batch changes its state. */
export function spoken(batch: BatchSummary): string {
  const parts = rowStates
    .filter((state) => isOutcome(state) && batch.counts[state] > 0)
    .map((state) => `${count(batch.counts[state])} ${rowLabel(state).toLowerCase()}`)
  const figures = batch.state === 'running' || parts.length === 0 ? '' : ` ${parts.join(', ')}.`
  return `Batch ${batch.name}: ${stateLabel(batch).toLowerCase()}. ${stateSentence(batch)}${figures}`
}

/** Rows per second, rounded to useful precision. */
export const rateInWords = (rate: number): string =>
  `${rate < 10 ? formats().number(rate, 1) : count(Math.round(rate))} rows/s`

/** Seconds in words: `42 s`, `12 min 05 s`, `3 h 20 min`. */
export function secondsInWords(seconds: number): string {
  if (seconds < 0.5) return 'under 1 s'
  const whole = Math.round(seconds)
  const two = (value: number): string => String(value).padStart(2, '0')
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`
  return `${count(Math.floor(whole / 3600))} h ${two(Math.floor((whole % 3600) / 60))} min`
}

/** For screen readers: apostrophes that need a decision; empty if there are none. */
export const apostropheWords = ({ apostrophes, reading }: BatchCheck): string =>
  apostrophes.rows > 0 && reading.apostrophes === 'keep'
    ? ` ${plural(apostrophes.rows, 'row')} with an apostrophe to review.`
    : ''

/** The default name of a batch: the file's name without its extension. */
export function nameFrom(fileName: string, operation: BatchSummary['operation']): string {
  const stem = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').trim()
  return (stem === '' ? operationOf(operation).shortTitle : stem).slice(0, 120)
}
