/** Documents that are opened without a click: fetched a few at a time, and held for as long as they are shown. */
import { defineStore } from 'pinia'
import type { DocumentSource, RecordDocumentSource } from '#contract/documents/channels.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ask } from '../../bridge.ts'
import { loadedOf, type LoadedDocument } from './document-view.ts'
import { onRemoval } from '../../kit/removal.ts'

/** Documents requested at the same time. Each may have 20 MiB. */
const atOnce = 2

interface Order {
  readonly opening: string
  readonly source: RecordDocumentSource
  readonly take: (answer: Result<LoadedDocument, Failure>) => void
}

export const useDocuments = defineStore('documents', () => {
  const waiting: Order[] = []
  const running = new Set<Order>()
  const held = new Map<string, LoadedDocument>()
  const keyOf = ({ recordId, field }: RecordDocumentSource): string => `${recordId} ${field}`

  async function run(order: Order): Promise<void> {
    running.add(order)
    const answer = await ask('documents.open', { ...order.source, opening: order.opening })
    // It was stopped meanwhile.
    if (!running.delete(order)) return
    const loaded = answer.ok ? ok(loadedOf(answer.value)) : answer
    if (loaded.ok) held.set(keyOf(order.source), loaded.value)
    order.take(loaded)
    next()
  }
  function next(): void {
    while (running.size < atOnce) {
      const order = waiting.shift()
      if (!order) return
      void run(order)
    }
  }

  /** Opens a document as soon as it is its turn. Returns what stops it, or drops the document. */
  function open(source: RecordDocumentSource, take: Order['take']): () => void {
    const order = { opening: crypto.randomUUID(), source, take }
    waiting.push(order)
    next()
    return () => {
      held.delete(keyOf(source))
      const place = waiting.indexOf(order)
      if (place >= 0) waiting.splice(place, 1)
      if (!running.delete(order)) return
      void ask('documents.stop', { opening: order.opening })
      // Documents that disappear together are stopped one after another: none of them may be requested in between.
      queueMicrotask(next)
    }
  }
  /** The document behind a link of a record, if it is shown already. */
  const heldOf = (source: DocumentSource): LoadedDocument | undefined =>
    'recordId' in source ? held.get(keyOf(source)) : undefined

  onRemoval('documents', () => {
    waiting.length = 0
    held.clear()
  })
  return { open, heldOf }
})
