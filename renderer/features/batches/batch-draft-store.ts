/** The batch being created: kept while the user is on other pages, dropped when it is created or discarded. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { maxBatchText } from '#contract/batches/rows.ts'
import type {
  ApostropheChoice,
  BatchCheck,
  BatchEncoding,
  RecentDuplicates,
  BatchReading,
  BatchSummary
} from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { AnswerOf } from '#contract/ipc/ipc.ts'
import { firstOperation, operationOf, type OperationId } from '#contract/verification/operations.ts'
import { whatHappened, whatToDo } from '../../kit/failure-text.ts'
import { ask } from '../../bridge.ts'
import { decodeText, tooLarge } from './batch-text.ts'
import { apostropheWords, nameFrom } from './batch-words.ts'
import { latest } from '../../kit/latest.ts'
import { onRemoval } from '../../kit/removal.ts'
import { count } from '../../kit/text.ts'
import { useApp } from '../shell/app-store.ts'
import { useBatches } from './batches-store.ts'
import { useConnections } from '../connections/connections-store.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { words } from './words.ts'

/** The source of the rows. A dropped file is kept so that it can be read in another encoding. */
type Source =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'pasted' }
  | { readonly kind: 'dropped'; readonly file: File; readonly encoding: BatchEncoding }

/** Rows of an earlier session: which they were, and how they were read. */
export interface KeptRows {
  readonly kind: Source['kind']
  readonly name: string
  readonly sha256: string
  readonly reading: Required<BatchReading>
}
const settingsOf = ({
  encoding,
  delimiter,
  mapping,
  applicantColumn,
  apostrophes
}: Required<BatchReading>): Omit<BatchReading, 'operation'> => ({
  encoding,
  delimiter,
  mapping,
  applicantColumn,
  apostrophes
})

interface Order {
  name: string
  atOnce: number
  pace: number
  skipDuplicates: boolean
  skipRecent: boolean
  skipFound: boolean
}
const freshOrder = (): Order => ({
  name: '',
  atOnce: 2,
  pace: 0,
  skipDuplicates: true,
  skipRecent: true,
  skipFound: false
})

