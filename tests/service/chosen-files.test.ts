/**
 * Leftovers of a killed process in a user's folder are removed at the next start, write or erasure; nothing else is.
 */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownFiles } from '#wire/files/own-names.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { startPracticeService } from '#practice/service.ts'
import { startTestConsole } from './support/console.ts'

const victim = fileURLToPath(new URL('./support/writing-victim.ts', import.meta.url))
const canary = 'CANARY-31'
let folder: string
let dataFolder: string
let target: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-chosen-'))
  dataFolder = join(folder, 'data')
  target = join(folder, 'exports')
  for (const each of [dataFolder, target]) mkdirSync(each)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A real process, killed with its file half written. */
async function killedWriting(file = 'out.csv'): Promise<string> {
  const child = spawn(process.execPath, [victim, dataFolder, join(target, file), canary], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGKILL')
  await ended
  const [left, ...more] = readdirSync(target).filter((name) => name.startsWith(`.${file}.new-`))
  expect(more).toEqual([])
  expect(readFileSync(join(target, left ?? ''), 'utf8')).toContain(canary)
  return left ?? ''
}
const listed = (): string[] =>
  existsSync(join(dataFolder, ownFiles.unfinishedFiles))
    ? (JSON.parse(readFileSync(join(dataFolder, ownFiles.unfinishedFiles), 'utf8')) as { files: string[] }).files
    : []

test('files left by a kill are removed by the next start of a console', async () => {
  await killedWriting()
  const workspace = await startTestConsole({ dataFolder, practice: await startPracticeService() })
  expect(readdirSync(target)).toEqual([])
  expect(listed()).toEqual([])
  await workspace.dispose()
})

test('and by the next file, wherever that goes', async () => {
  await killedWriting()
  const files = createChosenFiles(dataFolder)
  expect(await files.write(join(folder, 'other.csv'), 'x')).toEqual({ ok: true, value: null })
  expect(readdirSync(target)).toEqual([])
  expect(existsSync(join(dataFolder, ownFiles.unfinishedFiles)), 'nothing is in progress').toBe(false)
})

test('a folder that is not there now is waited for, and an erasure says so', async () => {
  await killedWriting()
  renameSync(target, `${target}-away`)
  const practice = await startPracticeService()
  const workspace = await startTestConsole({ dataFolder, practice })
  const connectionId = (await workspace.get('practice.start')).id
  await workspace.get('verification.run', {
    runId: crypto.randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: canary }
  })
  const { leftovers } = await workspace.get('erasure.preview', { applicantId: canary })
  expect(leftovers).toEqual(listed())
  expect(leftovers).toHaveLength(1)
  expect(await workspace.get('erasure.run', { applicantId: canary, confirmation: canary, reason: 'x' })).toMatchObject({
    copiesNotReached: ['an unfinished export']
  })
  await workspace.close()
  renameSync(`${target}-away`, target)
  const again = await startTestConsole({ dataFolder, practice })
  expect(readdirSync(target)).toEqual([])
  await again.dispose()
})

test('files being written, by this process or another, are kept; so are other files', async () => {
  const own = createChosenFiles(dataFolder)
  let go: () => void = () => undefined
  const held = new Promise<void>((resolve) => (go = resolve))
  async function* slow(): AsyncGenerator<string> {
    yield 'first '
    await held
    yield 'second'
  }
  const writing = own.write(join(target, 'out.csv'), slow())
  await expect.poll(() => readdirSync(target)).toHaveLength(1)
  // A file named like one of Veridesk that is not listed, and a listed name not made by Veridesk.
  const kept = ['.out.csv.new-999999999.0123456789ab', 'letter.txt']
  for (const name of kept) writeFileSync(join(target, name), 'kept')
  expect(await own.write(join(target, 'out.csv'), 'another')).toMatchObject({ ok: true })
  expect(await own.sweep()).toEqual([])
  go()
  expect(await writing).toMatchObject({ ok: true })
  expect(readFileSync(join(target, 'out.csv'), 'utf8')).toBe('first second')
  writeFileSync(join(dataFolder, ownFiles.unfinishedFiles), JSON.stringify({ files: [join(target, 'letter.txt')] }))
  expect(await createChosenFiles(dataFolder).sweep()).toEqual([])
  expect(readdirSync(target).sort()).toEqual([...kept, 'out.csv'].sort())
})
