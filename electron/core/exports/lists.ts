/** The text of exports of the batches and of the message catalogue, as their lists show them. */
import type { CatalogueCursor, CatalogueMessage } from '#contract/applicants/applicants.ts'
import { rowStates } from '#contract/batches/rows.ts'
import type { BatchSummary } from '#contract/batches/batches.ts'
import type { BatchExport, CatalogueExport } from '#contract/data-management/data-management.ts'
import { phraseOf } from '#contract/failures/sentences.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { atOnce, StoreError, textOf, time, type ExportAbout, type ExportText } from './rows.ts'

const batchColumns = [
  'batch_id',
  'name',
  'file',
  'file_sha256',
  'operation',
  'connection',
  'mode',
  'state',
  'reason',
  'created',
  'started',
  'ended',
  'rows',
  ...rowStates.map((state) => state.replaceAll('-', '_')),
  'unresolved',
  'rerun_of'
]
const batchRow = (batch: BatchSummary): string[] => [
  batch.id,
  batch.name,
  batch.fileName,
  batch.sha256,
  batch.operation,
  batch.connection.name,
  batch.connection.mode,
  batch.state,
  batch.reason ? phraseOf(batch.reason) : '',
  time(batch.createdAt),
  time(batch.startedAt),
  time(batch.endedAt),
  String(batch.rows),
  ...rowStates.map((state) => String(batch.counts[state])),
  String(batch.unresolved),
  batch.rerunOf ?? ''
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
  return ok(textOf({ seq, hash }, ids?.length, format, start, batchColumns, batchRow, ids ? chosen(ids) : chunks()))
}

const messageColumns = [
  'message_id',
  'operation',
  'status',
  'message',
  'answers',
  'first',
  'last',
  'meaning',
  'note',
  'version',
  'interpreted_at',
  'interpreted_by'
]
const messageRow = ({
  id,
  operation,
  status,
  message,
  count,
  firstAt,
  lastAt,
  reading
}: CatalogueMessage): string[] => [
  String(id),
  operation,
  String(status),
  message,
  String(count),
  time(firstAt),
  time(lastAt),
  reading?.means ?? '',
  reading?.note ?? '',
  reading ? String(reading.version) : '',
  time(reading?.at),
  reading?.operator ?? ''
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
      const messages = page.value.messages.filter(({ id }) => !seen.has(id) && (!chosen || chosen.has(id)))
      for (const { id } of messages) seen.add(id)
      yield messages
      after = page.value.next
    } while (after)
  }
  const { seq, hash } = head.value
  const start = { format: 'veridesk-catalogue', version: 1, ...about, ...(ids ? { selected: ids.length } : { filter }) }
  return ok(textOf({ seq, hash }, ids?.length, format, start, messageColumns, messageRow, chunks()))
}
