/** The temporary folder of sample data: for its owner alone, deleted at the end, and after a kill at the next start. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { sampleIsOpen, sampleOpener } from '../../electron/hosts/node/sample-window.ts'

const program = fileURLToPath(new URL('./support/sample-holder.ts', import.meta.url))
const asRoot = process.getuid?.() === 0

let place = ''
let holders: ChildProcess[] = []
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'veridesk-place-'))
  holders = []
})
afterEach(async () => {
  for (const holder of holders) if (holder.exitCode === null && holder.signalCode === null) holder.kill('SIGKILL')
  await rm(place, { recursive: true, force: true })
})

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** Starts a session's folder in a process of its own. */
async function hold(): Promise<{ readonly path: string; end(how: 'remove' | 'exit' | 'kill'): Promise<void> }> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, TMPDIR: place, TEMP: place, TMP: place },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  holders.push(child)
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    path: first.toString('utf8').trim(),
    async end(how) {
      const ended = once(child, 'exit')
      if (how === 'kill') child.kill('SIGKILL')
      else child.stdin.write(`${how}\n`)
      await ended
    }
  }
}

describe('the folder of sample data', () => {
  it('is new, in the temporary folder, for its owner alone', async () => {
    const held = await hold()
    expect(basename(held.path)).toMatch(/^veridesk-sample-[A-Za-z0-9]{6}$/)
    expect((await stat(held.path)).mode & 0o777).toBe(0o700)
    expect((await readdir(place)).filter((name) => name.startsWith('veridesk-sample-'))).toEqual([basename(held.path)])
    await held.end('remove')
  })

  it.each(['remove', 'exit'] as const)('is deleted at the end of its session (%s)', async (how) => {
    const held = await hold()
    await mkdir(join(held.path, 'history'))
    await writeFile(join(held.path, 'history', 'history.db'), 'x')
    const outside = join(place, 'outside')
    await writeFile(outside, 'stays')
    await symlink(outside, join(held.path, 'link'))
    await held.end(how)
    expect(await exists(held.path)).toBe(false)
    expect(await exists(outside)).toBe(true)
  })

  it('is deleted by the next session if its own was killed, but not while it is in use', async () => {
    const killed = await hold()
    const using = await hold()
    await writeFile(join(killed.path, 'settings.json'), '{}')
    expect(await exists(killed.path)).toBe(true)
    await killed.end('kill')
    expect(await exists(killed.path)).toBe(true)
    const next = await hold()
    expect(await exists(killed.path)).toBe(false)
    expect(await exists(using.path)).toBe(true)
    expect(next.path).not.toBe(using.path)
    await Promise.all([using.end('remove'), next.end('remove')])
    expect((await readdir(place)).filter((name) => name.startsWith('veridesk-sample-'))).toEqual([])
  })

  it('ten starts at once get ten folders', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, hold))
    expect(new Set(held.map(({ path }) => path)).size).toBe(10)
    expect(await Promise.all(held.map(({ path }) => exists(path)))).toEqual(Array(10).fill(true))
    await Promise.all(held.map((each) => each.end('remove')))
  })

  it('is not taken for one: another name, a file, a link, a folder of another user', async () => {
    const killed = await hold()
    await killed.end('kill')
    const others = [
      'veridesk-sample-',
      'veridesk-sample-abc',
      'veridesk-sample-abcdefg',
      'veridesk-sample-ab.def',
      'xveridesk-sample-abcdef',
      'veridesk-window-abcdef'
    ]
    for (const name of others) await mkdir(join(place, name))
    await writeFile(join(place, 'veridesk-sample-aFileA'), 'x')
    const target = join(place, 'target')
    // Without the lock's socket, which cannot be copied.
    await cp(killed.path, target, { recursive: true, filter: (name) => !basename(name).startsWith('running.lock') })
    await symlink(target, join(place, 'veridesk-sample-aLinkA'))
    const foreign = join(place, 'veridesk-sample-foreig')
    if (asRoot) {
      await mkdir(foreign)
      await chown(foreign, 12_345, 12_345)
    }
    const next = await hold()
    expect(await exists(killed.path)).toBe(false)
    for (const name of [
      ...others,
      'veridesk-sample-aFileA',
      'veridesk-sample-aLinkA',
      'target',
      ...(asRoot ? [basename(foreign)] : [])
    ])
      expect(await exists(join(place, name)), name).toBe(true)
    await next.end('remove')
  })
})

describe('opening sample data from a window', () => {
  const script = (text: string) => sampleOpener({ program: process.execPath, args: ['-e', text, '--'] })

  it('starts its own program with one option more, and says when its window is open', async () => {
    const seen = join(place, 'seen')
    process.env['VERIDESK_DATA'] = '/of/this/process'
    try {
      const open = script(
        `require('fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.argv.slice(1), process.env.VERIDESK_DATA ?? null])); console.log(${JSON.stringify(sampleIsOpen('/nobody/holds/this'))}); process.stdin.resume(); setTimeout(() => {}, 500)`
      )
      expect(await open()).toEqual({ ok: true, value: null })
      expect(JSON.parse(await readFile(seen, 'utf8'))).toEqual([['--sample'], null])
    } finally {
      delete process.env['VERIDESK_DATA']
    }
  })

  it('opens one at a time, and another after its end', async () => {
    const stop = join(place, 'stop')
    const open = script(
      `console.log(${JSON.stringify(sampleIsOpen('/nobody/holds/this'))}); setInterval(() => { const { existsSync } = require('fs'); if (existsSync(${JSON.stringify(stop)}) || !existsSync(${JSON.stringify(place)})) process.exit(0) }, 20)`
    )
    expect(await open()).toMatchObject({ ok: true })
    expect(await open()).toEqual({ ok: false, failure: failure('sample-open-already') })
    await writeFile(stop, '')
    await expect.poll(async () => (await open()).ok, { timeout: 20_000 }).toBe(true)
  })

  it('says why nothing opened: no program, or one that ended', async () => {
    expect(await sampleOpener({ program: join(place, 'nothing'), args: [] })()).toEqual({
      ok: false,
      failure: failure('sample-not-opened', { errno: 'ENOENT' })
    })
    expect(await script('process.exit(3)')()).toEqual({
      ok: false,
      failure: failure('sample-not-opened', { reason: 'ended', status: 3 })
    })
  })
})
