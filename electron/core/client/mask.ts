/**
 * Removes secrets from what a service returns: credentials, and the signatures of signed links. Some services echo
 * the request; its secrets must not reach the window or the disk that way.
 */
import { credentials, type CredentialValues } from '#contract/connections/credentials.ts'
import { linkSecrets, removedMark } from '#contract/links/links.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import { secretsOf } from '../masking/own-secrets.ts'
import { createMasker, shortestSecret, type Masker } from '../masking/masker.ts'
import type { Secret } from '../masking/pattern.ts'

export interface Mask {
  /**
   * Replaces every credential with its placeholder and every signature with `REMOVED`. `cut`: the text was truncated.
   */
  text(text: string, cut?: boolean): string
  holdsSecret(text: string): boolean
}

interface Prepared {
  readonly secrets: readonly Secret[]
  readonly masker: Masker
}

// A batch sends thousands of requests with one set of credentials, so its masker is built once.
const ofCredentials = new WeakMap<CredentialValues, Prepared>()

function preparedFor(values: CredentialValues): Prepared {
  const known = ofCredentials.get(values)
  if (known) return known
  const secrets = credentials.flatMap(({ id, placeholder }) => secretsOf(values[id], placeholder))
  const made = { secrets, masker: createMasker(secrets) }
  ofCredentials.set(values, made)
  return made
}

/** Removes the beginning of a secret from the end of a text that was truncated inside it. */
function withoutCutSecret(text: string, secrets: readonly Secret[]): string {
  for (const { value, prefix = 0 } of secrets) {
    for (const form of [value, value.slice(prefix), encodeURIComponent(value.toWellFormed())]) {
      for (let length = form.length - 1; length >= shortestSecret; length -= 1) {
        if (text.endsWith(form.slice(0, length))) return text.slice(0, -length)
      }
    }
  }
  return text
}

/** A mask for one set of credentials and the input sent with them. */
export function createMask(values: CredentialValues, input: VerificationInput): Mask {
  const prepared = preparedFor(values)
  const links = Object.values(input)
    .flatMap(linkSecrets)
    .map((value): Secret => ({ value, placeholder: removedMark }))
  const secrets = links.length === 0 ? prepared.secrets : [...prepared.secrets, ...links]
  const masker = links.length === 0 ? prepared.masker : createMasker(links, prepared.masker)
  return {
    text: (text, cut = false) => (cut ? withoutCutSecret(masker.mask(text), secrets) : masker.mask(text)),
    holdsSecret: (text) => masker.holds(text)
  }
}
