/** What the two hosts share that Node runs: the preview and the command line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentProxy } from '#core/client/proxy.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { launchInNode, type WorkerEntries } from '#core/workers/node.ts'
import { commonPorts, type HostGround } from './ports.ts'

// Two folders up from here as from `out/preview`: the repository, which holds all that a package would.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** The bundled workers lie beside the bundle; those of the source are found by core. */
const builtWorkers: Partial<WorkerEntries> = import.meta.url.endsWith('.js')
  ? { history: new URL('./history-worker.js', import.meta.url), keychain: new URL('./keychain-worker.js', import.meta.url) }
  : {}

/** The ports of a host without Electron; it adds how files are chosen and what a person is shown. */
export function sourcePorts(ground: HostGround, workers: Partial<WorkerEntries> = builtWorkers) {
  return {
    ...commonPorts(ground),
    version: packageVersion(),
    resources: root,
    launchWorker: launchInNode(workers),
    showProgress: () => undefined,
    // The system's own settings, PAC files among them, are Electron's alone to read.
    resolveSystemProxy: (url: string) => Promise.resolve(environmentProxy(url, process.env))
  } satisfies Partial<HostPorts>
}

/** The console's version, from its package. */
function packageVersion(): string {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
