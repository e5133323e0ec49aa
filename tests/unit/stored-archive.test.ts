/** ZIP files without compression: what goes in comes out, other programs read it, and a file with another bit is refused. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isStoredName,
  readStored,
  storedArchive,
  storedEntries,
  type StoredPart,
  type StoredSource
} from '#kit/archive/stored.ts'

const sourceOf = (file: Buffer): StoredSource => ({
  bytes: file.length,
  read: async (offset, length) => file.subarray(offset, offset + length)
})
async function written(parts: readonly StoredPart[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of storedArchive(parts)) pieces.push(piece)
  return Buffer.concat(pieces)
}
/** All parts of a file; undefined if it, or one of them, is refused. */
async function opened(file: Buffer): Promise<readonly StoredPart[] | undefined> {
  const source = sourceOf(file)
  const entries = await storedEntries(source)
  if (!entries) return undefined
  const parts: StoredPart[] = []
  for (const entry of entries) {
    const bytes = await readStored(source, entry)
    if (!bytes) return undefined
    parts.push({ name: entry.name, bytes: Uint8Array.from(bytes) })
  }
  return parts
}
const part = (name: string, text: string): StoredPart => ({ name, bytes: Uint8Array.from(Buffer.from(text)) })
const pack = [part('pack.json', '{}\n'), part('documents/record-1-ü.pdf', '%PDF'), part('empty', '')]

const names = fc.uniqueArray(
  fc.stringMatching(/^[a-zé0-9 _-]{1,12}(\/[a-z]{1,5}\.[a-z]{1,3})?$/).filter(isStoredName),
  {
    selector: (name) => name.normalize('NFC').toLowerCase(),
    maxLength: 6
  }
)
const archives = names.chain((chosen) =>
  fc.tuple(...chosen.map((name) => fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ name, bytes }))))
)

test('what goes in comes out', async () => {
  expect(await opened(await written(pack))).toEqual(pack)
  expect(await opened(await written([]))).toEqual([])
  await fc.assert(
    fc.asyncProperty(archives, async (parts) => {
      expect(await opened(await written(parts))).toEqual(parts)
    })
  )
})

const python = spawnSync('python3', ['--version']).status === 0
test.skipIf(!python)('other programs read it, and find nothing wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-stored-'))
  try {
    const path = join(folder, 'pack.zip')
    writeFileSync(path, await written(pack))
    const script =
      'import json,sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;print(json.dumps([[i.filename,i.compress_type,z.read(i).decode()] for i in z.infolist()]))'
    expect(JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }))).toEqual(
      pack.map(({ name, bytes }) => [name, 0, Buffer.from(bytes).toString()])
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Ways to change a file; each keeps what it does not name. */
const changes = fc.oneof(
  fc.record({ at: fc.nat(), bit: fc.nat(7) }).map(({ at, bit }) => (file: Buffer) => {
    const other = Buffer.from(file)
    const place = at % file.length
    other[place] = (other[place] ?? 0) ^ (1 << bit)
    return other
  }),
  fc.record({ at: fc.nat(), value: fc.constantFrom(0, 1, 8, 0x7f, 0xff) }).map(({ at, value }) => (file: Buffer) => {
    const other = Buffer.from(file)
    other[at % file.length] = value
    return other
  }),
  fc
    .record({ at: fc.nat(), value: fc.constantFrom(0, 1, 0xffff, 0xffffffff, 0x80000000) })
    .map(({ at, value }) => (file: Buffer) => {
      const other = Buffer.from(file)
      if (file.length >= 4) other.writeUInt32LE(value, at % (file.length - 3))
      return other
    }),
  fc.nat().map((at) => (file: Buffer) => file.subarray(0, at % file.length)),
  fc.nat().map((at) => (file: Buffer) => file.subarray(1 + (at % file.length))),
  fc
    .record({ at: fc.nat(), more: fc.uint8Array({ minLength: 1, maxLength: 40 }) })
    .map(({ at, more }) => (file: Buffer) => {
      const place = at % (file.length + 1)
      return Buffer.concat([file.subarray(0, place), more, file.subarray(place)])
    }),
  fc.record({ from: fc.nat(), to: fc.nat(), length: fc.integer({ min: 1, max: 60 }) }).map((move) => (file: Buffer) => {
    const other = Buffer.from(file)
    const from = move.from % file.length
    file.copy(other, move.to % file.length, from, from + move.length)
    return other
  })
)

test('10,000 changed files: none is accepted with other bytes, and none makes the reader fail', async () => {
  let changed = 0
  await fc.assert(
    fc.asyncProperty(archives, changes, async (parts, change) => {
      const file = await written(parts)
      const other = change(file)
      if (other.equals(file)) return
      changed += 1
      const found = await opened(other)
      // Whatever is accepted is the only file with these contents; a changed content has another checksum.
      if (found) expect(await written(found)).toEqual(other)
      if (found && other.length === file.length) expect(found).not.toEqual(parts)
    }),
    { numRuns: 10_500 }
  )
  expect(changed).toBeGreaterThanOrEqual(10_000)
}, 120_000)

describe('refused', () => {
  test.each([
    '/etc/passwd',
    '../a',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    '',
    'C:/a',
    'a\\b',
    'a\0b',
    'a\nb',
    '.',
    'x'.repeat(256),
    '\ud800'
  ])('the name %j', async (name) => {
    expect(isStoredName(name)).toBe(false)
    await expect(written([part(name, '')])).rejects.toThrow(RangeError)
  })

  test('a name twice, by whatever a system takes for the same', async () => {
    await expect(written([part('a', ''), part('A', '')])).rejects.toThrow(RangeError)
    const file = await written([part('a', '1'), part('b', '2')])
    for (const at of [...file.keys()].filter((index) => file[index] === 0x62)) file[at] = 0x41
    expect(await opened(file)).toBeUndefined()
  })

  test('compression, encryption, a data descriptor, a comment, an extra field, more behind it', async () => {
    const file = await written([part('a', 'text')])
    const directory = file.indexOf('PK\x01\x02', 0, 'latin1')
    const set = (...bytes: readonly (readonly [number, number])[]): Buffer => {
      const other = Buffer.from(file)
      for (const [at, value] of bytes) other[at] = value
      return other
    }
    expect(await opened(file)).toHaveLength(1)
    // In both places where an entry says it, as a program would.
    expect(await opened(set([8, 8], [directory + 10, 8]))).toBeUndefined()
    expect(await opened(set([6, 1], [directory + 8, 1]))).toBeUndefined()
    expect(await opened(set([6, 8], [directory + 8, 8]))).toBeUndefined()
    expect(await opened(set([file.length - 2, 1]))).toBeUndefined()
    expect(await opened(set([28, 1]))).toBeUndefined()
    expect(await opened(Buffer.concat([file, Buffer.from('x')]))).toBeUndefined()
    expect(await opened(Buffer.concat([Buffer.from('x'), file]))).toBeUndefined()
  })
})
