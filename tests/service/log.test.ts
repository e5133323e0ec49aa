import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog, type LogFields } from '#core/log/log.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))
const clock = { now: () => Date.UTC(2026, 0, 31) }
const text = (name = 'veridesk.log') => readFile(join(folder, 'logs', name), 'utf8')

it('writes named scalars, and nothing else that it is handed', async () => {
  const log = createLog({ folder, clock })
  const hostile = {
    code: 'tls-failed',
    status: 400,
    message: 'personal',
    stack: 'x',
    host: { toString: () => 'canary' },
    count: NaN
  }
  log.write('run ended', hostile as unknown as LogFields)
  log.write('failed', new Error('canary') as unknown as LogFields)
  await log.flush()
  expect(
    (await text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  ).toEqual([
    { at: '2026-01-31T00:00:00.000Z', event: 'run ended', code: 'tls-failed', status: 400 },
    { at: '2026-01-31T00:00:00.000Z', event: 'failed' }
  ])
  expect((await stat(join(folder, 'logs', 'veridesk.log'))).mode & 0o777).toBe(0o600)
})

it('masks a registered secret in each of its forms, and no ordinary word', async () => {
  const log = createLog({ folder, clock })
  const secret = 'Bearer s3cr=t/+'
  log.mask(secret)
  log.mask('a')
  log.mask('')
  for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    log.write(`event ${form}`, { host: `a ${form} z`, state: `${'x'.repeat(195)}${form}` })
  await log.flush()
  const written = await text()
  for (const form of [secret, 's3cr', encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    expect(written).not.toContain(form)
  // The search ignores punctuation: what a value ends with may stay.
  expect(written.match(/"a \[masked\](?:\/\+|%2F%2B|8r)? z"/g)).toHaveLength(3)
})

it('stays within its size, in two files', async () => {
  const log = createLog({ folder, clock, maxBytes: 2000 })
  for (let count = 0; count < 200; count += 1) log.write('event', { count })
  await log.flush()
  expect((await readdir(join(folder, 'logs'))).sort()).toEqual(['veridesk.log', 'veridesk.log.1'])
  for (const name of ['veridesk.log', 'veridesk.log.1']) expect((await text(name)).length).toBeLessThanOrEqual(2000)
  expect(await text()).toContain('"count":199')
})

it('drops a line rather than fail', async () => {
  await writeFile(join(folder, 'logs'), 'in the way')
  const log = createLog({ folder, clock })
  log.write('event')
  await expect(log.flush()).resolves.toBeUndefined()
  await rm(join(folder, 'logs'))
  log.write('later')
  await log.flush()
  expect(await text()).toContain('later')
})
