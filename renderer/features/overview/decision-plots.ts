/** The plots of decisions, from core's figures. */
import { decisions, type Decision } from '#contract/applicants/applicants.ts'
import type { DecisionBar, DecisionCounts, DecisionFigures } from '#contract/overview/decisions.ts'
import { stateMarks } from '../../kit/marks.ts'
import { count, percent } from '../../kit/text.ts'
import { toList, type Narrowed } from './overview-address.ts'
import { barLabel, shortLabel, unitOf, type Range } from './overview-period.ts'
import type { Mark, Plot, PlotRow, Series } from './plots.ts'
import { words } from './words.ts'

const sum = ({ approve, decline, escalate }: DecisionCounts): number => approve + decline + escalate
const word = (decision: Decision): string => stateMarks[decision].word
const inWords = (series: readonly Series[], marks: readonly Mark[]): string[] =>
  marks.flatMap(({ value, text }, index) =>
    value > 0 ? [words.labelValue({ label: series[index]?.label ?? '', value: text })] : []
  )

/** Decisions in each bar of the period. */
export function decisionsPlot({ bars, decided }: DecisionFigures, range: Range, narrowed: Narrowed): Plot {
  const unit = unitOf(range)
  const series = decisions.map((each): Series => ({ tone: each, label: word(each), state: each }))
  const rows = bars.map(({ from, until, decisions: counts }): PlotRow => {
    const marks = decisions.map((decision): Mark => ({
      value: counts[decision],
      text: count(counts[decision]),
      to: counts[decision] > 0 ? toList({ what: 'decided', from, until, decision }, narrowed) : undefined
    }))
    const label = barLabel(from, unit)
    return {
      key: String(from),
      label,
      short: shortLabel(from, unit),
      to: toList({ what: 'decided', from, until }, narrowed),
      marks,
      words: [words.labelDecisions({ label, total: sum(counts) }), ...inWords(series, marks)].join('. ')
    }
  })
  return {
    title: words.decisionsPer[unit],
    summary: words.decisionsSummary({ total: decided, most: mostOf(rows) }),
    head: unit === 'hour' ? words.hour : words.from,
    series,
    arranged: 'stacked',
    rows: decided > 0 ? rows : [],
    axis: count,
    empty: words.noDecisionsInThisPeriod
  }
}

type Backlog = DecisionBar & { readonly backlog: NonNullable<DecisionBar['backlog']> }

/** What waited at the end of each bar that has begun. */
export function backlogPlot({ bars }: DecisionFigures, range: Range, narrowed: Narrowed): Plot {
  const unit = unitOf(range)
  const series: Series[] = [
    { tone: 'waiting', label: words.inTime },
    { tone: 'overdue', label: words.overdue }
  ]
  const begun = bars.filter((bar): bar is Backlog => bar.backlog !== undefined)
  const rows = begun.map(({ from, backlog: { at, day, total, overdue } }): PlotRow => {
    const to = toList({ what: 'waiting', at, day }, narrowed)
    const label = barLabel(from, unit)
    const marks: Mark[] = [
      { value: total - overdue, text: count(total - overdue), to: undefined },
      {
        value: overdue,
        text: count(overdue),
        to: overdue > 0 ? toList({ what: 'waiting', at, day, due: 'overdue' }, narrowed) : undefined
      }
    ]
    return {
      key: String(from),
      label,
      short: shortLabel(from, unit),
      to,
      marks,
      total: { text: count(total), to: total > 0 ? to : undefined },
      words: [words.labelWaiting({ label, total }), ...inWords(series, marks)].join('. ')
    }
  })
  const last = begun.at(-1)?.backlog
  return {
    title: words.backlog,
    summary: words.backlogSummary({ total: last?.total ?? 0, overdue: count(last?.overdue ?? 0) }),
    head: words.atTheEndOf,
    series,
    totals: words.waiting,
    arranged: 'stacked',
    rows: begun.some(({ backlog: { total } }) => total > 0) ? rows : [],
    axis: count,
    empty: words.nothingWaited
  }
}

/** The bar with the most, in words. */
function mostOf(rows: readonly PlotRow[]): string {
  const size = ({ marks }: PlotRow): number => marks.reduce((total, { value }) => total + value, 0)
  const most = rows.reduce<PlotRow | undefined>(
    (best, row) => (!best || size(row) > size(best) ? row : best),
    undefined
  )
  return most ? words.labelValue({ label: most.label, value: count(size(most)) }) : ''
}

/** `91.4 %`; of nothing, a dash. */
export const share = (part: number, of: number): string => (of === 0 ? '–' : percent(part / of))

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** A time in its two largest units: `3 h 12 min`, `2 days 4 h`. */
export function span(ms: number): string {
  if (ms < minute) return words.lessThanAMinute
  const minutes = Math.round(ms / minute)
  if (minutes < 60) return words.minutes({ minutes: count(minutes) })
  if (ms < day - minute / 2)
    return minutes % 60 === 0
      ? words.hours({ hours: count(minutes / 60) })
      : words.hoursMinutes({ hours: count(Math.floor(minutes / 60)), minutes: count(minutes % 60) })
  const hours = Math.round(ms / hour)
  if (hours % 24 === 0) return words.days({ days: hours / 24 })
  return words.daysHours({ days: count(Math.floor(hours / 24)), hours: count(hours % 24) })
}
