/** Interprets a keychain's error text. The texts come from keytar, libsecret, Security.framework and Windows. */
import type { KeychainState } from '#contract/app/app-state.ts'

/** States in which nothing can be read or written. */
export type KeychainFault = Exclude<KeychainState, 'unchecked' | 'ready'>

/** An answer of the keychain process: never an error text, which may quote the value concerned. */
export type KeychainAnswer =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly fault: KeychainFault }

/** A value that was read, sealed for whoever asked (`sealing/line.ts`). */
export type SealedAnswer =
  | { readonly ok: true; readonly value: Uint8Array | null }
  | Extract<KeychainAnswer, { readonly ok: false }>

/** The interface of the keychain process. */
export interface KeychainProcess {
  get(account: string): Promise<KeychainAnswer>
  /** Like `get`; sealed for a public key of the line. */
  getSealed(account: string, publicKey: Uint8Array): Promise<SealedAnswer>
  set(account: string, value: string): Promise<KeychainAnswer>
  /** For `setSealed`. */
  publicKey(): Promise<SealedAnswer>
  /** Like `set`; sealed for this process. */
  setSealed(account: string, sealed: Uint8Array): Promise<KeychainAnswer>
  remove(account: string): Promise<KeychainAnswer>
  probe(): Promise<KeychainAnswer>
}

/**
 * Patterns by state; the first that matches counts.
 *
 * libsecret reports "locked" only when writing: "Cannot create an item in a locked collection". If there is no
 * collection and nobody answers the prompt that would create one: "Object does not exist at path".
 * macOS: SecCopyErrorMessageString of errSecInteractionNotAllowed (-25308), errSecNotAvailable (-25291),
 * errSecNoSuchKeychain (-25294), errSecNoDefaultKeychain (-25307), errSecAuthFailed (-25293), errSecUserCanceled
 * (-128), errSecMissingEntitlement (-34018).
 * Windows: ERROR_NO_SUCH_LOGON_SESSION (1312), ERROR_ACCESS_DENIED (5); other languages use the default.
 */
const signs: readonly (readonly [KeychainFault, RegExp])[] = [
  ['locked', /locked collection|is locked|keychain is locked|interaction is not allowed|-25308/i],
  // The service died before it answered, or a later one has another name on the bus.
  ['absent', /recipient disconnected|not provided by any \.service/i],
  ['hung', /timeout was reached|did not receive a reply|NoReply|timed out/i],
  [
    'denied',
    /AccessDenied|access is denied|AppArmor|not authori[sz]ed|permission denied|user ?name or passphrase|cancell?ed|dismissed|entitlement|-25293|-34018/i
  ],
  [
    'absent',
    /autolaunch|unsupported transport|native addon|libsecret|cannot open shared object|could not connect|connection refused|no such file|ServiceUnknown|does not exist at path|no such (?:interface|object)|no keychain is available|keychain could not be found|logon session|Spawn\.|NameHasNoOwner|connection is closed|-25291|-25294|-25307/i
  ]
]

/** The state indicated by an error text. An unknown text means that the keychain exists and refused: `denied`. */
export function faultOf(text: string): KeychainFault {
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'denied'
}
