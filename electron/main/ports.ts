/** What Electron offers to core. */
import { app, clipboard, dialog, session, type BrowserWindow } from 'electron'
import type { ConsoleEvent } from '#contract/ipc.ts'
import type { HostPorts } from '#core/ports.ts'
import { operatorName, systemClock } from '../node/ports.ts'
import type { PracticeStarter } from '../node/practice.ts'
import { launchInElectron } from './workers.ts'

export interface ElectronParts {
  readonly dataFolder: string
  readonly historyNode?: string
  readonly practice: PracticeStarter
  readonly window: () => BrowserWindow | undefined
  readonly announce: (event: ConsoleEvent) => void
}

/** The ports of the product. */
export function electronPorts(parts: ElectronParts): HostPorts {
  return {
    kind: 'electron',
    version: app.getVersion(),
    dataFolder: parts.dataFolder,
    operator: operatorName(),
    clock: systemClock,
    launchWorker: launchInElectron(parts.historyNode),
    announce: parts.announce,
    copyText: async (text) => clipboard.writeText(text),
    chooseFile: async (title, extensions) => {
      const options = { title, filters: [{ name: title, extensions: [...extensions] }], properties: ['openFile' as const] }
      const window = parts.window()
      const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
      return choice.canceled ? undefined : choice.filePaths[0]
    },
    // The default session keeps the system's proxy; the window's own session has none to use.
    resolveSystemProxy: (url) => session.defaultSession.resolveProxy(url),
    startPractice: () => parts.practice.start()
  }
}
