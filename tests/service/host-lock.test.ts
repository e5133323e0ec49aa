import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOwnName } from '#wire/files/own-names.ts'
import { askToRaise, lockDataFolder } from '../../electron/hosts/node/data-lock.ts'
import { prepareDataFolder } from '../../electron/hosts/node/prepare-folder.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-lock-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('is held by one at a time, and free again when it is given back', async () => {
  const first = await lockDataFolder(folder, () => undefined)
  expect(first).toBeDefined()
  expect(await lockDataFolder(folder, () => undefined)).toBeUndefined()
  await first?.release()
  const second = await lockDataFolder(folder, () => undefined)
  expect(second).toBeDefined()
  await second?.release()
})

it('is one lock by whatever name the folder is reached', async () => {
  const other = `${folder}-link`
  await symlink(folder, other)
  expect(await prepareDataFolder(other)).toEqual(await prepareDataFolder(folder))
  await rm(other)
})

it('is given to exactly one of twenty at once, and outlives no killed holder', async () => {
  const script = join(folder, 'hold.ts')
  const lockModule = fileURLToPath(new URL('../../electron/hosts/node/data-lock.ts', import.meta.url))
  await writeFile(
    script,
    `import { lockDataFolder } from ${JSON.stringify(lockModule)}
     const lock = await lockDataFolder(${JSON.stringify(folder)}, () => undefined)
     process.send(lock !== undefined)
     setInterval(() => undefined, 1000)`
  )
  const children = Array.from({ length: 20 }, () => fork(script, { execArgv: [] }))
  const answers = await Promise.all(
    children.map(async (child) => [child, ((await once(child, 'message')) as [boolean])[0]] as [ChildProcess, boolean])
  )
  const holders = answers.filter(([, held]) => held)
  expect(holders).toHaveLength(1)
  const holder = holders[0]?.[0]
  holder?.kill('SIGKILL')
  if (holder) await once(holder, 'exit')
  const next = await lockDataFolder(folder, () => undefined)
  expect(next).toBeDefined()
  await next?.release()
  for (const child of children) child.kill('SIGKILL')
}, 30_000)

const asRoot = process.platform === 'linux' && process.getuid?.() === 0
/** Names of sockets that any user of this computer can read and take. */
const kernelNames = (): string[] =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[7] ?? '')
    .filter((name) => name.startsWith('@veridesk-'))

it.runIf(asRoot)(
  'cannot be kept from its owner by another user, who saw a start and takes every name of it',
  async () => {
    const before = await lockDataFolder(folder, () => undefined)
    const seen = kernelNames()
    await before?.release()
    // Those that follow from the folder's path, too.
    const guessed = [folder, join(folder, 'running.lock')].map((name) =>
      `@veridesk-0-${createHash('sha256').update(name).digest('hex').slice(0, 32)}-`.padEnd(108, 'x')
    )
    const script = `
    const names = JSON.parse(process.env.NAMES)
    Promise.all(names.map((name) => new Promise((done) => require('node:net').createServer().once('error', done).listen('\\0' + name.slice(1), done)))).then(() => console.log('taken'))`
    const other = spawn(process.execPath, ['-e', script], {
      uid: 65_534,
      gid: 65_534,
      env: { NAMES: JSON.stringify([...new Set([...seen, ...guessed])]) },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    try {
      await once(other.stdout, 'data')
      expect(kernelNames().length).toBeGreaterThanOrEqual(2)
      const lock = await lockDataFolder(folder, () => undefined)
      expect(lock).toBeDefined()
      expect(await lockDataFolder(folder, () => undefined), 'and it is one lock all the same').toBeUndefined()
      await lock?.release()
    } finally {
      other.kill('SIGKILL')
      await once(other, 'exit')
    }
  }
)

it('is for its owner alone, and leaves one empty file', async () => {
  const own = await mkdtemp(join(tmpdir(), 'veridesk-own-lock-'))
  for (let time = 0; time < 4; time += 1) {
    const lock = await lockDataFolder(own, () => undefined)
    for (const name of await readdir(own)) expect([name, (await stat(join(own, name))).mode & 0o077]).toEqual([name, 0])
    await lock?.release()
  }
  const left = await readdir(own)
  expect(left.every(isOwnName)).toBe(true)
  expect(left.length).toBeLessThanOrEqual(2)
  for (const name of left) expect((await stat(join(own, name))).isFile()).toBe(true)
  await rm(own, { recursive: true })
})

it('works in a folder whose path is longer than an address', async () => {
  const long = join(folder, 'a'.repeat(120), 'b'.repeat(120))
  await mkdir(long, { recursive: true })
  const lock = await lockDataFolder(long, () => undefined)
  expect([lock !== undefined, await lockDataFolder(long, () => undefined)]).toEqual([true, undefined])
  await lock?.release()
})

it.skipIf(process.platform === 'win32')('is not hindered by what is in its place', async () => {
  const odd = await mkdtemp(join(tmpdir(), 'veridesk-odd-lock-'))
  await writeFile(join(odd, 'running.lock.1'), 'text')
  await symlink(join(odd, 'running.lock.2'), join(odd, 'running.lock.2'))
  execFileSync('mkfifo', [join(odd, 'running.lock.3')])
  await mkdir(join(odd, 'running.lock.4'))
  const lock = await lockDataFolder(odd, () => undefined)
  expect([lock !== undefined, await lockDataFolder(odd, () => undefined)]).toEqual([true, undefined])
  await lock?.release()
  await rm(odd, { recursive: true })
})

it.skipIf(process.platform === 'darwin')('carries the wish of a second start, and nothing else', async () => {
  let raised = 0
  const lock = await lockDataFolder(folder, () => (raised += 1))
  expect(await askToRaise(folder)).toBe(true)
  await expect.poll(() => raised).toBe(1)
  await lock?.release()
  expect(await askToRaise(folder)).toBe(false)
})
