/** Files that a person names are read within limits: a pipe, a device or a file that is too large is refused at once. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRegular, readRegularSync } from '#wire/files/regular.ts'
import { commandLine } from './support/program.ts'
import { newSigner } from './support/release-notices.ts'

const verifier = fileURLToPath(new URL('../../out/verifier/verify.mjs', import.meta.url))
let folder: string
const at = (name: string): string => join(folder, name)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-bounded-'))
  execFileSync('mkfifo', [at('pipe')])
  const large = openSync(at('large'), 'w')
  // Sparse: it takes no space.
  ftruncateSync(large, 2 ** 31)
  closeSync(large)
  writeFileSync(at('small'), 'x')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  /** Null if it was killed, because it had computed for longer than any of these may. */
  readonly code: number | null
  readonly said: string
  /** Whether it opened the pipe. */
  readonly opened: boolean
}

/** Seconds that a program may compute. Not seconds that pass: a busy machine would end it. */
const mostComputed = 10

/** Whether somebody reads from the pipe; whoever waits at it goes on. */
function isRead(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false
    throw error
  }
}

function ended(program: string, words: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const limited = ['-c', `ulimit -t ${mostComputed}; exec "$@"`, 'limited', process.execPath, program, ...words]
    const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [said, opened] = ['', false]
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
    const looking = setInterval(() => (opened ||= isRead(at('pipe'))), 20)
    child.once('close', (code) => {
      clearInterval(looking)
      resolve({ code, said, opened })
    })
  })
}

/** Each place where the command line takes the name of a file to read. */
const key = newSigner().publicLine
const readers: readonly (readonly [string, (file: string) => readonly string[]])[] = [
  ['evidence verify', (file) => ['evidence', 'verify', file]],
  ['evidence verify --ca', (file) => ['evidence', 'verify', at('small'), '--ca', file]],
  ['evidence verify --tsa-ca', (file) => ['evidence', 'verify', at('small'), '--tsa-ca', file]],
  ['evidence verify --revocation', (file) => ['evidence', 'verify', at('small'), '--revocation', file]],
  ['evidence timestamp', (file) => ['evidence', 'timestamp', file]],
  ['evidence certificate import', (file) => ['evidence', 'certificate', 'import', file]],
  ['updates verify --notice', (file) => ['updates', 'verify', at('small'), '--notice', file, '--key', key]],
  ['updates set --key', (file) => ['updates', 'set', 'https://example.com/x', '--key', file]],
  ['timestamps set --ca', (file) => ['timestamps', 'set', 'https://example.com/x', '--ca', file]],
  ['team verify-fork', (file) => ['team', 'verify-fork', file]],
  ['team join', (file) => ['team', 'join', file, '--name', 'A', '--words', '1', '--to', at('request')]],
  [
    'team check --ca',
    (file) => ['team', 'check', '--host', 'localhost', '--database', 'x', '--role', 'y', '--ca', file]
  ],
  ['batch check', (file) => ['batch', 'check', file, '--operation', 'get-applicant-details']]
]

describe('the command line', () => {
  it.each(readers)('%s', { timeout: 90_000 }, async (_name, words) => {
    for (const [file, why] of [
      ['pipe', /not a (regular )?file|Only a file/],
      ['/dev/zero', /not a (regular )?file|Only a file/],
      ['large', /too large|larger than/]
    ] as const) {
      // Rows are read piece by piece, so that a file of them may be of any size.
      if (file === 'large' && words('').includes('batch')) continue
      const done = await ended(commandLine, [...words(file.startsWith('/') ? file : at(file)), '--data', at('data')])
      expect(done, file).toEqual({
        code: expect.any(Number) as number,
        said: expect.stringMatching(why) as string,
        opened: false
      })
      expect(done.code, file).not.toBe(0)
    }
  })
})

it.each(['pipe', '/dev/zero', 'large'])('the stand-alone verifier refuses %s', async (name) => {
  expect(await ended(verifier, [name.startsWith('/') ? name : at(name)])).toEqual({
    code: 2,
    said: expect.stringMatching(/it is not a file|it is too large/) as string,
    opened: false
  })
})

describe('the reader', () => {
  it('reads a file up to its limit, and no more', async () => {
    expect(String(await readRegular(at('small'), 1))).toBe('x')
    expect(String(readRegularSync(at('small'), 1))).toBe('x')
    for (const read of [() => readRegular(at('small'), 0), async () => readRegularSync(at('small'), 0)])
      await expect(read()).rejects.toMatchObject({ code: 'EFBIG' })
  })

  it.each(['pipe', '/dev/zero', '.'])('refuses %s', async (name) => {
    const path = name.startsWith('/') ? name : at(name)
    const refused = { code: expect.stringMatching(/EFTYPE|EISDIR/) as string }
    await expect(readRegular(path, 100)).rejects.toMatchObject(refused)
    expect(() => readRegularSync(path, 100)).toThrow(expect.objectContaining(refused) as Error)
  })

  it.runIf(existsSync('/proc/self/maps'))('does not believe a size: one that says 0 and has more', async () => {
    await expect(readRegular('/proc/self/maps', 1000)).rejects.toMatchObject({ code: 'EFBIG' })
    expect(() => readRegularSync('/proc/self/maps', 1000)).toThrow(expect.objectContaining({ code: 'EFBIG' }) as Error)
  })
})
