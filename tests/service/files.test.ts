import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { readVersioned, writeVersioned, type VersionedFile } from '#core/files/versioned.ts'
import { sweepAbandoned, writeAtomically } from '#wire/files/write.ts'
import { killWriter } from './support/writer-kills.ts'
import { said } from '../said.ts'
import { counted } from './support/times.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Data {
  readonly name: string
}
const now = Date.UTC(2026, 0, 31, 12)
const described = (over: Partial<VersionedFile<Data>> = {}): VersionedFile<Data> => ({
  path: join(folder, 'data.json'),
  format: 'veridesk-test',
  version: 2,
  schema: z.strictObject({ name: z.string() }),
  defaults: { name: 'default' },
  now,
  ...over
})
const place = (text: string | Buffer): Promise<void> => writeFile(join(folder, 'data.json'), text)

it('writes and reads back, for its owner alone', async () => {
  expect(await writeVersioned(described(), { name: 'é' })).toEqual({ ok: true, value: null })
  expect(await readVersioned(described())).toEqual({ data: { name: 'é' } })
  expect((await stat(join(folder, 'data.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['data.json'])
})

it('uses the defaults if there is no file', async () => {
  expect(await readVersioned(described())).toEqual({ data: { name: 'default' } })
})

it.each([
  ['an empty file', '', 'it is empty'],
  ['half a file', '{"format": "veridesk-test", "ver', 'it is not valid JSON'],
  ['bytes', Buffer.from([0xff, 0xfe, 0x00]), 'it is not a text file'],
  ['a list', '[]', 'it is not a veridesk-test file'],
  ['another format', '{"format":"other","version":2,"data":{"name":"x"}}', 'it is not a veridesk-test file'],
  ['no version', '{"format":"veridesk-test","data":{"name":"x"}}', 'it is not a veridesk-test file'],
  ['version 0', '{"format":"veridesk-test","version":0,"data":{"name":"x"}}', 'it is not a veridesk-test file'],
  ['a wrong shape', '{"format":"veridesk-test","version":2,"data":{"name":7}}', '“name” is invalid'],
  ['a strange key', '{"format":"veridesk-test","version":2,"data":{"name":"x","y":1}}', '“y” is invalid'],
  ['an older version', '{"format":"veridesk-test","version":1,"data":{}}', 'Veridesk does not read version 1 of it'],
  ['9 MB', ' '.repeat(9 * 1024 * 1024), 'it is too large']
])('puts %s aside, whole, and says so', async (_name, content, detail) => {
  await place(content)
  const read = await readVersioned(described())
  expect(read.data).toEqual({ name: 'default' })
  expect(read.fault).toBeUndefined()
  expect(read.notice?.code).toBe('data-file-damaged')
  expect(said(read.notice)).toBe(`The file data.json could not be read: ${detail}.`)
  const [kept, ...others] = await readdir(folder)
  expect(others).toEqual([])
  expect(kept).toMatch(/^data\.damaged-20260131T120000Z-[0-9a-f]{4}\.json$/)
  expect(read.notice?.details?.['kept']).toBe(kept)
  expect(Buffer.from(content).equals(await readFile(join(folder, kept!)))).toBe(true)
  expect(await writeVersioned(described(), { name: 'new' })).toMatchObject({ ok: true })
})

it.each(['settings', 'connections'] as const)(
  'leaves damaged %s where they are, for every start to meet',
  async (kind) => {
    await place('{"half')
    for (let start = 0; start < 2; start += 1) {
      const read = await readVersioned(described({ kind }))
      expect(read).toMatchObject({
        data: { name: 'default' },
        fault: { why: 'damaged', failure: { code: `${kind}-damaged` } }
      })
      expect(await readdir(folder)).toEqual(['data.json'])
      expect(await readFile(join(folder, 'data.json'), 'utf8')).toBe('{"half')
    }
  }
)

it('leaves the file of a newer version as it is, even with another envelope', async () => {
  const text = '{"format":"veridesk-test","version":3,"more":true,"data":[1]}'
  await place(text)
  const read = await readVersioned(described())
  expect(read.notice).toMatchObject({ code: 'data-file-newer' })
  expect(read.fault?.failure).toEqual(read.notice)
  expect(await readFile(join(folder, 'data.json'), 'utf8')).toBe(text)
})

it('leaves what it cannot read as it is', async () => {
  await mkdir(join(folder, 'data.json'))
  const read = await readVersioned(described())
  expect(read.fault?.failure).toMatchObject({ code: 'data-file-unreadable' })
  expect(await writeVersioned(described(), { name: 'x' })).toMatchObject({
    ok: false,
    failure: { code: 'settings-locked', details: { file: 'data.json', errno: 'EISDIR' } }
  })
  expect(await readdir(folder)).toEqual(['data.json'])
  execFileSync('mkfifo', [join(folder, 'pipe.json')])
  const pipe = await readVersioned(described({ path: join(folder, 'pipe.json') }))
  expect(pipe.fault?.failure).toMatchObject({ code: 'data-file-unreadable' })
})

it('says why a file cannot be written where its folder is gone', async () => {
  expect(await writeAtomically(join(folder, 'gone', 'data.json'), 'x')).toMatchObject({
    ok: false,
    failure: { code: 'settings-locked', details: { file: 'data.json', errno: 'ENOENT' } }
  })
})

it('does not write through a link', async () => {
  const target = join(folder, 'target')
  await writeFile(target, 'untouched')
  await symlink(target, join(folder, 'data.json'))
  expect(await writeAtomically(join(folder, 'data.json'), 'mine')).toMatchObject({ ok: true })
  expect(await readFile(target, 'utf8')).toBe('untouched')
  expect((await lstat(join(folder, 'data.json'))).isSymbolicLink()).toBe(false)
})

it('removes files left by a crash, and nothing that may be in use', async () => {
  const path = join(folder, 'data.json')
  const [old, young, foreign] = ['.data.json.new-1.aa', '.data.json.new-2.bb', '.other.json.new-1.aa']
  for (const name of [old, young, foreign]) await writeFile(join(folder, name), 'x')
  const longAgo = new Date(Date.now() - 120_000)
  await utimes(join(folder, old), longAgo, longAgo)
  await utimes(join(folder, foreign), longAgo, longAgo)
  await sweepAbandoned(path, Date.now())
  expect((await readdir(folder)).sort()).toEqual([young, foreign].sort())
})

it('never leaves half a file, however often it is killed', { timeout: 300_000 }, async ({ task }) => {
  const kills = 30
  const { seen, inTheMiddle, faults } = await killWriter(kills)
  counted(task, { kills, 'in the middle of a file': inTheMiddle, 'partial or leftover files': faults.length })
  expect(faults).toEqual([])
  expect(seen).toBeGreaterThan(kills / 2)
  expect(inTheMiddle).toBeGreaterThan(0)
})

/** Only root on a separate machine may mount; elsewhere the skipped test reports it. */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', at], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it('keeps the old file whole on a full disk, and says that the disk is full', async (context) => {
  if (!mountSmallDisk(folder)) return context.skip('mounting a 4 MB disk needs root')
  try {
    const path = join(folder, 'data.json')
    expect(await writeAtomically(path, 'the old text')).toMatchObject({ ok: true })
    expect(await writeAtomically(path, 'x'.repeat(5_000_000))).toMatchObject({
      ok: false,
      failure: { code: 'disk-full' }
    })
    await writeFile(join(folder, 'filler'), 'x'.repeat(4_000_000)).catch(() => undefined)
    await writeFile(join(folder, 'filler2'), 'x'.repeat(1_000_000)).catch(() => undefined)
    expect(await writeAtomically(path, 'y'.repeat(200_000))).toMatchObject({
      ok: false,
      failure: { code: 'disk-full' }
    })
    expect(await readFile(path, 'utf8')).toBe('the old text')
    expect((await readdir(folder)).filter((name) => name.includes('.new-'))).toEqual([])
    await rm(join(folder, 'filler'))
    expect(await writeAtomically(path, 'the new text')).toMatchObject({ ok: true })
    expect(await readFile(path, 'utf8')).toBe('the new text')
  } finally {
    execFileSync('umount', ['-l', folder])
  }
})

it('says that access is denied in a folder that is not to be written', async (context) => {
  if (process.getuid?.() === 0) return context.skip('root may write everywhere')
  await chmod(folder, 0o500)
  expect(await writeAtomically(join(folder, 'data.json'), 'x')).toMatchObject({
    ok: false,
    failure: { code: 'settings-locked' }
  })
  await chmod(folder, 0o700)
})
