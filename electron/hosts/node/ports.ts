/** The host ports that Node implements, the same in every host. */
import type { Clock } from '#kit/clock.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { fullName, operatorName } from './operator.ts'
import { credentialsCommandRunner } from './credentials-command.ts'
import { policyReader, trustedOwners } from './policies/reader.ts'
import type { PracticeStarter } from './practice.ts'

/** The system's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now()
}

/** What each host has before core: its data folder, the target of events, and the session's practice service. */
export interface HostBase extends Pick<HostPorts, 'dataFolder' | 'announce'> {
  readonly practice: PracticeStarter
}

/** The ports that are the same in all three hosts; each adds its own. */
export function commonPorts({ dataFolder, announce, practice }: HostBase) {
  const operator = operatorName()
  const known = fullName(operator)
  return {
    dataFolder,
    announce,
    operator,
    ...(known !== undefined && { fullName: known }),
    policies: policyReader(operator),
    runCredentialsCommand: credentialsCommandRunner(trustedOwners()),
    clock: systemClock,
    startPractice: () => practice.start()
  } satisfies Partial<HostPorts>
}
