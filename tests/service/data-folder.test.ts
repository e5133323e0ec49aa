import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPracticeService } from '#practice/service.ts'
import { isOwnName, ownFiles, ownFolders, setAsideName } from '#wire/files/own-names.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { prepareDataFolder } from '../../electron/hosts/node/prepare-folder.ts'
import { sweepLeft } from '../../electron/hosts/node/sweep.ts'
import { runCommand } from './support/cli.ts'
import { command } from './support/command.ts'

const withKeyring = process.env['VERIDESK_KEYRING_PID'] !== undefined
const onLinux = process.platform === 'linux'
const asRoot = process.getuid?.() === 0

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'veridesk-folder-'))
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

/** Exit code 69 and the three sentences of a failure, without a stack trace. */
function expectUnusable(run: { code: number | null; out: string; error: string }, detail: string): void {
  expect(run.code).toBe(exitCodes.unavailable.code)
  expect(run.out).toBe('')
  const [what, ...rest] = run.error.trim().split('\n')
  expect(what).toMatch(/^The data folder .* cannot be used: /)
  expect(what).toContain(detail)
  expect(rest).toHaveLength(2)
}

describe('what killed processes left', () => {
  const hour = 60 * 60 * 1000
  /** Something that was left some hours ago; a folder if its name ends with a slash. */
  async function leave(name: string, hoursAgo: number): Promise<string> {
    const path = join(root, name)
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true })
    await writeFile(name.endsWith('/') ? join(path, 'page.html') : path, 'secret')
    const then = new Date(Date.now() - hoursAgo * hour)
    await utimes(path, then, then)
    return path
  }

  it('is removed after a day: by its name, of this user, and through no link', async () => {
    const [temporary, data] = [join(root, 'tmp'), join(root, 'data')]
    const left = [
      await leave('tmp/veridesk-window-aB3xYz/', 25),
      await leave('tmp/veridesk-policies-aB3xYz/', 25),
      await leave('data/.settings.json.new-123.0123456789ab', 25),
      await leave('data/history/.unused-aB3xYz/', 25),
      await leave('data/history/.recovery.sealed.new-123.0123456789ab', 25)
    ]
    const kept = [
      await leave('tmp/veridesk-window-young1/', 23),
      await leave('tmp/veridesk-window-aB3xYz-mine/', 25),
      await leave('tmp/veridesk-sample-aB3xYz/', 25),
      await leave('tmp/other/', 25),
      await leave('elsewhere/', 25),
      await leave('data/settings.json', 25),
      await leave('data/.settings.json.new-124.0123456789ab', 1),
      await leave('data/backups/.settings.json.new-123.0123456789ab', 25)
    ]
    const link = join(temporary, 'veridesk-window-link12')
    await symlink(join(root, 'elsewhere'), link)
    await lutimes(link, 0, 0)
    if (asRoot) {
      // Somebody else's, which root could remove.
      const foreign = await leave('tmp/veridesk-window-other1/', 25)
      await chown(foreign, 12345, 12345)
      kept.push(foreign)
    }
    await sweepLeft(data, Date.now(), temporary)
    expect(left.filter((path) => existsSync(path))).toEqual([])
    expect([...kept, link, join(root, 'elsewhere/page.html')].filter((path) => !existsSync(path))).toEqual([])
  })

  it('is removed by a command', async () => {
    const left = await leave('data/.settings.json.new-123.0123456789ab', 25)
    const old = await leave(`veridesk-window-aB3xYz/`, 25)
    const run = await runCommand(['connection', 'list'], { data: join(root, 'data'), env: { TMPDIR: root } })
    expect(run.code).toBe(0)
    expect([left, old].filter((path) => existsSync(path))).toEqual([])
  })
})

