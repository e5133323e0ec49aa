/** Whether something ends in time, on a machine of any speed. */

/**
 * Does `work` and says whether it ended before a timer of `limitMs` milliseconds that starts with it. The timers of a
 * process fire in their order, however late: so work that a shorter timer of the same process ends is always in time,
 * and work that waits for a longer one never is.
 */
export async function inTime<T>(
  limitMs: number,
  work: () => Promise<T>
): Promise<{ readonly value: T; readonly inTime: boolean }> {
  let passed = false
  const timer = setTimeout(() => (passed = true), limitMs)
  try {
    const value = await work()
    return { value, inTime: !passed }
  } finally {
    clearTimeout(timer)
  }
}
