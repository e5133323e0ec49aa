/**
 * A user's data folders share one keychain, so each folder's history has its key under its own name: the name of an
 * entry plus a random id, which is stored unencrypted in the folder. Otherwise, two folders started for the first
 * time at the same moment would both create a key, and one would lose the key of its files. Copies of the id are beside the
 * files of that key: in the folder of the history and in each backup.
 */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { peekVersioned, writeVersioned } from '#core/files/versioned.ts'
import { codeOf } from '#wire/files/write.ts'
import { copyFolders } from './copy-folders.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { masterKeyAccount } from './open.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

const idSchema = z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/) })
const folderFile = (dataFolder: string) => ({
  path: join(dataFolder, ownFiles.dataFolder),
  format: 'veridesk-data-folder',
  version: 1,
  schema: idSchema.optional(),
  defaults: undefined,
  now: 0
})

/**
 * The keychain for the history of one data folder: its accounts (`history/master-key` and those beginning with it)
 * belong to this folder; other accounts are passed through.
 *
 * The id of a new folder is on disk before anything is stored under it. Without its id, a folder finds it again in a
 * copy. Without a copy, a history stays closed; who stores its key anew, from a recovery key, gives it a new name.
 * Failures: the keychain's; `history-key-unnamed`, `disk-full`, `settings-locked`.
 */
export function secretsOfFolder(keychain: SecretStore, dataFolder: string): SecretStore {
  let naming: Promise<Result<string, Failure>> | undefined

  const suffix = async (): Promise<Result<string, Failure>> => {
    const asked = (naming ??= nameOf(dataFolder))
    const named = await asked
    if (!named.ok && naming === asked) naming = undefined
    return named
  }
  const within = async <T>(
    account: string,
    work: (account: string) => Promise<Result<T, Failure>>
  ): Promise<Result<T, Failure>> => {
    if (!account.startsWith(masterKeyAccount)) return work(account)
    const name = await suffix()
    return name.ok ? work(account + name.value) : name
  }
  /** The key of a history whose name is lost is stored under a new one. */
  const storing = async (
    account: string,
    work: (account: string) => Promise<Result<null, Failure>>
  ): Promise<Result<null, Failure>> => {
    const name = account === masterKeyAccount ? await suffix() : undefined
    if (name && !name.ok && name.failure.details?.['reason'] === 'missing') naming = newName(dataFolder)
    return within(account, work)
  }

  return {
    ...keychain,
    get: (account) => within(account, (own) => keychain.get(own)),
    ...(keychain.getBytes && {
      getBytes: (account: string) =>
        within(account, (own) => keychain.getBytes?.(own) ?? Promise.resolve(ok(undefined)))
    }),
    ...(keychain.setBytes && {
      setBytes: (account: string, value: Buffer) =>
        storing(account, (own) => keychain.setBytes?.(own, value) ?? Promise.resolve(ok(null)))
    }),
    set: (account, value) => storing(account, (own) => keychain.set(own, value)),
    remove: (account) => within(account, (own) => keychain.remove(own))
  }
}

/**
 * The suffix of this folder's account names: a slash and its id. Failure: `history-key-unnamed` if the folder holds a
 * history and its id is lost.
 */
async function nameOf(dataFolder: string): Promise<Result<string, Failure>> {
  const named = readId(dataFolder)
  if (!named.ok) return named
  if (named.value !== undefined) return ok(`/${named.value}`)
  const copied = await idInCopies(dataFolder)
  if (copied === undefined && (await holdsHistory(dataFolder)))
    return failed('history-key-unnamed', { file: ownFiles.dataFolder, reason: 'missing' })
  return newName(dataFolder, copied)
}

async function newName(dataFolder: string, id = randomBytes(16).toString('hex')): Promise<Result<string, Failure>> {
  const written = await writeVersioned(folderFile(dataFolder), { id })
  if (!written.ok) return written
  // Uses what the next start will read.
  const back = readId(dataFolder)
  return back.ok ? ok(`/${back.value ?? id}`) : back
}

function readId(dataFolder: string): Result<string | undefined, Failure> {
  const read = peekVersioned(folderFile(dataFolder))
  if (read.ok) return ok(read.value?.id)
  return failed('history-key-unnamed', { file: ownFiles.dataFolder, cause: read.failure })
}

/** The newest copy of a lost id. */
async function idInCopies(dataFolder: string): Promise<string | undefined> {
  for (const folder of [historyFolder(dataFolder), ...(await copyFolders(dataFolder))]) {
    const read = readId(folder)
    if (read.ok && read.value !== undefined) return read.value
  }
  return undefined
}

/** Copies a data folder's id beside files of its key. Never fails: where the disk is full, the next start copies it. */
export async function copyId(dataFolder: string, to: string): Promise<void> {
  const [own, there] = [readId(dataFolder), readId(to)]
  if (own.ok && own.value !== undefined && !(there.ok && there.value === own.value))
    await writeVersioned(folderFile(to), { id: own.value })
}

async function holdsHistory(dataFolder: string): Promise<boolean> {
  try {
    return (await readdir(historyFolder(dataFolder))).length > 0
  } catch (error) {
    // A folder that cannot be read is not treated as empty.
    return codeOf(error) !== 'ENOENT'
  }
}
