/** Work that must not overlap, one after another in the order in which it was asked for; a failure holds nobody up. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
