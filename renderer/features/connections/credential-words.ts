/** Sentences about credentials and where they are stored. */
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { maxCredentialBytes, type credentialFault } from '#contract/connections/credentials.ts'
import { count } from '../../kit/text.ts'
import { listed } from '../../kit/language.ts'
import { words } from './words.ts'

/** What is wrong with a typed value. */
export const credentialFaults: Readonly<Record<NonNullable<ReturnType<typeof credentialFault>>, string>> = {
  'empty': words.enterTheValue,
  'unprintable': words.theValueContainsALine,
  'too-long': words.atMostMaxcredentialbytesCharactersFit({ maxCredentialBytes: count(maxCredentialBytes) })
}

/** Where values that are entered now are stored. */
export const storedWhere = (keychainOut: boolean): string =>
  keychainOut ? words.storedForThisSessionOnlySince : words.storedInThisComputersKeychainAnd

/** The confirmation after a connection was saved. */
export function savedWords(
  { name, kept }: Pick<ConnectionStatus, 'name' | 'kept'>,
  about: { readonly cleared: boolean; readonly withCredentials: boolean }
): string {
  if (about.cleared) return words.nameSavedItsHostChanged({ name })
  if (!about.withCredentials) return words.nameSaved({ name })
  return kept === 'session' ? words.nameSavedItsCredentialsAre({ name }) : words.nameSavedWithItsCredentials({ name })
}

/** What is missing after a connection was added but not all of its credentials. */
export const halfStoredWords = (name: string, missing: readonly string[]): string =>
  words.nameWasAddedButNot({ name, format: listed(missing) })
