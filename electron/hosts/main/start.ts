/** The options of this start, and whether it may continue. */
import { app } from 'electron'
import { sampleWithData } from '../node/sample.ts'
import type { OwnProgram } from '../node/sample-window.ts'
import { refusedVariable, type RefusedVariable } from '../node/environment.ts'
import { refusedFlag, refusedFlags } from './flags.ts'

export interface Start {
  readonly args: readonly string[]
  /** Tests only: another data folder than the one of the system or of a policy. */
  readonly dataFolder?: string
  /** Sample data in a temporary folder, deleted at the end. */
  readonly sample: boolean
  /** Tests only: a Node >= 22 that hosts the history, if Electron's own Node is older. */
  readonly historyNode?: string
  /** Tests only: opens no window before they have attached. */
  readonly heldForTests: boolean
}

/** The start options from the arguments and, unless installed, the variables of tests. */
export function defaultStart(): Start {
  // Of tests only: an installed application has no such variables (`../node/environment.ts`).
  const environment = process.env
  const args = process.argv.slice(1)
  return {
    args,
    sample: args.includes('--sample'),
    ...(environment['VERIDESK_DATA'] && { dataFolder: environment['VERIDESK_DATA'] }),
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

/** Whether there is none for a window or a dialog; without it, Electron itself ends with a signal. */
export const lacksDisplay = (): boolean =>
  process.platform === 'linux' && !['DISPLAY', 'WAYLAND_DISPLAY', 'WAYLAND_SOCKET'].some((name) => process.env[name])

const noDisplay =
  'Veridesk’s window needs a display, and there is none. Nothing was opened. Start it in a desktop session, or use the command line, which needs none: “veridesk help”.'

export interface Refusal {
  readonly sentence: string
  readonly code: number
}

/**
 * Why the options do not allow a start; undefined if they do.
 *
 * @param variable One of the environment that no start may have.
 */
export function refusedOptions(start: Start, variable: RefusedVariable | undefined): Refusal | undefined {
  if (variable) return { sentence: refusedVariable(variable), code: 2 }
  const [flag] = app.isPackaged ? refusedFlags(start.args) : []
  if (flag) return { sentence: refusedFlag(flag, process.env['APPIMAGE'] !== undefined), code: 2 }
  const another = start.args.some((arg) => /^--data(?:=|$)/.test(arg)) || Boolean(process.env['VERIDESK_DATA'])
  if (start.sample && another) return { sentence: sampleWithData, code: 2 }
  return lacksDisplay() ? { sentence: noDisplay, code: 2 } : undefined
}

/** Why this start ends; undefined if it is the only one on its data. Takes the single-instance lock. */
export function refusedSecond(): Refusal | undefined {
  if (!app.requestSingleInstanceLock())
    return { sentence: 'Veridesk is already running; its window was asked to come to the front.', code: 0 }
  return undefined
}

/** How this program was started, to start it again. */
export function ownProgram(): OwnProgram {
  // In development Electron's program is started with the folder of the application, and root has no sandbox.
  const asRoot = !app.isPackaged && process.getuid?.() === 0
  return {
    program: process.execPath,
    args: [...(process.defaultApp ? [app.getAppPath()] : []), ...(asRoot ? ['--no-sandbox'] : [])]
  }
}
