/**
 * The interfaces that core requires from its environment. Each host (Electron, preview, command line) implements
 * them; core does not import Electron, open windows or read process-wide state itself.
 */
import type { NotifiedPlace } from '#contract/app/opening.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { RunCredentialsCommand } from './secret-store.ts'
import type { PolicyReader } from './policies.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'

/** A place by a link, a file by its absolute path, or a link that leads nowhere. */
export type AskedToOpen = NotifiedPlace | { readonly path: string } | 'refused'

/** What a host provides besides workers and time. */
export interface HostPorts {
  readonly kind: 'electron' | 'preview' | 'cli'
  readonly version: string
  /** Requests follow as soon as the history is open: what sends them is loaded while it opens. */
  readonly sendsAtOnce?: boolean
  /** Folder of the files shipped with the application, such as the verifier. */
  readonly resources: string
  /** Folder of settings, connections and history; separate for each user. */
  readonly dataFolder: string
  /** The operating system's user name. Core signs records with the name in decisions beside it. */
  readonly operator: string
  /** The full name that the operating system has for that account; absent if it has none. */
  readonly fullName?: string
  readonly clock: Clock
  readonly launchWorker: LaunchWorker
  /** Where administrators put policies; absent if there are none to read, as in tests of other parts. */
  readonly policies?: PolicyReader
  /** Runs the command that a policy names for the credentials of a connection; absent if this host runs none. */
  readonly runCredentialsCommand?: RunCredentialsCommand
  /** Notifies every window of this console. */
  announce(event: ConsoleEvent): void
  /** The host's own notices, added to core's in each state. */
  readonly notices?: () => readonly Failure[]
  copyText(text: string): Promise<void>
  /** The clipboard's text; undefined or a rejection if it cannot be read. */
  readText(): Promise<string | undefined>
  /** Empties the clipboard. */
  clearText(): Promise<void>
  /**
   * Keeps the window out of captures and recordings of the screen, or no longer. Returns whether this system can;
   * absent if the host cannot.
   */
  readonly protectContent?: (on: boolean) => boolean
  /** Clears the window's navigation history; absent if there is no window. */
  readonly forgetAddresses?: () => Promise<void>
  /** Asks the user to choose a file; undefined if cancelled. */
  chooseFile(title: string, extensions: readonly string[]): Promise<string | undefined>
  /** Asks the user for the path of a new file; undefined if cancelled. */
  chooseSavePath(title: string, suggestedName: string, extensions: readonly string[]): Promise<string | undefined>
  /**
   * Prints a page to PDF in an isolated window, without scripts or network; absent if the host has no window. Rejects
   * if printing fails.
   */
  readonly printPdf?: (html: string) => Promise<Uint8Array>
  /** Progress of a batch for the task bar, from 0 to 1; undefined removes it. */
  showProgress(fraction: number | undefined): void
  /** A system notification; a click leads to the place. Never with personal data: others may see the screen. */
  notify(title: string, body: string, place: NotifiedPlace): void
  /** The number at the program's icon; 0 removes it. */
  showBadge(count: number): void
  /** The system's proxy for an address as a PAC result (`DIRECT`, `PROXY host:port; DIRECT`). */
  resolveSystemProxy(url: string): Promise<string>
  /** Takes the next thing that the system asks to open; absent if this host is never asked. */
  readonly opening?: () => AskedToOpen | undefined
  /**
   * Present if the session has sample data: its data folder is temporary and is deleted when the session ends. Core then uses
   * no keychain, and no connection but the practice service.
   */
  readonly sample?: {
    /** Closes the window, as its user would. */
    close(): void
  }
  /** Starts this host's own program again with sample data; absent if it cannot. Failures: `sample-not-opened`, `sample-open-already`. */
  readonly openSample?: () => Promise<Result<null, Failure>>
  /** Starts the bundled practice service and returns its base URL; idempotent. */
  startPractice(): Promise<
    Result<{ readonly baseUrl: string; readonly credentials: Readonly<Record<string, string>> }, Failure>
  >
}
