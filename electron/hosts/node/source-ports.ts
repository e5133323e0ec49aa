/** The ports shared by the hosts that run before or without Electron's readiness: the preview and the command line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentProxy } from '#core/client/proxy.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { commonPorts, type HostBase } from './ports.ts'

// The repository, or the archive of the product: above this source, or above `out/preview` and `out/main`.
const root = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../', import.meta.url))

/** The ports of a host without Electron, which adds file selection and display. */
export function sourcePorts(ground: HostBase) {
  return {
    ...commonPorts(ground),
    version: packageVersion(),
    resources: root,
    showProgress: () => undefined,
    showBadge: () => undefined,
    // Only Electron can read the system's own settings, including PAC files.
    resolveSystemProxy: (url: string) => Promise.resolve(environmentProxy(url, process.env))
  } satisfies Partial<HostPorts>
}

/** The application's version, from its package. */
export function packageVersion(): string {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
