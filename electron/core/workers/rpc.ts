/**
 * Calls over a worker line: one typed way for the history's thread and the keychain's process.
 *
 * The worker side works under each of the three launchers: a `worker_threads` Worker, a
 * `child_process` fork (advanced serialization) and Electron's `utilityProcess`.
 */
import { parentPort } from 'node:worker_threads'
import { failed } from '#contract/failures.ts'
import type { WorkerLine } from '#core/ports/worker-line.ts'

interface Call {
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}
interface Answer {
  readonly answer: number
  readonly value: unknown
}

/** The worker's own end of the line. */
export interface WorkerPort {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** Electron's `process.parentPort`, of which Node's types know nothing. */
interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** Finds out by whom this worker was launched. Throws where nobody did: then there is nobody to serve. */
export function findPort(): WorkerPort {
  if (parentPort) {
    const port = parentPort
    return { post: (message) => port.postMessage(message), onMessage: (listener) => void port.on('message', listener) }
  }
  const utility = (process as unknown as { readonly parentPort?: UtilityPort }).parentPort
  if (utility) {
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on('message', (event) => listener(event.data))
    }
  }
  if (process.send) {
    // A worker without its host has no purpose, and must not go on holding a file or a keychain.
    process.once('disconnect', () => process.exit(0))
    return {
      post: (message) => void process.send?.(message, undefined, undefined, () => undefined),
      onMessage: (listener) => void process.on('message', listener)
    }
  }
  throw new Error('this file is the entry of a worker; it is not run by itself')
}

/** What a worker offers, by name. Arguments and answers must be structured-cloneable. */
// The arguments' types are the business of the two sides; `never` accepts every method and lets nobody call it unchecked.
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>

/**
 * Serves calls in the worker. A method may answer at once or by a promise; several may be in progress.
 * A throw is a bug: it is answered with failure `internal`, which names the method and the kind of
 * error only, since an error's text may quote what it failed on.
 */
export function serve(methods: Methods, port: WorkerPort = findPort()): void {
  port.onMessage((message) => {
    const { call, method, args } = message as Call
    const answer = (value: unknown): void => port.post({ answer: call, value } satisfies Answer)
    const bug = (error: unknown): void => answer(failed('internal', { reason: 'method', method, error: kindOf(error) }))
    try {
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!found) throw new TypeError(`no method ${method}`)
      const value = found(...(args as never[]))
      if (value instanceof Promise) value.then(answer, bug)
      else answer(value)
    } catch (error) {
      bug(error)
    }
  })
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = (error as { readonly code?: unknown }).code
  return typeof code === 'string' ? code : error.name
}

/** The host's end of a line. */
export interface Connected {
  /** Settles with the method's answer, or with `lost()`'s value where the worker has ended; never rejects. */
  call(method: string, ...args: readonly unknown[]): Promise<unknown>
  /** Settles with the reason when the worker has ended. */
  readonly ended: Promise<string>
  /** Ends the worker at once; calls in progress settle as lost. */
  end(): void
}

/** The failure with which calls settle by default when their worker has ended. */
export const lostAnswer = (reason: string): unknown => failed('internal', { reason: 'worker-ended', ending: reason })

/** Calls a worker's methods. `lost` gives the value of calls that a worker's end leaves unanswered. */
export function connect(line: WorkerLine, lost: (reason: string) => unknown = lostAnswer): Connected {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  let over: string | undefined
  let tellEnd: (reason: string) => void
  const ended = new Promise<string>((resolve) => (tellEnd = resolve))
  const finish = (reason: string): void => {
    if (over !== undefined) return
    over = reason
    for (const settle of waiting.values()) settle(lost(reason))
    waiting.clear()
    tellEnd(reason)
  }
  line.onMessage((message) => {
    const { answer, value } = message as Answer
    const settle = waiting.get(answer)
    waiting.delete(answer)
    settle?.(value)
  })
  line.onEnd(finish)
  return {
    call: (method, ...args) => {
      if (over !== undefined) return Promise.resolve(lost(over))
      return new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        line.post({ call: last, method, args } satisfies Call)
      })
    },
    ended,
    end: () => {
      line.kill()
      finish('it was told to end')
    }
  }
}
