/** What Node itself can offer to core: the part of the ports that every host shares. */
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Clock } from '#core/ports.ts'

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now()
}

/** The operating system's user, for the record; systems without a name for it give the number. */
export function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return process.getuid ? `uid ${process.getuid()}` : 'unknown'
  }
}

/** The console's version, from its package. For hosts that run from the source. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
