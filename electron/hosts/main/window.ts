/** The product's window: sandboxed, isolated, at one address, shown once it has content. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, nativeTheme, screen, type Session } from 'electron'
import { keepAtAddress } from './guards.ts'
import { windowAddress } from './protocol.ts'
import { loadWindowState, placeWindow, saveWindowState, smallest } from './window-state.ts'

// The window's background colours, so that nothing flashes before the first paint.
const backgrounds = { light: '#f7f8fa', dark: '#14171c' }
const background = (): string => (nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light)

const iconPath = (): string =>
  app.isPackaged
    ? join(process.resourcesPath, 'icon.png')
    : fileURLToPath(new URL('../../build/icons/256x256.png', import.meta.url))

/** Maximum milliseconds for a page to close. None of Veridesk's pages keeps its window open on purpose. */
const closeTimeout = 3000

export interface WindowOptions {
  readonly session: Session
  readonly dataFolder: string
  /** The page's process has crashed. `reloads`: it is reloaded, at most once a minute. */
  readonly onCrash: (reloads: boolean) => void
}

export interface ConsoleWindow {
  readonly window: BrowserWindow
  /** Resolves when the window's last position is saved. */
  readonly saved: () => Promise<void>
}

/** Creates the window and starts loading it. */
export function createWindow(options: WindowOptions): ConsoleWindow {
  const saved = loadWindowState(options.dataFolder)
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id)
  const window = new BrowserWindow({
    ...placeWindow(saved, [primary.workArea, ...others.map((display) => display.workArea)]),
    minWidth: smallest.width,
    minHeight: smallest.height,
    title: 'Veridesk',
    // Elsewhere it is in the program itself; on Linux, X11 shows what the window gives it.
    ...(process.platform === 'linux' && { icon: iconPath() }),
    show: false,
    backgroundColor: background(),
    webPreferences: {
      session: options.session,
      preload: fileURLToPath(new URL('../preload/index.cjs', import.meta.url)),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      safeDialogs: true
    }
  })
  if (saved?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  // The theme setting is known shortly after the window is created.
  const follow = (): void => window.setBackgroundColor(background())
  nativeTheme.on('updated', follow)
  window.once('closed', () => nativeTheme.off('updated', follow))
  const stateSaved = persistState(window, options.dataFolder)
  reloadAfterCrash(window, options.onCrash)
  closeEvenIfHung(window)
  keepAtAddress(window.webContents)
  void window.loadURL(windowAddress)
  return { window, saved: stateSaved }
}

/** Brings the window to the front. */
export function raise(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

function persistState(window: BrowserWindow, folder: string): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve()
  const save = (): void => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    const state = { ...window.getNormalBounds(), maximized: window.isMaximized() }
    // One at a time: two writers of the same temporary file would corrupt it.
    saving = saving.then(() => saveWindowState(folder, state))
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(save, 500)
  }
  for (const change of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(change as 'resize', soon)
  window.on('close', save)
  return () => saving
}

/** Closes the window of a page that hangs and does not answer whether it may close, so that the app can end. */
function closeEvenIfHung(window: BrowserWindow): void {
  window.once('close', () => {
    const late = setTimeout(() => window.destroy(), closeTimeout)
    window.once('closed', () => clearTimeout(late))
  })
}

function reloadAfterCrash(window: BrowserWindow, onCrash: (reloads: boolean) => void): void {
  let last = -Infinity
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return
    process.stderr.write(`The process of the window's page ended: ${details.reason} (${details.exitCode}).\n`)
    // A second crash within a minute would only repeat.
    const reloads = performance.now() - last > 60_000
    last = performance.now()
    onCrash(reloads)
    // Deferred: during the event the contents are still being destroyed.
    if (reloads) setImmediate(() => void window.loadURL(windowAddress))
  })
}
