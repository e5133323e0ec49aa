import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultSettings } from '#contract/settings/settings.ts'
import { anchorAccount } from '#core/audit/anchor.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { createBackup } from '#core/backup/create.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { createCurrentHistory, type CurrentHistory } from '#core/history/current.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { secretsOfFolder } from '#core/history/folder-keys.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { clock, secretsInMemory } from './history-fixtures.ts'
import { keychainIn, startKeyring } from './support/keyring.ts'
import { said } from '../said.ts'
import { launchWorkers } from './support/workers.ts'

let folder = ''
const open: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-folder-keys-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
})
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end()
})

const idFile = (dataFolder: string): string => join(dataFolder, ownFiles.dataFolder)
const idOf = async (dataFolder: string): Promise<string> =>
  (JSON.parse(await readFile(idFile(dataFolder), 'utf8')) as { data: { id: string } }).data.id
const key = 'a'.repeat(64)

function currentHistoryOf(dataFolder: string, keychain: SecretStore): CurrentHistory {
  const current = createCurrentHistory({
    dataFolder,
    keychain,
    session: createSessionSecrets(),
    launch: launchWorkers,
    clock,
    changed: () => undefined,
    replaced: () => undefined
  })
  open.push(() => current.close())
  return current
}

describe('in a real keychain', () => {
  /** Starts with a separate keychain process in the shared keyring. */
  function start(dataFolder: string, env: Readonly<Record<string, string>>): CurrentHistory {
    const { keychain } = keychainIn(env, { limitMs: 120_000 })
    open.push(() => keychain.close())
    return currentHistoryOf(dataFolder, secretsOfFolder(keychain, dataFolder))
  }

  it('twenty simultaneous first starts on two folders leave each folder with the key of its files', async () => {
    const keyring = await startKeyring()
    open.push(() => keyring.end())
    const folders = Array.from({ length: 20 }, (_, index) =>
      join(folder, `${index >> 1}-${index % 2 === 0 ? 'work' : 'practice'}`)
    )
    await Promise.all(folders.map((each) => mkdir(each)))
    const first = folders.map((each) => start(each, keyring.env))
    const states = await Promise.all(first.map((current) => current.open()))
    expect(states.map((state) => state.state === 'ready' && state.kept)).toEqual(folders.map(() => 'file'))
    await Promise.all(first.map((current) => current.close()))
    expect(new Set(await Promise.all(folders.map(idOf))).size).toBe(folders.length)

    const { keychain } = keychainIn(keyring.env)
    open.push(() => keychain.close())
    const again = await Promise.all(
      folders.map((each) => currentHistoryOf(each, secretsOfFolder(keychain, each)).open())
    )
    expect(again.filter((state) => state.state !== 'ready')).toEqual([])
    expect(await keychain.get(masterKeyAccount)).toEqual({ ok: true, value: undefined })
  }, 240_000)
})

describe('a folder without an ID', () => {
  it.each<readonly [string, (secrets: ReturnType<typeof secretsInMemory>) => unknown]>([
    [
      'whose history is missing while the keychain knows of it',
      ({ entries }) => entries.set(anchorAccount(historyFolder(folder)), '{}')
    ],
    ['with backups', () => mkdir(join(folder, 'backups'))],
    ['with settings only', () => mkdir(join(folder, 'logs'))]
  ])('%s, gets one, and not the key of another folder', async (_name, prepare) => {
    const secrets = secretsInMemory()
    await prepare(secrets)
    const own = secretsOfFolder(secrets, folder)
    expect(await own.set(masterKeyAccount, 'b'.repeat(64))).toMatchObject({ ok: true })
    expect(secrets.entries.get(`${masterKeyAccount}/${await idOf(folder)}`)).toBe('b'.repeat(64))
    expect(secrets.entries.has(masterKeyAccount)).toBe(false)
  })
})