describe('a data folder that cannot be used', () => {
  const commands = [
    ['connection', 'list'],
    ['history', 'search'],
    ['backup', '--list']
  ]

  it.each(commands)('is told by “%s %s” at once, where a file is on the way', async (...words) => {
    await writeFile(join(root, 'file'), '')
    expectUnusable(await command([...words, '--data', join(root, 'file')]), 'it is not a folder')
    expectUnusable(await command([...words, '--data', join(root, 'file', 'below')]), 'part of its path is not a folder')
  })

  it('is reported for links in a loop or to nothing', async () => {
    await symlink(join(root, 'circle'), join(root, 'circle'))
    await symlink(join(root, 'nowhere', 'at all'), join(root, 'dangling'))
    expectUnusable(await command(['connection', 'list', '--data', join(root, 'circle')]), 'its links form a loop')
    expectUnusable(
      await command(['connection', 'list', '--data', join(root, 'dangling')]),
      'it cannot be created there'
    )
  })

  it.runIf(onLinux).each(['/dev/full', '/proc', '/proc/self/a/b'])('is told of %s', async (path) => {
    expectUnusable(await command(['history', 'search', '--data', path]), 'cannot be used')
  })

  it('is reported if nothing may be written', async (context) => {
    const path = join(root, 'closed')
    await mkdir(path)
    await writeFile(join(path, 'settings.json'), '{}')
    try {
      // Permissions do not restrict root; a read-only disk does.
      if (asRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', path], { stdio: 'ignore' })
      else await chmod(path, 0o500)
    } catch {
      return context.skip('mounting needs a machine of its own')
    }
    try {
      expectUnusable(
        await command(['connection', 'list', '--data', path]),
        asRoot ? 'the disk is read-only' : 'access is denied'
      )
    } finally {
      if (asRoot) execFileSync('umount', [path])
      else await chmod(path, 0o700)
    }
  })
})

describe.runIf(withKeyring && onLinux)('something else under the name of a file of its own', () => {
  let practice: Awaited<ReturnType<typeof startPracticeService>>
  let made = ''
  beforeAll(async () => {
    practice = await startPracticeService()
    made = await mkdtemp(join(tmpdir(), 'veridesk-made-'))
    await command(['connection', 'add', '--practice', '--data', made])
    await command(['verify', 'get-applicant-details', '--applicant-id', 'A-1', '--data', made])
    await command(['backup', '--data', made])
  })
  afterAll(async () => {
    await practice.close()
    await rm(made, { recursive: true, force: true })
  })

  /** Instead of the file: a pipe without a writer, a folder, a circular link, an endless device. */
  const kinds: Readonly<Record<string, (path: string) => Promise<void>>> = {
    pipe: async (path) => void execFileSync('mkfifo', ['-m', '600', path]),
    folder: async (path) => void (await mkdir(path, { mode: 0o700 })),
    circle: (path) => symlink(path, path),
    device: (path) => symlink('/dev/zero', path)
  }
  it.each([
    ['pipe', 'history.db'],
    ['folder', 'history.db'],
    ['pipe', 'subjects.db-wal'],
    ['device', 'search.db']
  ])('a %s as %s: the history says so', async (kind, name) => {
    // In place, because the key belongs to the folder's id; the files are restored afterwards.
    const path = join(made, 'history', name)
    await cp(join(made, 'history'), join(root, 'kept'), { recursive: true })
    try {
      await rm(path, { force: true })
      await kinds[kind]?.(path)
      const run = await command(['history', 'search', '--data', made])
      expect(run.code).toBe(exitCodes.unavailable.code)
      expect(run.error).toContain('it is not a regular file')
      expect(run.error.trim().split('\n')).toHaveLength(3)
    } finally {
      await rm(join(made, 'history'), { recursive: true, force: true })
      await cp(join(root, 'kept'), join(made, 'history'), { recursive: true })
    }
  })

  it.each(['pipe', 'circle'])('a %s as each file beside the history: no command waits for it', async (kind) => {
    const folder = join(root, 'data')
    await mkdir(join(folder, 'logs'), { recursive: true })
    for (const name of [
      'settings.json',
      'connections.json',
      'early-notes.json',
      'erased-keys.txt',
      'logs/veridesk.log',
      'running.lock'
    ])
      await kinds[kind]?.(join(folder, name))
    for (const words of [['history', 'search'], ['backup']])
      expect((await command([...words, '--data', folder])).code).not.toBeNull()
    for (const name of ['logs', 'backups']) {
      await rm(join(folder, name), { recursive: true, force: true })
      await kinds[kind]?.(join(folder, name))
    }
    expect((await command(['backup', '--data', folder])).code).not.toBe(exitCodes.internal.code)
  })

  it('a pipe as the description of a backup: the list shows it as unreadable', async () => {
    const [id = ''] = await readdir(join(made, 'backups'))
    const path = join(made, 'backups', id, 'backup.json')
    await cp(path, join(root, 'backup.json'))
    await rm(path)
    execFileSync('mkfifo', [path])
    const run = await command(['backup', '--list', '--data', made])
    await rm(path)
    await cp(join(root, 'backup.json'), path)
    expect(run).toMatchObject({ code: 0 })
    expect(run.out).toContain('unreadable')
  })

  it('a pipe as a file of a backup: it is not restored, and nothing is changed', async () => {
    const [id = ''] = await readdir(join(made, 'backups'))
    const path = join(made, 'backups', id, 'subjects.db')
    await cp(path, join(root, 'subjects.db'))
    await rm(path)
    execFileSync('mkfifo', [path])
    const run = await command(['restore', id, '--data', made])
    await rm(path)
    await cp(join(root, 'subjects.db'), path)
    expect(run.code).toBe(exitCodes.failed.code)
    expect(await command(['history', 'search', '--data', made])).toMatchObject({ code: 0 })
  })
})

describe.skipIf(process.platform === 'win32')('rights of other users', () => {
  const open = async (folder: string): Promise<void> => {
    for (const name of ['history', 'logs', 'backups/20260101T000000000Z-abcd', 'history-set-aside-2026'])
      await mkdir(join(folder, name), { recursive: true })
    const files = [
      'settings.json',
      'connections.json',
      'history/history.db',
      'logs/veridesk.log',
      'backups/20260101T000000000Z-abcd/subjects.db',
      'history-set-aside-2026/history.db'
    ]
    for (const name of files) await writeFile(join(folder, name), '')
    execFileSync('chmod', ['-R', 'a+rwX', folder])
  }

  it('are removed from everything in Veridesk’s own folder, and reported once', async () => {
    await open(root)
    const prepared = await prepareDataFolder(root)
    expect(prepared).toMatchObject({
      ok: true,
      value: { notices: [{ code: 'data-folder-narrowed', details: { folders: 6, files: 6 } }] }
    })
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
      expect([entry.name, await mode(join(entry.parentPath, entry.name))]).toEqual([
        entry.name,
        entry.isDirectory() ? 0o700 : 0o600
      ])
    expect(await mode(root)).toBe(0o700)
    expect(await prepareDataFolder(root)).toMatchObject({ ok: true, value: { notices: [] } })
  })

  it.each([
    ...Object.values(ownFiles),
    ...Object.values(ownFolders),
    `${setAsideName}2026`,
    'lock.damaged-20260101T000000Z-abcd.json',
    'settings.newer-20260101T000000Z-abcd.json',
    'drafts.unreadable-20260101T000000Z-abcd.sealed'
  ])('are removed from a folder that holds %s', async (name) => {
    if (Object.values<string>(ownFolders).includes(name)) await mkdir(join(root, name))
    else await writeFile(join(root, name), '')
    await writeFile(join(root, 'settings.json'), '')
    execFileSync('chmod', ['-R', 'a+rwX', root])
    expect(await prepareDataFolder(root)).toMatchObject({
      ok: true,
      value: { notices: [{ code: 'data-folder-narrowed' }] }
    })
    expect(await mode(root)).toBe(0o700)
    expect((await mode(join(root, name))) & 0o077).toBe(0)
  })

  it('are removed from what crash reports leave, which lie beside a folder’s other files', async () => {
    const reports = join(root, 'Crashpad', 'completed')
    await mkdir(reports, { recursive: true })
    await writeFile(join(reports, 'report.dmp'), '')
    await writeFile(join(root, 'Crashpad', 'settings.dat'), '')
    await writeFile(join(root, 'thesis.txt'), '')
    execFileSync('chmod', ['-R', 'a+rwX', root])
    expect((await prepareDataFolder(root)).ok).toBe(true)
    for (const path of [
      join(root, 'Crashpad'),
      reports,
      join(reports, 'report.dmp'),
      join(root, 'Crashpad/settings.dat')
    ])
      expect([path, (await mode(path)) & 0o077]).toEqual([path, 0])
    expect(await mode(join(root, 'thesis.txt'))).toBe(0o666)
  })

  it('to files in a folder without access are removed without a message: nobody could reach them', async () => {
    await writeFile(join(root, 'settings.json'), '')
    await chmod(join(root, 'settings.json'), 0o644)
    expect(await prepareDataFolder(root)).toMatchObject({ ok: true, value: { notices: [] } })
    expect(await mode(join(root, 'settings.json'))).toBe(0o600)
  })

  it('to a folder with other files are kept and reported; Veridesk’s files are restricted', async () => {
    const folder = join(root, 'shared')
    await mkdir(folder)
    await open(folder)
    await writeFile(join(folder, 'thesis.txt'), '')
    await chmod(join(folder, 'thesis.txt'), 0o644)
    const prepared = await prepareDataFolder(folder)
    expect(prepared.ok && prepared.value.notices.map(({ code }) => code)).toEqual([
      'data-folder-narrowed',
      'data-folder-open'
    ])
    expect(await mode(folder)).toBe(0o777)
    expect(await mode(join(folder, 'thesis.txt'))).toBe(0o644)
    expect(await mode(join(folder, 'settings.json'))).toBe(0o600)
    expect(await mode(join(folder, 'history', 'history.db'))).toBe(0o600)
  })

  it('are removed through a link to the folder, but not through links in it', async () => {
    const folder = join(root, 'real')
    const elsewhere = join(root, 'elsewhere')
    await mkdir(elsewhere)
    await mkdir(folder)
    await open(folder)
    await chmod(elsewhere, 0o755)
    await rm(join(folder, 'logs'), { recursive: true })
    await symlink(elsewhere, join(folder, 'logs'))
    await symlink(folder, join(root, 'link'))
    expect(await prepareDataFolder(join(root, 'link'))).toMatchObject({
      ok: true,
      value: { notices: [{ code: 'data-folder-narrowed' }] }
    })
    expect(await mode(folder)).toBe(0o700)
    expect(await mode(elsewhere)).toBe(0o755)
  })

  it.runIf(withKeyring)('never come with what the console makes', async () => {
    const folder = join(root, 'new')
    const before = process.umask(0)
    try {
      await command(['connection', 'add', '--practice', '--data', folder])
      await command(['verify', 'get-applicant-details', '--applicant-id', 'A-1', '--data', folder])
      await command(['backup', '--data', folder])
      await command(['updates', 'set', '--feed', 'https://updates.example.com/veridesk.json', '--data', folder])
      await command(['team', 'access', '--to', join(root, 'access.sql'), '--data', folder])
    } finally {
      process.umask(before)
    }
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    expect(entries.filter((entry) => entry.name === 'history.db')).toHaveLength(2)
    const top = await readdir(folder)
    expect(top).toContain(ownFiles.team)
    expect(
      top.filter((name) => !isOwnName(name)),
      'names that would keep the folder’s permissions'
    ).toEqual([])
    for (const entry of entries)
      expect([entry.name, (await mode(join(entry.parentPath, entry.name))) & 0o077]).toEqual([entry.name, 0])
  })
})
