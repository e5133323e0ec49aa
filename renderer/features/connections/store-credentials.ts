/** Stores the credentials of a connection one after another, and tells which ones are stored. */
import type { CredentialId } from '#contract/connections/credentials.ts'
import type { Failure } from '#contract/failures/failures.ts'

export interface StoredCredentials {
  readonly missing: readonly CredentialId[]
  /** Why the first of them was not stored. */
  readonly failure?: Failure
}

/**
 * A refusal does not keep the others from being stored: each one that is stored need not be entered again.
 *
 * @param set Stores one; resolves to why it was not stored.
 */
export async function storeCredentials(
  values: ReadonlyMap<CredentialId, string>,
  set: (credential: CredentialId, value: string) => Promise<Failure | undefined>
): Promise<StoredCredentials> {
  const missing: CredentialId[] = []
  let failure: Failure | undefined
  for (const [credential, value] of values) {
    const refused = await set(credential, value)
    if (!refused) continue
    missing.push(credential)
    failure ??= refused
  }
  return { missing, ...(failure && { failure }) }
}
