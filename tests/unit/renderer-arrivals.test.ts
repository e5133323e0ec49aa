/** After unlocking, however long a page takes to load: back to where the person was, then to what was asked for. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryHistory, createRouter, type Router } from 'vue-router'
import type { Opening } from '#contract/app/opening.ts'
import type { AppState } from '#contract/app/app-state.ts'
import { useApp } from '../../renderer/features/shell/app-store.ts'
import { listenToCore } from '../../renderer/features/shell/core-events.ts'

const lock = { reason: 'person', passphrase: false, inMemory: false } as unknown as AppState['lock']
const kept = { path: '/history/R-1' }
const applicant = { what: 'place', place: { page: 'applicant', id: 'APP-7' } } as const satisfies Opening

/** What the window asks for of its surroundings here. */
const surroundings = ['window', 'document', 'addEventListener', 'requestAnimationFrame', 'location'] as const
const earlier = surroundings.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))

/** Openings that wait at the host. */
let openings: Opening[]
let tell: (event: unknown) => void
/** Navigations that load their page, and what each waits for. */
let loading: { readonly to: string; readonly loaded: () => void }[]
/** Frames that were asked for: none outlives its test. */
let frames: NodeJS.Timeout[]
/** Answers to the reading of drafts. */
let reading: ((text: string) => void)[]

beforeEach(() => {
  setActivePinia(createPinia())
  openings = []
  loading = []
  frames = []
  reading = []
  const answers: Record<string, () => Promise<unknown>> = {
    'app.opening': () => Promise.resolve({ ok: true, value: openings.shift() ?? null }),
    'drafts.read': () =>
      new Promise((resolve) => reading.push((text) => resolve({ ok: true, value: { round: '1', text } })))
  }
  const veridesk = new Proxy(
    {},
    {
      get: (_, name) =>
        name === 'onEvent'
          ? (listener: typeof tell) => (tell = listener)
          : (answers[String(name)] ?? (() => new Promise(() => undefined)))
    }
  )
  const nothing = (): void => undefined
  const page = { addEventListener: nothing, title: 'Veridesk', querySelector: () => null, querySelectorAll: () => [] }
  const frame = (step: () => void) => frames.push(setTimeout(step, 0))
  const values = [{ veridesk }, page, nothing, frame, { reload: nothing }]
  surroundings.forEach((name, index) =>
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: values[index] })
  )
})
afterEach(() => {
  for (const each of frames) clearTimeout(each)
  surroundings.forEach((name, index) => {
    const before = earlier[index]
    if (before) Object.defineProperty(globalThis, name, before)
    else Reflect.deleteProperty(globalThis, name)
  })
})

/** A locked window at the queue, whose pages load only when the test says so. */
async function lockedAtQueue(): Promise<Router> {
  const component = { template: '' }
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/queue', name: 'queue', component },
      { path: '/history/:id?', name: 'history', component },
      { path: '/applicants/:id', name: 'applicant', component }
    ]
  })
  await router.push('/queue')
  router.beforeResolve((to) => new Promise<void>((loaded) => loading.push({ to: to.fullPath, loaded })))
  listenToCore(router)
  useApp().take({ number: 1, lock, history: { state: 'opening' }, screenShare: { on: false }, notices: [] } as never)
  return router
}
const unlock = (): void =>
  useApp().take({ number: 2, history: { state: 'ready' }, screenShare: { on: false }, notices: [] } as never)
/** Lets everything happen that waits for no answer and no page. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
/** Loads the pages until none is asked for, the latest first: an earlier one may take longer. */
async function loadAll(): Promise<string[]> {
  const loaded: string[] = []
  await settle()
  for (let next = loading.pop(); next; next = loading.pop()) {
    loaded.push(next.to)
    next.loaded()
    await settle()
  }
  return loaded
}
async function readDrafts(): Promise<void> {
  await settle()
  for (const answer of reading.splice(0)) answer(JSON.stringify({ left: kept }))
}

it.each([
  ['before the drafts are read', true],
  ['after the drafts are read', false]
])('goes back first, then to a link whose page loads %s', async (_when, early) => {
  const router = await lockedAtQueue()
  openings.push(applicant)
  unlock()
  const first = early ? await loadAll() : []
  await readDrafts()
  const then = await loadAll()
  expect(router.currentRoute.value.fullPath).toBe('/applicants/APP-7')
  expect([...first, ...then]).toEqual([kept.path, '/applicants/APP-7'])
  router.back()
  await loadAll()
  expect(router.currentRoute.value.fullPath).toBe(kept.path)
})

it('follows what is asked for while the way back is loading, once it is there', async () => {
  const router = await lockedAtQueue()
  unlock()
  await readDrafts()
  await settle()
  openings.push(applicant)
  tell({ kind: 'opening-asked' })
  expect(await loadAll()).toEqual([kept.path, '/applicants/APP-7'])
  expect(router.currentRoute.value.fullPath).toBe('/applicants/APP-7')
})

it('goes back alone, if a link leads nowhere', async () => {
  const router = await lockedAtQueue()
  openings.push({ what: 'refused' })
  unlock()
  await readDrafts()
  expect(await loadAll()).toEqual([kept.path])
  expect(router.currentRoute.value.fullPath).toBe(kept.path)
  expect(useApp().toast?.tone).toBe('warning')
})
