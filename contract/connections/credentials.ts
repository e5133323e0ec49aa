/**
 * The three secret headers of every operation.
 *
 * The interface does not define the form of the Authorization value, so each value is sent verbatim: no prefix is
 * added, nothing is trimmed.
 */
export interface CredentialDeclaration {
  readonly id: string
  /** Header name in the request. */
  readonly header: string
  readonly label: string
  readonly help: string
  /** Replaces the value wherever a request is shown or copied. */
  readonly placeholder: string
}

export const credentials = [
  {
    id: 'api-key',
    header: 'x-api-key',
    label: 'API key',
    help: 'Sent as x-api-key.',
    placeholder: '<API_KEY>'
  },
  {
    id: 'api-secret',
    header: 'x-api-secret',
    label: 'API secret',
    help: 'Sent as x-api-secret.',
    placeholder: '<API_SECRET>'
  },
  {
    id: 'authorization',
    header: 'Authorization',
    label: 'Authorization value',
    help: 'Sent as Authorization, exactly as entered. If your provider’s value begins with “Bearer ”, include it.',
    placeholder: '<AUTHORIZATION_VALUE>'
  }
] as const satisfies readonly CredentialDeclaration[]

export type CredentialId = (typeof credentials)[number]['id']
export const credentialIds = credentials.map((credential) => credential.id) as [CredentialId, ...CredentialId[]]

/** The secret values of one connection. In core only; no channel passes them to a window. */
export type CredentialValues = Readonly<Record<CredentialId, string>>

/** Which of the three are set: all that a window is given. */
export type CredentialPresence = Readonly<Record<CredentialId, boolean>>

/** The maximum entry size of Windows' credential manager; applied everywhere so that profiles can be moved. */
export const maxCredentialBytes = 2560

/**
 * Seconds during which a cleared value can be restored. Long enough to notice a mistake and to reach "Undo" by
 * keyboard or screen reader; short enough that a cleared secret does not stay in memory.
 */
export const undoClearSeconds = 30

/** Why a header value cannot be stored or sent, or undefined if it can. */
export function credentialFault(value: string): 'empty' | 'unprintable' | 'too-long' | undefined {
  if (value.length === 0) return 'empty'
  // Printable ASCII and inner spaces only: Node strips or rejects the rest, and a stripped secret is a wrong secret.
  if (!/^[\x20-\x7e]+$/.test(value) || value !== value.trim()) return 'unprintable'
  if (value.length > maxCredentialBytes) return 'too-long'
  return undefined
}
