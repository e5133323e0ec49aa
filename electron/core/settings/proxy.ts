/** The rule for a manual proxy's address. */
import { invalidField, type FieldFault } from '#contract/failures.ts'

/**
 * Why a manual proxy address is invalid, or undefined if it is valid. http:// or https://, host and port only: a
 * password would be stored unencrypted in the settings file.
 */
export function proxyUrlFault(text: string): FieldFault | undefined {
  if (text.trim() === '') return invalidField('proxy-missing')
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return invalidField('proxy-incomplete')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return invalidField('proxy-scheme')
  if (url.username || url.password) return invalidField('proxy-credentials')
  if (url.pathname !== '/' || /[?#]/.test(text)) return invalidField('proxy-path')
  return undefined
}
