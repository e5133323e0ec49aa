/**
 * A process that requests the keys shared by a user's data folders, as a first start does: once per line of input,
 * with one line of output each.
 */
import { createInterface } from 'node:readline'
import type { CredentialValues } from '#contract/connections/credentials.ts'
import { evidenceKey } from '#wire/evidence/keys.ts'
import { signingKey } from '#core/evidence/signing-key.ts'
import { createFingerprint } from '#core/secrets/fingerprint.ts'
import { keychainIn } from './keyring.ts'

/** The keys that such a process was given, or why not. */
export interface Given {
  readonly signing: string
  readonly fingerprint: string
}

const values: CredentialValues = { 'api-key': 'one', 'api-secret': 'two', 'authorization': 'three' }

if (import.meta.main) {
  const { keychain } = keychainIn({}, { limitMs: 60_000 })
  await keychain.probe()
  console.log('ready')
  for await (const _line of createInterface(process.stdin)) {
    const [key, fingerprint] = await Promise.all([signingKey(keychain), createFingerprint(keychain)(values)])
    const given: Given = { signing: key.ok ? evidenceKey(key.value).fingerprint : key.failure.code, fingerprint }
    console.log(JSON.stringify(given))
  }
  await keychain.close()
}
