/** Two sides measured alternately, so that other work on the machine slows both. */

const timed = (work: () => unknown): number => {
  const from = performance.now()
  work()
  return performance.now() - from
}

export interface Sides {
  readonly ours: number[]
  readonly beside: number[]
}

/** Milliseconds of both sides of each variant, alternately: first untimed, then `rounds` times. */
export function sideBySide(
  variants: readonly (readonly [ours: () => unknown, beside: () => unknown])[],
  rounds: number
): Sides {
  const [ours, beside]: [number[], number[]] = [[], []]
  for (const [a, b] of variants) {
    a()
    b()
    for (let round = 0; round < rounds; round += 1) {
      // The sides take turns at going first, so that neither always finds pages in the cache.
      if (round % 2 === 0) ours.push(timed(a))
      beside.push(timed(b))
      if (round % 2 === 1) ours.push(timed(a))
    }
  }
  return { ours, beside }
}

/** The durations that both sides report, alternately. The first run of each is a warm-up. */
export async function inTurn(
  rounds: number,
  ours: (round: number) => Promise<number>,
  beside: (round: number) => Promise<number>
): Promise<Sides> {
  const [own, other]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % 2 === 0 ? await beside(round) : undefined
    own.push(await ours(round))
    other.push(first ?? (await beside(round)))
  }
  return { ours: own.slice(1), beside: other.slice(1) }
}
