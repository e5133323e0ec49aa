/** The text of exports of the batches and of the message catalogue, as their lists show them. */
import type { CatalogueCursor, CatalogueMessage } from '#contract/applicants/applicants.ts'
import { rowStates } from '#contract/batches/rows.ts'
import type { BatchSummary } from '#contract/batches/batches.ts'
import type { BatchExport, CatalogueExport } from '#contract/data-management/data-management.ts'
import { phraseOf } from '#contract/failures/sentences.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { timed, type Column } from '#core/csv/columns.ts'
import { StoreError } from '#core/files/store-error.ts'
import { atOnce, textOf, type ExportAbout, type ExportText } from './rows.ts'

const batchColumns: readonly Column<BatchSummary>[] = [
  ['batch_id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['file', ({ fileName }) => fileName],
  ['file_sha256', ({ sha256 }) => sha256],
  ['operations', ({ operations }) => operations.join(' ')],
  ['connection', ({ connection }) => connection.name],
  ['mode', ({ connection }) => connection.mode],
  ['state', ({ state }) => state],
  ['reason', ({ reason }) => reason && phraseOf(reason)],
  timed('created', ({ createdAt }) => createdAt),
  timed('started', ({ startedAt }) => startedAt),
  timed('ended', ({ endedAt }) => endedAt),
  ['rows', ({ rows }) => rows],
  ...rowStates.map((state): Column<BatchSummary> => [state.replaceAll('-', '_'), ({ counts }) => counts[state]]),
  ['unresolved', ({ unresolved }) => unresolved],
  ['rerun_of', ({ rerunOf }) => rerunOf]
]

/** The batches of a search, newest first, or the selected ones as they were selected. */
export async function batchesText(
  store: HistoryStore,
  { search, ids, format }: BatchExport,
  about: ExportAbout
): Promise<Result<ExportText, Failure>> {
  const head = await store.audit.head()
  if (!head.ok) return head
  async function* chosen(some: readonly string[]): AsyncGenerator<readonly BatchSummary[]> {
    for (const id of new Set(some)) {
      const shown = await store.batches.show(id)
      if (!shown.ok) throw new StoreError(shown.failure)
      yield [shown.value]
    }
  }
  async function* chunks(): AsyncGenerator<readonly BatchSummary[]> {
    let after: string | undefined
    do {
      const page = await store.batches.list({ limit: atOnce, ...(search && { search }), ...(after && { after }) })
      if (!page.ok) throw new StoreError(page.failure)
      yield page.value
      after = page.value.length === atOnce ? page.value.at(-1)?.id : undefined
    } while (after)
  }
  const { seq, hash } = head.value
  const start = {
    format: 'veridesk-batches',
    version: 1,
    ...about,
    ...(ids ? { selected: ids.length } : search && { search })
  }
  return ok(textOf({ seq, hash }, ids?.length, format, start, batchColumns, ids ? chosen(ids) : chunks()))
}

const messageColumns: readonly Column<CatalogueMessage>[] = [
  ['message_id', ({ id }) => id],
  ['operation', ({ operation }) => operation],
  ['status', ({ status }) => status],
  ['message', ({ message }) => message],
  ['answers', ({ count }) => count],
  timed('first', ({ firstAt }) => firstAt),
  timed('last', ({ lastAt }) => lastAt),
  ['meaning', ({ reading }) => reading?.means],
  ['note', ({ reading }) => reading?.note],
  ['version', ({ reading }) => reading?.version],
  timed('interpreted_at', ({ reading }) => reading?.at),
  ['interpreted_by', ({ reading }) => reading?.operator]
]

/** The messages of a filter, or the selected ones, latest first. */
export async function catalogueText(
  store: HistoryStore,
  { filter, ids, format }: CatalogueExport,
  about: ExportAbout
): Promise<Result<ExportText, Failure>> {
  const head = await store.audit.head()
  if (!head.ok) return head
  const chosen = ids && new Set(ids)
  async function* chunks(): AsyncGenerator<readonly CatalogueMessage[]> {
    // An answer during the export moves its message to the front; each is written once.
    const seen = new Set<number>()
    let after: CatalogueCursor | undefined
    do {
      const page = await store.catalogue.page({ ...filter, limit: atOnce, ...(after && { after }) })
      if (!page.ok) throw new StoreError(page.failure)
      const messages = page.value.messages
        .flatMap((row): readonly CatalogueMessage[] => row.parts ?? [row])
        .filter(({ id }) => !seen.has(id) && (!chosen || chosen.has(id)))
      for (const { id } of messages) seen.add(id)
      yield messages
      after = page.value.next
    } while (after)
  }
  const { seq, hash } = head.value
  const start = { format: 'veridesk-catalogue', version: 1, ...about, ...(ids ? { selected: ids.length } : { filter }) }
  return ok(textOf({ seq, hash }, ids?.length, format, start, messageColumns, chunks()))
}
