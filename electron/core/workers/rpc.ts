/**
 * Calls over a worker line: the interface of the history's thread or the keychain's process is the type of both of its
 * ends, so that a method that one end alone knows does not compile.
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

/**
 * What a worker serves: the methods of its interface, in groups or alone. A method may answer at once where the
 * interface promises it. Arguments and answers must be structured-cloneable.
 */
export type Served<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args) => infer Answer ? (...args: Args) => Answer | Awaited<Answer> : Served<Api[Name]>
}

type Method = (...args: readonly unknown[]) => unknown

/** The methods by their whole names: those of a group carry its name. */
const methodsOf = (served: object, group = ''): (readonly [string, Method])[] =>
  Object.entries(served).flatMap(([name, offered]: [string, object | Method]) =>
    typeof offered === 'function' ? [[group + name, offered as Method] as const] : methodsOf(offered, `${group}${name}.`)
  )

/**
 * Serves calls in the worker. Several may be in progress. A throw is a bug: it is answered with failure `internal`,
 * which names the method and the kind of error only, since an error's text may quote what it failed on.
 */
export function serve<Api>(served: Served<Api>, port: WorkerPort = findPort()): void {
  const methods = new Map(methodsOf(served))
  port.onMessage((message) => {
    const { call, method, args } = message as Call
    const answer = (value: unknown): void => port.post({ answer: call, value } satisfies Answer)
    const bug = (error: unknown): void => answer(failed('internal', { reason: 'method', method, error: kindOf(error) }))
    try {
      const found = methods.get(method)
      if (!found) throw new TypeError(`no method ${method}`)
      const value = found(...args)
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
  /** Calls settle with the method's answer, or with `lost()`'s value where the worker has ended; none rejects. */
  readonly api: Api
  /** The same interface; `before` runs ahead of each call. */
  noting(before: () => void): Api
  /** Settles with the reason when the worker has ended. */
  readonly ended: Promise<string>
  /** Ends the worker at once; calls in progress settle as lost. */
  end(): void
}

/** The failure with which calls settle by default when their worker has ended. */
export const lostAnswer = (reason: string): unknown => failed('internal', { reason: 'worker-ended', ending: reason })

type Send = (method: string, args: readonly unknown[]) => Promise<unknown>

/** An interface whose every method is sent. Its names are known to the compiler alone, so it has no keys to list. */
function remote(send: Send, name = ''): object {
  const inner = new Map<string, object>()
  return new Proxy((...args: readonly unknown[]) => send(name, args), {
    get(_, key) {
      // A promise that settles with an interface must not take it for another promise.
      if (typeof key === 'symbol' || key === 'then') return undefined
      const found = inner.get(key) ?? remote(send, name === '' ? key : `${name}.${key}`)
      inner.set(key, found)
      return found
    }
  })
}

/** A remote interface with methods of this side in front. (Spreading one finds nothing: it has no keys to list.) */
export const extended = <Api extends object, Own extends object>(api: Api, own: Own): Omit<Api, keyof Own> & Own =>
  Object.create(api, Object.getOwnPropertyDescriptors(own)) as Omit<Api, keyof Own> & Own

/** Calls a worker's methods. `lost` gives the value of calls that a worker's end leaves unanswered. */
export function connect<Api extends object>(line: WorkerLine, lost: (reason: string) => unknown = lostAnswer): Connected<Api> {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  let over: string | undefined
  let resolveEnd: (reason: string) => void
  const ended = new Promise<string>((resolve) => (resolveEnd = resolve))
  const finish = (reason: string): void => {
    if (over !== undefined) return
    over = reason
    for (const settle of waiting.values()) settle(lost(reason))
    waiting.clear()
    resolveEnd(reason)
  }
  line.onMessage((message) => {
    const { answer, value } = message as Answer
    const settle = waiting.get(answer)
    waiting.delete(answer)
    settle?.(value)
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
