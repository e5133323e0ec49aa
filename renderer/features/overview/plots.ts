/** Plots as data: the same rows are drawn as marks and shown as a table. Each number leads to what it counts. */
import type { RouteLocationRaw } from 'vue-router'
import type { Decision } from '#contract/applicants/applicants.ts'
import type { MarkedState } from '../../kit/marks.ts'

/** A colour and a pattern, of an outcome or of a series that has no meaning of its own. */
export type Tone =
  | 'answered'
  | 'invalid-response'
  | 'not-sent'
  | 'unknown'
  | 'open'
  | 'first'
  | 'second'
  | 'waiting'
  | 'overdue'
  | Decision

export interface Series {
  readonly tone: Tone
  readonly label: string
  /** Its key is the mark of this state. */
  readonly state?: MarkedState
}

export interface Mark {
  /** One for each series. */
  readonly value: number
  readonly text: string
  /** Where the number leads; absent if there is nothing to show. */
  readonly to?: RouteLocationRaw | undefined
}

export interface PlotRow {
  readonly key: string
  readonly label: string
  /** The label below an axis. */
  readonly short?: string
  /** The whole row in words, for its mark. */
  readonly words: string
  readonly to: RouteLocationRaw
  readonly marks: readonly Mark[]
  /** All marks together, in the table. */
  readonly total?: Pick<Mark, 'text' | 'to'>
}

export interface Plot {
  readonly title: string
  /** The whole plot in one sentence, for screen readers; its largest row if absent. */
  readonly summary?: string
  /** Heading of the rows' totals in the table. */
  readonly totals?: string
  /** What the marks mean and how exact they are. */
  readonly note?: string
  /** Heading of the rows in the table. */
  readonly head: string
  readonly series: readonly Series[]
  /** Marks of one row follow one another, or the larger one is drawn behind the smaller one. */
  readonly arranged: 'stacked' | 'layered'
  readonly rows: readonly PlotRow[]
  /** Formats a number of the axis. */
  readonly axis: (value: number) => string
  /** If there are no rows. */
  readonly empty: string
}

/** The length of a row's marks together. */
export const lengthOf = ({ arranged }: Pick<Plot, 'arranged'>, { marks }: Pick<PlotRow, 'marks'>): number =>
  arranged === 'stacked'
    ? marks.reduce((sum, { value }) => sum + value, 0)
    : Math.max(0, ...marks.map(({ value }) => value))

/** Round numbers from 0 to at least `most`, about `parts` of them; whole numbers if `least` is 1. */
export function ticks(most: number, parts = 4, least = 1): number[] {
  const rough = Math.max(most / parts, least)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10)
  return Array.from({ length: Math.max(1, Math.ceil(most / step - 1e-9)) + 1 }, (_, index) => index * step)
}
