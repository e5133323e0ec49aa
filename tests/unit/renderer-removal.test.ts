/** No personal data survives in the window: every store that could hold it clears itself, every view is recreated. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPinia, setActivePinia, type StoreGeneric } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isReactive } from 'vue'
import { channelNames, takenLate } from '#contract/ipc/channel-names.ts'
import { ask } from '../../renderer/bridge.ts'
import { emptied, removeData } from '../../renderer/kit/removal.ts'

const renderer = join(import.meta.dirname, '../../renderer')
const storeFiles = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /-store\.ts$/.test(name)
)
const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|vue)$/.test(name))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(renderer, name), 'utf8') }))

/** Stores that clear nothing, and why. */
const exemptStores: Readonly<Record<string, string>> = {
  administration:
    'what in administration needs the person: a number of connections, the age of a backup; no word of a person',
  connections: 'addresses of services and which credentials are set; no word of a person',
  recovery: 'whether there is a recovery key and when a copy was confirmed; no word of a person'
}
/** State that is kept in a store which clears the rest, and why. */
const exemptState: Readonly<Record<string, string>> = {
  'app.state': 'settings, the version and what is open; saved views are settings and hold what their owner named',
  'app.failure': 'a sentence of the failure table',
  'app.dismissed': 'sentences of the failure table',
  'batch-draft.operations': 'operations in their order',
  'palette.place': 'a page and a heading of the guide',
  'check.ticked': 'operations of a recipe, which is a setting'
}
/** State outside stores and components, and why it may be kept. */
const exemptModules: Readonly<Record<string, string>> = {
  'kit/failure-text.ts open': 'names of details, which are constants',
  'kit/hidden-areas.ts heights': 'weak: heights of fields in pixels',
  'kit/hidden-fields.ts isWatching': 'whether the page is watched',
  'kit/hidden-fields.ts observer': 'what looks for new fields, without their texts',
  'kit/screen-share.ts on': 'whether the mode is on',
  'kit/screen-share.ts blocks': 'by the element of a block, and gone with it',
  'kit/screen-share.ts values': 'weak: getters of elements that are drawn, and gone with them',
  'kit/screen-share.ts persons': 'cleared with the stores and at the end of the mode',
  'kit/screen-share.ts current': 'the one value that is shown: the app store conceals it',
  'kit/formats.ts current': 'the locale and the time zone',
  'kit/text-width.ts canvas': 'measures texts and keeps none',
  'kit/letter-keys.ts letterKeysOn': 'whether letter keys are on',
  'kit/context-commands.ts shown': 'getters of views that are drawn, and gone with them',
  'features/palette/ranking.ts results': 'names of groups',
  'features/shell/recent-places.ts kept': 'cleared with the stores',
  'features/shell/recent-places.ts pages': 'names of pages',
  'features/check/check-progress.ts progressed': 'the random ID of a check',
  'features/documents/pdf/document-worker.ts missing': 'counts parts of a document that could not be decoded',
  'kit/longest-texts.ts arrivals': 'counts fonts',
  'kit/middle.ts listeners': 'elements, for as long as they are drawn',
  'kit/middle.ts sizes': 'elements, for as long as they are drawn',
  'features/shell/places.ts wanted': 'the name of a setting or of a section',
  'features/settings/setting.ts turns': 'settings that are being saved',
  'kit/later-sentences.ts hasLaterSentences': 'whether sentences of the failure table are loaded',
  'kit/later-sentences.ts loading': 'the same, while they load',
  'kit/removal.ts current': 'counts removals',
  'kit/removal.ts registered': 'functions that empty stores',
  'features/documents/pdf/document-worker.ts drawing': 'in a worker, which ends with its frame',
  'features/documents/pdf/document-worker.ts opened': 'in a worker, which ends with its frame',
  'features/documents/pdf/document-worker.ts steps': 'in a worker, which ends with its frame'
}

