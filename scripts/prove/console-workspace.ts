/** A whole console on real files, beside a keychain of its own that can be wiped. */
import { sentencesOf } from '#contract/failures/sentences.ts'
import { anchorAccount } from '#core/audit/anchor.ts'
import { historyFolder } from '#core/history/storage/files.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { secretsOfFolder } from '#core/history/folder-keys.ts'
import type { TestConsole } from '../../tests/service/support/console.ts'
import { keychainIn, startKeyring } from '../../tests/service/support/keyring.ts'
import { documentInput, ofDocument } from './document-check.ts'

/** Runs with a real keyring, which every console that is started meanwhile finds. */
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

/** The key that a folder's history is under. Throws where the keychain does not give it: then nothing was proven. */
export async function masterKeyOf(keychain: SecretStore, dataFolder: string): Promise<string> {
  const found = await secretsOfFolder(keychain, dataFolder).get(masterKeyAccount)
  if (!found.ok || found.value === undefined) throw new Error(found.ok ? 'no key of the history' : sentencesOf(found.failure).what)
  return found.value
}

/** Puts another key in the place of a history's, or takes it and everything else that the history needs out of the keychain. */
export async function loseKey(keychain: SecretStore, dataFolder: string, other?: string): Promise<void> {
  const own = secretsOfFolder(keychain, dataFolder)
  const done = other === undefined ? [await own.remove(masterKeyAccount), await own.remove(anchorAccount(historyFolder(dataFolder)))] : [await own.set(masterKeyAccount, other)]
  for (const each of done) if (!each.ok) throw new Error(sentencesOf(each.failure).what)
}

/** One check through the console's own router; the id of its record. */
export async function checkOf(workspace: TestConsole, connectionId: string, applicant: string, link?: string): Promise<string> {
  const runId = crypto.randomUUID()
  const ending = await workspace.get(
    'verification.run',
    link === undefined
      ? { runId, connectionId, operation: 'get-applicant-details', input: { applicant_id: applicant }, repeatAnyway: true }
      : { runId, connectionId, operation: ofDocument.id, input: documentInput(applicant, link), repeatAnyway: true }
  )
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
