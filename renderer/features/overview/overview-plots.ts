/** The plots of the overview, from core's figures. */
import type { RouteLocationRaw } from 'vue-router'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf, type RecordState } from '#contract/verification/outcomes.ts'
import {
  failureOutcomes,
  timeTolerance,
  type OverviewFigures,
  type OverviewWaiting,
  type ResponseTimes,
  type StateCounts
} from '#contract/history/overview.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import { stateLabel as batchState } from '../batches/batch-words.ts'
import { queryOf } from '../history/filters.ts'
import { barLabel, shortLabel, unitOf, type Range } from './overview-period.ts'
import type { Mark, Plot, PlotRow, Series } from './plots.ts'
import { count } from '../../kit/text.ts'
import { duration } from '../../kit/time.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { words } from './words.ts'

const toHistory = (filter: HistoryFilter): RouteLocationRaw => ({ name: 'history', query: queryOf(filter) })

/** A period, and the connection that records are of if one is chosen. */
interface Within extends Range {
  readonly connections?: [string]
}

const shownStates: readonly RecordState[] = ['answered', 'invalid-response', 'not-sent', 'unknown', 'open']
const stateLabel = (state: RecordState): string => (state === 'open' ? words.inProgress : outcomeOf(state).label)
const seriesOf = (states: readonly RecordState[]): Series[] =>
  states.map((state) => ({ tone: state, label: stateLabel(state) }))
const sum = (states: StateCounts): number => Object.values(states).reduce((total, each) => total + each, 0)

/** A number that leads to its records, if there are any. */
const counted = (value: number, filter: HistoryFilter): Mark => ({
  value,
  text: count(value),
  to: value > 0 ? toHistory(filter) : undefined
})

/** “Answered: 41. Unknown: 2”, without those that are zero. */
const inWords = (series: readonly Series[], marks: readonly Mark[]): readonly string[] =>
  marks.flatMap(({ value, text }, index) =>
    value > 0 ? [words.labelValue({ label: series[index]?.label ?? '', value: text })] : []
  )

/** States that occur, so that the legend has no others. */
const occurring = (all: StateCounts, among = shownStates): readonly RecordState[] =>
  among.filter((state) => (all[state] ?? 0) > 0)

function volumes({ bars, states }: OverviewFigures, range: Within): Plot {
  const unit = unitOf(range)
  const among = occurring(states)
  const series = seriesOf(among)
  const rows = bars.map(({ from, until, states: counts }): PlotRow => {
    const marks = among.map((state) => counted(counts[state] ?? 0, { ...range, states: [state], from, until }))
    const label = barLabel(from, unit)
    const total = sum(counts)
    return {
      key: String(from),
      label,
      short: shortLabel(from, unit),
      to: toHistory({ ...range, from, until }),
      marks,
      words: [words.labelRecords({ label, total }), ...inWords(series, marks)].join('. ')
    }
  })
  return {
    title: words.recordsPer[unit],
    head: unit === 'hour' ? words.hour : words.from,
    series,
    arranged: 'stacked',
    rows,
    axis: count,
    empty: words.noRecords
  }
}

/** Rows with a single number each. */
function simple(
  title: string,
  head: string,
  series: string,
  rows: readonly {
    readonly key: string
    readonly label: string
    readonly value: number
    readonly filter: HistoryFilter
  }[],
  empty: string,
  note?: string
): Plot {
  return {
    title,
    head,
    empty,
    ...(note !== undefined && { note }),
    arranged: 'stacked',
    axis: count,
    series: [{ tone: 'first', label: series }],
    rows: rows.map(({ key, label, value, filter }) => ({
      key,
      label,
      to: toHistory(filter),
      marks: [counted(value, filter)],
      words: words.labelRecords({ label, total: value })
    }))
  }
}

function outcomes({ states }: OverviewFigures, range: Within): Plot {
  const among = occurring(states)
  return {
    title: words.outcomes,
    head: words.outcome,
    arranged: 'stacked',
    axis: count,
    empty: words.noRecords,
    series: [{ tone: 'first', label: words.records }],
    rows: among.map((state) => ({
      key: state,
      label: stateLabel(state),
      to: toHistory({ states: [state], ...range }),
      marks: [counted(states[state] ?? 0, { states: [state], ...range })],
      words: words.labelRecords({ label: stateLabel(state), total: states[state] ?? 0 })
    }))
  }
}

const statuses = ({ statuses: found }: OverviewFigures, range: Within): Plot =>
  simple(
    words.httpStatuses,
    words.status,
    words.records,
    Object.entries(found).map(([status, value]) => ({
      key: status,
      label: status,
      value,
      filter: { statuses: [Number(status)], ...range }
    })),
    words.noResponses,
    words.ofEveryResponseAlsoOf
  )

const operations = ({ operations: found }: OverviewFigures, range: Within): Plot =>
  simple(
    words.operations,
    words.operation,
    words.records,
    found.map(({ id, count: value }) => ({
      key: id,
      label: operationOf(id).shortTitle,
      value,
      filter: { operations: [id], ...range }
    })),
    words.noRecords
  )

const percent = `${timeTolerance * 100}\u00A0%`
const timesNote = words.ofAnsweredVerifications95Took({ percent })
const timeSeries: readonly Series[] = [
  { tone: 'second', label: words.median },
  { tone: 'first', label: words.thPercentile }
]

