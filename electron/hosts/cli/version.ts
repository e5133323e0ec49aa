/** `version`: what is installed, for inventories and the list of components. */
import { packageVersion } from '../node/source-ports.ts'
import type { Ending } from './context.ts'
import type { OptionValues } from './parse.ts'

/** Veridesk, and the runtime that this program brings; from source that is the machine's Node alone. */
export const versionsOf = (versions: NodeJS.ProcessVersions, veridesk: string): Readonly<Record<string, string>> => ({
  veridesk,
  ...(versions['electron'] && { electron: versions['electron'] }),
  ...(versions['chrome'] && { chromium: versions['chrome'] }),
  node: versions.node,
  v8: versions.v8,
  openssl: versions['openssl'] ?? 'unknown'
})

/** Prints the versions. Cannot fail. */
export function printVersions(options: OptionValues): Ending {
  const found = versionsOf(process.versions, packageVersion())
  const lines = Object.entries(found).map(([name, version]) => `${name.padEnd(10)}${version}`)
  return { exit: 'done', out: options['json'] === true ? JSON.stringify(found) : lines.join('\n') }
}
