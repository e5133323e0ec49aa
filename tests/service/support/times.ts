/** How much a scenario of a proof injects: once in `npm test`, as often as `npm run prove` asks otherwise. */
import { randomInt } from 'node:crypto'
import type { TaskMeta } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    counts?: Record<string, number>
  }
}

/** For a test that repeats within itself; `npm run prove` repeats the others as a whole. */
export const times = Number(process.env['VERIDESK_TIMES'] ?? '1')

/** Cases that take seconds each: all of them in a proof, so many by chance otherwise. */
export function some<T>(cases: readonly T[], count = 1): readonly T[] {
  if (times > 1) return cases
  const left = [...cases]
  return Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)).flat()
}

/** Adds two counts; of one whose name begins with “most”, the larger is kept. */
export const added = (name: string, one: number, other: number): number =>
  name.startsWith('most ') ? Math.max(one, other) : one + other

/** Says what a run of a test injected and found; `npm run prove` shows the sums over all runs. */
export function counted({ meta }: { readonly meta: TaskMeta }, counts: Readonly<Record<string, number>>): void {
  const sums = (meta.counts ??= {})
  for (const [name, count] of Object.entries(counts)) sums[name] = added(name, sums[name] ?? 0, count)
}
