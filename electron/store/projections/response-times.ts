/**
 * Response times as numbers of classes, two bytes each. The limits of a class differ by a fixed ratio, so that a
 * median or percentile read from counts is within a known share of the exact one, however long the times are.
 */
import { timeTolerance, type ResponseTimes } from '#contract/history/overview.ts'

/** Shorter times, in milliseconds, are all in the first class. */
const shortest = 0.1
/** Longer times, a week, are all in the last class. */
const longest = 7 * 86_400_000
/** Between the limits of a class: its middle, the geometric mean, then differs from both by the tolerance at most. */
const step = 2 * Math.log(1 + timeTolerance)

/** Classes are numbered from 1; 0 means that there is no time. */
export const timeClasses = Math.ceil(Math.log(longest / shortest) / step) + 2

/** The class of a time in milliseconds. */
export const classOfTime = (ms: number | null): number =>
  ms === null ? 0 : ms <= shortest ? 1 : Math.min(timeClasses - 1, 2 + Math.floor(Math.log(ms / shortest) / step))

/** The middle of a class, in milliseconds. */
const timeOfClass = (number: number): number => (number <= 1 ? shortest : shortest * Math.exp((number - 1.5) * step))

/**
 * Median and 95th percentile by nearest rank.
 *
 * @param counts By class, from `from` on, `timeClasses` of them.
 */
export function responseTimes(counts: Uint32Array, from = 0): ResponseTimes | undefined {
  let count = 0
  for (let number = 1; number < timeClasses; number += 1) count += counts[from + number] ?? 0
  if (count === 0) return undefined
  const at = (share: number): number => {
    let left = Math.ceil(count * share)
    for (let number = 1; number < timeClasses; number += 1) {
      left -= counts[from + number] ?? 0
      if (left <= 0) return timeOfClass(number)
    }
    return timeOfClass(timeClasses - 1)
  }
  return { count, median: at(0.5), p95: at(0.95) }
}
