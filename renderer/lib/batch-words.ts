/** Batches in words: states, counts, rates. Every figure of a batch is worked out here, once. */
import { operationOf } from '#contract/operations.ts'
import { outcomeIds, outcomeOf, type Outcome } from '#contract/outcomes.ts'
import { rowStates, type RowState } from '#contract/batch-rows.ts'
import { isHeld, type BatchCheck, type BatchDelimiter, type BatchEncoding, type BatchSummary } from '#contract/batches.ts'
import { count, plural } from './text.ts'

const isOutcome = (state: RowState): state is Outcome => outcomeIds.some((id) => id === state)
const others: Readonly<Record<Exclude<RowState, Outcome>, string>> = {
  waiting: 'Waiting',
  open: 'Under way',
  invalid: 'Invalid',
  duplicate: 'Duplicate',
  'recently-answered': 'recently answered',
  cancelled: 'Cancelled'
}
/** A row's state as a label. */
export const rowLabel = (state: RowState): string => (isOutcome(state) ? outcomeOf(state).label : others[state])

export const encodingLabels: Readonly<Record<BatchEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little end first',
  'utf-16be': 'UTF-16, big end first',
  'windows-1252': 'Windows-1252 (Western)'
}
export const delimiterLabels: Readonly<Record<BatchDelimiter, string>> = {
  ',': 'Comma ,',
  ';': 'Semicolon ;',
  '\t': 'Tab',
  '|': 'Bar |'
}

/** Rows that go out sooner or later: all but invalid, duplicate and recently answered ones. */
export const toSend = ({ rows, counts }: BatchSummary): number => rows - counts.invalid - counts.duplicate - counts['recently-answered']
/** Rows of those that have come to an end. */
export const ended = ({ counts }: BatchSummary): number =>
  outcomeIds.reduce((sum, id) => sum + counts[id], 0) + counts.cancelled
/** Whether rows may have failed: whether it is worth counting them. Answers with a status other than 2xx count as failed, and counts do not tell those apart. */
export const mayHaveFailed = ({ counts }: BatchSummary): boolean => counts.answered + counts.unreadable + counts['not-sent'] > 0

/** From 0 to 100; 100 only where all is done. */
export function percent(batch: BatchSummary): number {
  const all = toSend(batch)
  return all === 0 ? 100 : Math.floor((ended(batch) / all) * 100)
}

const stateLabels: Readonly<Record<BatchSummary['state'], string>> = {
  made: 'Ready to start',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped by itself',
  cancelled: 'Cancelled',
  finished: 'Finished'
}
export function stateLabel(batch: BatchSummary): string {
  const { state, ending } = batch
  if (isHeld(batch)) return 'Held after a restore'
  if (state === 'running' && ending) return ending === 'pausing' ? 'Pausing' : 'Cancelling'
  return stateLabels[state]
}

/** The batch's state as a sentence. */
export function stateSentence(batch: BatchSummary): string {
  const { state, ending, counts, unresolved } = batch
  const unknown = unresolved > 0 ? ` ${plural(unresolved, 'row')} of unknown outcome ${unresolved === 1 ? 'waits' : 'wait'} for you.` : ''
  const waiting = plural(counts.waiting, 'row')
  if (isHeld(batch)) return `${waiting} ${counts.waiting === 1 ? 'waits' : 'wait'}. Nothing is sent until you confirm it.${unknown}`
  if (state === 'made') return `Nothing was sent yet. ${waiting} ${counts.waiting === 1 ? 'waits' : 'wait'}.`
  if (state === 'running') {
    if (ending) return `No further row goes out; ${plural(counts.open, 'row')} under way ${counts.open === 1 ? 'comes' : 'come'} to ${counts.open === 1 ? 'its' : 'their'} end.`
    return `${count(ended(batch))} of ${plural(toSend(batch), 'row')} done.`
  }
  if (state === 'paused') return `${waiting} ${counts.waiting === 1 ? 'waits' : 'wait'}; resume whenever you like.${unknown}`
  if (state === 'stopped') return `${waiting} ${counts.waiting === 1 ? 'waits' : 'wait'}. Nothing goes out until you start it again.${unknown}`
  if (state === 'cancelled') return `${plural(counts.cancelled, 'row')} ${counts.cancelled === 1 ? 'was' : 'were'} never sent.${unknown}`
  return `${plural(ended(batch), 'row')} done.${unknown}`
}

/** What screen readers are told when a batch changes its state. */
export function spoken(batch: BatchSummary): string {
  const parts = rowStates.filter((state) => isOutcome(state) && batch.counts[state] > 0).map((state) => `${count(batch.counts[state])} ${rowLabel(state).toLowerCase()}`)
  const figures = batch.state === 'running' || parts.length === 0 ? '' : ` ${parts.join(', ')}.`
  return `Batch ${batch.name}: ${stateLabel(batch).toLowerCase()}. ${stateSentence(batch)}${figures}`
}

/** Rows a second, with as many places as tell something. */
export const rateInWords = (rate: number): string => `${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))} rows/s`

/** Seconds in words: `42 s`, `12 min 05 s`, `3 h 20 min`. */
export function secondsInWords(seconds: number): string {
  if (seconds < 0.5) return 'under 1 s'
  const whole = Math.round(seconds)
  const two = (value: number): string => String(value).padStart(2, '0')
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`
  return `${count(Math.floor(whole / 3600))} h ${two(Math.floor((whole % 3600) / 60))} min`
}

/** What a screen reader is told of apostrophes that nobody has decided on; empty where there are none. */
export const apostropheWords = ({ apostrophes, reading }: BatchCheck): string =>
  apostrophes.rows > 0 && reading.apostrophes === 'keep' ? ` ${plural(apostrophes.rows, 'row')} with an apostrophe to look at.` : ''

/** A name to begin with: the file's, without its ending. */
export function nameFrom(fileName: string, operation: BatchSummary['operation']): string {
  const stem = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').trim()
  return (stem === '' ? operationOf(operation).shortTitle : stem).slice(0, 120)
}