const canary = 'CANARY'
/** The same value with the canary wherever it can contain text; undefined if it cannot. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return canary
  if (value === undefined || value === null) return { canary }
  if (Array.isArray(value)) return [{ canary }]
  if (typeof value === 'object' && Object.keys(value).length === 0) return { canary }
  if (typeof value !== 'object') return undefined
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner) ?? inner]))
}
const holds = (value: unknown): boolean => {
  if (value instanceof Map) return holds([...value])
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, inner]) => key === 'canary' || holds(inner))
  return value === canary
}

describe('when personal data is removed', () => {
  let answers: ((answer: unknown) => void)[]
  const earlier = Object.getOwnPropertyDescriptor(globalThis, 'window')
  beforeEach(() => {
    vi.useFakeTimers()
    answers = []
    const asked = (): Promise<unknown> => new Promise((resolve) => answers.push(resolve))
    const veridesk = Object.fromEntries(channelNames.map((name) => [name, asked]))
    Object.defineProperty(globalThis, 'window', {
      configurable: true,
      value: { veridesk: { ...veridesk, onEvent: () => () => undefined } }
    })
    setActivePinia(createPinia())
  })
  afterEach(() => {
    vi.useRealTimers()
    if (earlier) Object.defineProperty(globalThis, 'window', earlier)
    else Reflect.deleteProperty(globalThis, 'window')
  })
  const stores = async (): Promise<StoreGeneric[]> => {
    const found: StoreGeneric[] = []
    for (const file of storeFiles) {
      const module = (await import(/* @vite-ignore */ join(renderer, file))) as Record<string, unknown>
      for (const [name, made] of Object.entries(module))
        if (name.startsWith('use')) found.push((made as () => StoreGeneric)())
    }
    return found
  }

  it('every store has registered what it clears, or is exempt by name', async () => {
    const ids = (await stores()).map(({ $id }) => $id)
    expect(ids).toHaveLength(storeFiles.length)
    expect(ids.filter((id) => !emptied().has(id)).sort()).toEqual(Object.keys(exemptStores).sort())
  })

  it('no state of a registered store keeps its content', async () => {
    const all = (await stores()).filter(({ $id }) => !(($id as string) in exemptStores))
    const kept: string[] = []
    for (const store of all) {
      for (const key of Object.keys(store.$state as object)) {
        if (`${store.$id}.${key}` in exemptState) continue
        const before = store[key] as unknown
        if (before instanceof Map) before.set(canary, { canary })
        else if (isReactive(before)) Object.assign(before as object, marked(before))
        else if (marked(before) !== undefined) store[key] = marked(before)
      }
    }
    removeData()
    for (const store of all)
      for (const key of Object.keys(store.$state as object)) if (holds(store[key])) kept.push(`${store.$id}.${key}`)
    expect(kept.filter((name) => !(name in exemptState))).toEqual([])
  })

  it('no view is kept alive, the whole frame has the key that draws it anew, and no module keeps state beside the stores', () => {
    expect(sources.filter(({ text }) => /keep-?alive/i.test(text)).map(({ name }) => name)).toEqual([])
    expect(sources.find(({ name }) => name === 'App.vue')?.text).toMatch(
      /<TooltipProvider[^>]*>\s*(<!--.*?-->\s*)?<div\s+:key="generation"\s+class="shell/s
    )
    const state = sources
      .filter(({ name }) => name.endsWith('.ts'))
      .flatMap(({ name, text }) =>
        Array.from(
          text.matchAll(
            /^(?:export )?(?:const (\w+)(?:: [^=]+)? = (?:ref|shallowRef|reactive|shallowReactive|new (?:Map|Set|WeakMap))\b|let (\w+))/gm
          ),
          (match) => `${name} ${match[1] ?? match[2]}`
        )
      )
    const constants = state.filter((each) => !(each in exemptModules))
    expect(constants, 'name it in exemptModules with a reason, or keep it in a store').toEqual([])
  })

  it('an answer to what was asked before is dropped where it may hold a person, and only there', async () => {
    const [personal, plain] = [ask('applicants.list', { limit: 1 }), ask('connections.list')]
    removeData()
    for (const answer of answers) answer({ ok: true, value: canary })
    expect(await personal).toMatchObject({ ok: false, failure: { code: 'answer-outdated' } })
    expect(await plain).toEqual({ ok: true, value: canary })
    const after = ask('applicants.list', { limit: 1 })
    answers.at(-1)?.({ ok: true, value: canary })
    expect(await after).toEqual({ ok: true, value: canary })
  })

  it('each channel whose answer may hold a person is dropped', () => {
    expect(
      takenLate.filter((name) =>
        /^(history\.(page|counts|record|resolve)|batches\.(list|show|rows)|applicants|decisions|queue|catalogue|audit|cases)/.test(
          name
        )
      )
    ).toEqual([])
  })
})