export const useBatchDraft = defineStore('batch-draft', () => {
  const app = useApp()
  const batches = useBatches()
  const connections = useConnections()
  const operation = ref<OperationId>(firstOperation)
  const source = shallowRef<Source>()
  const check = shallowRef<BatchCheck>()
  /** The requested reading settings until the rows have been read with them; further changes apply to these. */
  const wanted = shallowRef<Omit<BatchReading, 'operation'>>()
  const reading = computed(() => check.value && { ...check.value.reading, ...wanted.value })
  const failure = shallowRef<Failure>()
  /** The source that was refused for a byte that does not match its encoding, and can be read in another one. */
  const unfit = shallowRef<Source>()
  /** Why the batch could not be created. */
  const refused = shallowRef<Failure>()
  const checking = ref(false)
  const making = ref(false)
  const saving = ref(false)
  /** Rows recently answered at the chosen connection; undefined while they have not been counted. */
  const recentDuplicates = shallowRef<RecentDuplicates>()
  /** Rows read by the count so far, while it runs. */
  const counting = ref<number>()
  const order = ref<Order>(freshOrder())
  let question = 0
  /** The rows of the last session, until they have been read again. */
  const awaited = shallowRef<KeptRows>()
  let resumed = false

  /** The encoding, which the user may change; pasted text has none. */
  const encoding = computed<BatchEncoding | undefined>(() => {
    if (source.value?.kind === 'dropped') return source.value.encoding
    return source.value?.kind === 'chosen' ? check.value?.reading.encoding : undefined
  })
  /** Rows to send, before any is skipped because of an earlier answer. */
  const sendable = computed(() => {
    if (!check.value) return 0
    return check.value.good - (order.value.skipDuplicates ? check.value.duplicates : 0)
  })
  /** The number of those rows that were recently answered. */
  const recentlyAnswered = computed(
    () =>
      recentDuplicates.value &&
      recentDuplicates.value.rows + (order.value.skipDuplicates ? 0 : recentDuplicates.value.duplicates)
  )
  const skipsRecent = computed(() => order.value.skipRecent && app.settings.spendGuardMinutes > 0)
  /** Requests; an upper limit while recently answered rows are not counted. */
  const requests = computed(() => sendable.value - Math.max(skippedRecent.value, leftOut.value))
  const skippedRecent = computed(() => (skipsRecent.value ? (recentlyAnswered.value ?? 0) : 0))
  /** Rows in whose links a check found something, and how many of them are left out. */
  const found = ref(0)
  const setFound = (rows: number): void => void (found.value = rows)
  const leftOut = computed(() => (order.value.skipFound ? found.value : 0))
  // The same row may be left out for both reasons.
  const atMost = computed(
    () => (skipsRecent.value && recentDuplicates.value === undefined) || (skippedRecent.value > 0 && leftOut.value > 0)
  )

  /**
   * Counts recently answered rows after each validation and each change of connection or guard period; the latest wins.
   */
  watch(
    [check, () => connections.current?.id, () => app.settings.spendGuardMinutes],
    async ([checked, connectionId, minutes]) => {
      recentDuplicates.value = undefined
      counting.value = undefined
      if (!checked || connectionId === undefined || minutes === 0 || checked.good === 0) return
      counting.value = 0
      const answer = await ask('batches.recentDuplicates', { checkId: checked.checkId, connectionId })
      if (
        check.value !== checked ||
        connections.current?.id !== connectionId ||
        app.settings.spendGuardMinutes !== minutes
      )
        return
      counting.value = undefined
      recentDuplicates.value = answer.ok ? (answer.value ?? undefined) : undefined
    }
  )
  function onCount({ checkId, rows }: { readonly checkId: string; readonly rows: number }): void {
    if (counting.value !== undefined && check.value?.checkId === checkId) counting.value = rows
  }

  type Checked = AnswerOf<'batches.choose'> | AnswerOf<'batches.checkText'>
  /** Validates a file; the latest request wins, and the previous result is shown until then. */
  async function look(asked: () => Promise<Checked>, from: Source): Promise<void> {
    const mine = ++question
    checking.value = true
    const answer = await asked()
    if (mine !== question) {
      // Core has these rows with the new settings, even if another request has been made since.
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
    if (
      order.value.name === '' ||
      (check.value && order.value.name === nameFrom(check.value.fileName, operation.value))
    )
      order.value.name = nameFrom(found.fileName, operation.value)
    check.value = found
    source.value = from
    const before = awaited.value
    awaited.value = undefined
    // The same rows were chosen or pasted again: they are read as they were.
    if (before && before.sha256 === found.sha256 && JSON.stringify(before.reading) !== JSON.stringify(found.reading)) {
      operation.value = before.reading.operation
      reread(settingsOf(before.reading))
    }
    const missing = operationOf(found.reading.operation).fields.filter(
      ({ name }) => (found.reading.mapping[name] ?? -1) < 0
    )
    if (missing.length > 0)
      app.announce(
        words.filenameNoColumnIsMapped({
          fileName: shownLine(found.fileName),
          map: missing.map(({ label }) => label).join(' and ')
        })
      )
    else
      app.announce(
        [
          words.filenameGoodValidInvalidInvalid({
            fileName: shownLine(found.fileName),
            good: count(found.good),
            invalid: count(found.invalid),
            duplicates: count(found.duplicates)
          }),
          apostropheWords(found)
        ]
          .join(' ')
          .trim()
      )
  }

  async function anew(asked: () => Promise<Checked>, from: Source): Promise<void> {
    wanted.value = undefined
    await look(asked, from)
    unfit.value = failure.value?.code === 'batch-file-encoding' && from.kind !== 'pasted' ? from : undefined
  }
  /** Reads the file of the last session again, if it is still the same. */
  async function resume(): Promise<void> {
    const from = awaited.value
    if (!from || check.value || checking.value || from.kind !== 'chosen' || resumed) return
    resumed = true
    const { sha256, reading: as } = from
    await anew(() => ask('batches.reopen', { sha256, reading: as }), { kind: 'chosen' })
  }
  const choose = (as?: BatchEncoding): Promise<void> =>
    anew(() => ask('batches.choose', { reading: { operation: operation.value, ...(as && { encoding: as }) } }), {
      kind: 'chosen'
    })

  async function drop(file: File, as?: BatchEncoding, more: Partial<BatchReading> = {}): Promise<void> {
    // A file that is too large is not read at all: it would not fit into the window's memory.
    const bytes = file.size > maxBatchText ? undefined : new Uint8Array(await file.arrayBuffer())
    const decoded = bytes ? decodeText(bytes, as) : tooLarge()
    if (!decoded.ok) return anew(() => Promise.resolve(decoded), { kind: 'dropped', file, encoding: as ?? 'utf-8' })
    const { text, encoding: found } = decoded.value
    const asUtf8 = { operation: operation.value, ...more, encoding: 'utf-8' as const }
    return anew(() => ask('batches.checkText', { name: file.name, text, reading: asUtf8 }), {
      kind: 'dropped',
      file,
      encoding: found
    })
  }
  const paste = (text: string): Promise<void> => {
    if (text.length > maxBatchText) return anew(() => Promise.resolve(tooLarge()), { kind: 'pasted' })
    const asUtf8 = { operation: operation.value, encoding: 'utf-8' as const }
    return anew(() => ask('batches.checkText', { name: 'Pasted rows', text, reading: asUtf8 }), { kind: 'pasted' })
  }
  /** One at a time: core keeps what it read last, and the window must show the same. */
  const recheck = latest<void>(async () => {
    const as = wanted.value
    const from = source.value
    const checkId = check.value?.checkId
    if (!as || !from || !checkId) return
    await look(() => ask('batches.recheck', { checkId, reading: { operation: operation.value, ...as } }), from)
    if (wanted.value === as) wanted.value = undefined
  })
  /** Reads the same rows with other settings. Omitted parts are detected again. */
  function reread(as: Omit<BatchReading, 'operation'>): void {
    wanted.value = as
    recheck()
  }
  function setEncoding(to: BatchEncoding): void {
    const apostrophes = reading.value?.apostrophes
    if (source.value?.kind === 'dropped') void drop(source.value.file, to, { apostrophes })
    else reread({ encoding: to, apostrophes })
  }
  /** Reads the refused source in another encoding; a chosen file must be chosen again, since the window has no path. */
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
  /**
   * Reads the rows again with some settings changed. While another operation's rows are being read, its fields are not
   * known.
   */
  function change(part: Partial<Omit<BatchReading, 'operation'>>): void {
    if (reading.value?.operation !== operation.value) return
    const { encoding: as, delimiter, mapping, applicantColumn, apostrophes } = reading.value
    reread({ encoding: as, delimiter, mapping, applicantColumn, apostrophes, ...part })
  }
  /** Maps a field to a column; another field mapped to that column loses it. */
  function map(field: string, column: number): void {
    const freed = Object.entries(reading.value?.mapping ?? {}).map(
      ([name, had]) => [name, had === column && column >= 0 ? -1 : had] as const
    )
    change({ mapping: { ...Object.fromEntries(freed), [field]: column } })
  }
  const link = (column: number): void => change({ applicantColumn: column })
  const setApostrophes = (apostrophes: ApostropheChoice): void => change({ apostrophes })

  async function make(connectionId: string, another = false): Promise<BatchSummary | undefined> {
    if (!check.value || making.value) return undefined
    making.value = true
    const answer = await ask('batches.create', {
      checkId: check.value.checkId,
      connectionId,
      ...order.value,
      ...(another && { another: true })
    })
    making.value = false
    refused.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) {
      app.announce(whatHappened(answer.failure))
      return undefined
    }
    clear()
    return batches.take(answer.value)
  }
  /** Saves the invalid rows with their errors, to be fixed and read again. */
  async function saveInvalid(): Promise<void> {
    if (!check.value || saving.value) return
    saving.value = true
    const answer = await ask('batches.saveInvalid', { checkId: check.value.checkId })
    saving.value = false
    if (!answer.ok) app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    else if (answer.value)
      app.showToast(words.invalidRowsSavedAsPath({ rows: answer.value.rows, path: shownLine(answer.value.path) }))
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
    awaited.value = undefined
    order.value = freshOrder()
  }

  /** The rows stay in their file: what is kept is how they were to be sent, and which file it was. */
  const kept = {
    take: () => {
      const rows: KeptRows | undefined =
        check.value && source.value
          ? {
              kind: source.value.kind,
              name: check.value.fileName,
              sha256: check.value.sha256,
              reading: check.value.reading
            }
          : awaited.value
      return rows ? { operation: operation.value, ...order.value, rows } : null
    },
    restore(from: (Order & { readonly operation: OperationId; readonly rows?: KeptRows }) | null) {
      if (!from || check.value || awaited.value) return
      const { operation: of, rows, ...rest } = from
      operation.value = of
      order.value = { ...order.value, ...rest }
      awaited.value = rows
    }
  }

  onRemoval('batch-draft', () => {
    clear()
    recentDuplicates.value = undefined
    counting.value = undefined
    found.value = 0
  })

  return {
    kept,
    awaited,
    resume,
    operation,
    source,
    check,
    reading,
    failure,
    unfit,
    refused,
    checking,
    making,
    saving,
    order,
    encoding,
    requests,
    atMost,
    setFound,
    recentlyAnswered,
    counting,
    onCount,
    saveInvalid,
    choose,
    drop,
    paste,
    reread,
    setEncoding,
    readAs,
    setOperation,
    setApostrophes,
    map,
    link,
    make,
    clear
  }
})
