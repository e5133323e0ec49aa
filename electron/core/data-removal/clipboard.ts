/**
 * Clears text copied from Veridesk from the clipboard: when personal data is removed, some seconds after the copy, and
 * when the console ends. It is recognised by a digest with a key that only this process has.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { HostPorts } from '#core/ports/host.ts'

export interface Clipboard {
  /** Copies a text. Rejects if the host cannot. */
  copy(text: string): Promise<void>
  /** Registers a text that the user copied from the window with the system's own command. */
  noted(text: string): void
  /**
   * Clears the clipboard if it still contains the last text from Veridesk; content from other applications stays. If
   * the host cannot read the clipboard it is always cleared, because personal data must not stay in it. Never
   * rejects.
   */
  empty(): Promise<void>
}

/** @param seconds Seconds after a copy until the clipboard is cleared; 0 for never. Read at each copy. */
export function createClipboard(
  host: Pick<HostPorts, 'copyText' | 'readText' | 'clearText'>,
  seconds: () => number
): Clipboard {
  const key = randomBytes(32)
  // Systems may convert line ends.
  const digest = (text: string): string => createHmac('sha256', key).update(text.replaceAll('\r\n', '\n')).digest('hex')
  let last: string | undefined
  let timer: NodeJS.Timeout | undefined

  async function empty(): Promise<void> {
    clearTimeout(timer)
    const ours = last
    if (ours === undefined) return
    const held = await host.readText().catch(() => undefined)
    // A new text was copied during the read; the next call handles it.
    if (last !== ours) return
    last = undefined
    if (held === undefined || digest(held) === ours) await host.clearText().catch(() => undefined)
  }
  function remember(text: string): void {
    last = digest(text)
    // The time begins again with each copy.
    clearTimeout(timer)
    const wait = seconds() * 1000
    if (wait > 0) timer = setTimeout(() => void empty(), wait).unref()
  }
  return {
    async copy(text) {
      remember(text)
      await host.copyText(text)
    },
    noted: remember,
    empty
  }
}
