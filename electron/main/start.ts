/** The options of this start, and whether it may continue. */
import { app } from 'electron'
import { hostileFlag } from './flags.ts'

export interface Start {
  readonly args: readonly string[]
  readonly dataFolder: string
  /** Tests only: a Node >= 22 that hosts the history, if Electron's own Node is older. */
  readonly historyNode?: string
  /** Tests only: opens no window before they have attached. */
  readonly heldForTests: boolean
}

/** The start options from the arguments and, unless installed, the environment. */
export function defaultStart(): Start {
  // An installed application reads nothing from the environment: its data and programs cannot be redirected.
  const environment = app.isPackaged ? {} : process.env
  return {
    args: process.argv.slice(1),
    dataFolder: environment['VERIDESK_DATA'] || app.getPath('userData'),
    historyNode: environment['VERIDESK_HISTORY_NODE'],
    heldForTests: environment['VERIDESK_TEST_ATTACH'] === '1'
  }
}

/**
 * Resolves at once, or when tests have attached: they then call this name in the main process, as Playwright does for
 * an application that its own loader holds. Tests may miss a window that opens while they attach.
 */
export function released({ heldForTests }: Start): Promise<void> {
  if (!heldForTests) return Promise.resolve()
  return new Promise((resolve) => Object.assign(globalThis, { __playwright_run: () => resolve() }))
}

/** Why the start ends here, with its exit code; undefined if it continues. Takes the single-instance lock. */
export function refusalOf(start: Start): { readonly sentence: string; readonly code: number } | undefined {
  const flag = app.isPackaged ? hostileFlag(start.args) : undefined
  if (flag)
    return { sentence: `Veridesk does not start with ${flag}: it would open the console to others. Start it without.`, code: 2 }
  if (!app.requestSingleInstanceLock())
    return { sentence: 'Veridesk is already running; its window was asked to come to the front.', code: 0 }
  return undefined
}
