/** What a batch being created consists of: its rows, how they are read, and how they are to be sent. */
import { computed, ref, shallowRef } from 'vue'
import type { BatchCheck, BatchEncoding, BatchReading } from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { firstOperation, type OperationId } from '#contract/verification/operations.ts'
import type { Step } from './batch-steps.ts'

/** The source of the rows. A dropped file is kept so that it can be read in another encoding if it was refused. */
export type Source =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'pasted' }
  | { readonly kind: 'dropped'; readonly file: File }

/** Rows of an earlier session: which they were, and how they were read. */
export interface KeptRows {
  readonly kind: Source['kind']
  readonly name: string
  readonly sha256: string
  readonly reading: BatchCheck['reading']
  /** Its encoding was a proposal. */
  readonly encodingProposed?: boolean
}
export interface Order {
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

export type DraftState = ReturnType<typeof createDraftState>

export function createDraftState() {
  /** What is sent for each row. */
  const operations = shallowRef<readonly OperationId[]>([firstOperation])
  const source = shallowRef<Source>()
  const check = shallowRef<BatchCheck>()
  /** The requested reading settings until the rows have been read with them; further changes apply to these. */
  const wanted = shallowRef<Omit<BatchReading, 'operations'>>()
  const reading = computed(() => check.value && { ...check.value.reading, ...wanted.value })
  const failure = shallowRef<Failure>()
  /** The source that was refused for a byte that does not match its encoding, and can be read in another one. */
  const unfit = shallowRef<Source>()
  /** Why the batch could not be created. */
  const refused = shallowRef<Failure>()
  const asking = ref(false)
  /** Whether rows are being read, or are to be read once more after that: what is shown is not the last word. */
  const checking = computed(() => asking.value || wanted.value !== undefined)
  /** The column profile that the rows were read with. */
  const usedProfile = ref<string>()
  const order = ref<Order>(freshOrder())
  /** The step that was chosen. */
  const step = ref<Step>('file')
  /** The rows of the last session, until they have been read again. */
  const awaited = shallowRef<KeptRows>()
  /** The encoding, which the user may change; pasted text has none. */
  const encoding = computed<BatchEncoding | undefined>(() =>
    source.value?.kind === 'pasted' ? undefined : check.value?.reading.encoding
  )
  /** Whether a person has to choose the encoding. */
  const choosesEncoding = computed(() => (check.value?.encodings.length ?? 0) > 0)

  function clear(): void {
    asking.value = false
    usedProfile.value = undefined
    check.value = undefined
    wanted.value = undefined
    source.value = undefined
    failure.value = undefined
    unfit.value = undefined
    refused.value = undefined
    awaited.value = undefined
    order.value = freshOrder()
    step.value = 'file'
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
              reading: check.value.reading,
              ...(choosesEncoding.value && { encodingProposed: true })
            }
          : awaited.value
      return rows ? { operations: operations.value, step: step.value, ...order.value, rows } : null
    },
    restore(
      from:
        | (Order & { readonly operations: readonly OperationId[]; readonly step: Step; readonly rows?: KeptRows })
        | null
    ) {
      if (!from || check.value || checking.value || awaited.value) return
      const { operations: of, step: at, rows, ...rest } = from
      operations.value = of
      step.value = at
      order.value = { ...order.value, ...rest }
      awaited.value = rows
    }
  }

  return {
    operations,
    source,
    check,
    wanted,
    reading,
    failure,
    unfit,
    refused,
    asking,
    checking,
    usedProfile,
    order,
    step,
    awaited,
    encoding,
    choosesEncoding,
    clear,
    kept
  }
}
