/** The window's picture of the core: an answer that was overtaken by an event does not undo it. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AppState } from '#contract/ipc.ts'
import { useApp } from '../../renderer/stores/app.ts'

const stateOf = (history: AppState['history']['state']): AppState => ({ history: { state: history }, notices: [] }) as unknown as AppState

describe('the state of the core', () => {
  let answer: (state: AppState) => void
  const earlier = Object.getOwnPropertyDescriptor(globalThis, 'window')

  beforeEach(() => {
    setActivePinia(createPinia())
    const asked = new Promise<unknown>((resolve) => (answer = (value) => resolve({ ok: true, value })))
    Object.defineProperty(globalThis, 'window', { configurable: true, value: { veridesk: { 'app.state': () => asked } } })
  })
  afterEach(() => {
    if (earlier) Object.defineProperty(globalThis, 'window', earlier)
    else Reflect.deleteProperty(globalThis, 'window')
  })

  it('is what was answered, where nothing was told meanwhile', async () => {
    const app = useApp()
    const loading = app.load()
    answer(stateOf('opening'))
    await loading
    expect(app.history.state).toBe('opening')
  })

  it('is what was told while the answer was on its way', async () => {
    const app = useApp()
    const loading = app.load()
    app.take(stateOf('ready'))
    answer(stateOf('opening'))
    await loading
    expect(app.history.state).toBe('ready')
  })
})
