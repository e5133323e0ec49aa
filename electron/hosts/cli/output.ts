/** Standard output, which can fail: its reader may end, or its disk may be full. */
import type { Writable } from 'node:stream'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { codeOf } from '#wire/files/write.ts'

export interface Output {
  /** Prints a line at once; nothing more after the first error. */
  line(text: string): void
  /** Resolves when everything was passed to the system; true if all of it could be written. */
  drained(): Promise<boolean>
  /** Calls the listener at the first error, or now if there was one; returns a function that ends the subscription. */
  onFault(listener: () => void): () => void
  /** Why it could not be written. `kept` is a sentence on where to find the output. */
  lost(): Failure
}

export function createOutput(stream: Writable): Output {
  /** The system's error code. */
  let fault: string | undefined
  const listeners = new Set<() => void>()
  const failed = (error: unknown): void => {
    if (fault !== undefined) return
    fault = codeOf(error)
    listeners.forEach((listener) => listener())
  }
  // Without a listener a closed pipe would end the process while requests are in progress.
  stream.on('error', failed)
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      if (fault !== undefined) return resolve()
      stream.write(text, (error) => {
        if (error) failed(error)
        resolve()
      })
    })
  return {
    line: (text) => void write(`${text}\n`),
    async drained() {
      await write('')
      return fault === undefined
    },
    onFault(listener) {
      if (fault !== undefined) listener()
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    lost: () => failure('output-lost', fault === undefined ? { reason: 'closed' } : { errno: fault })
  }
}
