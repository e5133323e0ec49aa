/** Evidence, exports, backups and retention from the command line, in a separate keyring. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backup } from '#contract/data-management/data-management.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { claimDataFolder } from '../../electron/hosts/node/prepare-folder.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'
import { commandLine } from './support/program.ts'

let folder: string
let keyring: Keyring
let record: RecordDetail

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-evidence-'))
  keyring = await startKeyring()
  await cli('connection', 'add', '--practice')
  record = JSON.parse(
    (await cli('verify', 'get-applicant-details', '--applicant-id', '00042', '--json')).out
  ) as RecordDetail
})
afterAll(async () => {
  await keyring.end()
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  readonly code: number | null
  readonly out: string
  readonly error: string
}
const cli = (...words: readonly string[]): Promise<Run> => run([...words, '--data', join(folder, 'data')])
function run(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [commandLine, ...words], { env: { ...process.env, ...keyring.env, ...env } })
    let [out, error] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.on('close', (code) => resolve({ code, out, error }))
  })
}

test('a pack is written and verified, and refused once changed', async () => {
  const path = join(folder, 'pack.veridesk-evidence')
  for (const about of [
    ['record', record.id],
    ['applicant', '00042']
  ]) {
    expect(await cli('evidence', 'pack', ...about, '--to', path)).toMatchObject({ code: 0, error: '' })
    const verified = await cli('evidence', 'verify', path)
    expect(verified).toMatchObject({ code: exitCodes.signerUnknown.code })
    expect(verified.out).toMatch(/^INTACT, SIGNER UNKNOWN\.\n/)
    expect(verified.out).toContain(`\nAbout ${about.join(' ')}\n`)
    expect(verified.out).toContain('\nDisclosure full, 0 values withheld\n')
  }
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/"payload":"(.{9})./, (whole, kept: string) => `"payload":"${kept}${whole.endsWith('A') ? 'B' : 'A'}`)
  )
  expect(await cli('evidence', 'verify', path)).toMatchObject({ code: exitCodes.refused.code })
  expect(await cli('evidence', 'pack', 'record', record.id)).toMatchObject({ code: exitCodes.usage.code })
  expect(await cli('evidence', 'pack', 'applicant', 'NOBODY', '--to', path)).toMatchObject({
    code: exitCodes.failed.code
  })
})

test('a pack is verified while a window holds the data, and where there is no data and no keychain', async () => {
  const path = join(folder, 'anywhere.veridesk-evidence')
  await cli('evidence', 'pack', 'record', record.id, '--to', path)
  const claimed = await claimDataFolder(join(folder, 'data'), () => undefined)
  const lock = claimed.ok ? claimed.value.lock : undefined
  try {
    expect(await cli('history', 'search')).toMatchObject({ code: exitCodes.unavailable.code })
    expect(await cli('evidence', 'verify', path)).toMatchObject({ code: exitCodes.signerUnknown.code, error: '' })
  } finally {
    await lock?.release()
  }
  const home = join(folder, 'somebody-else')
  await mkdir(home)
  const none = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_RUNTIME_DIR: '/nonexistent',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent'
  }
  const verified = await run(['evidence', 'verify', path, '--json'], none)
  expect(verified).toMatchObject({ code: exitCodes.signerUnknown.code, error: '' })
  expect(JSON.parse(verified.out)).toMatchObject({
    verified: true,
    signerCompared: false,
    signedBy: expect.stringMatching(/^[0-9a-f]{64}$/) as string
  })
  expect(JSON.parse(verified.out)).not.toHaveProperty('ownKey')
  const { signedBy } = JSON.parse(verified.out) as { signedBy: string }
  const inWords = (signedBy.match(/.{4}/g) ?? []).join(' ').toUpperCase()
  const named = await run(['evidence', 'verify', path, '--key', inWords], none)
  expect(named).toMatchObject({ code: 0, error: '' })
  expect(named.out).toContain('It was signed with the key that you named.')
  const other = await run(['evidence', 'verify', path, '--key', 'ab'.repeat(32), '--json'], none)
  expect(other).toMatchObject({ code: exitCodes.refused.code })
  expect(JSON.parse(other.out)).toMatchObject({ verified: false })
  expect(await run(['evidence', 'verify', path, '--key', signedBy.slice(1)], none)).toMatchObject({
    code: exitCodes.usage.code
  })
  const shortened = join(folder, 'shortened.veridesk-evidence')
  await cli('evidence', 'pack', 'record', record.id, '--profile', 'no-personal-data', '--to', shortened)
  const beside = await run(['evidence', 'verify', shortened, '--beside', path], none)
  expect(beside).toMatchObject({ code: exitCodes.signerUnknown.code, error: '' })
  expect(beside.out).toMatch(
    /passed +beside +The audit trail of the larger pack provably continues that of the smaller one\. Events in both: [1-9]/
  )
  for (const file of [join(home, 'nothing.json'), join(folder, 'data', 'settings.json')]) {
    const without = await run(['evidence', 'verify', shortened, '--beside', file], none)
    expect(without).toMatchObject({ code: exitCodes.refused.code })
    expect(without.out).toMatch(/REFUSED +beside/)
  }
  expect(await readdir(home)).toEqual([])
  expect(await run(['evidence', 'verify', join(home, 'nothing.json')], none)).toMatchObject({
    code: exitCodes.failed.code
  })
  expect(await run(['evidence', 'verify'], none)).toMatchObject({ code: exitCodes.usage.code })
})

test('a pack has a PDF if a browser can print, and a message if none can', async () => {
  const path = join(folder, 'printed.veridesk-evidence')
  const words = ['evidence', 'pack', 'record', record.id, '--to', path, '--pdf', '--data', join(folder, 'data')]
  const without = await run(words, { VERIDESK_BROWSER: folder })
  expect(without).toMatchObject({ code: exitCodes.unavailable.code, out: '' })
  expect(without.error).toContain('No Chromium, Chrome or Edge was found')
  expect(existsSync(path)).toBe(false)
  // A program that is not a browser: the pack is written, and the missing PDF is reported.
  const broken = await run(words, { VERIDESK_BROWSER: '/bin/true' })
  expect(broken).toMatchObject({ code: exitCodes.fileMissing.code })
  expect(broken.error).toContain('The evidence pack itself was written.')
  expect((await cli('evidence', 'verify', path)).code).toBe(exitCodes.signerUnknown.code)

  expect(await run(words)).toMatchObject({ code: 0, error: '' })
  const pdf = join(folder, 'printed.pdf')
  expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-')
  expect((await cli('evidence', 'verify', path, '--attachment', pdf)).out).toContain(
    'The file printed.pdf is the one that belongs to the pack.'
  )
  await writeFile(pdf, '%PDF-1.7')
  expect(await cli('evidence', 'verify', path, '--attachment', pdf)).toMatchObject({ code: exitCodes.refused.code })
}, 60_000)

test('approval of a decision is asked for by file, and only of what was decided about an applicant', async () => {
  const path = join(folder, 'asked.veridesk-case')
  const words = ['--to', path, '--approval']
  const undecided = await cli('evidence', 'pack', 'applicant', '00042', ...words)
  expect(undecided).toMatchObject({ code: exitCodes.failed.code })
  expect(undecided.error).toContain('nothing was decided about this applicant')
  expect(existsSync(path)).toBe(false)
  for (const wrong of [
    ['record', record.id],
    ['applicant', '00042', '--profile', 'no-personal-data']
  ])
    expect(await cli('evidence', 'pack', ...wrong, ...words)).toMatchObject({ code: exitCodes.usage.code })
})

test('history and applicants are exported', async () => {
  for (const what of ['history', 'applicants']) {
    const path = join(folder, `${what}.jsonl`)
    expect(await cli('export', what, '--to', path, '--format', 'jsonl')).toMatchObject({ code: 0, error: '' })
    const lines = (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines[0]).toMatchObject({ format: `veridesk-${what}` })
    expect(lines.at(-1)).toEqual({ end: true, rows: 1 })
  }
  expect(await cli('export', 'secrets', '--to', join(folder, 'x'))).toMatchObject({ code: exitCodes.usage.code })
})

test('a backup is created, listed and restored, and retention only lists', async () => {
  const made = JSON.parse((await cli('backup', '--json')).out) as Backup
  expect(made).toMatchObject({ state: 'whole', records: 1 })
  expect((await cli('backup', '--list')).out).toContain(made.id)
  const restored = await cli('restore', made.id)
  expect(restored).toMatchObject({ code: 0, error: '' })
  expect(restored.out).toContain('history-set-aside-')
  expect(await cli('history', 'show', record.id)).toMatchObject({ code: 0 })
  expect(await cli('restore', 'nothing')).toMatchObject({ code: exitCodes.usage.code })
  expect(await cli('retention')).toMatchObject({ code: exitCodes.usage.code })
  expect((await cli('retention', '--dry-run')).out).toContain(
    'Would be erased: nothing. Held: nothing. Nothing was erased.'
  )
})

test('the data of an applicant is shown, and saved as it was shown', async () => {
  const to = join(folder, 'data.zip')
  const shown = await cli('applicant', 'data', '00042')
  expect(shown).toMatchObject({ code: 0, error: '' })
  expect(shown.out).toContain('\n  Applicant ID: 00042\n')
  const { digest } = JSON.parse((await cli('applicant', 'data', '00042', '--json')).out) as { digest: string }
  expect(shown.out).toContain(`\nDigest ${digest}\n`)
  // Nothing is saved unread.
  expect(await cli('applicant', 'data', '00042', '--to', to)).toMatchObject({ code: exitCodes.usage.code })
  const other = await cli('applicant', 'data', '00042', '--to', to, '--digest', '0'.repeat(64))
  expect(other).toMatchObject({ code: exitCodes.failed.code })
  expect(other.error).toContain('it has changed since it was shown')
  expect(existsSync(to)).toBe(false)
  expect(await cli('applicant', 'data', 'NOBODY')).toMatchObject({ code: exitCodes.failed.code })
  const words = ['applicant', 'data', '00042', '--to', to, '--digest', digest, '--data', join(folder, 'data')]
  const without = await run(words, { VERIDESK_BROWSER: folder })
  expect(without).toMatchObject({ code: exitCodes.unavailable.code, out: '' })
  expect(without.error).toContain('No Chromium, Chrome or Edge was found')
  const saved = await run(words)
  expect(saved).toMatchObject({ code: 0, error: '' })
  const bytes = await readFile(to)
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  expect(saved.out).toContain(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
})

test('an applicant is erased with the ID typed again, and never without a file for the receipt', async () => {
  await cli('verify', 'get-applicant-details', '--applicant-id', 'GONE 7', '--json')
  const path = join(folder, 'receipt.json')
  const words = ['applicant', 'erase', 'GONE 7', '--reason', 'asked for it']
  const shown = await cli(...words)
  expect(shown).toMatchObject({ code: exitCodes.usage.code })
  expect(shown.out).toContain('GONE 7: 1 record')
  expect(shown.error).toContain('Nothing was erased.')
  expect(await cli(...words, '--confirm', 'gone 7', '--to', path)).toMatchObject({
    code: exitCodes.failed.code,
    out: ''
  })
  const refused = await cli(...words, '--confirm', 'GONE 7', '--to', join(folder, 'no-folder', 'receipt.json'))
  expect(refused).toMatchObject({ code: exitCodes.failed.code, out: '' })
  expect(refused.error).toContain('Nothing was sent, changed or erased.')

  const erased = await cli(...words, '--confirm', 'GONE 7', '--to', path)
  expect(erased).toMatchObject({ code: 0, error: '' })
  expect(erased.out).toContain('Erased: 1 record')
  const receipt = JSON.parse(await readFile(path, 'utf8')) as { id: string }
  expect(receipt).toMatchObject({
    format: 'veridesk-erasure-receipt',
    records: 1,
    cause: 'request',
    copiesNotReached: []
  })
  expect(JSON.stringify(receipt)).not.toContain('GONE')

  expect(await cli(...words, '--confirm', 'GONE 7', '--to', path)).toMatchObject({ code: exitCodes.failed.code })
  expect((await cli('history', 'search', 'GONE 7')).error).toContain('No records match')
  expect(await cli('audit', 'verify')).toMatchObject({ code: 0 })
  expect((await cli('applicant', 'receipt')).out).toContain(receipt.id)
  const again = join(folder, 'again.json')
  expect(await cli('applicant', 'receipt', receipt.id, '--to', again)).toMatchObject({ code: 0 })
  expect(JSON.parse(await readFile(again, 'utf8'))).toEqual(receipt)
}, 120_000)
