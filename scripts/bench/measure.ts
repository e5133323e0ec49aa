/** Measuring side by side, and describing the machine it was done on. */
import { cpus, loadavg, platform, release, totalmem } from 'node:os'

export interface Row {
  readonly work: string
  /** Milliseconds. */
  readonly ours: { readonly median: number; readonly p95: number }
  readonly beside: { readonly median: number; readonly p95: number }
}

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN

function summary(times: number[]): { readonly median: number; readonly p95: number } {
  const sorted = times.sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) }
}

const timed = (work: () => unknown): number => {
  const from = performance.now()
  work()
  return performance.now() - from
}

/** Runs each variant's two sides in turn, first untimed, then `rounds` times. */
export function sideBySide(work: string, variants: readonly (readonly [ours: () => unknown, beside: () => unknown])[], rounds: number): Row {
  const ours: number[] = []
  const beside: number[] = []
  for (const [a, b] of variants) {
    a()
    b()
    for (let round = 0; round < rounds; round += 1) {
      // Each side goes first in turn, so that neither always finds the other's pages warm.
      if (round % 2 === 0) ours.push(timed(a))
      beside.push(timed(b))
      if (round % 2 === 1) ours.push(timed(a))
    }
  }
  return { work, ours: summary(ours), beside: summary(beside) }
}

/** The machine in one line, without its name; with its load, since other work on it slows both sides. */
export function machine(): string {
  const [first, ...others] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${others.length + 1} × ${first?.model.trim() ?? 'unknown processor'}, ${gib} GiB memory, ${platform()} ${release()}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} at the start`
}
