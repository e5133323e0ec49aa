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

const testFile = (environment: NodeJS.ProcessEnv, url: string): string | undefined =>
  isInstalled(url) ? undefined : environment[variable]

/** Users who may have written a policy file, or a program that a policy names, by ID: root, and in tests whoever runs them. */
export const trustedOwners = (
  environment: NodeJS.ProcessEnv = process.env,
  url: string = import.meta.url
): readonly number[] => (testFile(environment, url) ? [0, process.getuid?.() ?? 0] : [0])

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
  const named = testFile(environment, url)
  if (named) return fileReader(named, trustedOwners(environment, url))
  if (process.platform === 'win32') return registryReader()
  if (process.platform === 'darwin') return profileReader(user)
  return fileReader(policyFilePath, [0])
}
