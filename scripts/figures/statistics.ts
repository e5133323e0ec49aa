/** Order statistics of samples. */

/** The value below which this fraction of the sorted samples is; NaN if there are none. */
export const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN

const ascending = (samples: readonly number[]): number[] => [...samples].sort((a, b) => a - b)

/** The statistics of a row: a single sample as it is, several as median, 95th percentile and largest. */
export function summary(
  samples: readonly number[]
): { readonly single: number } | { readonly median: number; readonly p95: number; readonly largest: number } {
  const sorted = ascending(samples)
  const [first = NaN] = sorted
  return sorted.length === 1
    ? { single: first }
    : { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), largest: quantile(sorted, 1) }
}
