/** The rows of the catalogue: as they are asked for, and those that are opened to the messages of each operation. */
import { computed, shallowRef, type Ref } from 'vue'
import type { CatalogueCounts, CatalogueCursor } from '#contract/applicants/applicants.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { ask } from '../../bridge.ts'
import { usePagedTable } from '../../kit/paged-table.ts'
import { dayStart, localDay } from '../../kit/time.ts'
import { useApplicants } from '../applicants/applicants-store.ts'
import { catalogueColumns, catalogueOrderOf, lastSeenFirst, messageTexts, type DrawnRow } from './catalogue-columns.ts'
import type { CatalogueFilter } from './catalogue-filter.ts'
import { words } from './words.ts'

export function useCatalogueList(filter: Readonly<Ref<CatalogueFilter>>, search: Readonly<Ref<string>>) {
  const applicants = useApplicants()
  const totals = shallowRef<{ total: number; unread: number; beyond: number; counts: CatalogueCounts }>()
  const visit = crypto.randomUUID()
  const asked = computed(() => {
    const { meanings, fresh, operations, statuses, merge, applicant } = filter.value
    return {
      month: dayStart(`${localDay(Date.now()).slice(0, 8)}01`) ?? 0,
      ...(meanings.length > 0 && { meanings: [...meanings] }),
      ...(fresh && { fresh }),
      ...(operations.length > 0 && { operations: [...operations] }),
      ...(statuses.length > 0 && { statuses: [...statuses] }),
      ...(merge && { merge }),
      ...(search.value && { search: search.value }),
      ...(applicant && { applicantId: applicant })
    }
  })

  /** Rows that are opened to the messages of each operation and status. */
  const opened = shallowRef<ReadonlySet<number>>(new Set())
  const keyOf = ({ id, part }: DrawnRow): string => (part ? `part-${id}` : String(id))
  const list = usePagedTable<DrawnRow, CatalogueCursor>({
    name: 'catalogue',
    title: words.messages,
    columns: catalogueColumns,
    texts: messageTexts,
    usual: lastSeenFirst,
    keyOf,
    nameOf: (row) => (row.part ? operationOf(row.operation).title : oneLine(row.message).slice(0, 80)),
    asked: [search, () => JSON.stringify(filter.value)],
    versions: [() => applicants.version],
    spread: (row) =>
      row.parts && opened.value.has(row.id)
        ? [row, ...row.parts.map((each) => ({ ...each, part: true as const }))]
        : [row],
    read: async (sort, limit, after) => {
      const answer = await ask('catalogue.list', {
        ...asked.value,
        order: catalogueOrderOf(sort),
        visit,
        limit,
        ...(after && { after })
      })
      if (!answer.ok) return answer
      const { messages, next, ...others } = answer.value
      totals.value = others
      return { ok: true, value: { items: messages, next } }
    }
  })
  function toggle(row: DrawnRow | undefined, open = row !== undefined && !opened.value.has(row.id)): void {
    if (!row?.parts || opened.value.has(row.id) === open) return
    const next = new Set(opened.value)
    if (open) next.add(row.id)
    else next.delete(row.id)
    opened.value = next
  }
  const keyAt = (index: number): string | undefined => {
    const row = list.at(index)
    return row && keyOf(row)
  }
  /** The row after one, past those that it is opened to. */
  function keyAfter(index: number): string | undefined {
    let next = index + 1
    if (!list.at(index)?.part) while (list.at(next)?.part) next += 1
    return keyAt(next)
  }
  return { list, asked, totals, opened, toggle, keyAt, keyAfter }
}
