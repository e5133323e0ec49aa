/** What the preview requires from the user through the page: the clipboard and choosing a file. */
import type { DevTools } from '../node/chromium/devtools.ts'
import type { PageTarget } from '../node/chromium/targets.ts'

/** An isolated context in the page: its scripts can neither see nor change what runs there. */
async function ownWorld(devTools: DevTools, target: PageTarget): Promise<number> {
  const world = await devTools.send(
    'Page.createIsolatedWorld',
    { frameId: target.targetId, worldName: 'veridesk-host' },
    target.sessionId
  )
  return world['executionContextId'] as number
}

// Self-contained: only its source text is sent.
function copyInPage(text: string): boolean {
  document.addEventListener(
    'copy',
    (event) => {
      event.stopImmediatePropagation()
      event.preventDefault()
      event.clipboardData?.setData('text/plain', text)
    },
    { capture: true, once: true }
  )
  return document.execCommand('copy')
}

/** Writes text to the clipboard; rejects if the browser refuses. */
export async function copyText(devTools: DevTools, target: PageTarget, text: string): Promise<void> {
  const reply = await devTools.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: copyInPage.toString(),
      executionContextId: await ownWorld(devTools, target),
      arguments: [{ value: text }],
      userGesture: true,
      returnByValue: true
    },
    target.sessionId
  )
  if ((reply['result'] as { value?: unknown }).value !== true) throw new Error('the browser did not copy the text')
}

// Self-contained as above. Captures the host's own paste, which goes nowhere else; `endTaking` returns its text. A paste
// that follows the user's keys goes to the page.
function beginTaking(): void {
  const place = globalThis as { endTaking?: () => string | null }
  let text: string | null = null
  let isUsers = false
  const note = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey } = event
    isUsers = ((ctrlKey || metaKey) && key.toLowerCase() === 'v') || (shiftKey && key === 'Insert')
  }
  const take = (event: ClipboardEvent): void => {
    if (isUsers) {
      isUsers = false
      return
    }
    event.stopImmediatePropagation()
    event.preventDefault()
    text = event.clipboardData?.getData('text/plain') ?? ''
  }
  window.addEventListener('keydown', note, { capture: true })
  window.addEventListener('paste', take, { capture: true })
  place.endTaking = () => {
    window.removeEventListener('keydown', note, { capture: true })
    window.removeEventListener('paste', take, { capture: true })
    return text
  }
}
const endTaking = (): string | null => (globalThis as { endTaking?: () => string | null }).endTaking?.() ?? null

/**
 * The clipboard's text, through the same paste command that a user would give; rejects if the browser does not paste.
 */
export async function readText(devTools: DevTools, target: PageTarget): Promise<string> {
  const executionContextId = await ownWorld(devTools, target)
  const call = (done: () => unknown): Promise<Readonly<Record<string, unknown>>> =>
    devTools.send(
      'Runtime.callFunctionOn',
      { functionDeclaration: done.toString(), executionContextId, returnByValue: true },
      target.sessionId
    )
  await call(beginTaking)
  // Not a key press: the page receives only the paste.
  const pressed = await devTools
    .send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['paste'] }, target.sessionId)
    .catch(() => undefined)
  const { value } = (await call(endTaking))['result'] as { value?: unknown }
  if (!pressed || typeof value !== 'string') throw new Error('the browser did not let the clipboard be read')
  return value
}

// Self-contained as above. Resolves with the chosen file, or null if cancelled.
function chooseInPage(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null), { once: true })
    input.addEventListener('cancel', () => resolve(null), { once: true })
    input.click()
  })
}

/** Asks the user for a file and returns its path; undefined if cancelled or if the browser cannot ask. */
export async function chooseFile(
  devTools: DevTools,
  target: PageTarget,
  extensions: readonly string[]
): Promise<string | undefined> {
  const reply = await devTools.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: chooseInPage.toString(),
      executionContextId: await ownWorld(devTools, target),
      arguments: [{ value: extensions.map((extension) => `.${extension}`).join(',') }],
      userGesture: true,
      awaitPromise: true
    },
    target.sessionId
  )
  const objectId = (reply['result'] as { objectId?: string }).objectId
  if (objectId === undefined) return undefined
  const file = await devTools.send('DOM.getFileInfo', { objectId }, target.sessionId)
  return typeof file['path'] === 'string' && file['path'] !== '' ? file['path'] : undefined
}
