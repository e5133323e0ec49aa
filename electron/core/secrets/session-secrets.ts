/** Secrets for this session only: in memory, lost when the process ends; used without a keychain. */
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

/** An in-memory equivalent of the keychain. Never fails and never writes a file. */
export function createSessionSecrets(): SecretStore {
  const values = new Map<string, string>()
  return {
    get: async (account) => ok(values.get(account)),
    set: async (account, value) => {
      values.set(account, value)
      return ok(null)
    },
    remove: async (account) => {
      values.delete(account)
      return ok(null)
    },
    probe: async () => 'ready',
    state: () => 'ready',
    close: async () => values.clear()
  }
}

/** A keychain that is not there: what would be stored in it is kept for the session by whoever asks. */
export const withoutKeychain: SecretStore = {
  get: async () => failed('keychain-absent'),
  set: async () => failed('keychain-absent'),
  remove: async () => failed('keychain-absent'),
  probe: async () => 'absent',
  state: () => 'absent',
  close: async () => undefined
}
