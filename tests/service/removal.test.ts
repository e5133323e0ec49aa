/** Whatever removes personal data, every window is notified once, and core keeps none of it in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClipboard } from '#core/data-removal/clipboard.ts'
import { createCurrentHistory } from '#core/history/current.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { clock, secretsInMemory } from './history-fixtures.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { launchWorkers } from './support/workers.ts'

let workspace: TestConsole
let connectionId: string
beforeAll(async () => {
  workspace = await startTestConsole()
  connectionId = (await workspace.get('practice.start')).id
})
afterAll(() => workspace.dispose())

const removals = (): string[] =>
  workspace.events.flatMap((event) => (event.kind === 'data-removed' ? [event.cause] : []))
const check = (applicant_id: string) =>
  workspace.get('verification.run', {
    runId: crypto.randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id }
  })

test('an erasure is announced, and validated rows are dropped', async () => {
  await check('GONE-1')
  const { checkId } = await workspace.get('batches.checkText', {
    name: 'rows',
    text: 'applicant_id\nGONE-1\n',
    reading: { operations: ['get-applicant-details'], encoding: 'utf-8' }
  })
  expect(
    await workspace.ask('erasure.run', { applicantId: 'GONE-1', confirmation: 'another', reason: 'x' })
  ).toMatchObject({ ok: false })
  expect(removals(), 'refused').toEqual([])
  await workspace.get('erasure.run', { applicantId: 'GONE-1', confirmation: 'GONE-1', reason: 'asked for' })
  expect(removals()).toEqual(['erased'])
  expect(
    await workspace.ask('batches.recheck', {
      checkId,
      reading: { operations: ['get-applicant-details'], encoding: 'utf-8' }
    })
  ).toMatchObject({ ok: false, failure: { code: 'batch-check-gone' } })
})

test('a file that is being read during a removal is discarded', async () => {
  await check('GONE-2')
  const text = `applicant_id\n${'X-1\n'.repeat(200_000)}`
  const reading = workspace.ask('batches.checkText', {
    name: 'rows',
    text,
    reading: { operations: ['get-applicant-details'], encoding: 'utf-8' }
  })
  await workspace.get('erasure.run', { applicantId: 'GONE-2', confirmation: 'GONE-2', reason: 'asked for' })
  expect(await reading).toMatchObject({ ok: false, failure: { code: 'batch-check-gone' } })
})

test('a history that replaces another is announced in every case; the first one, or the same one again, is not', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-removal-'))
  const told: string[] = []
  const current = createCurrentHistory({
    dataFolder,
    keychain: secretsInMemory(),
    session: createSessionSecrets(),
    launch: launchWorkers,
    clock,
    changed: () => undefined,
    replaced: () => void told.push(current.state().state)
  })
  try {
    expect(await current.open()).toMatchObject({ state: 'ready' })
    await current.open()
    expect(told, 'opened, and asked to be opened').toEqual([])
    await current.whileClosed(async () => undefined)
    expect(told, 'after a restore').toEqual(['ready'])
    await current.setAside()
    expect(told, 'a new one').toEqual(['ready', 'ready'])
    await current.whileClosed(async () => writeFileSync(join(dataFolder, 'history', 'history.db'), 'damaged'))
    expect(told, 'one that does not open').toEqual(['ready', 'ready', 'failed'])
    await current.openForSession()
    expect(told, 'nothing was open before it').toHaveLength(3)
    await current.openWithKey(Buffer.alloc(32, 0xbb))
    expect(told, 'the recovery key’s').toHaveLength(4)
  } finally {
    await current.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

test('the clipboard is cleared only of text from Veridesk', async () => {
  let held = ''
  const clipboard = createClipboard(
    {
      copyText: async (text) => void (held = text),
      readText: async () => held,
      clearText: async () => void (held = '')
    },
    () => 0
  )
  held = 'somebody else’s'
  await clipboard.empty()
  expect(held, 'nothing was copied').toBe('somebody else’s')
  await clipboard.copy('ours\nof two lines')
  held = held.replace('\n', '\r\n')
  await clipboard.empty()
  expect(held, 'as a system with other line ends gives it back').toBe('')
  await clipboard.copy('ours')
  held = 'somebody else’s'
  await clipboard.empty()
  expect(held).toBe('somebody else’s')
  clipboard.noted('chosen by hand')
  held = 'chosen by hand'
  await clipboard.empty()
  expect(held).toBe('')
})

describe('after its time', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const system = (seconds: number) => {
    const held = { text: '' }
    return {
      held,
      clipboard: createClipboard(
        {
          copyText: async (text) => void (held.text = text),
          readText: async () => held.text,
          clearText: async () => void (held.text = '')
        },
        () => seconds
      )
    }
  }

  test('a copied text leaves the clipboard, and each copy begins the time again', async () => {
    const { held, clipboard } = system(30)
    await clipboard.copy('first')
    await vi.advanceTimersByTimeAsync(29_000)
    await clipboard.copy('second')
    await vi.advanceTimersByTimeAsync(29_000)
    expect(held.text).toBe('second')
    await vi.advanceTimersByTimeAsync(1000)
    expect(held.text).toBe('')
  })

  test('a text from another application stays, and so does everything if the setting is 0', async () => {
    const { held, clipboard } = system(30)
    await clipboard.copy('ours')
    held.text = 'somebody else’s'
    await vi.advanceTimersByTimeAsync(60_000)
    expect(held.text).toBe('somebody else’s')
    const never = system(0)
    await never.clipboard.copy('ours')
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(never.held.text).toBe('ours')
    await never.clipboard.empty()
    expect(never.held.text, 'at the end of the console').toBe('')
  })
})
