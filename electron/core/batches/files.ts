/** The files of batches: results, rows to correct, templates. */
import {
  tableFormats,
  type BatchFile,
  type BatchSummary,
  type SavedRows,
  type TableFormat
} from '#contract/batches/batches.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { fieldsOfRows, operationsTitle } from '#contract/verification/recipes.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail, NoteDraft } from '#core/audit/audit-trail.ts'
import { safeFileName } from '#core/files/names.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { BatchStore } from '#wire/history/batches.ts'
import type { Policies } from '#core/policies/policies.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { HeldChecks } from './held-checks.ts'
import { invalidText, rowsName } from './invalid-rows.ts'
import type { LinkedCheck } from './links.ts'
import { inBatches, type Answer, type HistoryParts } from './open-history.ts'
import { resultsName, ResultsError, resultsText, templateText, templateWorkbook, type ResultsText } from './results.ts'
import type { LocatedBatch, TeamOfBatches } from './shared/ports.ts'

export interface FileParts extends HistoryParts {
  readonly host: Pick<HostPorts, 'chooseSavePath'>
  readonly files: Pick<ChosenFiles, 'write'>
  /** May refuse files with personal data, also those that a host names. */
  readonly policies?: Pick<Policies, 'exportRefusal'>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly team?: Pick<TeamOfBatches, 'locate' | 'results'>
}

export interface BatchFiles {
  /** The rows with findings of a check of links. `format`: what is suggested, by default as the file; the chosen path decides. */
  saveLinks(checkId: string, format?: TableFormat): Answer<SavedRows | null>
  saveInvalid(checkId: string, format?: TableFormat): Answer<SavedRows | null>
  /** Like `saveInvalid`, to a path that the host names. */
  saveInvalidTo(checkId: string, path: string): Answer<SavedRows>
  save(id: string, file: BatchFile, format?: TableFormat): Answer<SavedRows | null>
  /** Like `save`, to a path that the host names; its extension says the format, unless that is given. */
  saveTo(id: string, file: BatchFile, path: string, format?: TableFormat): Answer<SavedRows>
  template(operations: readonly OperationId[], format?: TableFormat): Answer<{ readonly path: string } | null>
}

/** The format of a table at a path. */
const formatOf = (path: string): TableFormat => (/\.xlsx$/i.test(path) ? 'xlsx' : 'csv')

/** Writes a text to a path that the user chose, atomically. */
async function writeText(
  files: Pick<ChosenFiles, 'write'>,
  path: string,
  text: string | AsyncIterable<string | Uint8Array>
): Answer<null> {
  let why: Failure | undefined
  // The file writer treats every error as a disk error, so an error of the text's source is kept separately.
  async function* watched(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
    try {
      yield* pieces
    } catch (error) {
      why = error instanceof ResultsError ? error.failure : failure('internal', { reason: 'rows-unreadable' })
      throw error
    }
  }
  const written = await files.write(path, typeof text === 'string' ? text : watched(text), 'batch-results-unwritable')
  return why ? fail(why) : written
}

/** Writes rows, unless a policy forbids it. Also for a path that a host names: the router has not seen that. */
async function writeRows(
  { files, policies }: Pick<FileParts, 'files' | 'policies'>,
  path: string,
  pieces: AsyncIterable<string | Uint8Array>
): Answer<null> {
  const refusal = policies?.exportRefusal()
  // A policy can come into force while the file is being written.
  async function* allowed(): AsyncGenerator<string | Uint8Array> {
    for await (const piece of pieces) {
      const now = policies?.exportRefusal()
      if (now) throw new ResultsError(now)
      yield piece
    }
  }
  return refusal ? fail(refusal) : writeText(files, path, allowed())
}

