/** A client of the Chrome DevTools Protocol over a pipe: JSON messages terminated by NUL, without any port. */
import type { Readable, Writable } from 'node:stream'

export type Params = Readonly<Record<string, unknown>>
export type EventListener = (params: Params, sessionId: string | undefined) => void

export interface DevTools {
  /** Sends a command; rejects with the browser's message if it fails, or when the pipe ends. */
  send(method: string, params?: Params, sessionId?: string): Promise<Params>
  /** Sends a command whose failure does not matter. */
  notify(method: string, params?: Params, sessionId?: string): void
  on(method: string, listener: EventListener): void
  onEnd(listener: () => void): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: { readonly message?: string }
  readonly sessionId?: string
}

interface Waiting {
  readonly resolve: (result: Params) => void
  readonly reject: (error: Error) => void
}

/** Uses DevTools over a pair of streams. */
export function devToolsOver(toBrowser: Writable, fromBrowser: Readable): DevTools {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, EventListener[]>()
  const endListeners: (() => void)[] = []
  let lastId = 0
  let ended = false

  const take = (text: string): void => {
    const message = JSON.parse(text) as Message
    if (message.id !== undefined) {
      const call = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error) call?.reject(new Error(message.error.message ?? 'refused'))
      else call?.resolve(message.result ?? {})
      return
    }
    for (const listener of listeners.get(message.method ?? '') ?? []) listener(message.params ?? {}, message.sessionId)
  }

  // Collected in pieces until a NUL: joining at every chunk would copy a large message repeatedly.
  let pieces: Buffer[] = []
  fromBrowser.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      pieces.push(chunk.subarray(from, end))
      take(Buffer.concat(pieces).toString('utf8'))
      pieces = []
      from = end + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  })

  const end = (): void => {
    if (ended) return
    ended = true
    for (const call of waiting.values()) call.reject(new Error('the browser has ended'))
    waiting.clear()
    for (const listener of endListeners) listener()
  }
  fromBrowser.on('close', end)
  fromBrowser.on('error', end)
  toBrowser.on('error', end)

  const send: DevTools['send'] = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      if (ended) {
        reject(new Error('the browser has ended'))
        return
      }
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      toBrowser.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`)
    })

  return {
    send,
    notify: (method, params, sessionId) => void send(method, params, sessionId).catch(() => undefined),
    on: (method, listener) => {
      listeners.set(method, [...(listeners.get(method) ?? []), listener])
    },
    onEnd: (listener) => {
      if (ended) listener()
      else endListeners.push(listener)
    }
  }
}
