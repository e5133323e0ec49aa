/** Documents that are fetched, a few at a time. */
import { defineStore } from 'pinia'
import type { DocumentSource } from '#contract/documents/channels.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ask } from '../../bridge.ts'
import { loadedOf, type LoadedDocument } from './document-view.ts'
import { onRemoval } from '../../kit/removal.ts'

/** Documents requested at the same time. Each may have 20 MiB. */
const atOnce = 2

interface Order {
  readonly opening: string
  readonly source: DocumentSource
  readonly take: (answer: Result<LoadedDocument, Failure>) => void
}

export const useDocuments = defineStore('documents', () => {
  const waiting: Order[] = []
  const running = new Set<Order>()

  async function run(order: Order): Promise<void> {
    running.add(order)
    const answer = await ask('documents.open', { ...order.source, opening: order.opening })
    // It was stopped meanwhile.
    if (!running.delete(order)) return
    order.take(answer.ok ? ok(loadedOf(answer.value)) : answer)
    next()
  }
  function next(): void {
    while (running.size < atOnce) {
      const order = waiting.shift()
      if (!order) return
      void run(order)
    }
  }

  /** Opens a document as soon as it is its turn. Returns what stops it. */
  function open(source: DocumentSource, take: Order['take']): () => void {
    const order = { opening: crypto.randomUUID(), source, take }
    waiting.push(order)
    next()
    return () => {
      const place = waiting.indexOf(order)
      if (place >= 0) waiting.splice(place, 1)
      if (!running.delete(order)) return
      void ask('documents.stop', { opening: order.opening })
      // Documents that disappear together are stopped one after another: none of them may be requested in between.
      queueMicrotask(next)
    }
  }
  onRemoval('documents', () => void (waiting.length = 0))
  return { open }
})