export function createBatchFiles(
  parts: FileParts,
  from: {
    readonly held: HeldChecks
    linksOf(checkId: string): Result<LinkedCheck, Failure>
    /** A batch with what only this process knows of it. */
    show(store: BatchStore, id: string): Answer<BatchSummary>
  }
): BatchFiles {
  /** Writes rows to a path and records it. */
  async function written(
    path: string,
    text: ResultsText,
    what: Omit<Extract<NoteDraft, { readonly kind: 'export.made' }>['plain'], 'rows'>
  ): Answer<SavedRows> {
    const done = await writeRows(parts, path, text.pieces)
    if (!done.ok) return done
    await parts.auditTrail.note({ kind: 'export.made', plain: { ...what, rows: text.rows() } })
    return ok({ path, rows: text.rows(), cut: text.cut?.() ?? 0 })
  }

  /** A batch with its rows: of this history alone, or of a team. */
  async function locate(store: BatchStore, id: string): Answer<LocatedBatch> {
    const [batch, draft] = [await from.show(store, id), await store.draft(id)]
    if (!batch.ok || !draft.ok) return (await parts.team?.locate(id)) ?? (batch.ok ? failed('batch-missing') : batch)
    const found = { batch: batch.value, draft: draft.value }
    return parts.team && batch.value.shared ? parts.team.results(found, store) : ok({ ...found, source: store })
  }

  const saveTo: BatchFiles['saveTo'] = (id, file, path, format = formatOf(path)) =>
    inBatches(parts, async (store) => {
      const located = await locate(store, id)
      if (!located.ok) return located
      const { batch, draft, source } = located.value
      return written(path, resultsText(source, batch, draft, file, format), {
        what: 'batch',
        format: file,
        batchId: id
      })
    })

  const saveInvalidTo: BatchFiles['saveInvalidTo'] = async (checkId, path) => {
    const checked = from.held.get(checkId)
    const format = formatOf(path)
    return checked.ok ? written(path, invalidText(checked.value, format), { what: 'invalid-rows', format }) : checked
  }

  /** Asks for a path. The suggested form comes first: a dialog adds that of its first extension. */
  const askFor = (title: string, name: string): Promise<string | undefined> => {
    const suggested = formatOf(name)
    const extensions = [suggested, ...tableFormats.filter((each) => each !== suggested)]
    return parts.host.chooseSavePath(title, safeFileName(name), extensions)
  }
  return {
    async saveLinks(checkId, suggested) {
      const found = from.linksOf(checkId)
      if (!found.ok) return found
      const { checked, run } = found.value
      const path = await askFor('Save rows with findings', rowsName(checked.check, 'link findings', suggested))
      if (path === undefined) return ok(null)
      const format = formatOf(path)
      const text = invalidText(checked, format, ({ row }) => run.faultsOf(row))
      return written(path, text, { what: 'link-findings', format })
    },
    async saveInvalid(checkId, suggested) {
      const checked = from.held.get(checkId)
      if (!checked.ok) return checked
      const path = await askFor('Save invalid rows', rowsName(checked.value.check, 'invalid rows', suggested))
      return path === undefined ? ok(null) : saveInvalidTo(checkId, path)
    },
    saveInvalidTo,
    async save(id, file, format = 'csv') {
      const found = await inBatches(parts, (store) => locate(store, id))
      if (!found.ok) return found
      const name = resultsName(found.value.batch, file, format)
      const path = await (file === 'lossless'
        ? parts.host.chooseSavePath('Save results', safeFileName(name), ['jsonl'])
        : askFor('Save results', name))
      return path === undefined ? ok(null) : saveTo(id, file, path)
    },
    saveTo,
    async template(operations, suggested = 'csv') {
      const name = operations.length === 1 ? operations.join() : operationsTitle(operations)
      const path = await askFor('Save template', `${name} template.${suggested}`)
      if (path === undefined) return ok(null)
      const fields = fieldsOfRows(operations)
      const text = formatOf(path) === 'xlsx' ? templateWorkbook(fields) : templateText(fields)
      const done = await writeText(parts.files, path, text)
      return done.ok ? ok({ path }) : done
    }
  }
}
