/** The window's state of batches: updates from core, and commands. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, watch } from 'vue'
import type {
  AgainKind,
  BatchColumns,
  BatchFile,
  TableFormat,
  BatchListQuery,
  BatchRowsQuery,
  BatchResolution,
  BatchSummary
} from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { Result } from '#contract/failures/result.ts'
import type { TableColumns } from '#contract/history/tables.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { ask } from '../../bridge.ts'
import { ended, toSend } from './batch-counts.ts'
import { onRemoval } from '../../kit/removal.ts'
import type { ColumnStore } from '../../kit/table-state.ts'
import { useApp } from '../shell/app-store.ts'

/** The feature’s words, which no window needs at its start. */
const inWords = () => import('./batch-words.ts')
/** What is said of a change: a new state, or a tenth of the rows. `before`: of the same state. */
async function saidOf(before: BatchSummary | undefined, batch: BatchSummary): Promise<string> {
  if (batch.state === 'made' || (before && batch.state !== 'running')) return ''
  const { progressSpoken, spoken } = await inWords()
  return before ? progressSpoken(before, batch) : spoken(batch)
}

export const useBatches = defineStore('batches', () => {
  const app = useApp()
  /** The latest update of each batch. */
  const known = shallowReactive(new Map<string, BatchSummary>())
  /** Incremented when a batch is added or changes its state; not for counts alone. */
  const version = ref(0)
  const atWork = computed(() => [...known.values()].filter((batch) => batch.state === 'running'))
  const running = computed(() => atWork.value.length)
  /** Per cent of the running batches' rows that have ended. */
  const share = computed(() => {
    const all = atWork.value.reduce((sum, batch) => sum + toSend(batch), 0)
    return all === 0 ? 0 : Math.floor((100 * atWork.value.reduce((sum, batch) => sum + ended(batch), 0)) / all)
  })

  const take = (batch: BatchSummary): BatchSummary => {
    known.set(batch.id, batch)
    return batch
  }
  /** Only changes of state are announced, not progress, so that announcements do not overlap. */
  function onChanged(batch: BatchSummary): void {
    const before = known.get(batch.id)
    take(batch)
    const isSame = before?.state === batch.state && before.ending === batch.ending
    if (!isSame) version.value += 1
    void saidOf(isSame ? before : undefined, batch).then((said) => said !== '' && app.announce(said))
  }

  async function list(query: BatchListQuery): Promise<Result<readonly BatchSummary[], Failure>> {
    const answer = await ask('batches.list', query)
    if (answer.ok) answer.value.forEach(take)
    return answer
  }
  // After a reload, the window learns which batches are running.
  watch(
    () => app.history.state,
    (state) => void (state === 'ready' && list({ limit: 50 })),
    { immediate: true }
  )

  type Change = 'batches.show' | 'batches.pause' | 'batches.cancel'
  async function change(name: Change, id: string): Promise<{ batch?: BatchSummary; failure?: Failure }> {
    const answer = await ask(name, { id })
    return answer.ok ? { batch: take(answer.value) } : { failure: answer.failure }
  }
  /** For a live connection, its name must be passed as the user typed it. */
  async function start(
    id: string,
    person: { confirmation?: string; afterRestore?: true } = {}
  ): Promise<{ batch?: BatchSummary; failure?: Failure }> {
    const answer = await ask('batches.start', { id, ...person })
    return answer.ok ? { batch: take(answer.value) } : { failure: answer.failure }
  }
  /** Without `rows`: every unknown row that is not resolved. */
  async function resolve(id: string, as: BatchResolution, rows?: number[]): Promise<Failure | undefined> {
    const answer = await ask('batches.resolve', { id, as, ...(rows && { rows }) })
    if (!answer.ok) return answer.failure
    take(answer.value)
    return undefined
  }
  async function save(id: string, file: BatchFile, format: TableFormat): Promise<Failure | undefined> {
    const answer = await ask('batches.save', { id, file, format })
    if (!answer.ok) return answer.failure
    if (answer.value) app.showToast(...(await inWords()).savedRows(answer.value))
    return undefined
  }
  async function template(operations: readonly OperationId[], format: TableFormat): Promise<void> {
    const answer = await ask('batches.template', { operations, format })
    if (!answer.ok) app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    else if (answer.value) app.showToast((await inWords()).savedTemplate(answer.value.path))
  }
  /** By the files' headings. Only in memory: headings are the files' own, and the settings are not encrypted. */
  const rowColumns = new Map<string, TableColumns>()
  /** Where the choice of columns is kept for batches whose files have the same headings. */
  function columnsOf(layout: BatchColumns, operations: readonly OperationId[]): ColumnStore {
    const key = JSON.stringify([operations, layout])
    return { saved: rowColumns.get(key), save: (now) => void (now ? rowColumns.set(key, now) : rowColumns.delete(key)) }
  }
  const rows = (query: BatchRowsQuery, visit: string) => ask('batches.rows', { ...query, visit })
  const columns = (id: string) => ask('batches.columns', { id })
  const againCounts = (id: string) => ask('batches.againCounts', { id })
  const messages = (id: string) => ask('batches.messages', { id })
  /** Makes a batch of the rows of one kind that can be sent again. */
  async function again(id: string, kind: AgainKind): Promise<{ batch?: BatchSummary; failure?: Failure }> {
    const answer = await ask('batches.again', { id, kind })
    return answer.ok ? { batch: take(answer.value) } : { failure: answer.failure }
  }

  // Batches have names, and after a restore they may be different ones.
  onRemoval('batches', () => {
    known.clear()
    rowColumns.clear()
    version.value += 1
    if (app.history.state === 'ready') void list({ limit: 50 })
  })

  return {
    known,
    version,
    running,
    share,
    onChanged,
    take,
    list,
    change,
    start,
    resolve,
    save,
    template,
    rows,
    columns,
    columnsOf,
    againCounts,
    messages,
    again
  }
})
