/** The clipboard, as far as its text came from Veridesk: known by a digest under a key that only this process has. */
import { createHmac, randomBytes } from 'node:crypto'
import type { HostPorts } from '#core/ports/host.ts'

export interface Clipboard {
  /** Copies a text. Rejects where the host cannot. */
  copy(text: string): Promise<void>
  /** Notes a text that a person copied out of the window by the system's own way. */
  noted(text: string): void
  /**
   * Empties the clipboard where it still holds the last text that came from Veridesk; what another program put there
   * stays. A host that cannot read the clipboard empties it in any case: personal data must not stay in it. Never rejects.
   */
  empty(): Promise<void>
}

export function createClipboard(host: Pick<HostPorts, 'copyText' | 'readText' | 'clearText'>): Clipboard {
  const key = randomBytes(32)
  // Systems store line ends their own way.
  const digest = (text: string): string => createHmac('sha256', key).update(text.replaceAll('\r\n', '\n')).digest('hex')
  let last: string | undefined
  return {
    async copy(text) {
      last = digest(text)
      await host.copyText(text)
    },
    noted: (text) => void (last = digest(text)),
    async empty() {
      const ours = last
      if (ours === undefined) return
      const held = await host.readText().catch(() => undefined)
      // Copied anew while it was read: that is for the next time.
      if (last !== ours) return
      last = undefined
      if (held === undefined || digest(held) === ours) await host.clearText().catch(() => undefined)
    }
  }
}
