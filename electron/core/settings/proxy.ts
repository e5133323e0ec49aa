/** The rule for a manual proxy's address. */

/**
 * Why a manual proxy cannot be used, as the end of a sentence, or undefined where it can.
 * http:// or https://, host and port only: a password in it would lie in the settings file in plain text.
 */
export function proxyUrlFault(text: string): string | undefined {
  if (text.trim() === '') return 'the address of the proxy is missing'
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'the proxy is not a complete address such as http://proxy.example.com:8080'
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the proxy must begin with http:// or https://'
  if (url.username || url.password) return 'the proxy must not hold a user name or password: it would be stored in plain text'
  if (url.pathname !== '/' || /[?#]/.test(text)) return 'the proxy must end after its port'
  return undefined
}
