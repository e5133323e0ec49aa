/** A whole console on real files, with a separate keychain that can be wiped. */
import { sentencesOf } from '#contract/failures/sentences.ts'
import { anchorAccount } from '#core/audit/anchor.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { secretsOfFolder } from '#core/history/folder-keys.ts'
import type { TestConsole } from './console.ts'
import { keychainIn, startKeyring } from './keyring.ts'
import { documentInput, ofDocument } from './document-check.ts'

/** Calls `work` with a real keyring that every console started in the meantime uses. */
export async function besideKeyring<T>(work: (keychain: SecretStore) => Promise<T>): Promise<T> {
  const keyring = await startKeyring()
  const before = { ...process.env }
  Object.assign(process.env, keyring.env, { DISPLAY: '' })
  const { keychain } = keychainIn(keyring.env)
  try {
    return await work(keychain)
  } finally {
    await keychain.close()
    for (const name of [...Object.keys(keyring.env), 'DISPLAY']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
    await keyring.end()
  }
}

/** The key of a folder's history. Throws if the keychain does not have it, since nothing could be proved. */
export async function masterKeyOf(keychain: SecretStore, dataFolder: string): Promise<string> {
  const found = await secretsOfFolder(keychain, dataFolder).get(masterKeyAccount)
  if (!found.ok || found.value === undefined)
    throw new Error(found.ok ? 'no key of the history' : sentencesOf(found.failure).what)
  return found.value
}

/**
 * Replaces a history's key by another one, or removes it and everything else that the history needs from the keychain.
 */
export async function loseKey(keychain: SecretStore, dataFolder: string, other?: string): Promise<void> {
  const own = secretsOfFolder(keychain, dataFolder)
  const done =
    other === undefined
      ? [await own.remove(masterKeyAccount), await own.remove(anchorAccount(historyFolder(dataFolder)))]
      : [await own.set(masterKeyAccount, other)]
  for (const each of done) if (!each.ok) throw new Error(sentencesOf(each.failure).what)
}

/** Runs one verification through the console's own router; returns the ID of its record. */
export async function checkOf(
  workspace: TestConsole,
  connectionId: string,
  applicant: string,
  link?: string
): Promise<string> {
  const runId = crypto.randomUUID()
  const ending = await workspace.get(
    'verification.run',
    link === undefined
      ? {
          runId,
          connectionId,
          operation: 'get-applicant-details',
          input: { applicant_id: applicant },
          repeatAnyway: true
        }
      : { runId, connectionId, operation: ofDocument.id, input: documentInput(applicant, link), repeatAnyway: true }
  )
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
