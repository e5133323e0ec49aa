/** Work of which nobody waits for the end. */

/** The value, or undefined if it is not available in time. */
export async function within<T>(limitMs: number, value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)))
  const first = await Promise.race([value, late])
  clearTimeout(timer)
  return first
}
