/** Sentences about credentials and where they are stored. */
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { maxCredentialBytes, type credentialFault } from '#contract/connections/credentials.ts'
import { count } from '../../kit/text.ts'

/** What is wrong with a typed value. */
export const credentialFaults: Readonly<Record<NonNullable<ReturnType<typeof credentialFault>>, string>> = {
  'empty': 'Enter the value.',
  'unprintable':
    'The value contains a line break, a space at either end, or a character that headers do not allow. Copy it again from your provider.',
  'too-long': `At most ${count(maxCredentialBytes)} characters fit into every system’s keychain.`
}

/** Where values that are entered now are stored. */
export const storedWhere = (keychainOut: boolean): string =>
  keychainOut
    ? 'Stored for this session only, since the keychain is not available. Deleted when Veridesk closes.'
    : 'Stored in this computer’s keychain and never shown again.'

/** The confirmation after a connection was saved. */
export function savedWords(
  { name, kept }: Pick<ConnectionStatus, 'name' | 'kept'>,
  about: { readonly cleared: boolean; readonly withCredentials: boolean }
): string {
  if (about.cleared) return `“${name}” saved. Its host changed, so enter the credentials again.`
  if (!about.withCredentials) return `“${name}” saved.`
  return kept === 'session'
    ? `“${name}” saved. Its credentials are stored for this session only, and deleted when Veridesk closes.`
    : `“${name}” saved, with its credentials in this computer’s keychain.`
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' })
/** What is missing after a connection was added but not all of its credentials. */
export const halfStoredWords = (name: string, missing: readonly string[]): string =>
  `“${name}” was added, but not stored: ${lists.format(missing)}. Nothing can be sent on this connection until they are.`
