/** The console in Electron: data folder and lock, core, router, window, and shutdown. */
import { fileURLToPath } from 'node:url'
import { app, dialog, nativeTheme, session, type BrowserWindow, powerMonitor } from 'electron'
import { eventChannel } from '#contract/verification/transport.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { AppState } from '#contract/app/app-state.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import type { Result } from '#contract/failures/result.ts'
import type { VerideskConsole } from '#core/console-interface.ts'
import { askToRaise } from '../node/data-lock.ts'
import type { Openings } from '../node/openings.ts'
import { practiceStarter } from '../node/practice.ts'
import type { ClaimedFolder } from '../node/prepare-folder.ts'
import { setAutostart } from '../node/autostart.ts'
import { watchScreenLock } from '../node/screen-lock.ts'
import { sampleIsOpen } from '../node/sample-window.ts'
import { endInOrder } from './ending.ts'
import { openRouter } from './ipc.ts'
import { guardSession } from './guards.ts'
import { setMenu } from './menu.ts'
import { electronPorts } from './ports.ts'
import { serveWindow } from './protocol.ts'
import type { Start } from './start.ts'
import { createWindow, raise } from './window.ts'
import type { LockReason } from '#contract/lock/lock.ts'

/** By Electron's name of the event. A change of user is an event of its own on macOS; elsewhere the screen is locked. */
const reasons = {
  'suspend': 'suspend',
  'lock-screen': 'screen',
  'user-did-resign-active': 'user-switch'
} as const satisfies Readonly<Record<string, LockReason>>

/** Calls `lock` at each of them, for the lifetime of the app. Call when the app is ready. */
function lockWithSystem(lock: (why: LockReason) => void): void {
  for (const [event, why] of Object.entries(reasons) as [keyof typeof reasons, LockReason][])
    powerMonitor.on(event as 'suspend', () => lock(why))
  if (process.platform === 'linux')
    app.on(
      'will-quit',
      watchScreenLock(() => lock('screen'))
    )
}

/** The data of a session. */
export interface Ground {
  /** Takes the lock of its folder; `onRaise` as for `lockDataFolder`. */
  readonly claim: (onRaise: () => void) => Promise<Result<ClaimedFolder, Failure>>
  /** Present if it is sample data: deletes them at its end. */
  readonly deleteSample?: () => Promise<void>
  readonly openings: Openings
}

/** Applies the policy StartAtLogOn of a state; without one, nothing is changed. Only an installed program is there at the next log-on. */
function startAtLogOn({ managed }: AppState): void {
  const value = managed?.policies.find(({ name }) => name === 'StartAtLogOn')?.value
  if (value === undefined || !app.isPackaged) return
  const on = value === 'true'
  // An AppImage runs from a folder that is gone when it ends.
  if (process.platform === 'linux') void setAutostart(on, process.env['APPIMAGE'] ?? process.execPath)
  else if (app.getLoginItemSettings().openAtLogin !== on) app.setLoginItemSettings({ openAtLogin: on })
}

/** Opens the console. Call when the app is ready. */
export async function openConsole(start: Start, { claim, deleteSample, openings }: Ground): Promise<void> {
  let window: BrowserWindow | undefined
  let windowSaved = (): Promise<void> => Promise.resolve()
  const show = (): void => {
    if (window) raise(window)
  }

  const claimed = await claim(show)
  if (!claimed.ok) return leave(claimed.failure)
  const { path: dataFolder, lock } = claimed.value
  if (!lock) return deferToRunning(dataFolder)
  app.on('second-instance', show)
  app.on('activate', show)
  app.on('window-all-closed', () => app.quit())

  const practice = practiceStarter()
  const notices: Failure[] = [...claimed.value.notices]
  const announce = (event: ConsoleEvent): void => {
    if (event.kind === 'state-changed') {
      nativeTheme.themeSource = event.state.settings.theme
      if (!deleteSample) startAtLogOn(event.state)
    }
    if (window && !window.isDestroyed() && !window.webContents.isCrashed()) window.webContents.send(eventChannel, event)
  }
  const ports = electronPorts({
    ...start,
    sample: deleteSample !== undefined,
    dataFolder,
    practice,
    opening: openings.take,
    lead: openings.lead,
    announce,
    window: () => window
  })
  openings.onAsked(() => {
    show()
    announce({ kind: 'opening-asked' })
  })
  // Node loads core while the window's process starts; requests of the window wait here.
  let loading: Promise<VerideskConsole> | undefined
  const core = (): Promise<VerideskConsole> =>
    (loading ??= import('#core/console.ts').then(({ createConsole }) =>
      createConsole({ ...ports, notices: () => notices })
    ))
  endInOrder(async () => {
    await Promise.all([(await loading)?.close(), practice.close(), windowSaved()])
    await deleteSample?.()
  })

  // An in-memory session: browser data is lost when it ends.
  const windowSession = session.fromPartition('console')
  guardSession(windowSession)
  serveWindow(windowSession, fileURLToPath(new URL('../renderer', import.meta.url)))
  openRouter(
    () => window?.webContents,
    async (name, payload) => (await core()).handle(name, payload)
  )
  const onCrash = (reloads: boolean): void => {
    notices.push(failure('window-crashed'))
    if (!reloads) app.quit()
  }
  const created = createWindow({ session: windowSession, dataFolder, onCrash })
  window = created.window
  windowSaved = created.saved
  window.on('closed', () => {
    window = undefined
  })
  setMenu((command) => announce({ kind: 'menu', command }))
  const { start: comeUp, handle } = await core()
  const coming = comeUp()
  lockWithSystem((why) => void core().then(({ lock }) => lock(why)))
  const state = await handle('app.state', undefined)
  if (state.ok) {
    nativeTheme.themeSource = (state.value as AppState).settings.theme
    if (!deleteSample) startAtLogOn(state.value as AppState)
  }
  await coming
  if (deleteSample) process.stdout.write(`${sampleIsOpen(dataFolder)}\n`)
}

/** Reports an unusable data folder in a system dialog, since Veridesk's own window needs the folder. */
export function leave(failure: Failure): void {
  const { what, impact, nextStep } = sentencesOf(failure)
  process.stderr.write(`${[what, impact, nextStep].join('\n')}\n`)
  dialog.showErrorBox('Veridesk', [what, impact, nextStep].join('\n\n'))
  app.exit(69)
}

/** Another host (the preview, the command line) has locked the data. */
async function deferToRunning(dataFolder: string): Promise<void> {
  const sentence = `Veridesk is already running with the data in ${dataFolder}. Nothing was changed.`
  process.stderr.write(`${sentence}\n`)
  if (!(await askToRaise(dataFolder))) dialog.showErrorBox('Veridesk', `${sentence} Close it, then start again.`)
  app.exit(4)
}
