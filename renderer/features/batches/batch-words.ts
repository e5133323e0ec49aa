/** Labels for batches: states, counts, rates. */
import { shortOperations } from '#contract/verification/recipes.ts'
import { outcomeIds, type Outcome } from '#contract/verification/outcomes.ts'
import { batchStateLabels, rowStateLabels, rowStates, type RowState } from '#contract/batches/rows.ts'
import type { BatchCheck, BatchDelimiter, BatchSummary, SavedRows, TableFormat } from '#contract/batches/batches.ts'
import { isHeld } from '#contract/batches/held-batches.ts'
import type { TeamBatchRunner } from '#contract/team/batches.ts'
import { spanOf } from '#contract/text/amounts.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { formats } from '../../kit/formats.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { count } from '../../kit/text.ts'
import { ended, percent, toSend } from './batch-counts.ts'
import { words } from './words.ts'

const isOutcome = (state: RowState): state is Outcome => outcomeIds.some((id) => id === state)
/** The label of a row's state. */
export const rowLabel = (state: RowState): string => rowStateLabels[state]

export const tableFormatWords: Readonly<Record<TableFormat, string>> = { csv: words.csv, xlsx: words.workbookXlsx }
/** What is said of a template that was saved. */
export const savedTemplate = (path: string): string => words.templateSavedAsPath({ path: shownLine(path) })
/** What is said of rows that were saved, and that a workbook could not hold some texts whole. */
export function savedRows(
  { rows, path, cut }: SavedRows,
  said: typeof words.rowsSavedAsPath = words.rowsSavedAsPath
): [text: string, how: { readonly tone: 'plain' | 'warning' }] {
  const saved = said({ rows, path: shownLine(path) })
  return cut > 0 ? [`${saved} ${words.cellsCut({ cells: cut })}`, { tone: 'warning' }] : [saved, { tone: 'plain' }]
}

export const delimiterLabels: Readonly<Record<BatchDelimiter, string>> = {
  ',': words.comma,
  ';': words.semicolon,
  '\t': 'Tab',
  '|': words.pipe
}

export function stateLabel(batch: BatchSummary): string {
  const { state, ending } = batch
  if (isHeld(batch)) return words.heldAfterARestore
  if (state === 'running' && ending) return ending === 'pausing' ? words.pausing : words.stopping
  return batchStateLabels[state]
}

/** Whether a colleague runs a shared batch just now. */
export const runsElsewhere = (runner: TeamBatchRunner | undefined): boolean => runner?.isRunning === true && !runner.own

/**
 * What the button says that runs a batch here. A shared one that a colleague ran last is taken over from that colleague.
 *
 * @param runner Who runs a shared batch, or ran it last; undefined if nobody did, or it is not known.
 */
export function startWord(state: BatchSummary['state'], live: boolean, runner: TeamBatchRunner | undefined): string {
  if (runner && !runner.own) {
    const member = oneLine(runner.member)
    if (runner.isRunning) return words.memberRunsIt({ member })
    return live ? words.takeOverFromOnLive({ member }) : words.takeOverFrom({ member })
  }
  if (state === 'made') return live ? words.startOnLive : words.start
  return live ? words.resumeOnLive : words.resume
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

/** What a batch's state means, one sentence after the other. */
function stateSentences(batch: BatchSummary): readonly string[] {
  const { state, ending, counts, unresolved } = batch
  const toResolve = unresolved > 0 ? [words.rowsToResolve({ unresolved })] : []
  const waiting = words.rowsWaiting({ waiting: counts.waiting })
  if (isHeld(batch)) return [waiting, words.nothingIsSentUntilConfirmed, ...toResolve]
  if (batch.shared && (state === 'made' || state === 'paused')) return [words.sharedWithTheTeamRows, ...toResolve]
  if (state === 'made') return [words.nothingWasSentYet, waiting]
  if (state === 'running')
    return [
      ending
        ? words.noMoreRowsAreSent({ open: counts.open })
        : words.endedOfRowsDone({ ended: count(ended(batch)), toSend: toSend(batch) })
    ]
  if (state === 'paused') return [waiting, words.youCanResume, ...toResolve]
  if (state === 'stopped') return [waiting, words.nothingIsSentUntilResumed, ...toResolve]
  if (state === 'cancelled') return [words.rowsWereNeverSent({ cancelled: counts.cancelled }), ...toResolve]
  return [words.rowsDone({ ended: ended(batch) }), ...toResolve]
}

/** What a batch's state means. */
export const stateSentence = (batch: BatchSummary): string => stateSentences(batch).join(' ')

/** Longest texts of what changes every second while a batch runs; their places in the window are as wide. */
export const longestOf = (batch: BatchSummary): Readonly<Record<'sentence' | 'span' | 'rate', string>> => ({
  sentence: words.endedOfRowsDone({ ended: count(toSend(batch)), toSend: toSend(batch) }),
  span: secondsInWords(3599),
  rate: rateInWords(9.9)
})

/** The announcement for screen readers when a batch changes its state. */
export function spoken(batch: BatchSummary): string {
  const figures = rowStates
    .filter((state) => isOutcome(state) && batch.counts[state] > 0)
    .map((state) => words.stateCount({ state: rowLabel(state), rows: count(batch.counts[state]) }))
  return [
    words.batchNameState({ name: batch.name, state: stateLabel(batch) }),
    stateSentence(batch),
    ...(batch.state === 'running' ? [] : figures)
  ].join(' ')
}

/** Said at each tenth of the rows while a batch runs; empty in between. The end is said with its state. */
export function progressSpoken(before: BatchSummary, batch: BatchSummary): string {
  const tenth = Math.floor(percent(batch) / 10)
  return tenth === Math.floor(percent(before) / 10) || tenth === 10
    ? ''
    : words.batchProgress({
        name: shownLine(batch.name),
        percent: count(tenth * 10),
        ended: count(ended(batch)),
        rows: toSend(batch)
      })
}

/** Rows per second, rounded to useful precision. */
export const rateInWords = (rate: number): string =>
  words.rateRowsS({ rate: rate < 10 ? formats().number(rate, 1) : count(Math.round(rate)) })

/** Seconds in words: `42 s`, `12 min 05 s`, `3 h 20 min`. */
export function secondsInWords(seconds: number): string {
  if (seconds < 0.5) return words.underOneSecond
  const { whole, rest, unit } = spanOf(seconds)
  return words.span[unit]({ whole: count(whole), rest })
}

/** For screen readers: apostrophes that need a decision; empty if there are none. */
export const apostropheWords = ({ apostrophes, reading }: BatchCheck): string =>
  apostrophes.rows > 0 && reading.apostrophes === 'keep' ? words.rowsWithAnApostropheTo({ rows: apostrophes.rows }) : ''

/** The default name of a batch: the file's name without its extension. */
export function nameFrom(fileName: string, operations: BatchSummary['operations']): string {
  const stem = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').trim()
  return (stem === '' ? shortOperations(operations) : stem).slice(0, 120)
}
