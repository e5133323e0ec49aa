/**
 * Calls over a worker line. The interface of the history's thread or the keychain's process types both ends, so that
 * a method known to only one end does not compile.
 *
 * The worker side supports three launchers: a `worker_threads` Worker, a `child_process` fork (advanced
 * serialization) and Electron's `utilityProcess`.
 */
import { parentPort } from 'node:worker_threads'
import { failed } from '#contract/failures/failures.ts'
import type { WorkerLine } from './worker-line.ts'

interface Call {
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}
interface Answer {
  readonly answer: number
  readonly value: unknown
}

/** The worker's end of the line. */
export interface WorkerPort {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** Electron's `process.parentPort`, which Node's types do not include. */
interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** The line from a worker to its host, for a worker that calls its host. It ends with the worker itself. */
export const lineToHost = (port: WorkerPort): WorkerLine => ({
  post: port.post,
  onMessage: port.onMessage,
  onEnd: () => undefined,
  kill: () => undefined
})

/** Detects how this worker was launched. Throws if it was not launched as a worker. */
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
    // A worker without its host has no purpose and must not hold a file or a keychain.
    process.once('disconnect', () => process.exit(0))
    return {
      post: (message) => void process.send?.(message, undefined, undefined, () => undefined),
      onMessage: (listener) => void process.on('message', listener)
    }
  }
  throw new Error('this file is the entry of a worker; it is not run by itself')
}

/**
 * What a worker serves: the methods of its interface, grouped or not. A method may answer synchronously where the
 * interface has a promise. Arguments and answers must be structured-cloneable.
 */
export type Served<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Answer | Awaited<Answer>
    : Served<Api[Name]>
}

type Method = (...args: readonly unknown[]) => unknown

/** A method by its full name, with its group's first. Only functions that an object has of its own can be called. */
const methodOf = (served: object, name: string): Method | undefined => {
  let found: unknown = served
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[part]
  }
  return typeof found === 'function' ? (found as Method) : undefined
}

/**
 * Serves calls in the worker; several may be in progress. A throw is a bug: it is answered with the failure
 * `internal`, which names only the method and the kind of error, since an error's text may quote data.
 *
 * @param served What is served; a function where some of it is there only while something is open.
 * @param absent The answer of a method whose object is not there; without it, that is a bug.
 */
export function serve<Api>(
  served: Served<Api> | (() => Partial<Served<Api>>),
  port: WorkerPort = findPort(),
  absent?: unknown
): void {
  const now = typeof served === 'function' ? served : () => served
  port.onMessage((message) => {
    // On a line that both ends call, answers arrive here, too.
    if (!('call' in (message as object))) return
    const { call, method, args } = message as Call
    const answer = (value: unknown): void => port.post({ answer: call, value } satisfies Answer)
    const bug = (error: unknown): void => answer(failed('internal', { reason: 'method', method, error: kindOf(error) }))
    try {
      const found = methodOf(now(), method)
      if (!found && absent === undefined) throw new TypeError(`no method ${method}`)
      const value = found ? found(...args) : absent
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
export interface Connected<Api> {
  /** Calls resolve with the method's answer, or with `lost()`'s value if the worker has ended; they never reject. */
  readonly api: Api
  /** The same interface; calls `before` ahead of each method. */
  noting(before: () => void): Api
  /** Resolves with the reason when the worker has ended. */
  readonly ended: Promise<string>
  /** Ends the worker at once; calls in progress resolve as lost. */
  end(): void
}

/** The default failure of calls whose worker has ended. */
export const lostAnswer = (reason: string): unknown => failed('internal', { reason: 'worker-ended', ending: reason })

type Send = (method: string, args: readonly unknown[]) => Promise<unknown>

/** A proxy that sends every method. Its names are known only to the compiler, so it has no keys to list. */
function remote(send: Send, name = ''): object {
  const inner = new Map<string, object>()
  return new Proxy((...args: readonly unknown[]) => send(name, args), {
    get(_, key) {
      // A promise that resolves with this interface must not treat it as a promise.
      if (typeof key === 'symbol' || key === 'then') return undefined
      const found = inner.get(key) ?? remote(send, name === '' ? key : `${name}.${key}`)
      inner.set(key, found)
      return found
    }
  })
}

/** A remote interface with local methods in front. (Spreading one yields nothing: it has no keys to list.) */
export const extended = <Api extends object, Own extends object>(api: Api, own: Own): Omit<Api, keyof Own> & Own =>
  Object.create(api, Object.getOwnPropertyDescriptors(own)) as Omit<Api, keyof Own> & Own

/** Calls a worker's methods. `lost` returns the value for calls that a worker's end leaves unanswered. */
export function connect<Api extends object>(
  line: WorkerLine,
  lost: (reason: string) => unknown = lostAnswer
): Connected<Api> {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  let over: string | undefined
  let resolveEnd: (reason: string) => void
  const ended = new Promise<string>((resolve) => (resolveEnd = resolve))
  const finish = (reason: string): void => {
    if (over !== undefined) return
    over = reason
    for (const resolve of waiting.values()) resolve(lost(reason))
    waiting.clear()
    resolveEnd(reason)
  }
  line.onMessage((message) => {
    if (!('answer' in (message as object))) return
    const { answer, value } = message as Answer
    const resolve = waiting.get(answer)
    waiting.delete(answer)
    resolve?.(value)
  })
  line.onEnd(finish)
  const send: Send = (method, args) => {
    if (over !== undefined) return Promise.resolve(lost(over))
    return new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      line.post({ call: last, method, args } satisfies Call)
    })
  }
  return {
    api: remote(send) as Api,
    noting: (before) =>
      remote((method, args) => {
        before()
        return send(method, args)
      }) as Api,
    ended,
    end: () => {
      line.kill()
      finish('it was asked to end')
    }
  }
}
