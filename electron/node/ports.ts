/** What Node itself can offer to core: the part of the ports that is the same in every host. */
import { userInfo } from 'node:os'
import type { Clock } from '#core/ports/clock.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { PracticeStarter } from './practice.ts'

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now()
}

/** The operating system's user, for the record; systems without a name for it give the number. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return process.getuid ? `uid ${process.getuid()}` : 'unknown'
  }
}

/** What each host knows before its core: its data, where events go, and the practice service of the session. */
export interface HostGround extends Pick<HostPorts, 'dataFolder' | 'announce'> {
  readonly practice: PracticeStarter
}

/** The ports that are the same in all three hosts; each adds what is its own. */
export function commonPorts({ dataFolder, announce, practice }: HostGround) {
  return {
    dataFolder,
    announce,
    operator: operatorName(),
    clock: systemClock,
    startPractice: () => practice.start()
  } satisfies Partial<HostPorts>
}
