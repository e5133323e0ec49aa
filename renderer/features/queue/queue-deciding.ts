/** What the queue shows after a decision: the next case, or the next one of a sample of many decisions. */
import { nextTick } from 'vue'
import { useDecideMany } from '../applicants/decide-many-store.ts'
import { useApp } from '../shell/app-store.ts'
import { keyOfItem } from './queue-address.ts'
import type { QueueList } from './queue-list.ts'
import { nextWords } from './queue-words.ts'
import { words } from './words.ts'

interface Deciding {
  readonly list: QueueList
  /** The key of the open item. */
  readonly opened: () => string | undefined
  readonly go: (key: string) => Promise<void>
  /** Closes the open item; the focus goes to the list. */
  readonly close: () => Promise<void>
  /** The same, and the focus stays. */
  readonly shut: () => Promise<void>
  /** Its row is scrolled into view. */
  readonly focusCase: () => void
  readonly focusList: () => void
}

export function useQueueDeciding({ list, opened, go, close, shut, focusCase, focusList }: Deciding) {
  const app = useApp()
  const many = useDecideMany()
  /** Decided in this visit, to correct a mistake. */
  const decided: string[] = []

  async function review(applicantId: string): Promise<void> {
    await go(`a:${applicantId}`)
    await nextTick()
    focusCase()
  }
  /** The next one of the sample; the list again, once its review has ended or stopped. */
  async function reviewNext(): Promise<void> {
    const [next] = many.otherwise.length > 0 && many.running?.share !== 100 ? [] : many.open
    if (next === undefined) return shut()
    await review(next)
    app.announce(words.sampleAtOf({ at: many.reviewed.size + 1, size: many.running?.sample.length ?? 0 }))
  }
  async function begun(first: string | undefined): Promise<void> {
    if (first !== undefined) return review(first)
    await list.refresh()
    focusList()
  }
  async function onDecided(): Promise<void> {
    const done = opened()
    if (done === undefined) return
    decided.push(done)
    if (many.running) {
      await reviewNext()
      return void list.next(done)
    }
    const next = await list.next(done)
    if (!next) return close()
    await go(keyOfItem(next))
    focusCase()
    app.announce(nextWords(next))
  }
  function reopen(): void {
    const last = decided.at(-1)
    if (last === undefined) app.showToast(words.nothingHasBeenDecidedSince)
    else void go(last)
  }
  return { many, review, begun, onDecided, reopen }
}
