/** Which item follows a decision, also while the list is read again for another reason. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { QueueItem, QueueQuery } from '#contract/applicants/queue.ts'
import { keyOfItem } from '../../renderer/features/queue/queue-address.ts'
import { useQueueList, type QueueList } from '../../renderer/features/queue/queue-list.ts'

const earlier = Object.getOwnPropertyDescriptor(globalThis, 'window')
/** The applicants that wait, in order, and what answers each request with them. */
let waiting: readonly string[]
let answers: (() => void)[]

beforeEach(() => {
  answers = []
  const read = ({ find }: QueueQuery): Promise<unknown> =>
    new Promise((resolve) =>
      answers.push(() => {
        const found = waiting.findIndex((id) => find && 'applicantId' in find && find.applicantId === id)
        const items = waiting.map((id) => ({ kind: 'none', applicant: { id } }))
        resolve({ ok: true, value: { total: items.length, items, facets: undefined, ...(found >= 0 && { found }) } })
      })
    )
  Object.defineProperty(globalThis, 'window', { configurable: true, value: { veridesk: { 'queue.list': read } } })
})
afterEach(() => {
  if (earlier) Object.defineProperty(globalThis, 'window', earlier)
  else Reflect.deleteProperty(globalThis, 'window')
})

const answerAll = (): void => answers.splice(0).forEach((answer) => answer())
async function listOf(ids: readonly string[], open: string): Promise<QueueList> {
  waiting = ids
  const list = useQueueList(() => ({ filter: {}, order: { by: 'due' } }))
  const started = list.start(`a:${open}`)
  answerAll()
  await started
  return list
}
const keyOf = (item: QueueItem | undefined): string | undefined => item && keyOfItem(item)

it('opens the one below, and the last one’s neighbour at the end', async () => {
  const list = await listOf(['A', 'B', 'C'], 'B')
  const after = async (done: string, left: readonly string[]): Promise<string | undefined> => {
    waiting = left
    const next = list.next(`a:${done}`)
    answerAll()
    return keyOf(await next)
  }
  expect(await after('B', ['A', 'C'])).toBe('a:C')
  expect(await after('C', ['A'])).toBe('a:A')
  expect(await after('A', [])).toBeUndefined()
})

it.each([
  ['the item still waits', ['A', 'B', 'C', 'D']],
  ['the item has left', ['A', 'C', 'D']]
])('keeps the next item active if a change is read while it is looked for: %s', async (_case, left) => {
  const list = await listOf(['A', 'B', 'C', 'D'], 'B')
  waiting = left
  const next = list.next('a:B')
  const refreshed = list.refresh()
  answerAll()
  expect(keyOf(await next)).toBe('a:C')
  await refreshed
  expect(keyOf(list.activeItem())).toBe('a:C')
  // And the one after it follows.
  waiting = left.filter((id) => id !== 'C')
  const following = list.next('a:C')
  answerAll()
  expect(keyOf(await following)).toBe('a:D')
})

it('keeps the next item active if the answer to an earlier look comes late', async () => {
  const list = await listOf(['A', 'B', 'C'], 'B')
  const refreshed = list.refresh()
  const next = list.next('a:B')
  answerAll()
  expect(keyOf(await next)).toBe('a:C')
  await refreshed
  expect(keyOf(list.activeItem())).toBe('a:C')
})

it.each([
  ['the item still waits', ['A', 'B', 'C', 'D']],
  ['the item has left, and so has the one before it', ['C', 'D']]
])('keeps the next item active if a second change is read before the first one is: %s', async (_case, left) => {
  const list = await listOf(['A', 'B', 'C', 'D'], 'B')
  waiting = left
  const next = list.next('a:B')
  const first = list.refresh()
  const [answerNext] = answers.splice(0, 1)
  answerNext?.()
  expect(keyOf(await next)).toBe('a:C')
  const second = list.refresh()
  answerAll()
  await Promise.all([first, second])
  expect(keyOf(list.activeItem())).toBe('a:C')
})
