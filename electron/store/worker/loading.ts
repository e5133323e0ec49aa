/** Loads into memory what later requests need: in steps between requests, and not while rows of a batch are written. */

export interface Loading {
  /** From now on, does not wait for a break in the writes: somebody is waiting. */
  hurry(): void
  /** Hurries, and resolves when everything is loaded, or when a step has failed. */
  whole(): Promise<void>
}

export interface LoadingParts {
  /** Loads a little; false if nothing is left, or if it failed. */
  step(): boolean
  /** Whether writes follow each other: each of them would wait for a step. */
  writing(): boolean
  /** Milliseconds after which a break in the writes is looked for again. */
  readonly pause: number
}

/** Starts to load with the next turn of the event loop. */
export function startLoading({ step, writing, pause }: LoadingParts): Loading {
  let hurried = false
  let over = false
  let waiters: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  function go(): void {
    timer = undefined
    if (!hurried && writing()) {
      timer = setTimeout(go, pause).unref()
      return
    }
    if (step()) {
      setImmediate(go)
      return
    }
    over = true
    for (const resolve of waiters) resolve()
    waiters = []
  }
  setImmediate(go)
  const hurry = (): void => {
    hurried = true
    if (!timer) return
    clearTimeout(timer)
    go()
  }
  return {
    hurry,
    whole: () =>
      new Promise((resolve) => {
        if (over) {
          resolve()
          return
        }
        waiters.push(resolve)
        hurry()
      })
  }
}
