/** The sources of policies on this system. */
import { policyFilePath } from '#contract/settings/policies.ts'
import type { PolicyReader } from '#core/ports/policies.ts'
import { fileReader } from './linux.ts'
import { profileReader } from './macos.ts'
import { registryReader } from './windows.ts'

/** Whether this code is in the archive of an installed application, where nobody's environment counts. */
const isInstalled = (url: string): boolean => /\.asar(?:\.unpacked)?[\\/]/.test(url)

/** Names another policy file for tests of a program that is not installed. */
const variable = 'VERIDESK_TEST_POLICIES'

/**
 * The reader of this system.
 *
 * @param user Name of the user.
 * @param url Where this code is.
 */
export function policyReader(
  user: string,
  environment: NodeJS.ProcessEnv = process.env,
  url: string = import.meta.url
): PolicyReader {
  const named = isInstalled(url) ? undefined : environment[variable]
  if (named) return fileReader(named, [0, process.getuid?.() ?? 0])
  if (process.platform === 'win32') return registryReader()
  if (process.platform === 'darwin') return profileReader(user)
  return fileReader(policyFilePath, [0])
}
