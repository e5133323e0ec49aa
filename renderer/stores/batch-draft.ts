/** The batch that is being made: kept while the person looks elsewhere, gone when it was made or dropped. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { maxBatchText } from '#contract/batch-rows.ts'
import type { ApostropheChoice, BatchCheck, BatchEncoding, RecentDuplicates, BatchReading, BatchSummary } from '#contract/batches.ts'
import type { Failure } from '#contract/failures.ts'
import type { AnswerOf } from '#contract/ipc.ts'
import { operations, type OperationId } from '#contract/operations.ts'
import { whatHappened, whatToDo } from '../lib/failure-text.ts'
import { ask } from '../bridge.ts'
import { decodeText, tooLarge } from '../lib/batch-text.ts'
import { apostropheWords, nameFrom } from '../lib/batch-words.ts'
import { latest } from '../lib/latest.ts'
import { onRemoval } from '../lib/removal.ts'
import { count, plural } from '../lib/text.ts'
import { useApp } from './app.ts'
import { useBatches } from './batches.ts'
import { useConnections } from './connections.ts'

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
  skipRecent: boolean
}
const freshOrder = (): Order => ({ name: '', atOnce: 2, pace: 0, skipDuplicates: true, skipRecent: true })

export const useBatchDraft = defineStore('batch-draft', () => {
  const app = useApp()
  const batches = useBatches()
  const connections = useConnections()
  const operation = ref<OperationId>(operations[0].id)
  const source = shallowRef<Source>()
  const check = shallowRef<BatchCheck>()
  /** How the rows are to be read, until they were: a further change is made to this one. */
  const wanted = shallowRef<Omit<BatchReading, 'operation'>>()
  const reading = computed(() => check.value && { ...check.value.reading, ...wanted.value })
  const failure = shallowRef<Failure>()
  /** What was refused for a byte that does not fit its encoding, and can be read in another one. */
  const unfit = shallowRef<Source>()
  /** Why the batch could not be made. */
  const refused = shallowRef<Failure>()
  const checking = ref(false)
  const making = ref(false)
  const saving = ref(false)
  /** Rows recently answered at the connection that is chosen; undefined while they are not counted. */
  const recentDuplicates = shallowRef<RecentDuplicates>()
  /** Rows that the count has read, while it goes on. */
  const counting = ref<number>()
  const order = ref<Order>(freshOrder())
  let question = 0

  /** The encoding as a person may change it; a pasted text has none. */
  const encoding = computed<BatchEncoding | undefined>(() => {
    if (source.value?.kind === 'dropped') return source.value.encoding
    return source.value?.kind === 'chosen' ? check.value?.reading.encoding : undefined
  })
  /** Rows that go out as they are, before any is left out for an earlier answer. */
  const sendable = computed(() => {
    if (!check.value) return 0
    return check.value.good - (order.value.skipDuplicates ? check.value.duplicates : 0)
  })
  /** Rows of those that were recently answered. */
  const recentlyAnswered = computed(() => recentDuplicates.value && recentDuplicates.value.rows + (order.value.skipDuplicates ? 0 : recentDuplicates.value.duplicates))
  const skipsRecent = computed(() => order.value.skipRecent && app.settings.spendGuardMinutes > 0)
  /** Requests; at most so many where Recently answered rows are not counted. */
  const requests = computed(() => sendable.value - (skipsRecent.value ? (recentlyAnswered.value ?? 0) : 0))
  const atMost = computed(() => skipsRecent.value && recentDuplicates.value === undefined)

  /** Looks for Recently answered rows, anew with each check, connection and length of the guard; the latest wins. */
  watch([check, () => connections.present?.id, () => app.settings.spendGuardMinutes], async ([checked, connectionId, minutes]) => {
    recentDuplicates.value = undefined
    counting.value = undefined
    if (!checked || connectionId === undefined || minutes === 0 || checked.good === 0) return
    counting.value = 0
    const answer = await ask('batches.recentDuplicates', { checkId: checked.checkId, connectionId })
    if (check.value !== checked || connections.present?.id !== connectionId || app.settings.spendGuardMinutes !== minutes) return
    counting.value = undefined
    recentDuplicates.value = answer.ok ? (answer.value ?? undefined) : undefined
  })
  function onCount({ checkId, rows }: { readonly checkId: string; readonly rows: number }): void {
    if (counting.value !== undefined && check.value?.checkId === checkId) counting.value = rows
  }

  type Checked = AnswerOf<'batches.choose'> | AnswerOf<'batches.checkText'>
  /** Runs a check; the latest wins, and what was found before stays in sight until then. */
  async function look(asked: () => Promise<Checked>, from: Source): Promise<void> {
    const mine = ++question
    checking.value = true
    const answer = await asked()
    if (mine !== question) {
      // Core has these rows in the new reading, whatever came of what was asked since.
      if (answer.ok && answer.value && answer.value.checkId === check.value?.checkId) check.value = answer.value
      return
    }
    checking.value = false
    failure.value = answer.ok ? undefined : answer.failure
    refused.value = undefined
    if (!answer.ok) {
      app.announce(whatHappened(answer.failure))
      return
    }
    if (!answer.value) return
    const found = answer.value
    if (!check.value || order.value.name === '' || order.value.name === nameFrom(check.value.fileName, operation.value))
      order.value.name = nameFrom(found.fileName, operation.value)
    check.value = found
    source.value = from
    app.announce(`${found.fileName}: ${count(found.good)} valid, ${count(found.invalid)} invalid, ${count(found.duplicates)} duplicate rows.${apostropheWords(found)}`)
  }

  async function anew(asked: () => Promise<Checked>, from: Source): Promise<void> {
    wanted.value = undefined
    await look(asked, from)
    unfit.value = failure.value?.code === 'batch-file-encoding' && from.kind !== 'pasted' ? from : undefined
  }
  const choose = (as?: BatchEncoding): Promise<void> =>
    anew(() => ask('batches.choose', { reading: { operation: operation.value, ...(as && { encoding: as }) } }), { kind: 'chosen' })

  async function drop(file: File, as?: BatchEncoding, more: Partial<BatchReading> = {}): Promise<void> {
    // Not read at all where it is too large: the window has no room for gigabytes.
    const bytes = file.size > maxBatchText ? undefined : new Uint8Array(await file.arrayBuffer())
    const decoded = bytes ? decodeText(bytes, as) : tooLarge()
    if (!decoded.ok) return anew(() => Promise.resolve(decoded), { kind: 'dropped', file, encoding: as ?? 'utf-8' })
    const { text, encoding: found } = decoded.value
    const asUtf8 = { operation: operation.value, ...more, encoding: 'utf-8' as const }
    return anew(() => ask('batches.checkText', { name: file.name, text, reading: asUtf8 }), { kind: 'dropped', file, encoding: found })
  }
  const paste = (text: string): Promise<void> => {
    if (text.length > maxBatchText) return anew(() => Promise.resolve(tooLarge()), { kind: 'pasted' })
    const asUtf8 = { operation: operation.value, encoding: 'utf-8' as const }
    return anew(() => ask('batches.checkText', { name: 'Pasted rows', text, reading: asUtf8 }), { kind: 'pasted' })
  }
  /** One at a time: core keeps what it has read last, and that must be what is shown here. */
  const recheck = latest<void>(async () => {
    const as = wanted.value
    const from = source.value
    const checkId = check.value?.checkId
    if (!as || !from || !checkId) return
    await look(() => ask('batches.recheck', { checkId, reading: { operation: operation.value, ...as } }), from)
    if (wanted.value === as) wanted.value = undefined
  })
  /** Reads the same rows in another way. What is left out is found anew. */
  function reread(as: Omit<BatchReading, 'operation'>): void {
    wanted.value = as
    recheck()
  }
  function setEncoding(to: BatchEncoding): void {
    const apostrophes = reading.value?.apostrophes
    if (source.value?.kind === 'dropped') void drop(source.value.file, to, { apostrophes })
    else reread({ encoding: to, apostrophes })
  }
  /** Reads what was refused in another encoding; a chosen file is chosen again, since the window holds no path. */
  function readAs(to: BatchEncoding): void {
    if (unfit.value?.kind === 'dropped') void drop(unfit.value.file, to)
    else void choose(to)
  }
  function setOperation(to: OperationId): void {
    operation.value = to
    if (!reading.value) return
    const { encoding: as, delimiter, apostrophes } = reading.value
    reread({ encoding: as, delimiter, apostrophes })
  }
  /** The rows read once more with a part of the reading changed. While another operation's rows are found, its fields are not known. */
  function change(part: Partial<Omit<BatchReading, 'operation'>>): void {
    if (reading.value?.operation !== operation.value) return
    const { encoding: as, delimiter, mapping, applicantColumn, apostrophes } = reading.value
    reread({ encoding: as, delimiter, mapping, applicantColumn, apostrophes, ...part })
  }
  /** Puts a field on a column; another field that had it is left without one. */
  function map(field: string, column: number): void {
    const freed = Object.entries(reading.value?.mapping ?? {}).map(([name, had]) => [name, had === column && column >= 0 ? -1 : had] as const)
    change({ mapping: { ...Object.fromEntries(freed), [field]: column } })
  }
  const link = (column: number): void => change({ applicantColumn: column })
  const setApostrophes = (apostrophes: ApostropheChoice): void => change({ apostrophes })

  async function make(connectionId: string): Promise<BatchSummary | undefined> {
    if (!check.value || making.value) return undefined
    making.value = true
    const answer = await ask('batches.create', { checkId: check.value.checkId, connectionId, ...order.value })
    making.value = false
    refused.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) {
      app.announce(whatHappened(answer.failure))
      return undefined
    }
    clear()
    return batches.take(answer.value)
  }
  /** Saves the invalid rows, each with its faults, to be fixed and read again. */
  async function saveInvalid(): Promise<void> {
    if (!check.value || saving.value) return
    saving.value = true
    const answer = await ask('batches.saveInvalid', { checkId: check.value.checkId })
    saving.value = false
    if (!answer.ok) app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    else if (answer.value) app.showToast(`${plural(answer.value.rows, 'invalid row')} saved as ${answer.value.path}`)
  }
  function clear(): void {
    question += 1
    checking.value = false
    check.value = undefined
    wanted.value = undefined
    source.value = undefined
    failure.value = undefined
    unfit.value = undefined
    refused.value = undefined
    order.value = freshOrder()
  }

  onRemoval('batch-draft', () => {
    clear()
    recentDuplicates.value = undefined
    counting.value = undefined
  })

  return {
    operation, source, check, reading, failure, unfit, refused, checking, making, saving, order, encoding, requests, atMost, recentlyAnswered, counting, onCount, saveInvalid,
    choose, drop, paste, reread, setEncoding, readAs, setOperation, setApostrophes, map, link, make, clear
  }
})