describe('without data-folder.json', () => {
  /** A folder with a history and, if wanted, a backup; then the file is lost. */
  async function lost(secrets: ReturnType<typeof secretsInMemory>): Promise<string> {
    const current = currentHistoryOf(folder, secretsOfFolder(secrets, folder))
    expect(await current.open()).toMatchObject({ state: 'ready', kept: 'file' })
    const id = await idOf(folder)
    const parts = {
      dataFolder: folder,
      clock,
      settings: () => defaultSettings,
      store: () => current.ready(),
      historyState: () => current.state()
    }
    expect(await createBackup(parts)).toMatchObject({ ok: true, value: { state: 'whole' } })
    await current.close()
    await rm(idFile(folder))
    return id
  }
  const openAgain = (secrets: ReturnType<typeof secretsInMemory>) =>
    currentHistoryOf(folder, secretsOfFolder(secrets, folder)).open()

  it.each([
    ['the history opens, by the copy beside its files', 'backups'],
    ['a history that is gone, too, begins anew under the key of its backups', 'history']
  ])('%s', async (_name, without) => {
    const secrets = secretsInMemory()
    const id = await lost(secrets)
    await rm(join(folder, without), { recursive: true })
    if (without === 'history') secrets.entries.delete(anchorAccount(historyFolder(folder)))
    expect(await openAgain(secrets)).toMatchObject({ state: 'ready', kept: 'file' })
    expect(await idOf(folder)).toBe(id)
    expect([...secrets.entries.keys()].filter((name) => name.startsWith(masterKeyAccount))).toEqual([
      `${masterKeyAccount}/${id}`
    ])
  })

  it('and without any copy, it is this that is missing, and not a key', async () => {
    const secrets = secretsInMemory()
    const id = await lost(secrets)
    for (const name of await readdir(folder, { recursive: true }))
      if (name.endsWith(ownFiles.dataFolder)) await rm(join(folder, name))
    const state = await openAgain(secrets)
    expect(state).toMatchObject({
      state: 'failed',
      failure: { code: 'history-key-unnamed', details: { reason: 'missing' } }
    })
    expect(said(state)).toContain(
      'data-folder.json, which identifies the key of the history in the keychain, could not be read: it is missing'
    )
    // Whoever proves to have the key may store it again, under a new ID.
    const held = secrets.entries.get(`${masterKeyAccount}/${id}`) ?? ''
    expect(await secretsOfFolder(secrets, folder).set(masterKeyAccount, held)).toMatchObject({ ok: true })
    expect(await openAgain(secrets)).toMatchObject({ state: 'ready', kept: 'file' })
    expect(await idOf(folder)).not.toBe(id)
  })
})

describe('the id of a folder', () => {
  it('is on disk before it is used, and covers everything that belongs to the key', async () => {
    const secrets = secretsInMemory()
    const seen: string[] = []
    const own = secretsOfFolder(
      {
        ...secrets,
        set: async (account, value) => (seen.push(`${account} ${await idOf(folder)}`), secrets.set(account, value))
      },
      folder
    )
    await own.set(masterKeyAccount, key)
    await own.set('history/master-key-before-recovery', key)
    await own.set('evidence/signing-key', key)
    const id = await idOf(folder)
    expect(seen).toEqual([
      `${masterKeyAccount}/${id} ${id}`,
      `history/master-key-before-recovery/${id} ${id}`,
      `evidence/signing-key ${id}`
    ])
    await own.remove(masterKeyAccount)
    expect(secrets.entries.has(`${masterKeyAccount}/${id}`)).toBe(false)
  })

  it.each([
    ['damaged', '{"format":"veridesk-data-folder","version":1,"data":{"id":"short"}}', 'id'],
    ['empty', '', 'it is empty'],
    ['newer', '{"format":"veridesk-data-folder","version":2,"data":{}}', 'a newer version']
  ])('%s, is neither replaced nor guessed, and looked at again', async (_name, text, detail) => {
    const secrets = secretsInMemory()
    await secretsOfFolder(secrets, folder).set(masterKeyAccount, key)
    const good = await readFile(idFile(folder), 'utf8')
    await writeFile(idFile(folder), text)
    const own = secretsOfFolder(secrets, folder)
    const refused = await own.get(masterKeyAccount)
    expect(refused).toMatchObject({ ok: false, failure: { code: 'history-key-unnamed' } })
    expect(said(refused)).toContain(detail)
    expect(await readFile(idFile(folder), 'utf8')).toBe(text)
    await writeFile(idFile(folder), good)
    expect(await own.get(masterKeyAccount)).toEqual({ ok: true, value: key })
  })
})
