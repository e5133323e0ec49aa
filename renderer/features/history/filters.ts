/**
 * The history's filter in the address, so that a view can be bookmarked, passed between pages and restored with “back”.
 */
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { messageMeanings } from '#contract/applicants/applicants.ts'
import { isOperationId } from '#contract/verification/operations.ts'
import { outcomeIds, type RecordState } from '#contract/verification/outcomes.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'

const states: readonly string[] = ['open', ...outcomeIds]
const list = (value: LocationQuery[string] | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => (item ? item.split(',') : []))
const all = (value: LocationQuery[string] | undefined): string[] => [value].flat().flatMap((item) => item ?? [])
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const one = (value: LocationQuery[string] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value) ?? undefined

/** Reads a filter from the address and ignores anything else. */
export function filterOf(query: LocationQuery): HistoryFilter {
  const operations = list(query['operation']).filter(isOperationId)
  const chosen = list(query['outcome']).filter((state): state is RecordState => states.includes(state))
  const statuses = list(query['status'])
    .map(Number)
    .filter((status) => Number.isInteger(status) && status >= 100 && status <= 999)
  const connections = list(query['connection']).filter((id) => id.length <= 64)
  const batches = list(query['batch']).filter((id) => uuid.test(id))
  const operators = all(query['operator']).filter((name) => name.length <= 400)
  const messages = list(query['message'])
    .map(Number)
    .filter((number) => Number.isInteger(number) && number > 0)
  const meanings = messageMeanings.filter((each) => list(query['interpretation']).includes(each))
  const moment = (name: string): number | undefined => {
    const at = Number(one(query[name]))
    return Number.isInteger(at) && at > 0 ? at : undefined
  }
  const from = moment('from')
  const until = moment('until')
  const search = one(query['q'])?.slice(0, 500)
  return {
    ...(search && { search }),
    ...(operations.length > 0 && { operations }),
    ...(chosen.length > 0 && { states: chosen }),
    ...(statuses.length > 0 && { statuses }),
    ...(connections.length > 0 && { connections }),
    ...(batches.length > 0 && { batches }),
    ...(operators.length > 0 && { operators }),
    ...(messages.length > 0 && { messages }),
    ...(meanings.length > 0 && { meanings }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(one(query['unresolved']) === '1' && { unresolved: true })
  }
}

/** Converts a filter to address parameters. */
export function queryOf(filter: HistoryFilter): LocationQueryRaw {
  const lists = {
    operation: filter.operations,
    outcome: filter.states,
    status: filter.statuses,
    connection: filter.connections,
    batch: filter.batches,
    message: filter.messages,
    interpretation: filter.meanings
  }
  return {
    ...(filter.search && { q: filter.search }),
    ...Object.fromEntries(
      Object.entries(lists).flatMap(([name, values]) => (values?.length ? [[name, values.join(',')]] : []))
    ),
    // A name may contain a comma.
    ...(filter.operators?.length && { operator: filter.operators }),
    ...(filter.from !== undefined && { from: String(filter.from) }),
    ...(filter.until !== undefined && { until: String(filter.until) }),
    ...(filter.unresolved && { unresolved: '1' })
  }
}

/** The filter for core: a search of nothing is removed. */
export function sendable(filter: HistoryFilter): HistoryFilter {
  const search = filter.search?.trim() ?? ''
  const { search: _typed, ...rest } = filter
  return search === '' ? rest : { ...rest, search }
}

/** Whether the filter narrows anything. */
export const narrows = (filter: HistoryFilter): boolean => Object.keys(sendable(filter)).length > 0
