/** How this start was asked for, and whether it may go on. */
import { app } from 'electron'
import { hostileFlag } from './flags.ts'

export interface Start {
  readonly args: readonly string[]
  readonly dataFolder: string
  /** Tests alone: a Node >= 22 that hosts the history, where Electron's own Node is older. */
  readonly historyNode?: string
  /** Tests alone: no window before they have attached. */
  readonly heldForTests: boolean
}

/** The start as the arguments and, unless installed, the environment ask for it. */
export function defaultStart(): Start {
  // An installed console takes nothing from the environment: its data and its programs are not up for choice.
  const environment = app.isPackaged ? {} : process.env
  return {
    args: process.argv.slice(1),
    dataFolder: environment['VERIDESK_DATA'] || app.getPath('userData'),
    historyNode: environment['VERIDESK_HISTORY_NODE'],
    heldForTests: environment['VERIDESK_TEST_ATTACH'] === '1'
  }
}

/**
 * Settles at once, or when tests have attached: they call this name in the main process then, as Playwright does for
 * a program that its own loader holds. A window that comes up while they attach may be lost to them.
 */
export function released({ heldForTests }: Start): Promise<void> {
  if (!heldForTests) return Promise.resolve()
  return new Promise((resolve) => Object.assign(globalThis, { __playwright_run: () => resolve() }))
}

/** Why the start ends here, with its exit code; undefined where it goes on. Takes the single-instance lock. */
export function refusalOf(start: Start): { readonly sentence: string; readonly code: number } | undefined {
  const flag = app.isPackaged ? hostileFlag(start.args) : undefined
  if (flag)
    return { sentence: `Veridesk does not start with ${flag}: it would open the console to others. Start it without.`, code: 2 }
  if (!app.requestSingleInstanceLock())
    return { sentence: 'Veridesk is already running; its window was asked to come to the front.', code: 0 }
  return undefined
}
