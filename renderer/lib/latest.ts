/**
 * Answers to what is typed, as quick as they can be had: the first question is asked at once, one is in progress at
 * a time, and of what was typed meanwhile only the newest is asked next. No pause for breath is waited for, and
 * however slow the answers, no line of questions forms.
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
