/** The data folders in tests/fixtures: one for each released schema, as its version left it. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { anchorAccount } from '#core/audit/anchor.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import type { OldHistory } from './kills.ts'

export const fixtures = join(import.meta.dirname, '..', '..', '..', 'tests', 'fixtures')
const prefix = 'data-folder-'

/** The product's version, such as 0.2.0. */
export const packageVersion = (
  JSON.parse(readFileSync(join(fixtures, '..', '..', 'package.json'), 'utf8')) as { readonly version: string }
).version
/** The folder of the schema of this version: one for each minor version. */
export const presentName = `${prefix}${packageVersion.split('.').slice(0, 2).join('.')}`

/**
 * The head of the audit trail is stored under a digest of the history's path: the only entry that depends on the folder.
 */
export const headAccount = 'history/anchor/FOLDER'
export const accountIn = (dataFolder: string, account: string): string =>
  account === headAccount ? anchorAccount(historyFolder(dataFolder)) : account

/** What the keychain had: its entries, with FOLDER in the name of the one that depends on the path. */
export interface KeptKeychain {
  readonly recoveryKey: string
  readonly entries: Readonly<Record<string, string>>
}

export interface KeptFolder {
  /** Such as `data-folder-0.1`. */
  readonly name: string
  readonly place: string
  readonly keychain: KeptKeychain
  readonly history: OldHistory
}

export const keptFolders = (): readonly KeptFolder[] =>
  readdirSync(fixtures)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map(keptFolder)

/** Throws if it is not there. */
export function keptFolder(name: string): KeptFolder {
  const place = join(fixtures, name)
  const keychain = JSON.parse(readFileSync(join(place, 'keychain.json'), 'utf8')) as KeptKeychain
  const masterKey = Object.entries(keychain.entries).find(([account]) => account.startsWith('history/master-key'))?.[1]
  if (masterKey === undefined) throw new Error(`${name} has no key of its history`)
  return { name, place, keychain, history: { folder: join(place, 'folder', 'history'), masterKey } }
}
