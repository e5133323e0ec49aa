/** The console in a started browser: core, window, and shutdown. */
import { readFileSync, existsSync } from 'node:fs'
import { join, extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { createConsole } from '#core/console.ts'
import { launchInProcesses, type WorkerEntries } from '../node/workers.ts'
import type { DataLock } from '../node/data-lock.ts'
import { sampleOperator } from '../node/sample.ts'
import { sampleIsOpen, sampleOpener, type OwnProgram } from '../node/sample-window.ts'
import type { Openings } from '../node/openings.ts'
import { practiceStarter } from '../node/practice.ts'
import { sourcePorts } from '../node/source-ports.ts'
import type { RunningBrowser } from '../node/chromium/browser.ts'
import { printPdf } from '../node/chromium/printer.ts'
import { stop } from './stop.ts'
import { openWindow, type PreviewWindow } from './window.ts'
import { homedir } from 'node:os'

/** A path that does not exist yet, numbered as browsers do: `name.csv`, `name (2).csv`. */
function freeDownloadPath(suggestedName: string, home: string = homedir()): string {
  const downloads = join(home, 'Downloads')
  const folder = existsSync(downloads) ? downloads : home
  const extension = extname(suggestedName)
  const stem = suggestedName.slice(0, suggestedName.length - extension.length)
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? suggestedName : `${stem} (${number})${extension}`)
    if (!existsSync(path)) return path
  }
}

/** Maximum milliseconds for core to end its runs and close the history. */
const closeTimeout = 8000

const print = (text: string): void => void process.stdout.write(`${text}\n`)

export interface ConsoleOptions {
  readonly dataFolder: string
  readonly lock: DataLock
  /** Notices about the data folder. */
  readonly notices: readonly Failure[]
  readonly browserPath: string
  readonly browser: RunningBrowser
  readonly headless: boolean
  /** Size of the window's content. */
  readonly size: { readonly width: number; readonly height: number }
  /** Folder of the built window. */
  readonly folder: string
  readonly workers: WorkerEntries
  readonly testPort: boolean
  readonly openings: Openings
  /** How this host was started, to start it again with sample data; absent if it cannot be. */
  readonly own?: OwnProgram
  /** Present if the session has sample data: deletes them at its end. */
  readonly deleteSample?: () => Promise<void>
  /** Receives a function that brings the window to the front. */
  readonly onRaise: (raise: () => void) => void
  /** Receives a function that closes everything and ends the process. */
  readonly onEnd: (close: () => void) => void
}

/** Opens the console; resolves when its window is gone and everything has been closed. */
export async function openConsole(ground: ConsoleOptions): Promise<void> {
  const { dataFolder, browserPath, browser, headless, size } = ground
  let window: PreviewWindow | undefined
  ground.onRaise(() => window?.raise())
  const practice = practiceStarter()
  const notices: Failure[] = [...ground.notices]
  const core = createConsole({
    ...sourcePorts({ dataFolder, practice, announce: (event) => window?.announce(event) }),
    launchWorker: launchInProcesses(ground.workers),
    kind: 'preview',
    ...(ground.deleteSample
      ? { ...sampleOperator, sample: { close: () => void window?.close() } }
      : ground.own && { openSample: sampleOpener(ground.own) }),
    notices: () => notices,
    copyText: async (text) => window?.copyText(text),
    readText: async () => window?.readText(),
    clearText: async () => window?.copyText(''),
    forgetAddresses: async () => window?.forgetAddresses(),
    chooseFile: async (title, extensions) => window?.chooseFile(title, extensions),
    // A page can choose a file to open but not a path to save to: files go to the downloads, as in browsers.
    chooseSavePath: async (_title, suggestedName) => freeDownloadPath(suggestedName),
    opening: ground.openings.take,
    printPdf: (html) => printPdf(browserPath, html),
    notify: (title, body) => print(`${title}: ${body}`)
  })
  // The window's requests go to core's router, which waits until core has started: neither waits for the other.
  const coming = core.start()
  coming.catch(() => undefined)

  let stopping: Promise<void> | undefined
  const shutDown = (): Promise<void> =>
    (stopping ??= (async () => {
      await Promise.all([
        Promise.race([core.close(), delay(closeTimeout, undefined, { ref: false })]),
        window ? window.close() : browser.dispose()
      ])
      await practice.close()
      await ground.deleteSample?.()
      await ground.lock.release()
    })())
  ground.onEnd(() => void shutDown().then(() => process.exit(0)))

  try {
    window = await openWindow(browser, {
      folder: ground.folder,
      router: core.handle,
      ...(headless && { contentSize: size }),
      onCrash: (reloads) => {
        notices.push(failure('window-crashed'))
        if (!reloads)
          void shutDown().then(() =>
            stop('The page ended twice within a minute, so Veridesk closed. The history is safe.', 1)
          )
      }
    })
  } catch {
    await shutDown()
    stop(
      `The browser ${browserPath} could not be used: ${(await browser.ended).trim().split('\n').at(-1) ?? 'it ended at once'}`,
      3
    )
  }
  await coming

  print(
    `Veridesk is open in ${browserPath}${headless ? ', without a window (headless)' : ''}. Its data is in ${dataFolder}.`
  )
  if (ground.deleteSample) print(sampleIsOpen(dataFolder))
  if (ground.testPort) {
    const port = readFileSync(join(browser.profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]
    print(`DevTools for tests: http://127.0.0.1:${port}`)
  }

  await window.closed
  await shutDown()
}
