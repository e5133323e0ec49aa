/** The channel between the preview's page and core's router; checks the sender. */
import { randomBytes } from 'node:crypto'
import { failed } from '#contract/failures/failures.ts'
import { channels, type ConsoleEvent } from '#contract/ipc/ipc.ts'
import { commandShortcuts } from '../node/shortcuts.ts'
import type { DevTools } from '../node/chromium/devtools.ts'
import { windowOrigin } from './intercept.ts'
import { pageScript, type PageNames } from './page-script.ts'
import type { PageTarget } from '../node/chromium/targets.ts'

export type Router = (name: unknown, payload: unknown) => Promise<unknown>

// The largest request of any channel plus its envelope; core's router limits each channel.
const maxCharacters = Math.max(...Object.values(channels).map((channel) => channel.maxBytes)) + 4096

const tooLarge = failed('request-refused', { reason: 'too-large' })

interface ContextDescription {
  readonly id: number
  readonly origin: string
  readonly auxData?: { readonly isDefault?: boolean; readonly frameId?: string }
}

export interface Bridge {
  announce(event: ConsoleEvent): void
  /** The page's main execution context, while there is one. */
  context(): number | undefined
}

/** Installs the bridge for a page; call before the page navigates to the window's address. */
export async function installBridge(devTools: DevTools, target: PageTarget, router: Router): Promise<Bridge> {
  const secret = randomBytes(12).toString('hex')
  const names: PageNames = { binding: `veridesk_${secret}_out`, receiver: `veridesk_${secret}_in` }
  let context: number | undefined

  const inPage = (message: unknown, contextId: number): void =>
    devTools.notify(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: `function (message) { globalThis[${JSON.stringify(names.receiver)}](message) }`,
        executionContextId: contextId,
        arguments: [{ value: message }]
      },
      target.sessionId
    )

  // Trusted: the page's main frame, its main context, the exact origin. Anything else gets no answer.
  devTools.on('Runtime.executionContextCreated', (params, sessionId) => {
    const created = params['context'] as ContextDescription
    if (sessionId !== target.sessionId || created.auxData?.isDefault !== true) return
    // The main frame of a page has the id of its target.
    if (created.auxData.frameId !== target.targetId || created.origin !== windowOrigin) return
    context = created.id
  })
  devTools.on('Runtime.executionContextDestroyed', (params, sessionId) => {
    if (sessionId === target.sessionId && params['executionContextId'] === context) context = undefined
  })
  devTools.on('Runtime.executionContextsCleared', (_params, sessionId) => {
    if (sessionId === target.sessionId) context = undefined
  })

  devTools.on('Runtime.bindingCalled', (params, sessionId) => {
    const speaker = params['executionContextId'] as number
    if (sessionId !== target.sessionId || params['name'] !== names.binding || speaker !== context) return
    const text = params['payload'] as string
    if (text.length > maxCharacters) return refuseLarge(text, (id, answer) => inPage({ id, answer }, speaker))
    const request = envelope(text)
    if (!request) return
    void router(request.name, request.input)
      .catch(() => failed('internal', { reason: 'router' }))
      .then((answer) => inPage({ id: request.id, answer }, speaker))
  })

  const source = pageScript(names, { maxCharacters, tooLarge }, commandShortcuts(process.platform))
  await Promise.all([
    devTools.send('Runtime.enable', {}, target.sessionId),
    devTools.send('Runtime.addBinding', { name: names.binding }, target.sessionId),
    devTools.send('Page.addScriptToEvaluateOnNewDocument', { source }, target.sessionId)
  ])

  return {
    announce: (event) => {
      if (context !== undefined) inPage({ event }, context)
    },
    context: () => context
  }
}

interface Envelope {
  readonly id: number
  readonly name: unknown
  readonly input: unknown
}

/** Refuses a request that is too large without parsing it: its number is at the front. */
function refuseLarge(text: string, answer: (id: number, failure: unknown) => void): void {
  const id = /^\{"id":(\d{1,15}),/.exec(text.slice(0, 32))?.[1]
  if (id) answer(Number(id), tooLarge)
}

function envelope(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null
    return typeof value?.id === 'number' ? { id: value.id, name: value.name, input: value.input } : undefined
  } catch {
    return undefined
  }
}
