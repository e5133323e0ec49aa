/** The files of copies: compared and checked, copied elsewhere, and found again after a restore. Nothing is repaired, and only what nothing names is deleted. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import fs, {
  cp,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile
} from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetAnchor } from '#core/audit/anchor.ts'
import { createVault } from '#core/documents/vault.ts'
import { secretsOfFolder } from '#core/history/folder-keys.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import type { Context } from '../../electron/hosts/cli/context.ts'
import { backUpDocuments, deleteOtherFiles, verifyDocuments } from '../../electron/hosts/cli/documents.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { keychainIn } from './support/keyring.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { some } from './support/times.ts'

const field = 'document_url'
const day = 86_400_000
let console: TestConsole
let server: DocumentServer
beforeAll(async () => void (server = await serveDocuments()))
afterAll(() => server.close())
beforeEach(async () => {
  console = await startTestConsole()
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'required' })
})
afterEach(() => console.dispose())

const folder = (): string => join(console.dataFolder, 'documents')
async function filesIn(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter((each) => !each.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}
/** A record with a copy, and the path of its file. */
async function kept(
  applicantId: string,
  document = card
): Promise<{ readonly recordId: string; readonly file: string }> {
  const before = await filesIn(folder())
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId: (await console.get('practice.start')).id,
    operation: 'validate-applicant-id-document',
    input: { applicant_id: applicantId, [field]: server.at(document) },
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  const [file = ''] = (await filesIn(folder())).filter((each) => !before.includes(each))
  return { recordId: ending.record.id, file }
}
const verified = () => console.get('documents.verify')
const condition = () => console.get('documents.condition')
const events = async (kind: string) =>
  (await console.get('audit.page', { limit: 200 })).events.filter((event) => event.kind === kind)
async function restart(ahead = 0): Promise<void> {
  await console.close()
  console = await startTestConsole(console)
  console.ahead = ahead
  await console.veridesk.opened()
}
const contextOf = (options: Context['options'] = {}): Context =>
  ({
    operands: [],
    options,
    ask: console.ask,
    onEvent: () => () => undefined,
    showProgress: () => undefined,
    clearProgress: () => undefined
  }) as unknown as Context
const soon = { timeout: 20_000, interval: 100 }

