/** The batch that is being made: kept while the person looks elsewhere, gone when it was made or dropped. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { maxBatchText, type BatchCheck, type BatchEncoding, type BatchReading, type BatchSummary } from '#contract/batches.ts'
import type { Failure } from '#contract/failures.ts'
import type { AnswerOf } from '#contract/ipc.ts'
import { operations, type OperationId } from '#contract/operations.ts'
import { ask } from '../bridge.ts'
import { decodeText, tooLarge } from '../lib/batch-text.ts'
import { nameFrom } from '../lib/batch-words.ts'
import { count } from '../lib/text.ts'
import { useApp } from './app.ts'
import { useBatches } from './batches.ts'

/** Where the rows came from. A dropped file is kept to be read in another encoding. */
type Source =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'pasted' }
  | { readonly kind: 'dropped'; readonly file: File; readonly encoding: BatchEncoding }

interface Order {
  name: string
  atOnce: number
  pace: number
  skipDuplicates: boolean
  skipLately: boolean
}
const freshOrder = (): Order => ({ name: '', atOnce: 2, pace: 0, skipDuplicates: true, skipLately: true })

export const useBatchDraft = defineStore('batch-draft', () => {
  const app = useApp()
  const batches = useBatches()
  const operation = ref<OperationId>(operations[0].id)
  const source = shallowRef<Source>()
  const check = shallowRef<BatchCheck>()
  const failure = shallowRef<Failure>()
  /** Why the batch could not be made. */
  const refused = shallowRef<Failure>()
  const checking = ref(false)
  const making = ref(false)
  const order = ref<Order>(freshOrder())
  let question = 0

  /** The encoding as a person may change it; a pasted text has none. */
  const encoding = computed<BatchEncoding | undefined>(() => {
    if (source.value?.kind === 'dropped') return source.value.encoding
    return source.value?.kind === 'chosen' ? check.value?.reading.encoding : undefined
  })
  /** Requests at most; rows answered lately are known once the batch is made. */
  const requests = computed(() => {
    if (!check.value) return 0
    return check.value.good - (order.value.skipDuplicates ? check.value.duplicates : 0)
  })

  type Checked = AnswerOf<'batches.choose'> | AnswerOf<'batches.checkText'>
  /** Runs a check; the latest wins, and what was found before stays in sight until then. */
  async function look(asked: () => Promise<Checked>, from: Source): Promise<void> {
    const mine = ++question
    checking.value = true
    const answer = await asked()
    if (mine !== question) return
    checking.value = false
    failure.value = answer.ok ? undefined : answer.failure
    refused.value = undefined
    if (!answer.ok) {
      app.announce(`${answer.failure.what} ${answer.failure.safe}`)
      return
    }
    if (!answer.value) return
    const found = answer.value
    if (!check.value || order.value.name === '' || order.value.name === nameFrom(check.value.fileName, operation.value))
      order.value.name = nameFrom(found.fileName, operation.value)
    check.value = found
    source.value = from
    app.announce(`${found.fileName}: ${count(found.good)} good, ${count(found.faulty)} faulty, ${count(found.duplicates)} duplicate rows.`)
  }

  const choose = (): Promise<void> =>
    look(() => ask('batches.choose', { reading: { operation: operation.value } }), { kind: 'chosen' })

  async function drop(file: File, as?: BatchEncoding, more: Partial<BatchReading> = {}): Promise<void> {
    // Not read at all where it is too large: the window has no room for gigabytes.
    const bytes = file.size > maxBatchText ? undefined : new Uint8Array(await file.arrayBuffer())
    const decoded = bytes ? decodeText(bytes, as) : tooLarge()
    if (!decoded.ok) return look(() => Promise.resolve(decoded), { kind: 'pasted' })
    const { text, encoding: found } = decoded.value
    const reading = { operation: operation.value, ...more, encoding: 'utf-8' as const }
    return look(() => ask('batches.checkText', { name: file.name, text, reading }), { kind: 'dropped', file, encoding: found })
  }
  const paste = (text: string): Promise<void> => {
    if (text.length > maxBatchText) return look(() => Promise.resolve(tooLarge()), { kind: 'pasted' })
    const reading = { operation: operation.value, encoding: 'utf-8' as const }
    return look(() => ask('batches.checkText', { name: 'Pasted rows', text, reading }), { kind: 'pasted' })
  }
  /** Reads the same rows in another way. What is left out is found anew. */
  async function reread(reading: Omit<BatchReading, 'operation'>): Promise<void> {
    const from = source.value
    const checkId = check.value?.checkId
    if (!from || !checkId) return
    await look(() => ask('batches.recheck', { checkId, reading: { operation: operation.value, ...reading } }), from)
  }
  async function setEncoding(to: BatchEncoding): Promise<void> {
    if (source.value?.kind === 'dropped') await drop(source.value.file, to)
    else await reread({ encoding: to })
  }
  async function setOperation(to: OperationId): Promise<void> {
    operation.value = to
    if (check.value) await reread({ encoding: check.value.reading.encoding, delimiter: check.value.reading.delimiter })
  }
  /** Puts a field on a column; another field that had it is left without one. */
  async function map(field: string, column: number): Promise<void> {
    if (!check.value) return
    const { encoding: as, delimiter, mapping, applicantColumn } = check.value.reading
    const freed = Object.entries(mapping).map(([name, had]) => [name, had === column && column >= 0 ? -1 : had] as const)
    await reread({ encoding: as, delimiter, mapping: { ...Object.fromEntries(freed), [field]: column }, applicantColumn })
  }
  async function link(column: number): Promise<void> {
    if (!check.value) return
    const { encoding: as, delimiter, mapping } = check.value.reading
    await reread({ encoding: as, delimiter, mapping, applicantColumn: column })
  }

  async function make(connectionId: string): Promise<BatchSummary | undefined> {
    if (!check.value || making.value) return undefined
    making.value = true
    const answer = await ask('batches.make', { checkId: check.value.checkId, connectionId, ...order.value })
    making.value = false
    refused.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) {
      app.announce(`${answer.failure.what} ${answer.failure.safe}`)
      return undefined
    }
    clear()
    return batches.take(answer.value)
  }
  function clear(): void {
    question += 1
    checking.value = false
    check.value = undefined
    source.value = undefined
    failure.value = undefined
    refused.value = undefined
    order.value = freshOrder()
  }

  return {
    operation, source, check, failure, refused, checking, making, order, encoding, requests,
    choose, drop, paste, reread, setEncoding, setOperation, map, link, make, clear
  }
})
