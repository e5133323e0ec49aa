/** The host ports that Node implements, the same in every host. */
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Clock } from '#kit/clock.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { policyReader } from './policies/reader.ts'
import type { PracticeStarter } from './practice.ts'

/** The system's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now()
}

/** The operating system's user name, for records; the user id on systems without a name for it. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return process.getuid ? `uid ${process.getuid()}` : 'unknown'
  }
}

/** The name in a line of the account file (GECOS), where there is one; `&` stands for the account there. */
export function fullNameIn(accounts: string, account: string): string | undefined {
  const line = accounts.split('\n').find((each) => each.startsWith(`${account}:`))
  const name = line?.split(':')[4]?.split(',')[0]?.replaceAll('&', account).trim()
  return name === undefined || name === '' || name.toLowerCase() === account.toLowerCase() ? undefined : name
}

function fullName(account: string): string | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return fullNameIn(readFileSync('/etc/passwd', 'utf8'), account)
  } catch {
    return undefined
  }
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
    clock: systemClock,
    startPractice: () => practice.start()
  } satisfies Partial<HostPorts>
}