describe('a check of all copies', () => {
  it('finds nothing wrong with files that are as they were sealed, and leaves an event', async () => {
    expect(await verified()).toMatchObject({ checked: 0, files: 0, missing: 0, damaged: 0 })
    await kept('APP-1')
    await kept('APP-1', face)
    await kept('APP-2')
    const found = await verified()
    expect(found).toMatchObject({ checked: 3, files: 3, missing: 0, damaged: 0, others: 0, faulty: [] })
    const sizes = await Promise.all((await filesIn(folder())).map(async (each) => (await stat(each)).size))
    expect(found.bytes).toBe(sizes.reduce((sum, each) => sum + each, 0))
    expect((await events('documents.verified')).map(({ words }) => words)).toEqual([
      '3 copies of documents verified: 0 missing, 0 damaged.',
      '0 copies of documents verified: 0 missing, 0 damaged.'
    ])
    expect(await verifyDocuments(contextOf())).toEqual({
      exit: 'done',
      out: '3 copies of documents verified: 0 missing, 0 damaged.'
    })
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('names each file that was changed by a bit, cut, made longer, swapped, replaced, linked or removed', async () => {
    const { recordId, file } = await kept('APP-1')
    const other = await kept('APP-1', face)
    const whole = await readFile(file)
    const named = async (fault: 'missing' | 'damaged') => {
      expect((await verified()).faulty).toMatchObject([{ recordId, field, fault }])
      await rm(file, { recursive: true, force: true })
      await writeFile(file, whole)
    }
    // Magic, nonce, salt, length, the document, the zeros after it, and the tag.
    for (const at of [0, 8, 20, 36, 4000, whole.length - 100, whole.length - 16, whole.length - 1]) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ (at % 8 === 0 ? 1 : 128)
      await writeFile(file, changed)
      await named('damaged')
    }
    for (const length of [0, 36, whole.length - 65_536, whole.length - 1, whole.length + 65_536]) {
      await truncate(file, Math.max(0, length))
      await named('damaged')
    }
    await writeFile(file, await readFile(other.file))
    await named('damaged')
    await writeFile(`${console.dataFolder}.whole`, whole)
    await unlink(file)
    await symlink(`${console.dataFolder}.whole`, file)
    await named('damaged')
    await rm(`${console.dataFolder}.whole`)
    await unlink(file)
    await link(other.file, file)
    await named('damaged')
    await unlink(file)
    await mkdir(file)
    await named('damaged')
    await unlink(file)
    await named('missing')
    expect(await verified()).toMatchObject({ checked: 2, missing: 0, damaged: 0, faulty: [] })
    await writeFile(other.file, whole)
    await unlink(file)
    const both = await verifyDocuments(contextOf())
    expect(both.exit).toBe('documentsFaulty')
    expect(both.out?.split('\n').map((line) => line.replace(/ {2}\d{4}-.*$/, ''))).toEqual([
      '2 copies of documents verified: 1 missing, 1 damaged.',
      `missing  ${recordId}  ${field}`,
      `damaged  ${other.recordId}  ${field}`
    ])
    expect(JSON.parse((await verifyDocuments(contextOf({ json: true }))).out ?? '')).toMatchObject({
      checked: 2,
      missing: 1,
      damaged: 1
    })
    // The record still says which document it was.
    const record = await console.get('history.record', { id: recordId })
    expect(record.copies?.[field]).toMatchObject([
      { bytes: card.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
    ])
    expect(await console.ask('documents.open', { recordId, field })).toMatchObject({
      failure: { code: 'document-copy-unusable', details: { reason: 'missing' } }
    })
  })

  it('knows a damaged file as whole again once the same document was kept anew', async () => {
    const { file } = await kept('APP-1')
    await writeFile(file, 'something else')
    expect(await verified()).toMatchObject({ damaged: 1 })
    await kept('APP-1')
    expect(await condition()).toMatchObject({ files: 1, damaged: 0 })
    expect(await verified()).toMatchObject({ checked: 1, damaged: 0 })
  })

  it.each(['keys', 'files'])(
    'reports nothing of a person who is erased during it, before it reads the %s',
    async (when) => {
      await kept('APP-1')
      await kept('APP-1', face)
      const { file } = await kept('APP-2')
      let isErased = false
      const erase = async (): Promise<void> => {
        isErased = true
        await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked' })
      }
      const { stat: statBefore } = fs
      // Files are looked at just before they are opened, by the keys that were handed out.
      fs.stat = (async (path: string, ...more: []) => {
        const isCopy = String(path).startsWith(folder()) && /[0-9a-f]{64}$/.test(String(path))
        if (isCopy && !isErased) await erase()
        return statBefore(path, ...more)
      }) as typeof fs.stat
      if (when === 'files') syncBuiltinESMExports()
      try {
        const found = when === 'keys' ? (await Promise.all([verified(), erase()]))[0] : await verified()
        expect(found).toMatchObject({ missing: 0, damaged: 0, faulty: [] })
      } finally {
        fs.stat = statBefore
        syncBuiltinESMExports()
      }
      expect(isErased).toBe(true)
      expect(await filesIn(folder())).toEqual([file])
      expect(await verified()).toMatchObject({ checked: 1, files: 1, missing: 0, damaged: 0 })
      const words = (await events('documents.verified')).map((event) => event.words)
      expect(words.filter((each) => !each.endsWith('0 missing, 0 damaged.'))).toEqual([])
    }
  )
})

describe('an opening', () => {
  it('finds missing and other files in the background, and those that are there again', async () => {
    const { recordId, file } = await kept('APP-1')
    await kept('APP-2', face)
    await rename(file, `${console.dataFolder}.kept`)
    const other = join(folder(), 'ab', 'ab'.repeat(32))
    await mkdir(dirname(other), { recursive: true })
    await writeFile(other, 'of a history that was set aside')
    await writeFile(join(folder(), 'note.txt'), 'of somebody')
    await restart()
    await expect.poll(condition, soon).toMatchObject({
      missing: 1,
      damaged: 0,
      others: 2,
      faulty: [{ recordId, field, fault: 'missing' }]
    })
    expect((await events('documents.verified')).map(({ words }) => words)).toEqual([
      '2 copies of documents verified: 1 missing, 0 damaged.'
    ])
    await rename(`${console.dataFolder}.kept`, file)
    await restart()
    await expect.poll(condition, soon).toMatchObject({ missing: 0, damaged: 0, others: 2 })
    expect(await filesIn(folder())).toHaveLength(4)
  })

  it('checks in the background what was not checked for 20 days, once', async () => {
    const { file } = await kept('APP-1')
    await kept('APP-2', face)
    await writeFile(file, 'something else')
    await restart(19 * day)
    await expect.poll(async () => (await condition()).others, soon).toBe(0)
    expect(await condition()).toMatchObject({ damaged: 0 })
    await restart(21 * day)
    await expect.poll(condition, soon).toMatchObject({ damaged: 1 })
    expect((await events('documents.verified')).map(({ words }) => words)).toEqual([
      '2 copies of documents verified: 0 missing, 1 damaged.'
    ])
    expect((await condition()).checkedAt).toBeGreaterThan(Date.now() + 20 * day)
  }, 60_000)
})

describe('copying the files elsewhere', () => {
  const target = (): string => console.fileAt('elsewhere')
  const names = async (path: string) => (await filesIn(path)).map((each) => each.slice(path.length))
  const copied = async () => {
    console.save = target()
    return console.get('backups.documents')
  }

  it('copies what is not there, and writes nothing again', async () => {
    await kept('APP-1')
    const first = await copied()
    expect(first).toMatchObject({ copied: 1, there: 0, faulty: 0, refused: 0, path: target() })
    const [file = ''] = await filesIn(target())
    const before = await stat(file)
    expect(before.mode & 0o077).toBe(0)
    const other = join(folder(), 'ab', 'ab'.repeat(32))
    await mkdir(dirname(other), { recursive: true })
    await writeFile(other, 'of a history that was set aside')
    await kept('APP-2', face)
    expect(await copied()).toMatchObject({ copied: 2, there: 1, faulty: 0, refused: 0 })
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs)
    expect(await names(target())).toEqual(await names(folder()))
    for (const name of await names(target()))
      expect((await readFile(target() + name)).equals(await readFile(folder() + name))).toBe(true)
    expect((await events('export.made')).map(({ words }) => words)).toEqual([
      'Export (documents, sealed) with 2 entries saved.',
      'Export (documents, sealed) with 1 entry saved.'
    ])
  })

  it('leaves out what is missing or damaged here, and what has another file in its place there', async () => {
    const [gone, changed, taken] = [await kept('APP-1'), await kept('APP-2'), await kept('APP-3', face)]
    await kept('APP-4')
    await unlink(gone.file)
    const bytes = await readFile(changed.file)
    bytes[500] = (bytes[500] ?? 0) ^ 1
    await writeFile(changed.file, bytes)
    const inPlace = target() + taken.file.slice(folder().length)
    await mkdir(dirname(inPlace), { recursive: true })
    await writeFile(inPlace, 'another')
    console.save = target()
    const ending = await backUpDocuments(contextOf({ to: target() }))
    expect(ending.exit).toBe('documentsFaulty')
    expect(await copied()).toMatchObject({ copied: 0, there: 1, faulty: 2, refused: 1 })
    expect(String(await readFile(inPlace))).toBe('another')
    expect(await filesIn(target())).toHaveLength(2)
  })

  it('writes nothing into the data folder, also through a link', async () => {
    await kept('APP-1')
    const own = { failure: { code: 'documents-not-copied', details: { reason: 'own' } } }
    const before = await filesIn(console.dataFolder)
    const through = console.fileAt('link')
    await symlink(folder(), through)
    for (const path of [console.dataFolder, folder(), join(console.dataFolder, 'new'), through, join(through, 'new')]) {
      console.save = path
      expect(await console.ask('backups.documents')).toMatchObject(own)
    }
    expect((await filesIn(console.dataFolder)).filter((each) => each.startsWith(folder()))).toEqual(
      before.filter((each) => each.startsWith(folder()))
    )
    console.save = join(console.fileAt('nowhere'), 'deeper')
    expect(await console.ask('backups.documents')).toMatchObject({
      failure: { code: 'documents-not-copied', details: { errno: 'ENOENT' } }
    })
  })

  const kills = [
    ['before', 1],
    ['before', 3],
    ['half', 2],
    ['after', 2],
    ['after', 4]
  ] as const
  it.each(some(kills, 2))(
    'continues after a kill “%s” file %i, which leaves nothing half under a name',
    async (step, number) => {
      for (const applicantId of ['APP-1', 'APP-2', 'APP-3', 'APP-4']) await kept(applicantId)
      const to = target()
      await console.close()
      const victim = fileURLToPath(new URL('./support/document-backup-victim.ts', import.meta.url))
      const { signal, stderr } = await new Promise<{ signal: string | null; stderr: string }>((resolve) => {
        execFile(process.execPath, [victim, console.dataFolder, to, step, String(number)], (error, _out, stderr) =>
          resolve({ signal: error?.signal ?? null, stderr })
        )
      })
      expect(stderr).toBe('')
      expect(signal).toBe('SIGKILL')
      console = await startTestConsole(console)
      const there = (await names(to)).filter((name) => !name.endsWith('.part'))
      expect(there).toHaveLength(step === 'after' ? number : number - 1)
      for (const name of there) expect((await readFile(to + name)).equals(await readFile(folder() + name))).toBe(true)
      expect(await copied()).toMatchObject({ copied: 4 - there.length, there: there.length, faulty: 0, refused: 0 })
      expect(await names(to)).toEqual(await names(folder()))
    }
  )
})

describe('a restore', () => {
  it('says which files are missing, goes on, and leaves those of the history that is set aside', async () => {
    const begun = Date.now()
    const first = await kept('APP-1')
    const backup = await console.get('backups.create')
    expect(backup).toMatchObject({ state: 'whole', documents: 1 })
    const manifest = JSON.parse(
      String(await readFile(join(console.dataFolder, 'backups', backup.id, 'backup.json')))
    ) as { documents: object }
    expect(manifest.documents).toEqual({
      count: 1,
      bytes: (await stat(first.file)).size,
      names: expect.stringMatching(/^[0-9a-f]{64}$/)
    })
    const second = await kept('APP-2', face)
    const third = await kept('APP-1', face)
    const bytes = await readFile(first.file)
    await unlink(first.file)
    const restored = await console.get('backups.restore', { id: backup.id })
    expect(restored).toMatchObject({ documents: { files: 1, missing: 1 }, history: { state: 'ready' } })
    await expect.poll(condition, soon).toMatchObject({ files: 1, missing: 1, others: 2 })
    // As a kill between its event and its name would have left it, had the history not been opened again before the restore.
    const left = await readFile(second.file)
    await rename(second.file, `${second.file}.new`)
    await utimes(`${second.file}.new`, new Date(begun), new Date(begun))
    await restart()
    expect((await readFile(`${second.file}.new`)).equals(left)).toBe(true)
    await writeFile(first.file, bytes)
    expect(await verified()).toMatchObject({ checked: 1, missing: 0, damaged: 0, others: 1 })
    // The history that was set aside finds all of its own.
    const { setAside = '' } = restored
    await console.close()
    await rename(join(console.dataFolder, 'history'), `${console.dataFolder}.restored`)
    await rename(setAside, join(console.dataFolder, 'history'))
    // The head in the keychain is that of the history that was restored.
    const { keychain } = keychainIn({})
    await forgetAnchor(secretsOfFolder(keychain, console.dataFolder), historyFolder(console.dataFolder))
    await keychain.close()
    console = await startTestConsole(console)
    await console.veridesk.opened()
    expect(await verified()).toMatchObject({ checked: 3, files: 3, missing: 0, damaged: 0, others: 0 })
    for (const { recordId } of [first, second, third])
      expect(await console.ask('documents.open', { recordId, field })).toMatchObject({ ok: true })
    await rm(`${console.dataFolder}.restored`, { recursive: true })
  })
})

describe('files that this history does not name', () => {
  /** A file that looks like a copy, which nothing names. */
  async function stray(): Promise<string> {
    const path = join(folder(), 'ab', 'ab'.repeat(32))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'of nobody')
    return path
  }
  const look = () => console.get('documents.otherFiles')
  const remove = (digest: string) => console.ask('documents.deleteOtherFiles', { digest })
  const restore = (id: string) => console.get('backups.restore', { id })
  const backup = async () => (await console.get('backups.create')).id

  it('are deleted if no history that was set aside and no backup names them, as they were shown', async () => {
    const first = await kept('APP-1')
    const without = await backup()
    const second = await kept('APP-2', face)
    const { setAside: one = '' } = await restore(without)
    const path = await stray()
    await writeFile(join(folder(), 'note.txt'), 'of somebody')
    const shown = await look()
    expect(shown).toMatchObject({ files: 1, bytes: 9, named: 1, unlike: 1, setAside: 1, backups: 1, unread: [] })
    expect(await remove('0'.repeat(64))).toMatchObject({
      failure: { code: 'other-files-kept', details: { reason: 'changed' } }
    })
    expect(await filesIn(folder())).toHaveLength(4)
    expect(await remove(shown.digest)).toEqual({ ok: true, value: { deleted: 1, bytes: 9, left: 0 } })
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(await filesIn(folder())).toEqual([first.file, second.file, join(folder(), 'note.txt')].toSorted())
    expect(await condition()).toMatchObject({ others: 2, missing: 0 })
    expect((await events('setting.changed')).map(({ words }) => words)).toContain(
      '1 file of documents that no history and no backup names deleted (9 bytes).'
    )
    // One that only a backup names.
    const third = await kept('APP-3')
    const withThird = await backup()
    const { setAside: two = '' } = await restore(without)
    for (const aside of [one, two]) await rm(aside, { recursive: true })
    const next = await look()
    expect(next).toMatchObject({ files: 1, named: 1, setAside: 0, backups: 2 })
    expect(await remove(next.digest)).toMatchObject({ value: { deleted: 1 } })
    expect(await filesIn(folder())).toEqual([first.file, third.file, join(folder(), 'note.txt')].toSorted())
    await restore(withThird)
    for (const { recordId } of [first, third])
      expect(await console.ask('documents.open', { recordId, field })).toMatchObject({ ok: true })
    expect(await verified()).toMatchObject({ missing: 0, damaged: 0 })
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  }, 60_000)

  it('stay where a history that was set aside under any name has them in its log after a crash, which stays as it is', async () => {
    const without = await backup()
    const { file } = await kept('APP-1')
    const aside = join(console.dataFolder, 'kept by hand')
    await cp(join(console.dataFolder, 'history'), aside, { recursive: true })
    const log = await readFile(join(aside, 'history.db-wal'))
    expect(log.length).toBeGreaterThan(0)
    const { setAside = '' } = await restore(without)
    await rm(setAside, { recursive: true })
    expect(await look()).toMatchObject({ files: 0, named: 1, setAside: 1, unread: [] })
    expect((await readFile(join(aside, 'history.db-wal'))).equals(log)).toBe(true)
    expect(await filesIn(folder())).toEqual([file])
  })

  it('stay while a backup or a history that was set aside cannot be read, and which one is said', async () => {
    await kept('APP-1')
    const path = await stray()
    const shown = await look()
    const other = join(console.dataFolder, 'backups', '20260101T000000000Z-abcd')
    const aside = join(console.dataFolder, 'history-set-aside-2026-01-01T00-00-00-000Z')
    for (const [unread, name, content] of [
      // One that has another key, and nothing at all.
      [other, join('backups', '20260101T000000000Z-abcd'), randomBytes(8192)],
      [aside, 'history-set-aside-2026-01-01T00-00-00-000Z', undefined]
    ] as const) {
      await mkdir(unread, { recursive: true })
      if (content) await writeFile(join(unread, 'history.db'), content)
      expect(await remove(shown.digest)).toMatchObject({
        failure: { code: 'other-files-kept', details: { reason: 'unread', folder: name } }
      })
      const { out } = await deleteOtherFiles(contextOf())
      expect(out).toContain(`Cannot be read, so nothing is deleted: ${name}`)
      expect(out).not.toContain('Digest')
      expect(String(await readFile(path))).toBe('of nobody')
      await rm(unread, { recursive: true })
    }
    expect((await deleteOtherFiles(contextOf())).out).toContain(`Digest ${shown.digest}`)
    expect(await deleteOtherFiles(contextOf({ digest: shown.digest }))).toEqual({
      exit: 'done',
      out: '1 file deleted, 9 B.'
    })
    await expect(stat(path)).rejects.toThrow('ENOENT')
  })

  it('are not deleted under a copy in progress, which finds them there or writes them anew', async () => {
    const vault = createVault(console.dataFolder, { quota: () => Infinity })
    const keys = { under: '', content: randomBytes(32), name: randomBytes(32) }
    const put = () => vault.put(card, createHash('sha256').update(card).digest('hex'), keys)
    const first = await put()
    if (!first.ok) throw new Error(first.failure.code)
    const name = first.value
    // Before its event is written, and after that.
    expect(await vault.remove([name])).toEqual([])
    await vault.finish([name])
    // One that is asked for while the file is about to go: it is not taken for there.
    const { unlink: unlinkNow } = fs
    fs.unlink = async (path) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return unlinkNow(path)
    }
    syncBuiltinESMExports()
    try {
      expect(await Promise.all([vault.remove([name]), put()])).toEqual([[name], first])
    } finally {
      fs.unlink = unlinkNow
      syncBuiltinESMExports()
    }
    await vault.finish([name])
    expect(await vault.open(name, keys)).toMatchObject({ ok: true })
    // One that has found it, before its event is written.
    expect(await put()).toEqual(first)
    expect(await vault.remove([name])).toEqual([])
    await vault.finish([name])
    expect(await vault.remove([name])).toEqual([name])
    expect(await filesIn(folder())).toEqual([])
  })
})
