/**
 * Removes secrets from what a service sends back: credentials, and the signatures of signed links.
 * Some services echo what they were sent; a secret must never reach the window or the disk by that way.
 */
import { credentials, type CredentialValues } from '#contract/credentials.ts'
import { linkSecrets, removedMark } from '#contract/links.ts'
import type { VerificationInput } from '#contract/verification.ts'

export interface Mask {
  /** A text with every credential replaced by its placeholder, and every signature by `REMOVED`. `cut` where the text was cut off at its end. */
  text(text: string, cut?: boolean): string
  holdsSecret(text: string): boolean
}

/** Shorter values are found in any text: replacing them would falsify answers, and they protect nothing. */
const shortestSecret = 4

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** A pattern for a text, as itself or with any of its characters escaped as JSON strings may (RFC 8259, section 7). */
function patternOf(secret: string): string {
  return [...secret]
    .map((char) => {
      const hex = char.charCodeAt(0).toString(16).padStart(4, '0')
      const unicode = [...hex].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join('')
      return `(?:\\\\u${unicode}|\\\\?${escapeRegExp(char)})`
    })
    .join('')
}

/** The forms in which an echo may show a value: as sent, without its scheme, percent-encoded, in base64. */
function formsOf(value: string): string[] {
  const token = /^\S+ +(\S+)$/.exec(value)?.[1]
  const plain = [value, ...(token === undefined ? [] : [token])]
  const forms = plain.flatMap((form) => {
    const base64 = Buffer.from(form).toString('base64').replace(/=+$/, '')
    return [form, encodeURIComponent(form), form.length >= 8 ? base64 : '', form.length >= 8 ? base64.replaceAll('+', '-').replaceAll('/', '_') : '']
  })
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret)
}

interface Secret {
  readonly form: string
  readonly placeholder: string
  readonly pattern: RegExp
}

const secretOf = (form: string, placeholder: string): Secret => ({ form, placeholder, pattern: new RegExp(patternOf(form), 'g') })

// A batch sends thousands of requests with one set of credentials, whose patterns are made once.
const ofCredentials = new WeakMap<CredentialValues, readonly Secret[]>()

function credentialSecrets(values: CredentialValues): readonly Secret[] {
  const known = ofCredentials.get(values)
  if (known) return known
  const made = credentials.flatMap(({ id, placeholder }) => formsOf(values[id]).map((form) => secretOf(form, placeholder)))
  ofCredentials.set(values, made)
  return made
}

/** A mask for one set of credentials and the input that went with them. */
export function createMask(values: CredentialValues, input: VerificationInput): Mask {
  const links = Object.values(input).flatMap(linkSecrets)
  const secrets = [
    ...credentialSecrets(values),
    ...[...links, ...links.map((link) => encodeURIComponent(link.toWellFormed()))].map((form) => secretOf(form, removedMark))
  ]
    // The longest first: a value may hold another one.
    .sort((a, b) => b.form.length - a.form.length)

  const replaced = (text: string): string => {
    let result = text
    // Without a backslash nothing is escaped, and a plain search is many times quicker.
    const escaped = text.includes('\\')
    for (const { form, pattern, placeholder } of secrets) {
      result = escaped ? result.replace(pattern, () => placeholder) : result.replaceAll(form, () => placeholder)
    }
    return result
  }

  /** Drops a secret's beginning at the end of a text that was cut off inside it. */
  const withoutCutSecret = (text: string): string => {
    for (const { form } of secrets) {
      for (let length = form.length - 1; length >= shortestSecret; length -= 1) {
        if (text.endsWith(form.slice(0, length))) return text.slice(0, -length)
      }
    }
    return text
  }

  return {
    text: (text, cut = false) => (cut ? withoutCutSecret(replaced(text)) : replaced(text)),
    holdsSecret: (text) => (text.includes('\\') ? replaced(text) !== text : secrets.some(({ form }) => text.includes(form)))
  }
}
