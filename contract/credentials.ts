/**
 * The three secret headers that every operation carries, declared once.
 *
 * The interface does not say what form the Authorization value has, so each value is sent
 * verbatim: no prefix is added, nothing is trimmed.
 */
export interface CredentialDeclaration {
  readonly id: string
  /** Header name on the wire. */
  readonly header: string
  readonly label: string
  readonly help: string
  /** What stands in its place wherever a request is shown or copied. */
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
    help: 'Sent as Authorization, word for word. If your provider’s value begins with “Bearer ”, include it.',
    placeholder: '<AUTHORIZATION_VALUE>'
  }
] as const satisfies readonly CredentialDeclaration[]

export type CredentialId = (typeof credentials)[number]['id']
export const credentialIds = credentials.map((credential) => credential.id) as [CredentialId, ...CredentialId[]]

/** The secret values of one connection. Lives in core only; no channel carries it to a window. */
export type CredentialValues = Readonly<Record<CredentialId, string>>

/** Which of the three are set: all that a window ever learns. */
export type CredentialPresence = Readonly<Record<CredentialId, boolean>>

/** Windows' credential manager takes no larger entry; the limit holds everywhere so that profiles move. */
export const maxCredentialBytes = 2560

/**
 * How long a cleared value can be restored, in seconds. Long enough to notice a slip and to reach "Undo" by keyboard or
 * screen reader; short enough that a cleared secret does not stay in memory.
 */
export const undoClearSeconds = 30

/** Why a header value cannot be stored or sent, or undefined where it can. */
export function credentialFault(value: string): 'empty' | 'unprintable' | 'too-long' | undefined {
  if (value.length === 0) return 'empty'
  // Printable ASCII and inner spaces only: Node strips or refuses the rest, and a stripped secret is a wrong secret.
  if (!/^[\x20-\x7e]+$/.test(value) || value !== value.trim()) return 'unprintable'
  if (value.length > maxCredentialBytes) return 'too-long'
  return undefined
}
