/**
 * One keychain serves every data folder of its user, so each folder's history has a key under a name of its
 * own: the name of an entry and a random id, which stands in plain in the folder. Two folders that are first
 * started at the same moment would otherwise both make "the" key, and one of them would lose the one that its
 * files are under.
 */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { anchorAccount } from '#core/audit/anchor.ts'
import { peekVersioned, writeVersioned } from '#core/files/versioned.ts'
import { codeOf } from '#core/files/write.ts'
import { historyFolder } from './storage/files.ts'
import { masterKeyAccount } from './open.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

export const folderFileName = 'data-folder.json'

const idSchema = z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/) })
const folderFile = (dataFolder: string) => ({
  path: join(dataFolder, folderFileName),
  format: 'veridesk-data-folder',
  version: 1,
  schema: idSchema.optional(),
  migrate: (data: unknown) => data,
  defaults: undefined,
  now: 0
})

/**
 * The keychain as the history of one data folder sees it: its accounts (`history/master-key` and what begins with
 * it) are this folder's own, every other one is left as it is.
 *
 * A folder from before there were ids goes on under the plain names. The id of a new folder is on the disk before
 * anything is kept under it. Failures: the keychain's; `history-key-unnamed`, `disk-full`, `settings-locked`.
 */
export function secretsOfFolder(keychain: SecretStore, dataFolder: string): SecretStore {
  let naming: Promise<Result<string, Failure>> | undefined

  const suffix = async (): Promise<Result<string, Failure>> => {
    const asked = (naming ??= nameOf(keychain, dataFolder))
    const named = await asked
    if (!named.ok && naming === asked) naming = undefined
    return named
  }
  const within = async <T>(account: string, work: (account: string) => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => {
    if (!account.startsWith(masterKeyAccount)) return work(account)
    const name = await suffix()
    return name.ok ? work(account + name.value) : name
  }

  return {
    ...keychain,
    get: (account) => within(account, (own) => keychain.get(own)),
    set: (account, value) => within(account, (own) => keychain.set(own, value)),
    remove: (account) => within(account, (own) => keychain.remove(own))
  }
}

/** What stands behind the names of this folder's entries: empty, or a slash and its id. */
async function nameOf(keychain: SecretStore, dataFolder: string): Promise<Result<string, Failure>> {
  const named = readId(dataFolder)
  if (!named.ok) return named
  if (named.value !== undefined) return ok(`/${named.value}`)
  const former = await isFormer(keychain, dataFolder)
  if (!former.ok) return former
  if (former.value) return ok('')
  const id = randomBytes(16).toString('hex')
  const written = await writeVersioned(folderFile(dataFolder), { id })
  if (!written.ok) return written
  // What counts is what the next start will read.
  const back = readId(dataFolder)
  return back.ok ? ok(`/${back.value ?? id}`) : back
}

function readId(dataFolder: string): Result<string | undefined, Failure> {
  const read = peekVersioned(folderFile(dataFolder))
  if (read.ok) return ok(read.value?.id)
  return failed('history-key-unnamed', { file: folderFileName, cause: read.failure })
}

/**
 * Whether a folder without an id had a key before there were ids: it holds a history, or the keychain knows of
 * one here; or there are copies, and the keychain has the key that all folders shared.
 */
async function isFormer(keychain: SecretStore, dataFolder: string): Promise<Result<boolean, Failure>> {
  if ((await entries(historyFolder(dataFolder))).length > 0) return ok(true)
  const anchor = await keychain.get(anchorAccount(historyFolder(dataFolder)))
  if (!anchor.ok) return anchor
  if (anchor.value !== undefined) return ok(true)
  const copies = (await entries(dataFolder)).some((name) => /^(backups$|history-)/.test(name))
  const shared = copies ? await keychain.get(masterKeyAccount) : ok(undefined)
  return shared.ok ? ok(shared.value !== undefined) : shared
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    // What cannot be looked into is not taken for empty: the read that follows says why.
    return codeOf(error) === 'ENOENT' ? [] : ['unreadable']
  }
}
