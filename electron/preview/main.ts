/**
 * The preview host: the same core and the same window as the product, in an installed Chromium, Chrome
 * or Edge, for machines on which Electron's binary cannot be had. Run by Node itself; never packaged.
 */
import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { failure, type Failure } from '#contract/failures.ts'
import { defaultDataFolder } from '../node/dataFolder.ts'
import { askToRaise, lockDataFolder, prepareDataFolder } from '../node/dataLock.ts'
import { freeDownloadPath } from '../node/downloads.ts'
import { practiceStarter } from '../node/practice.ts'
import { findBrowser, hasDisplay, startBrowser } from '../node/chromium/browser.ts'
import { previewOptions } from './options.ts'
import { printPdf } from '../node/chromium/printer.ts'
import { openWindow, type PreviewWindow } from './window.ts'

/** Longest wait for core to end its runs and close the history, in milliseconds. */
const closingTime = 8000

const say = (text: string): void => void process.stdout.write(`${text}\n`)
function stop(text: string, code: number): never {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

const options = previewOptions(process.argv.slice(2))
if (typeof options === 'string') stop(options, 2)

const folder = fileURLToPath(new URL('../../out/renderer', import.meta.url))
if (!existsSync(join(folder, 'index.html'))) stop('The window is not built yet. Run “npm start”, which builds it.', 3)

const browserPath = findBrowser()
if (!browserPath)
  stop('No Chromium, Chrome or Edge was found. Install one, or name its program in the environment variable VERIDESK_BROWSER.', 3)

const dataFolder = await prepareDataFolder(options.dataFolder ?? defaultDataFolder())
let window: PreviewWindow | undefined
const lock = await lockDataFolder(dataFolder, () => window?.raise())
if (!lock) {
  const raised = await askToRaise(dataFolder)
  const next = raised ? 'Its window was asked to come to the front.' : 'Close it, then start again.'
  stop(`Veridesk is already running with the data in ${dataFolder}. Nothing was changed. ${next}`, 4)
}

const headless = options.headless || !hasDisplay()
const testPort = process.env['VERIDESK_TEST_PORT'] === '1'
// The browser starts while Node reads and compiles the core: the one takes about as long as the other.
const starting = startBrowser({ path: browserPath, headless, width: options.width, height: options.height, testPort })
starting.catch(() => undefined)
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)))
const [{ createConsole }, { sourcePorts }] = await Promise.all([import('#core/console.ts'), import('../node/sourcePorts.ts')])

const practice = practiceStarter()
const notices: Failure[] = []
const core = createConsole({
  ...sourcePorts({ dataFolder, practice, announce: (event) => window?.announce(event) }),
  kind: 'preview',
  notices: () => notices,
  copyText: async (text) => window?.copyText(text),
  chooseFile: async (title, extensions) => window?.chooseFile(title, extensions),
  // A page can choose a file, but no place for one: as browsers do, it goes to the downloads.
  chooseSavePath: async (_title, suggestedName) => freeDownloadPath(suggestedName),
  printPdf: (html) => printPdf(browserPath, html),
  notify: (title, body) => say(`${title}: ${body}`)
})

const [browser] = await Promise.all([starting, core.start()])

let stopping: Promise<void> | undefined
const shutDown = (): Promise<void> =>
  (stopping ??= (async () => {
    await Promise.all([
      Promise.race([core.close(), delay(closingTime, undefined, { ref: false })]),
      window ? window.close() : browser.dispose()
    ])
    await practice.close()
    await lock.release()
  })())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutDown().then(() => process.exit(0)))

try {
  window = await openWindow(browser, {
    folder,
    door: core.handle,
    ...(headless && { contentSize: { width: options.width, height: options.height } }),
    onCrash: (reloads) => {
      notices.push(failure('window-crashed'))
      if (!reloads) void shutDown().then(() => stop('The page ended twice within a minute, so Veridesk closed. The history is safe.', 1))
    }
  })
} catch {
  await shutDown()
  stop(`The browser ${browserPath} could not be used: ${(await browser.ended).trim().split('\n').at(-1) ?? 'it ended at once'}`, 3)
}

say(`Veridesk is open in ${browserPath}${headless ? ', without a window (headless)' : ''}. Its data is in ${dataFolder}.`)
if (testPort) {
  const port = readFileSync(join(browser.profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]
  say(`DevTools for tests: http://127.0.0.1:${port}`)
}

await window.closed
await shutDown()
process.exit(0)
