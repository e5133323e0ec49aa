/** Who is signed in to the operating system. */
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The operating system's user name, for records; the user id on systems without a name for it. */
export function operatorName(): string {
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

/** The full name that the system has for an account. */
export function fullName(account: string): string | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return fullNameIn(readFileSync('/etc/passwd', 'utf8'), account)
  } catch {
    return undefined
  }
}
