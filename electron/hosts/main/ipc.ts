/** The only place where a window's requests arrive. The sender is checked here, the content by core's router. */
import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { requestChannel } from '#contract/verification/transport.ts'
import { failed } from '#contract/failures/failures.ts'
import { windowOrigin } from './protocol.ts'

/** Whether a request comes from the main frame of Veridesk's window, at its origin. */
export function isTrustedSender(
  event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  contents: WebContents | undefined
): boolean {
  const frame = event.senderFrame
  if (!contents || !frame || event.sender !== contents) return false
  return frame === contents.mainFrame && frame.origin === windowOrigin
}

/** Opens the router. `contents` returns the window's contents at the time of a request. */
export function openRouter(
  contents: () => WebContents | undefined,
  handle: (name: unknown, payload: unknown) => Promise<unknown>
): void {
  ipcMain.handle(requestChannel, async (event, name: unknown, payload: unknown, ...more: unknown[]) => {
    if (!isTrustedSender(event, contents())) return failed('request-refused', { reason: 'not-from-window' })
    if (more.length > 0) return failed('request-refused', { reason: 'too-many-parts' })
    return handle(name, payload)
  })
}
