/** Electron's implementation of the host ports. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, clipboard, dialog, Notification, powerSaveBlocker, session, type BrowserWindow } from 'electron'
import type { NotifiedPlace } from '#contract/app/opening.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { commonPorts, type HostBase } from '../node/ports.ts'
import { sampleOperator } from '../node/sample.ts'
import { printPdf } from './printer.ts'
import { launchInElectron, utilityLine } from './workers.ts'
import { failed } from '#contract/failures/failures.ts'
import { connect, type Connected } from '#wire/rpc.ts'
import type { SampleStarter } from '../node/sample-window.ts'
import { ownProgram } from './start.ts'

/**
 * The host's port. Refused in an AppImage: it runs from a disk that disappears with the process that mounted it, so a second
 * window would lose its program when the first one closes.
 */
function openSample(): NonNullable<HostPorts['openSample']> {
  let starter: Connected<SampleStarter> | undefined
  return async () => {
    if (app.isPackaged && process.platform === 'linux' && process.env['APPIMAGE'] !== undefined)
      return failed('sample-not-opened', { reason: 'appimage' })
    const used = (starter ??= connect<SampleStarter>(utilityLine('sample-starter', 'Veridesk sample data'), () =>
      failed('sample-not-opened', { reason: 'host' })
    ))
    void used.ended.then(() => {
      if (starter === used) starter = undefined
    })
    return used.api.open(ownProgram())
  }
}

export interface ElectronParts extends HostBase {
  readonly historyNode?: string
  /** Whether the session has sample data. */
  readonly sample: boolean
  readonly window: () => BrowserWindow | undefined
  readonly opening: NonNullable<HostPorts['opening']>
  /** Brings the window to the front and leads it to a place. */
  readonly lead: (place: NotifiedPlace) => void
}

/** What the files of a dialog are, by their first ending. */
const fileKinds: Readonly<Record<string, string>> = {
  csv: 'Tables',
  xlsx: 'Tables',
  json: 'JSON files',
  jsonl: 'Files of JSON lines',
  pem: 'Certificates and keys',
  pdf: 'PDF documents',
  txt: 'Text files'
}
const filtersOf = (extensions: readonly string[]): { name: string; extensions: string[] }[] => [
  { name: fileKinds[extensions[0] ?? ''] ?? 'Veridesk files', extensions: [...extensions] }
]

/** Keeps the computer from sleeping while a batch runs: it would end the requests whose answers are awaited. */
function createAwake(): (on: boolean) => void {
  let blocker: number | undefined
  return (on) => {
    if (on) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker)
      blocker = undefined
    }
  }
}

/** The ports of the product. */
export function electronPorts(parts: ElectronParts): HostPorts {
  const awake = createAwake()
  return {
    ...commonPorts(parts),
    kind: 'electron',
    ...(parts.sample
      ? { ...sampleOperator, sample: { close: () => parts.window()?.close() } }
      : { openSample: openSample() }),
    version: app.getVersion(),
    // From out/main: the package's archive, or the repository.
    resources: fileURLToPath(new URL('../../', import.meta.url)),
    launchWorker: launchInElectron(parts.historyNode),
    copyText: async (text) => clipboard.writeText(text),
    readText: async () => clipboard.readText(),
    clearText: async () => clipboard.clear(),
    protectContent: (on) => {
      parts.window()?.setContentProtection(on)
      // Linux has no such function: Electron's call does nothing there.
      return process.platform !== 'linux'
    },
    forgetAddresses: async () => parts.window()?.webContents.navigationHistory.clear(),
    chooseFile: async (title, extensions) => {
      const options = {
        title,
        filters: [...filtersOf(extensions), { name: 'All files', extensions: ['*'] }],
        properties: ['openFile' as const]
      }
      const window = parts.window()
      const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
      return choice.canceled ? undefined : choice.filePaths[0]
    },
    chooseSavePath: async (title, suggestedName, extensions) => {
      const options = {
        title,
        defaultPath: join(app.getPath('downloads'), suggestedName),
        filters: filtersOf(extensions)
      }
      const window = parts.window()
      const choice = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options))
      return choice.canceled || !choice.filePath ? undefined : choice.filePath
    },
    opening: parts.opening,
    printPdf,
    // -1 removes the progress bar.
    showProgress(fraction) {
      parts.window()?.setProgressBar(fraction ?? -1)
      awake(fraction !== undefined)
    },
    // Windows has no number at an icon, but a mark over it.
    showBadge: (count) => void app.setBadgeCount(count),
    notify(title, body, place) {
      if (!Notification.isSupported()) return
      const shown = new Notification({ title, body })
      shown.once('click', () => parts.lead(place))
      shown.show()
    },
    // The default session uses the system's proxy; the window's own session has none.
    resolveSystemProxy: (url) => session.defaultSession.resolveProxy(url)
  }
}
