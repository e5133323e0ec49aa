/** What the window can export, and the question that it asks for it. */
import type { AuditFilter } from '#contract/evidence/audit.ts'
import type { BatchExport, CatalogueExport, Exported, ExportFormat } from '#contract/data-management/data-management.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import type { Result } from '#contract/failures/result.ts'
import { ask } from '../../bridge.ts'

/** Without `ids`, everything that the filter or the search leaves. */
export type ExportOrder =
  | { readonly what: 'history'; readonly filter: HistoryFilter; readonly ids?: readonly string[] | undefined }
  | { readonly what: 'applicants'; readonly ids?: readonly string[] | undefined }
  | { readonly what: 'audit'; readonly filter: AuditFilter }
  | { readonly what: 'batches'; readonly search: BatchExport['search']; readonly ids?: readonly string[] | undefined }
  | {
      readonly what: 'catalogue'
      readonly filter: CatalogueExport['filter']
      readonly ids?: readonly number[] | undefined
    }

/** Null: the user cancelled the file dialog. Failures: those of a history that cannot be read or a file that cannot be written. */
export function askForExport(
  order: ExportOrder,
  exportId: string,
  format: ExportFormat
): Promise<Result<Exported | null, Failure>> {
  const common = { exportId, format }
  switch (order.what) {
    case 'history':
      return ask('exports.history', { ...common, filter: order.filter, ...(order.ids && { ids: [...order.ids] }) })
    case 'applicants':
      return ask('exports.applicants', { ...common, ...(order.ids && { ids: [...order.ids] }) })
    case 'audit':
      return ask('exports.audit', { ...common, filter: order.filter })
    case 'batches':
      return ask('exports.batches', {
        ...common,
        ...(order.search && { search: order.search }),
        ...(order.ids && { ids: [...order.ids] })
      })
    case 'catalogue':
      return ask('exports.catalogue', { ...common, filter: order.filter, ...(order.ids && { ids: [...order.ids] }) })
  }
}
