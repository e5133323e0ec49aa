import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askToRaise, lockDataFolder } from '../../electron/node/data-lock.ts'
import { prepareDataFolder } from '../../electron/node/prepare-folder.ts'

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
  const lockModule = fileURLToPath(new URL('../../electron/node/data-lock.ts', import.meta.url))
  await writeFile(
    script,
    `import { lockDataFolder } from ${JSON.stringify(lockModule)}
     const lock = await lockDataFolder(${JSON.stringify(folder)}, () => undefined)
     process.send(lock !== undefined)
     setInterval(() => undefined, 1000)`
  )
  const children = Array.from({ length: 20 }, () => fork(script, { execArgv: [] }))
  const answers = await Promise.all(children.map(async (child) => [child, ((await once(child, 'message')) as [boolean])[0]] as [ChildProcess, boolean]))
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

it.skipIf(process.platform === 'darwin')('carries the wish of a second start, and nothing else', async () => {
  let raised = 0
  const lock = await lockDataFolder(folder, () => (raised += 1))
  expect(await askToRaise(folder)).toBe(true)
  await expect.poll(() => raised).toBe(1)
  await lock?.release()
  expect(await askToRaise(folder)).toBe(false)
})
