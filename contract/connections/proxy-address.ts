/** The rule for the address of a proxy, wherever it is entered: in the settings, in a policy, with a sign-in. */
import { invalidField, type FieldFault } from '../failures/failures.ts'

/**
 * Why the address of a proxy is invalid; undefined if it is valid. http://, https:// or socks5://, host and port only: a user name or a
 * password would be stored unencrypted, and belongs in the keychain.
 */
export function proxyAddressFault(text: string): FieldFault | undefined {
  if (text.trim() === '') return invalidField('proxy-missing')
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return invalidField('proxy-incomplete')
  }
  if (!['http:', 'https:', 'socks5:'].includes(url.protocol)) return invalidField('proxy-scheme')
  if (!url.hostname) return invalidField('proxy-host')
  if (url.username || url.password) return invalidField('proxy-credentials')
  if (!['', '/'].includes(url.pathname) || /[?#]/.test(text)) return invalidField('proxy-path')
  return undefined
}
