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
import { queueKinds, type QueueKind } from '#contract/applicants/queue-kinds.ts'
import type { HistoryFilter } from '#contract/history/records.ts'
import { stateLabel as batchState } from '../batches/batch-words.ts'
import { queryOf } from '../history/filters.ts'
import { barLabel, hourLabel, shortLabel, unitOf, type Range, type Unit } from './overview-period.ts'
import type { Mark, Plot, PlotRow, Series } from './plots.ts'
import { defaultOrder, queueAddress } from '../queue/queue-address.ts'
import { queueLabels } from '../queue/queue-words.ts'
import { count, plural } from '../../kit/text.ts'
import { duration } from '../../kit/time.ts'
import { shownLine } from '../../kit/screen-share.ts'

export const toHistory = (filter: HistoryFilter): RouteLocationRaw => ({ name: 'history', query: queryOf(filter) })

const shownStates: readonly RecordState[] = ['answered', 'unreadable', 'not-sent', 'unknown', 'open']
const stateLabel = (state: RecordState): string => (state === 'open' ? 'In progress' : outcomeOf(state).label)
const seriesOf = (states: readonly RecordState[]): Series[] =>
  states.map((state) => ({ tone: state, label: stateLabel(state) }))
const sum = (states: StateCounts): number => Object.values(states).reduce((total, each) => total + each, 0)

/** A number that leads to its records, if there are any. */
const counted = (value: number, filter: HistoryFilter): Mark => ({
  value,
  text: count(value),
  to: value > 0 ? toHistory(filter) : undefined
})

/** “: 41 answered, 2 unknown”, without those that are zero. */
const inWords = (series: readonly Series[], marks: readonly Mark[]): string =>
  marks
    .flatMap(({ value, text }, index) => (value > 0 ? [`${text} ${series[index]?.label.toLowerCase() ?? ''}`] : []))
    .join(', ')

const unitWords: Readonly<Record<Unit, string>> = {
  hour: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  year: 'year'
}

/** States that occur, so that the legend has no others. */
const occurring = (all: StateCounts, among = shownStates): readonly RecordState[] =>
  among.filter((state) => (all[state] ?? 0) > 0)

function volumes({ bars, states }: OverviewFigures, range: Range): Plot {
  const unit = unitOf(range)
  const among = occurring(states)
  const series = seriesOf(among)
  const rows = bars.map(({ from, until, states: counts }): PlotRow => {
    const marks = among.map((state) => counted(counts[state] ?? 0, { states: [state], from, until }))
    const label = barLabel(from, unit)
    const total = sum(counts)
    return {
      key: String(from),
      label,
      short: shortLabel(from, unit),
      to: toHistory({ from, until }),
      marks,
      words: `${label}: ${plural(total, 'record')}${total > 0 ? `: ${inWords(series, marks)}` : ''}`
    }
  })
  return {
    title: `Records per ${unitWords[unit]}`,
    head: unit === 'hour' ? 'Hour' : 'From',
    series,
    arranged: 'stacked',
    rows,
    axis: count,
    empty: 'No records'
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
      words: `${label}: ${plural(value, 'record')}`
    }))
  }
}

function outcomes({ states }: OverviewFigures, range: Range): Plot {
  const among = occurring(states)
  return {
    title: 'Outcomes',
    head: 'Outcome',
    arranged: 'stacked',
    axis: count,
    empty: 'No records',
    series: [{ tone: 'first', label: 'Records' }],
    rows: among.map((state) => ({
      key: state,
      label: stateLabel(state),
      to: toHistory({ states: [state], ...range }),
      marks: [counted(states[state] ?? 0, { states: [state], ...range })],
      words: `${stateLabel(state)}: ${plural(states[state] ?? 0, 'record')}`
    }))
  }
}

const statuses = ({ statuses: found }: OverviewFigures, range: Range): Plot =>
  simple(
    'HTTP statuses',
    'Status',
    'Records',
    Object.entries(found).map(([status, value]) => ({
      key: status,
      label: status,
      value,
      filter: { statuses: [Number(status)], ...range }
    })),
    'No responses',
    'Of every response, also of invalid ones.'
  )

const operations = ({ operations: found }: OverviewFigures, range: Range): Plot =>
  simple(
    'Operations',
    'Operation',
    'Records',
    found.map(({ id, count: value }) => ({
      key: id,
      label: operationOf(id).shortTitle,
      value,
      filter: { operations: [id], ...range }
    })),
    'No records'
  )

const busiest = ({ busiest: hours }: OverviewFigures): Plot =>
  simple(
    'Busiest hours',
    'Hour',
    'Records',
    hours.map(({ from, until, count: value }) => ({
      key: String(from),
      label: hourLabel(from),
      value,
      filter: { from, until }
    })),
    'No records',
    'The hours with the most records, in the time zone of the settings.'
  )

const percent = `${timeTolerance * 100}%`
const timesNote = `Of answered verifications. 95% took at most the longer time. Times are within ${percent} of the exact ones.`
const timeSeries: readonly Series[] = [
  { tone: 'second', label: 'Median' },
  { tone: 'first', label: '95th percentile' }
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
  const words = times
    ? `${label}: median ${duration(times.median)}, 95th percentile ${duration(times.p95)}, ${plural(times.count, 'answer')}`
    : `${label}: no answers`
  return { key, label, to, marks, words, ...(short !== undefined && { short }) }
}

