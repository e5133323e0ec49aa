/**
 * What core needs from outside, as interfaces. Each host (Electron, preview, command line) hands in
 * its own; core imports no Electron, opens no window and reads no process-wide state by itself.
 */
import type { Failure } from '#contract/failures.ts'
import type { ConsoleEvent } from '#contract/ipc.ts'
import type { Result } from '#contract/result.ts'
import type { Clock } from './clock.ts'
import type { LaunchWorker } from './worker-line.ts'

/** What a host offers beside workers and time. */
export interface HostPorts {
  readonly kind: 'electron' | 'preview' | 'cli'
  readonly version: string
  /** Folder of the files that come with the program, such as the verifier. */
  readonly resources: string
  /** Folder of settings, connections and history; one user's own. */
  readonly dataFolder: string
  /** The operating system's user, for the record. */
  readonly operator: string
  readonly clock: Clock
  readonly launchWorker: LaunchWorker
  /** Tells every window of this console. */
  announce(event: ConsoleEvent): void
  /** The host's own notices, added to those of core in each state. */
  readonly notices?: () => readonly Failure[]
  copyText(text: string): Promise<void>
  /** The clipboard's text; undefined or a rejection where it cannot be read. */
  readText(): Promise<string | undefined>
  /** Empties the clipboard. */
  clearText(): Promise<void>
  /** Forgets the addresses within the window to which “back” would lead; absent where there is no window. */
  readonly forgetAddresses?: () => Promise<void>
  /** A file chosen by the person, or undefined. */
  chooseFile(title: string, extensions: readonly string[]): Promise<string | undefined>
  /** A place for a new file, chosen by the person, or undefined. */
  chooseSavePath(title: string, suggestedName: string, extensions: readonly string[]): Promise<string | undefined>
  /**
   * Prints a page to PDF in a place of its own, without scripts and without network; absent where the host
   * has no window. Rejects where it cannot be printed.
   */
  readonly printPdf?: (html: string) => Promise<Uint8Array>
  /** Progress of a batch for the task bar, from 0 to 1; undefined takes it away. */
  showProgress(fraction: number | undefined): void
  /** A notification of the system. Never with personal data: others may see the screen. */
  notify(title: string, body: string): void
  /** The system's proxy for an address as a PAC result (`DIRECT`, `PROXY host:port; DIRECT`). */
  resolveSystemProxy(url: string): Promise<string>
  /** Starts the bundled practice service and returns its base URL; idempotent. */
  startPractice(): Promise<Result<{ readonly baseUrl: string; readonly credentials: Readonly<Record<string, string>> }, Failure>>
}
