/** Waiting that ends early when there is something to do. */

export interface Rests {
  rest(milliseconds: number): Promise<void>
  wake(): void
}

export function createRests(): Rests {
  const resting = new Set<() => void>()
  return {
    rest: (milliseconds) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          resting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, milliseconds)
        resting.add(end)
      }),
    wake() {
      for (const end of resting) end()
    }
  }
}
