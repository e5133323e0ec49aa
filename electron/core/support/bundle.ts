/** Makes the support file from the state of the console and its log. */
import { release } from 'node:os'
import { join } from 'node:path'
import type { AppState } from '#contract/app/app-state.ts'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SupportBundle, ShownSetting } from '#contract/app/support.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { writeChosen } from '../files/chosen.ts'
import { ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { codesOf, logLines } from './log-lines.ts'
import type { Settings } from '#contract/settings/settings.ts'

/** Settings whose text is one of a few words of the program. Every other text is only reported as set or not. */
const words: readonly string[] = [
  'theme',
  'density',
  'dateFormat',
  'timeZone',
  'proxyMode',
  'logLevel',
  'lastOperation'
] satisfies readonly (keyof Settings | 'logLevel')[]
/** What such a word looks like; anything else would be a damaged file. */
const word = /^[a-z][a-z-]{0,40}$/

function shown(name: string, value: unknown): ShownSetting {
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string')
    return words.includes(name) && word.test(value) ? value : value === '' ? 'not set' : 'set'
  if (Array.isArray(value)) return `${value.length} entries`
  if (value !== null && typeof value === 'object') return `${Object.keys(value).length} entries`
  return 'not set'
}

/** All settings, each by what may be shown of it. */
export const shownSettings = (settings: Settings): Record<string, ShownSetting> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shown(name, value)]))

interface SupportParts {
  readonly host: Pick<HostPorts, 'clock' | 'dataFolder' | 'kind' | 'version' | 'chooseSavePath'>
  readonly state: AppState
  readonly connections: readonly ConnectionStatus[]
  readonly inTeam: boolean
}

/** The runtime's versions; `process.versions` has the browser engine's in Electron only. */
function versions(veridesk: string): Record<string, string> {
  const { electron, chrome, node, openssl } = process.versions as NodeJS.ProcessVersions & {
    readonly electron?: string
    readonly chrome?: string
  }
  return { veridesk, ...(electron && { electron }), ...(chrome && { chromium: chrome }), node, openssl }
}

/** Both files of the log, the older one first; one that is missing is empty. */
async function logText(folder: string): Promise<string> {
  const texts = await Promise.all(
    ['veridesk.log.1', 'veridesk.log'].map((file) =>
      readRegular(join(folder, ownFolders.logs, file), ownFileBytes).then(String, () => '')
    )
  )
  return texts.join('\n')
}

/** What the file holds. Reads the log; nothing can fail. */
export async function supportBundle({ host, state, connections, inTeam }: SupportParts): Promise<SupportBundle> {
  const { history, keychain, fileFaults, notices, settings } = state
  const lines = logLines(await logText(host.dataFolder))
  const { locale } = new Intl.DateTimeFormat().resolvedOptions()
  const faults = [...Object.values(fileFaults), ...notices].flatMap((each: Failure | undefined) => each?.code ?? [])
  return {
    format: 'veridesk-support',
    formatVersion: 1,
    made: new Date(host.clock.now()).toISOString(),
    versions: versions(host.version),
    system: { platform: process.platform, release: release(), arch: process.arch, locale },
    state: {
      host: host.kind,
      keychain,
      inTeam,
      policies: (state.policySources ?? []).map(({ by, found }) => ({ by, found })),
      forwarding: state.forwarding.map(({ target, taken, last, silentSince }) => ({
        target,
        taken,
        last,
        silent: silentSince !== undefined
      })),
      history: history.state === 'failed' ? history.failure.code : history.state,
      ...(history.state === 'ready' && { historyKept: history.kept }),
      readOnly: history.state === 'ready' && history.readOnly === true,
      faults: [...new Set(faults)]
    },
    settings: shownSettings(settings),
    connections: connections.map(({ mode, practice, baseUrl, credentials, kept }) => ({
      mode,
      practice: practice === true,
      https: baseUrl.startsWith('https:'),
      credentials: Object.values(credentials).filter(Boolean).length,
      kept
    })),
    failures: codesOf(lines),
    log: lines
  }
}

/** Saves the file where the user chooses; null if cancelled. Failure: `file-unwritable`. */
export async function saveSupportBundle(
  parts: SupportParts
): Promise<Result<{ readonly path: string } | null, Failure>> {
  const { host } = parts
  const day = new Date(host.clock.now()).toISOString().slice(0, 10)
  const path = await host.chooseSavePath('Save support file', `veridesk-support-${day}.json`, ['json'])
  if (path === undefined) return ok(null)
  const written = await writeChosen(path, `${JSON.stringify(await supportBundle(parts), null, 2)}\n`, host.dataFolder)
  return written.ok ? ok({ path }) : written
}
