/** The window's state of core: an outdated state changes nothing, however it arrives. */
import fc from 'fast-check'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import type { AppState } from '#contract/app/app-state.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { useApp } from '../../renderer/features/shell/app-store.ts'

/** A state that differs from every other in each of its parts. */
const stateOf = (number: number): AppState => ({
  number,
  passphrase: false,
  host: 'preview',
  version: '0',
  platform: 'linux',
  settings: { ...defaultSettings, totalTimeout: number },
  screenShare: { on: number % 2 === 0, blocksCapture: false },
  keychain: 'ready',
  history: { state: 'ready', kept: 'file', recordsAtOpening: number, interrupted: 0 },
  updates: { mode: 'off', checking: false },
  forwarding: [],
  fileFaults: { settings: undefined, connections: undefined },
  notices: []
})

/** Every way in which a state reaches the window. */
const ways = {
  'event': undefined,
  'app.state': (app: ReturnType<typeof useApp>) => app.load(),
  'settings.change': (app) => app.change({ theme: 'dark' }),
  'keychain.tryAgain': (app) => app.tryKeychain(),
  'history.tryAgain': (app) => app.openHistory('history.tryAgain'),
  'history.openForSession': (app) => app.openHistory('history.openForSession'),
  'history.setAside': (app) => app.openHistory('history.setAside')
} as const satisfies Record<string, ((app: ReturnType<typeof useApp>) => Promise<unknown>) | undefined>
type Way = keyof typeof ways

describe('the state of the core', () => {
  /** Calls that wait for their answer, in the order in which they were made. */
  let waiting: ((answer: unknown) => void)[]
  const earlier = Object.getOwnPropertyDescriptor(globalThis, 'window')

  beforeEach(() => {
    const asked = (): Promise<unknown> => new Promise((resolve) => waiting.push(resolve))
    const veridesk = Object.fromEntries(Object.keys(ways).map((way) => [way, asked]))
    Object.defineProperty(globalThis, 'window', { configurable: true, value: { veridesk } })
  })
  afterEach(() => {
    if (earlier) Object.defineProperty(globalThis, 'window', earlier)
    else Reflect.deleteProperty(globalThis, 'window')
  })
  const fresh = (): ReturnType<typeof useApp> => {
    setActivePinia(createPinia())
    waiting = []
    return useApp()
  }

  it('never goes back, whatever the order of events and answers', async () => {
    const ordered = fc.array(fc.constantFrom(...(Object.keys(ways) as Way[])), { minLength: 1, maxLength: 12 })
    const told = ordered.chain((order) =>
      fc.tuple(
        fc.constant(order),
        fc.shuffledSubarray(
          order.map((_, index) => index),
          { minLength: order.length }
        )
      )
    )
    await fc.assert(
      fc.asyncProperty(told, async ([order, arrivals]) => {
        const app = fresh()
        // All calls are in progress at once; core answers them and sends events one after another.
        const arrive = order.map((way, index) => {
          const state = stateOf(index + 1)
          const call = ways[way]
          if (!call) return async () => app.take(state)
          const called = call(app)
          const answer = waiting.at(-1)
          return async () => {
            answer?.({ ok: true, value: state })
            await called
          }
        })
        let newest = 0
        for (const index of arrivals) {
          await arrive[index]?.()
          newest = Math.max(newest, index + 1)
          expect(app.state).toEqual(stateOf(newest))
          expect([app.settings.totalTimeout, app.history]).toEqual([newest, stateOf(newest).history])
        }
      }),
      { numRuns: 500 }
    )
  })

  it('is left as it was by a refused call, and by the same state told twice', async () => {
    const app = fresh()
    app.take(stateOf(3))
    const first = app.state
    const changing = app.change({ theme: 'dark' })
    waiting[0]?.({ ok: false, failure: failure('disk-full') })
    expect(await changing).toMatchObject({ code: 'disk-full' })
    app.take(stateOf(3))
    expect(app.state).toBe(first)
  })

  it('waits for settings that are being saved: what is done next follows them', async () => {
    const app = fresh()
    await app.settingsSaved()
    const order: string[] = []
    const changing = [app.change({ checkLinks: true }), app.change({ checkLinks: false })]
    const done = app.settingsSaved().then(() => order.push(`saved at ${app.settings.totalTimeout}`))
    for (const [index, answer] of [...waiting.entries()].reverse()) {
      order.push(`answer ${index}`)
      answer(index === 0 ? { ok: false, failure: failure('disk-full') } : { ok: true, value: stateOf(7) })
      await changing[index]
    }
    await done
    expect(order).toEqual(['answer 1', 'answer 0', 'saved at 7'])
  })

  it('keeps a notice dismissed, however often it is reported again', () => {
    const app = fresh()
    const notice = failure('window-crashed')
    app.take({ ...stateOf(1), notices: [notice] })
    app.dismiss(app.notices[0]!)
    app.take({ ...stateOf(2), notices: [{ ...notice }, failure('disk-full')] })
    expect(app.notices.map(({ code }) => code)).toEqual(['disk-full'])
  })
})
