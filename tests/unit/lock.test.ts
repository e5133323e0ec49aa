/** The lock: its states, the time without input, and what is answered while it is on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { channels, type ChannelName } from '#contract/ipc/ipc.ts'
import { normalised, passphraseFault } from '#contract/lock/passphrase.ts'
import { createDialogs } from '#core/lock/dialogs.ts'
import { createGate } from '#core/lock/gate.ts'
import { watchIdle } from '#core/lock/idle.ts'
import { nextPhase, type LockChange, type LockPhase } from '#core/lock/states.ts'
import { openTries, waitAfter } from '#core/lock/tries.ts'

const after = (changes: readonly LockChange[], from: LockPhase = { phase: 'open' }): LockPhase =>
  changes.reduce(nextPhase, from)
const lock = { kind: 'lock', why: 'idle', at: 1 } as const
const again = { kind: 'lock', why: 'suspend', at: 2 } as const

it('a lock cancels a dialog that waits, and a locked console opens none', async () => {
  let open = true
  const asked: string[] = []
  const never = new Promise<never>(() => undefined)
  const host = { chooseFile: async () => never, chooseSavePath: async (title: string) => (asked.push(title), never) }
  const dialogs = createDialogs(host, () => open)
  const waiting = dialogs.chooseSavePath('before', 'a.csv', ['csv'])
  open = false
  dialogs.cancel()
  expect(await waiting).toBeUndefined()
  expect(await dialogs.chooseSavePath('after', 'b.csv', ['csv'])).toBeUndefined()
  expect(asked).toEqual(['before'])
})

describe('the states', () => {
  it.each([
    ['a lock begins by storing drafts', [lock], { phase: 'locking', why: 'idle', since: 1 }],
    ['an emptied window is locked', [lock, { kind: 'emptied' }], { phase: 'locked', why: 'idle', since: 1 }],
    ['the first reason stays', [lock, { kind: 'emptied' }, again], { phase: 'locked', why: 'idle', since: 1 }],
    ['nothing unlocks while drafts are stored', [lock, { kind: 'try' }], { phase: 'locking', why: 'idle', since: 1 }],
    [
      'a refused attempt leaves it locked',
      [lock, { kind: 'emptied' }, { kind: 'try' }, { kind: 'refused' }],
      { phase: 'locked', why: 'idle', since: 1 }
    ],
    [
      'an attempt that succeeds opens it',
      [lock, { kind: 'emptied' }, { kind: 'try' }, { kind: 'opened' }],
      { phase: 'open' }
    ],
    [
      'a lock during an attempt locks again',
      [lock, { kind: 'emptied' }, { kind: 'try' }, again, { kind: 'opened' }],
      { phase: 'locked', why: 'suspend', since: 2 }
    ],
    [
      'only an attempt opens',
      [lock, { kind: 'emptied' }, { kind: 'opened' }],
      { phase: 'locked', why: 'idle', since: 1 }
    ]
  ] as const)('%s', (_name, changes, phase) => expect(after(changes)).toEqual(phase))
})

describe('the time without input', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
  afterEach(() => void vi.useRealTimers())
  const watched = (minutes: () => number) => {
    const onIdle = vi.fn()
    return { onIdle, watch: watchIdle({ clock: { monotonic: () => performance.now() }, minutes, onIdle }) }
  }

  it('locks after it, and not before; input begins it again', () => {
    const { onIdle, watch } = watched(() => 15)
    vi.advanceTimersByTime(14 * 60_000)
    watch.active()
    vi.advanceTimersByTime(14 * 60_000)
    expect(onIdle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(61_000)
    expect(onIdle).toHaveBeenCalledTimes(1)
    watch.close()
  })
  it('never locks with 0, and follows a changed setting', () => {
    let minutes = 0
    const { onIdle, watch } = watched(() => minutes)
    vi.advanceTimersByTime(600 * 60_000)
    expect(onIdle).not.toHaveBeenCalled()
    minutes = 5
    vi.advanceTimersByTime(5000)
    expect(onIdle).toHaveBeenCalledTimes(1)
    watch.close()
  })
})

describe('the guard of the router', () => {
  const locked: LockPhase = { phase: 'locked', why: 'person', since: 1 }
  const allowed: readonly string[] = [
    'app.state',
    'lock.now',
    'lock.ready',
    'lock.active',
    'lock.unlock',
    'lock.recover'
  ]

  it('refuses every channel but those of the lock', async () => {
    const reached: unknown[] = []
    const handle = createGate(() => locked).guard(async (name) => (reached.push(name), { ok: true, value: null }))
    for (const name of Object.keys(channels) as ChannelName[]) {
      const answer = await handle(name, undefined)
      expect(answer.ok, name).toBe(allowed.includes(name))
      if (!answer.ok) expect(answer.failure.code).toBe('locked')
    }
    expect(reached).toEqual(Object.keys(channels).filter((name) => allowed.includes(name)))
  })
  it('keeps back the answer to a request that a lock overtook, and waits for its end', async () => {
    let phase: LockPhase = { phase: 'open' }
    let answerIt = (): void => undefined
    const gate = createGate(() => phase)
    const handle = gate.guard(
      () => new Promise((resolve) => (answerIt = () => resolve({ ok: true, value: 'personal' })))
    )
    const asked = handle('history.page', {})
    phase = locked
    const quiet = gate.quiet()
    expect(gate.isBusy()).toBe(true)
    answerIt()
    expect(await asked).toMatchObject({ ok: false, failure: { code: 'locked' } })
    await quiet
    expect(gate.isBusy()).toBe(false)
  })
  it('accepts drafts until the window is empty', async () => {
    const handle = createGate(() => ({ phase: 'locking', why: 'idle', since: 1 })).guard(async () => ({
      ok: true,
      value: true
    }))
    expect(await handle('drafts.keep', {})).toMatchObject({ ok: true })
    expect(await handle('history.page', {})).toMatchObject({ ok: false })
  })
})

describe('a passphrase', () => {
  it.each([
    ['kettle 4!', 'short'],
    ['🦊🐌', 'short'],
    ['a'.repeat(257), 'long'],
    ['abababababab', 'pattern'],
    ['password1234', 'common'],
    ['Qwertyuiop 123456', 'common'],
    ['correct horse battery staple', 'common'],
    ['seven green kettles', undefined],
    ['sieben grüne Kessel', undefined]
  ] as const)('%s: %s', (text, fault) => expect(passphraseFault(text)).toBe(fault))
  it('is the same from every keyboard', () => expect(normalised('gru\u0308n')).toBe(normalised('gr\u00fcn')))
})

describe('wrong passphrases', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'veridesk-tries-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const clock = { now: () => 1_770_000_000_000 }

  it('cost nothing before the fifth, and then more and more', () => {
    expect([1, 4, 5, 6, 7, 8, 9, 10, 1000].map(waitAfter)).toEqual([0, 0, 30, 60, 120, 300, 600, 900, 900])
  })
  it('count before they are verified, and the wait goes on over a restart of the program', async () => {
    let seconds = 1000
    const start = (): ReturnType<typeof openTries> => openTries(folder, clock, () => seconds)
    const tries = await start()
    for (let time = 0; time < 5; time += 1) expect(await tries.begin()).toEqual({ ok: true, value: null })
    expect([tries.wrong(), tries.wait()]).toEqual([5, 30])
    seconds = 1012
    expect([(await start()).wait(), tries.wait()]).toEqual([18, 18])
    seconds = 1029.5
    expect((await start()).wait()).toBe(1)
    seconds = 1030
    const again = await start()
    expect([again.wrong(), again.wait()]).toEqual([5, 0])
    await again.begin()
    expect((await start()).wait()).toBe(60)
    await again.right()
    expect([again.wrong(), again.wait(), (await start()).wait()]).toEqual([0, 0, 0])
  })
  it('wait as long after a restart of the computer, of whose time nothing is known', async () => {
    let seconds = 50_000
    const start = (): ReturnType<typeof openTries> => openTries(folder, clock, () => seconds)
    const tries = await start()
    for (let time = 0; time < 6; time += 1) await tries.begin()
    // Only what passed since the computer's start is certain.
    seconds = 20
    expect((await start()).wait()).toBe(40)
    seconds = 60
    expect((await start()).wait()).toBe(0)
  })
})