function timesRow(
  key: string,
  label: string,
  times: ResponseTimes | undefined,
  filter: HistoryFilter,
  short?: string
): PlotRow {
  const to = toHistory({ states: ['answered'], ...filter })
  const marks = [times?.median ?? 0, times?.p95 ?? 0].map((value): Mark => ({
    value,
    text: times ? duration(value) : '–',
    to: times ? to : undefined
  }))
  const said = times
    ? [
        words.labelAnswers({ label, count: times.count }),
        words.medianAndPercentile({ median: duration(times.median), percentile: duration(times.p95) })
      ].join('. ')
    : words.labelNoAnswers({ label })
  return { key, label, to, marks, words: said, ...(short !== undefined && { short }) }
}

function timesOverTime({ bars }: OverviewFigures, range: Within): Plot {
  const unit = unitOf(range)
  const rows = bars.map(({ from, until, times }) =>
    timesRow(String(from), barLabel(from, unit), times, { ...range, from, until }, shortLabel(from, unit))
  )
  return {
    title: words.responseTimesPer[unit],
    note: timesNote,
    head: unit === 'hour' ? words.hour : words.from,
    series: timeSeries,
    arranged: 'layered',
    rows,
    axis: duration,
    empty: words.noAnswers
  }
}

function timesByOperation({ operations: found }: OverviewFigures, range: Within): Plot {
  const rows = found.flatMap(({ id, times }) =>
    times ? [timesRow(id, operationOf(id).shortTitle, times, { operations: [id], ...range })] : []
  )
  return {
    title: words.responseTimesByOperation,
    note: timesNote,
    head: words.operation,
    series: timeSeries,
    arranged: 'layered',
    rows,
    axis: duration,
    empty: words.noAnswers
  }
}

function failures({ connections, states }: OverviewFigures, range: Within): Plot {
  const among = occurring(states, failureOutcomes)
  const series = seriesOf(among)
  const rows = connections.flatMap(({ id, name, states: counts }): PlotRow[] => {
    const marks = among.map((state) => counted(counts[state] ?? 0, { states: [state], connections: [id], ...range }))
    if (marks.every(({ value }) => value === 0)) return []
    return [
      {
        key: id,
        label: name,
        to: toHistory({ states: [...among], connections: [id], ...range }),
        marks,
        words: [name, ...inWords(series, marks)].join('. ')
      }
    ]
  })
  return {
    title: words.failuresByConnection,
    note: words.outcomesOtherThanAnAnswer,
    head: words.connection,
    series,
    arranged: 'stacked',
    rows,
    axis: count,
    empty: words.noFailures
  }
}

const batches = ({ count: all, newest }: NonNullable<OverviewFigures['batches']>): Plot => ({
  title: words.batches,
  ...(all > newest.length && {
    note: words.theNewestOfBatches({ newest: count(newest.length), all })
  }),
  head: words.batch,
  series: [{ tone: 'first', label: words.rows }],
  arranged: 'stacked',
  axis: count,
  empty: words.noBatches,
  rows: newest.map((batch) => {
    const to = { name: 'batch', params: { id: batch.id } }
    return {
      key: batch.id,
      label: shownLine(batch.name),
      to,
      marks: [{ value: batch.rows, text: count(batch.rows), to }],
      words: words.nameRowsState({ name: shownLine(batch.name), rows: batch.rows, state: batchState(batch) })
    }
  })
})

const ageLabels = [
  words.lessThan1Hour,
  words.from1To24Hours,
  words.from1To7Days,
  words.from7To30Days,
  words.moreThan30Days
]

/** Unknown outcomes to resolve, now, by age. */
export function unknownPlot({ ages }: OverviewWaiting): Plot {
  const since = ({ from, until }: (typeof ages)[number]) => ({
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until })
  })
  return {
    ...simple(
      words.unknownOutcomesToResolve,
      words.waiting,
      words.records,
      !ages.some(({ unresolved }) => unresolved > 0)
        ? []
        : ages.map((age, index) => ({
            key: String(index),
            label: ageLabels[index] ?? '',
            value: age.unresolved,
            filter: { unresolved: true, ...since(age) }
          })),
      words.noUnknownOutcomes,
      words.nowByHowLongAgo
    ),
    series: [{ tone: 'unknown', label: words.records }]
  }
}

/** The plots of a period: those over time, and those by name. @param connection Of its records alone. */
export const overTime = (figures: OverviewFigures, range: Range, connection?: string): readonly Plot[] => {
  const within = withinOf(range, connection)
  return [volumes(figures, within), timesOverTime(figures, within)]
}
export const byName = (figures: OverviewFigures, range: Range, connection?: string): readonly Plot[] => {
  const within = withinOf(range, connection)
  return [
    outcomes(figures, within),
    statuses(figures, within),
    operations(figures, within),
    timesByOperation(figures, within),
    failures(figures, within),
    ...(figures.batches ? [batches(figures.batches)] : [])
  ]
}
/** All records of a period. */
export const toRecords = (range: Range, connection?: string): RouteLocationRaw => toHistory(withinOf(range, connection))
const withinOf = ({ from, until }: Range, connection: string | undefined): Within => ({
  from,
  until,
  ...(connection !== undefined && { connections: [connection] })
})