function timesOverTime({ bars }: OverviewFigures, range: Range): Plot {
  const unit = unitOf(range)
  const rows = bars.map(({ from, until, times }) =>
    timesRow(String(from), barLabel(from, unit), times, { from, until }, shortLabel(from, unit))
  )
  return {
    title: `Response times per ${unitWords[unit]}`,
    note: timesNote,
    head: unit === 'hour' ? 'Hour' : 'From',
    series: timeSeries,
    arranged: 'layered',
    rows,
    axis: duration,
    empty: 'No answers'
  }
}

function timesByOperation({ operations: found }: OverviewFigures, range: Range): Plot {
  const rows = found.flatMap(({ id, times }) =>
    times ? [timesRow(id, operationOf(id).shortTitle, times, { operations: [id], ...range })] : []
  )
  return {
    title: 'Response times by operation',
    note: timesNote,
    head: 'Operation',
    series: timeSeries,
    arranged: 'layered',
    rows,
    axis: duration,
    empty: 'No answers'
  }
}

function failures({ connections, states }: OverviewFigures, range: Range): Plot {
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
        words: `${name}: ${inWords(series, marks)}`
      }
    ]
  })
  return {
    title: 'Failures by connection',
    note: 'Outcomes other than an answer. A status such as 503 is an answer.',
    head: 'Connection',
    series,
    arranged: 'stacked',
    rows,
    axis: count,
    empty: 'No failures'
  }
}

const batches = ({ batches: { count: all, newest } }: OverviewFigures): Plot => ({
  title: 'Batches',
  ...(all > newest.length && {
    note: `The newest ${count(newest.length)} of ${plural(all, 'batch', 'batches')} created in this period.`
  }),
  head: 'Batch',
  series: [{ tone: 'first', label: 'Rows' }],
  arranged: 'stacked',
  axis: count,
  empty: 'No batches',
  rows: newest.map((batch) => {
    const to = { name: 'batch', params: { id: batch.id } }
    return {
      key: batch.id,
      label: shownLine(batch.name),
      to,
      marks: [{ value: batch.rows, text: count(batch.rows), to }],
      words: `${shownLine(batch.name)}: ${plural(batch.rows, 'row')}, ${batchState(batch).toLowerCase()}`
    }
  })
})

const ageLabels = ['Less than 1 hour', '1 to 24 hours', '1 to 7 days', '7 to 30 days', 'More than 30 days']

/** The work queue by age, and unknown outcomes among it. */
export function waitingPlots({ ages }: OverviewWaiting): readonly Plot[] {
  const since = ({ from, until }: (typeof ages)[number]) => ({
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until })
  })
  const queue = queueKinds.filter((kind) => kind !== 'unresolved')
  const tones = { open: 'first', escalated: 'unreadable', outdated: 'second' } as const
  const series = queue.map((kind): Series => ({ tone: tones[kind], label: queueLabels[kind] }))
  const toQueue = (age: (typeof ages)[number], kinds: readonly QueueKind[]): RouteLocationRaw => ({
    name: 'queue',
    query: queueAddress({ kinds: [...kinds], ...since(age) }, defaultOrder)
  })
  const any = ages.some(({ counts }) => queue.some((kind) => counts[kind] > 0))
  const unknown = ages.some(({ counts }) => counts.unresolved > 0)
  return [
    {
      title: 'Applicants waiting',
      note: 'Now, by how long they have waited.',
      head: 'Waiting',
      series,
      arranged: 'stacked',
      axis: count,
      empty: 'No applicants are waiting',
      rows: !any
        ? []
        : ages.map((age, index): PlotRow => {
            const marks = queue.map((kind): Mark => ({
              value: age.counts[kind],
              text: count(age.counts[kind]),
              to: age.counts[kind] > 0 ? toQueue(age, [kind]) : undefined
            }))
            const label = ageLabels[index] ?? ''
            return {
              key: label,
              label,
              to: toQueue(age, queue),
              marks,
              words: `${label}: ${inWords(series, marks) || 'none'}`
            }
          })
    },
    {
      ...simple(
        'Unknown outcomes to resolve',
        'Waiting',
        'Records',
        !unknown
          ? []
          : ages.map((age, index) => ({
              key: String(index),
              label: ageLabels[index] ?? '',
              value: age.counts.unresolved,
              filter: { unresolved: true, ...since(age) }
            })),
        'No unknown outcomes',
        'Now, by how long ago they were sent.'
      ),
      series: [{ tone: 'unknown', label: 'Records' }]
    }
  ]
}

/** The plots of a period: those over time, and those by name. */
export const overTime = (figures: OverviewFigures, range: Range): readonly Plot[] => [
  volumes(figures, range),
  timesOverTime(figures, range)
]
export const byName = (figures: OverviewFigures, range: Range): readonly Plot[] => [
  outcomes(figures, range),
  statuses(figures, range),
  operations(figures, range),
  timesByOperation(figures, range),
  busiest(figures),
  failures(figures, range),
  batches(figures)
]
