/** Exports: streamed from the store, and written completely or not at all. */
import { createHash, randomUUID } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { AuditFilter } from '#contract/evidence/audit.ts'
import type {
  ApplicantDataOrder,
  BatchExport,
  CatalogueExport,
  Exported,
  ExportFormat,
  ExportProgress
} from '#contract/data-management/data-management.ts'
import type { ReportFormat, ReportOrder } from '#contract/overview/report.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import { StoreError } from '#core/files/store-error.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { Clock } from '#kit/clock.ts'
import { applicantDataText, type ApplicantDataAccess } from './applicant-data.ts'
import { letterText, type Wordings } from './letter.ts'
import { reportText, type ReportFacts } from './report.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { batchesText, catalogueText } from './lists.ts'
import type { ExportText } from './rows.ts'
import { applicantsText, auditText, chosenText, historyText } from './texts.ts'

export interface ExportParts {
  readonly clock: Clock
  readonly consoleVersion: string
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly files: Pick<ChosenFiles, 'write'>
  /** Absent if the host has no printer. */
  readonly printPdf?: ((html: string) => Promise<Uint8Array>) | undefined
  readonly progress: (progress: ExportProgress) => void
  /** Why nothing may be exported; a policy can come into force while a file is being written. */
  readonly refusal?: () => Failure | undefined
}

type Answer<T> = Promise<Result<T, Failure>>

export interface Exports {
  history(order: {
    readonly exportId: string
    readonly filter: HistoryFilter
    readonly ids?: readonly string[] | undefined
    readonly format: ExportFormat
  }): Answer<Exported | null>
  applicants(order: {
    readonly exportId: string
    readonly ids?: readonly string[] | undefined
    readonly format: ExportFormat
  }): Answer<Exported | null>
  batches(order: BatchExport): Answer<Exported | null>
  catalogue(order: CatalogueExport): Answer<Exported | null>
  audit(order: {
    readonly exportId: string
    readonly filter: AuditFilter
    readonly format: ExportFormat
  }): Answer<Exported | null>
  /** Saves an applicant's data as a person has read it. Failures: `applicant-missing`, `applicant-data-not-saved`. */
  applicantData(order: ApplicantDataOrder, access: ApplicantDataAccess): Answer<Exported | null>
  /** Saves the letter of explanation as a person has read it. Failures: `applicant-missing`, `letter-not-saved`. */
  letter(order: ApplicantDataOrder, wordings: Wordings): Answer<Exported | null>
  /** A month's figures. */
  report(order: ReportOrder, facts: Omit<ReportFacts, 'now'>): Answer<Exported | null>
  /** False if it had already ended. */
  stop(exportId: string): boolean
}

/** How the audit trail names what is written. */
type Exportable =
  | 'history'
  | 'applicants'
  | 'applicant-data'
  | 'explanation-letter'
  | 'audit-trail'
  | 'batches'
  | 'message-catalogue'
  | 'monthly-report'

/** Milliseconds between two progress events. */
const progressInterval = 250

/** What a file's name says, the day by default; and the applicant whom the event is about. */
interface Whose {
  readonly of?: string
  readonly applicantId?: string
}

export function createExports(parts: ExportParts): Exports {
  const running = new Map<string, { stopped: boolean }>()

  async function write(
    exportId: string,
    what: Exportable,
    format: ExportFormat | ReportFormat | 'zip' | 'pdf',
    make: (store: HistoryStore) => Answer<ExportText>,
    { of = new Date(parts.clock.now()).toISOString().slice(0, 10), applicantId }: Whose = {}
  ): Answer<Exported | null> {
    const store = await parts.store()
    if (!store.ok) return store
    const path = await parts.chooseSavePath(
      `Export the ${what.replaceAll('-', ' ')}`,
      `veridesk-${what.replace(' ', '-')}-${of}.${format}`,
      [format]
    )
    if (path === undefined) return ok(null)
    const text = await make(store.value)
    if (!text.ok) return text
    const { head, total, pieces, rows, cut } = text.value
    const state = { stopped: false }
    running.set(exportId, state)
    const hash = createHash('sha256')
    let bytes = 0
    let fault: Failure | undefined
    async function* watched(): AsyncGenerator<string | Uint8Array> {
      let announcedAt = -Infinity
      try {
        for await (const piece of pieces) {
          if (state.stopped) throw new StoreError(failed('export-stopped').failure)
          const refusal = parts.refusal?.()
          if (refusal) throw new StoreError(refusal)
          hash.update(piece)
          bytes += Buffer.byteLength(piece)
          yield piece
          if (parts.clock.monotonic() - announcedAt < progressInterval) continue
          announcedAt = parts.clock.monotonic()
          parts.progress({ exportId, done: rows(), ...(total !== undefined && { total }) })
        }
      } catch (error) {
        if (error instanceof StoreError) fault = error.failure
        throw error
      }
    }
    const written = await parts.files.write(path, watched()).finally(() => running.delete(exportId))
    if (fault) return { ok: false, failure: fault }
    if (!written.ok) return written
    const exported: Exported = { path, rows: rows(), bytes, sha256: hash.digest('hex'), head, cut: cut?.() ?? 0 }
    parts.progress({ exportId, done: rows(), total: rows() })
    const { sha256 } = exported
    await parts.auditTrail.note({
      kind: 'export.made',
      plain: { what, format, rows: rows(), sha256, head },
      ...(applicantId !== undefined && { about: { applicantId } })
    })
    return ok(exported)
  }

  const about = () => ({ madeAt: new Date(parts.clock.now()).toISOString(), consoleVersion: parts.consoleVersion })
  return {
    history: ({ exportId, filter, ids, format }) =>
      write(exportId, 'history', format, (store) =>
        ids ? chosenText(store, ids, format, about()) : historyText(store, filter, format, about())
      ),
    applicants: ({ exportId, ids, format }) =>
      write(exportId, 'applicants', format, (store) => applicantsText(store, format, about(), ids)),
    batches: (order) => write(order.exportId, 'batches', order.format, (store) => batchesText(store, order, about())),
    catalogue: (order) =>
      write(order.exportId, 'message-catalogue', order.format, (store) => catalogueText(store, order, about())),
    audit: ({ exportId, filter, format }) =>
      write(exportId, 'audit-trail', format, (store) => auditText(store, filter, format, about())),
    applicantData: (order, access) =>
      write(
        randomUUID(),
        'applicant-data',
        'zip',
        (store) => applicantDataText(store, order, { ...access, ...about(), printPdf: parts.printPdf }),
        { applicantId: order.applicantId }
      ),
    letter: (order, wordings) =>
      write(randomUUID(), 'explanation-letter', 'pdf', (store) => letterText(store, order, wordings, parts.printPdf), {
        applicantId: order.applicantId
      }),
    report: (order, facts) =>
      write(
        randomUUID(),
        'monthly-report',
        order.format,
        (store) => reportText(store, order, { ...facts, now: parts.clock.now() }, parts.printPdf),
        { of: order.month }
      ),
    stop: (exportId) => {
      const state = running.get(exportId)
      if (state) state.stopped = true
      return state !== undefined
    }
  }
}
