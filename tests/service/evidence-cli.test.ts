/** Evidence, exports, backups and retention from the command line, in a keyring of the test's own. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backup } from '#contract/keeping.ts'
import type { RecordDetail } from '#contract/records.ts'
import { exitCodes } from '../../electron/cli/exit.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'

const main = fileURLToPath(new URL('../../electron/cli/main.ts', import.meta.url))
let folder: string
let keyring: Keyring
let record: RecordDetail

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-keeping-'))
  keyring = await startKeyring()
  await cli('connection', 'add', '--practice')
  record = JSON.parse((await cli('verify', 'get-applicant-details', '--applicant-id', '00042', '--json')).out) as RecordDetail
})
afterAll(async () => {
  await keyring.end()
  await rm(folder, { recursive: true, force: true })
})

function cli(...words: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly error: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...words, '--data', join(folder, 'data')], { env: { ...process.env, ...keyring.env } })
    let [out, error] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.on('close', (code) => resolve({ code, out, error }))
  })
}

test('a pack is written and verified, and refused once it was touched', async () => {
  const path = join(folder, 'pack.veridesk-evidence.json')
  for (const about of [['record', record.id], ['applicant', '00042']]) {
    expect(await cli('evidence', 'pack', ...about, '--to', path)).toMatchObject({ code: 0, error: '' })
    const verified = await cli('evidence', 'verify', path)
    expect(verified).toMatchObject({ code: 0 })
    expect(verified.out).toContain('VERIFIED.')
  }
  await writeFile(path, (await readFile(path, 'utf8')).replace('"agrees"', '"x"').replace(/"seq":(\d)/, '"seq":9$1'))
  expect(await cli('evidence', 'verify', path)).toMatchObject({ code: exitCodes.refused.code })
  expect(await cli('evidence', 'pack', 'record', record.id)).toMatchObject({ code: exitCodes.usage.code })
  expect(await cli('evidence', 'pack', 'applicant', 'NOBODY', '--to', path)).toMatchObject({ code: exitCodes.failed.code })
})

test('history and applicants are exported', async () => {
  for (const what of ['history', 'applicants']) {
    const path = join(folder, `${what}.jsonl`)
    expect(await cli('export', what, '--to', path, '--format', 'jsonl')).toMatchObject({ code: 0, error: '' })
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines[0]).toMatchObject({ format: `veridesk-${what}` })
    expect(lines.at(-1)).toEqual({ end: true, rows: 1 })
  }
  expect(await cli('export', 'secrets', '--to', join(folder, 'x'))).toMatchObject({ code: exitCodes.usage.code })
})

test('a backup is made, listed and restored, and retention only lists', async () => {
  const made = JSON.parse((await cli('backup', '--json')).out) as Backup
  expect(made).toMatchObject({ state: 'whole', records: 1 })
  expect((await cli('backup', '--list')).out).toContain(made.id)
  const restored = await cli('restore', made.id)
  expect(restored).toMatchObject({ code: 0, error: '' })
  expect(restored.out).toContain('history-set-aside-')
  expect(await cli('history', 'show', record.id)).toMatchObject({ code: 0 })
  expect(await cli('restore', 'nothing')).toMatchObject({ code: exitCodes.usage.code })
  expect(await cli('retention')).toMatchObject({ code: exitCodes.usage.code })
  expect((await cli('retention', '--dry-run')).out).toContain('Would go: 0')
})
