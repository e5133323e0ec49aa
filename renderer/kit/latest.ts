/**
 * Runs requests for typed input as fast as possible: the first starts at once, one runs at a time, and only the newest
 * input since then is requested next. There is no typing delay, and slow answers do not build up a queue.
 */
export function latest<Input>(work: (input: Input) => Promise<void>): (input: Input) => void {
  let waiting: { readonly input: Input } | undefined
  let busy = false

  async function run(first: Input): Promise<void> {
    busy = true
    try {
      for (let next: { readonly input: Input } | undefined = { input: first }; next; next = waiting) {
        waiting = undefined
        await work(next.input)
      }
    } finally {
      busy = false
    }
  }

  return (input) => {
    if (busy) waiting = { input }
    else void run(input)
  }
}
