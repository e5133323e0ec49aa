/**
 * The script that runs in the preview's page before any other: builds `window.veridesk` from the same bridge as
 * Electron's preload, over a binding that it removes from the page.
 */
import { channelNames } from '#contract/ipc/channel-names.ts'
import type { CommandShortcut } from '../node/shortcuts.ts'
import { buildBridge } from '../preload/bridge.ts'
import { takePeers } from '../node/no-peers.ts'

/** Names in the page that the host uses; generated for each session. */
export interface PageNames {
  /** The binding that sends requests; removed from the page once the bridge is installed. */
  readonly binding: string
  /** The function that receives answers and events. */
  readonly receiver: string
}

/** Requests above the limit do not leave the page; the host checks the limit again. */
export interface PageLimit {
  readonly maxCharacters: number
  /** The answer to a larger request. */
  readonly tooLarge: unknown
}

type Incoming = { readonly id: number; readonly answer: unknown } | { readonly event: unknown }

// Self-contained: only its source text is sent.
function install(
  build: typeof buildBridge,
  names: readonly string[],
  own: PageNames,
  limit: PageLimit,
  shortcuts: readonly CommandShortcut[]
): void {
  if (window.top !== window) return
  const page = globalThis as unknown as Record<string, unknown>
  const post = page[own.binding] as (text: string) => void
  delete page[own.binding]
  const waiting = new Map<number, (answer: unknown) => void>()
  const listeners = new Set<(event: unknown) => void>()
  let lastId = 0

  const request = (name: string, input: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1
      const text = JSON.stringify({ id: lastId, name, input })
      if (text.length > limit.maxCharacters) return resolve(limit.tooLarge)
      waiting.set(lastId, resolve)
      post(text)
    })
  const subscribe = (listener: (event: unknown) => void): (() => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  const notifyAll = (event: unknown): void => {
    for (const listener of [...listeners]) listener(event)
  }

  Object.defineProperty(page, own.receiver, {
    value: (message: Incoming): void => {
      if (!('id' in message)) return notifyAll(message.event)
      waiting.get(message.id)?.(message.answer)
      waiting.delete(message.id)
    }
  })
  Object.defineProperty(page, 'veridesk', { value: build(names, request, subscribe), enumerable: true })

  // Electron has a native menu for these; here a key listener handles the same keys.
  const isMac = navigator.platform.startsWith('Mac')
  const keys = shortcuts.flatMap(({ command, accelerator }) => {
    if (accelerator === undefined) return []
    const parts = accelerator.toLowerCase().split('+')
    return [
      {
        command,
        key: parts.at(-1),
        main: parts.includes('cmdorctrl') || parts.includes('cmd'),
        shift: parts.includes('shift')
      }
    ]
  })
  window.addEventListener('keydown', (event) => {
    if (event.altKey || (isMac ? event.ctrlKey : event.metaKey)) return
    const main = isMac ? event.metaKey : event.ctrlKey
    // By the position on a layout without Latin letters, as the native accelerators.
    const position = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
    const key = /^\p{Script=Latin}|^\P{L}/u.test(event.key) ? event.key.toLowerCase() : position
    const hit = keys.find((k) => k.key === key && k.main === main && k.shift === event.shiftKey)
    if (!hit) return
    event.preventDefault()
    notifyAll({ kind: 'menu', command: hit.command })
  })
}

/** The source to evaluate in each new document, those of frames included. */
export function pageScript(names: PageNames, limit: PageLimit, shortcuts: readonly CommandShortcut[]): string {
  const values = [channelNames, names, limit, shortcuts].map((value) => JSON.stringify(value))
  return `(${takePeers.toString()})();(${install.toString()})(${buildBridge.toString()}, ${values.join(', ')})`
}
