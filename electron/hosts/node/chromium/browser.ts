/** Finds an installed Chromium, Chrome or Edge and starts it with a pipe and a profile of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const linuxNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser'
]
const macApplications = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'
]
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe'
]

/** Possible locations of a browser on an operating system, preferred ones first. */
export function browserCandidates(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string[] {
  if (platform === 'darwin')
    return ['/Applications', join(environment['HOME'] ?? '', 'Applications')].flatMap((folder) =>
      macApplications.map((application) => join(folder, application))
    )
  if (platform === 'win32')
    return windowsPrograms.flatMap((program) =>
      ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => {
        const folder = environment[name]
        return folder ? [`${folder}\\${program}`] : []
      })
    )
  const folders = [...(environment['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/bin', '/snap/bin']
  return linuxNames.flatMap((name) => folders.map((folder) => join(folder, name)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // A folder may have execute permission as well.
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The browser to use: VERIDESK_BROWSER if it is set, otherwise the first installed one; undefined if there is none. */
export function findBrowser(
  platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env
): string | undefined {
  const named = environment['VERIDESK_BROWSER']
  if (named) return isExecutable(named) ? named : undefined
  return browserCandidates(platform, environment).find(isExecutable)
}

/** Whether a window can be shown. */
export function hasDisplay(platform = process.platform, environment: NodeJS.ProcessEnv = process.env): boolean {
  return platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY'])
}

export interface BrowserOptions {
  readonly path: string
  readonly headless: boolean
  readonly width: number
  readonly height: number
  /** Tests only: also listens on a loopback port, so that Playwright can attach. */
  readonly testPort: boolean
}

const blankPage = 'data:text/html,<title>Veridesk</title>'

/** The browser's arguments: a private profile, no background connections, and no network access. */
export function browserArguments(options: BrowserOptions, profile: string, asRoot: boolean): string[] {
  return [
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    ...(options.testPort ? ['--remote-debugging-port=0'] : []),
    ...(options.headless ? ['--headless=new'] : []),
    // Chromium refuses to run as root inside its sandbox. The page it shows is Veridesk's own and has no network.
    ...(asRoot ? ['--no-sandbox'] : []),
    // Requests that are not intercepted find no DNS, no proxy and no direct connection.
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
    '--disable-quic',
    '--blink-settings=dnsPrefetchingEnabled=false',
    '--disable-background-networking',
    '--disable-client-side-phishing-detection',
    '--disable-component-update',
    '--disable-component-extensions-with-background-pages',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--metrics-recording-only',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--no-service-autorun',
    '--deny-permission-prompts',
    '--block-new-web-contents',
    // The two omnibox features load a page for the address bar's suggestions: half of the start-up time, for a bar
    // that is not shown. The last one keeps a spare process for a second page, which does not exist.
    '--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,' +
      'InterestFeedContentSuggestions,MediaRouter,OptimizationHints,Translate,WebRtcHideLocalIpsWithMdns,' +
      'WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess',
    // The first is its former name.
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-dev-shm-usage',
    // The browser stores no passwords here, so it must not access the system's keychain.
    '--password-store=basic',
    '--use-mock-keychain',
    '--hide-crash-restore-bubble',
    '--test-type=webdriver',
    `--window-size=${options.width},${options.height}`,
    // Without a display as well: a tab strip and an address bar that nobody sees would be drawn anew for each page.
    `--app=${blankPage}`
  ]
}

export interface RunningBrowser {
  readonly process: ChildProcess
  readonly profile: string
  /** Resolves when the browser has ended, with the last text of its error output. */
  readonly ended: Promise<string>
  /** Waits briefly for the browser to end, then ends it, and removes its profile. */
  dispose(): Promise<void>
}

/**
 * An environment in which the browser finds no program to open an address with (such as mailto:): on Linux it calls
 * the xdg tools and waits for them. Elsewhere it asks the user first, and prompts are denied.
 */
async function closedEnvironment(profile: string): Promise<NodeJS.ProcessEnv> {
  if (process.platform !== 'linux') return process.env
  const folder = join(profile, 'no-programs')
  await mkdir(folder)
  for (const tool of ['xdg-open', 'xdg-settings', 'xdg-mime', 'xdg-email'])
    await writeFile(join(folder, tool), '#!/bin/sh\nexit 1\n', { mode: 0o700 })
  return { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
}

/** Starts a browser; its DevTools pipe uses file descriptors 3 (to it) and 4 (from it). */
export async function startBrowser(options: BrowserOptions): Promise<RunningBrowser> {
  // mkdtemp creates the folder for this user only.
  const profile = await mkdtemp(join(tmpdir(), 'veridesk-window-'))
  const asRoot = process.getuid?.() === 0
  const child = spawn(options.path, browserArguments(options, profile, asRoot), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: await closedEnvironment(profile),
    // A separate group: Ctrl-C in the terminal reaches the host, which then closes the browser in order.
    detached: process.platform !== 'win32'
  })
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString('utf8')).slice(-2000)
  })
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', () => resolve(errorOutput))
  })
  const kill = (): void => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    try {
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended in the meantime.
    }
  }
  process.once('exit', kill)
  return {
    process: child,
    profile,
    ended,
    dispose: async () => {
      await Promise.race([ended, delay(1500)])
      kill()
      await Promise.race([ended, delay(1000)])
      process.off('exit', kill)
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined)
    }
  }
}
