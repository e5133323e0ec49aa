/** Documents that are opened without a click: which are requested, and when. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { useDocuments } from '../../renderer/features/documents/documents-store.ts'

const earlier = Object.getOwnPropertyDescriptor(globalThis, 'window')
/** Records whose document was requested, and how each request is answered. */
let requested: string[]
let answers: (() => void)[]
let stopped: number

beforeEach(() => {
  requested = []
  answers = []
  stopped = 0
  const open = ({ recordId }: { recordId: string }): Promise<unknown> => {
    requested.push(recordId)
    return new Promise((resolve) => answers.push(() => resolve({ ok: false, failure: failure('record-missing') })))
  }
  const veridesk = { 'documents.open': open, 'documents.stop': async () => ({ ok: true, value: (stopped += 1) > 0 }) }
  Object.defineProperty(globalThis, 'window', { configurable: true, value: { veridesk } })
  setActivePinia(createPinia())
})
afterEach(() => {
  if (earlier) Object.defineProperty(globalThis, 'window', earlier)
  else Reflect.deleteProperty(globalThis, 'window')
})

const opened = (names: readonly string[]): (() => void)[] => {
  const documents = useDocuments()
  return names.map((recordId) => documents.open({ recordId, field: 'document_url' }, () => undefined))
}

it('requests two at a time, and the next one after an answer', async () => {
  opened(['a', 'b', 'c', 'd'])
  expect(requested).toEqual(['a', 'b'])
  answers[0]?.()
  await expect.poll(() => requested).toEqual(['a', 'b', 'c'])
})

it('requests none of several that are stopped one after another in the same moment', async () => {
  for (const stop of opened(['a', 'b', 'c', 'd'])) stop()
  await new Promise((resolve) => setImmediate(resolve))
  expect(requested).toEqual(['a', 'b'])
  expect(stopped).toBe(2)
})

it('requests those that wait after others were stopped', async () => {
  const [first] = opened(['a', 'b', 'c'])
  first?.()
  await expect.poll(() => requested).toEqual(['a', 'b', 'c'])
})
