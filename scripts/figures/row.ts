/** Creates a row of figures from samples and compares it with its targets. Pure. */
import type { Aim, Row, Values } from './format.ts'

/** The value below which this fraction of the sorted samples is; NaN if there are none. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN

const ascending = (samples: readonly number[]): number[] => [...samples].sort((a, b) => a - b)

/** The statistics of a row: a single sample as it is, several as median, 95th percentile and largest. */
function summary(
  samples: readonly number[]
): { readonly single: number } | { readonly median: number; readonly p95: number; readonly largest: number } {
  const sorted = ascending(samples)
  const [first = NaN] = sorted
  return sorted.length === 1
    ? { single: first }
    : { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), largest: quantile(sorted, 1) }
}

export interface RowOrder {
  readonly name: string
  readonly unit: Row['unit']
  readonly samples: readonly number[]
  readonly beside?: { readonly what: string; readonly samples: readonly number[]; readonly cannotWin?: string }
  /** The maximum of each. A ratio may have a median below which the target is met in any case. */
  readonly aims?: { readonly [name in Exclude<Aim['of'], 'ratio'>]?: number } & {
    readonly ratio?: number | { readonly atMost: number; readonly orBelow: number }
  }
}

/** The representative value of a row: the median, or the only sample. */
export const middle = ({ median, single, largest }: Values): number => median ?? single ?? largest ?? NaN

/** Rounds to five digits; the rest is noise. */
const rounded = (value: number): number => Number(value.toPrecision(5))

const roundedValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rounded(value)]))

function compared(
  ours: Values,
  beside: Values | undefined,
  [of, limit]: [Aim['of'], number | { readonly atMost: number; readonly orBelow?: number }]
): Aim {
  const { atMost, orBelow } = typeof limit === 'number' ? { atMost: limit, orBelow: undefined } : limit
  const base = beside && middle(beside)
  const value =
    of === 'ratio'
      ? middle(ours) / (base ?? NaN)
      : of === 'difference'
        ? middle(ours) - (base ?? NaN)
        : (ours[of] ?? (of === 'single' ? NaN : ours.single) ?? NaN)
  // A target without a measurement is missed.
  const met = value <= atMost || (orBelow !== undefined && middle(ours) <= orBelow)
  return {
    of,
    value: Number.isNaN(value) ? Number.MAX_VALUE : rounded(value),
    atMost,
    ...(orBelow !== undefined && { orBelow }),
    met
  }
}

/** Throws if there is no sample, since nothing was measured. */
export function rowOf({ name, unit, samples, beside, aims = {} }: RowOrder): Row {
  for (const each of [samples, ...(beside ? [beside.samples] : [])])
    if (each.length === 0 || each.some((sample) => !Number.isFinite(sample)))
      throw new Error(`“${name}” was not measured`)
  const ours = roundedValues(summary(samples))
  const other = beside && roundedValues(summary(beside.samples))
  return {
    name,
    unit,
    ours: { samples: samples.length, values: ours },
    ...(beside &&
      other && {
        beside: {
          what: beside.what,
          samples: beside.samples.length,
          values: other,
          ...(beside.cannotWin !== undefined && { cannotWin: beside.cannotWin })
        }
      }),
    aims: Object.entries(aims).map(([of, limit]) => compared(ours, other, [of as Aim['of'], limit]))
  }
}
