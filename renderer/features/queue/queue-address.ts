/** The queue's filter, order and open item in the address, so that “back” restores them. */
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { isOperationId } from '#contract/verification/operations.ts'
import {
  dueClasses,
  maxChosenMessages,
  queueKinds,
  queueMeanings,
  queueSorts
} from '#contract/applicants/queue-kinds.ts'
import type { QueueFilter, QueueItem, QueueOrder, QueueQuery } from '#contract/applicants/queue.ts'

const values = (value: LocationQuery[string] | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => (item === undefined || item === null ? [] : [item]))
const among = <T extends string>(known: readonly T[], found: readonly string[]): T[] =>
  known.filter((each) => found.includes(each))

/** Reads a filter from the address and ignores anything else. */
export function queueFilterOf(query: LocationQuery): QueueFilter {
  const search = values(query['q'])[0]?.slice(0, 500)
  const kinds = among(queueKinds, values(query['state']))
  const due = among(dueClasses, values(query['due']))
  const operations = values(query['operation']).filter(isOperationId)
  const tags = values(query['tag'])
    .filter((tag) => tag !== '' && tag.length <= 60)
    .slice(0, 50)
  const assignees = values(query['assignee'])
    .filter((name) => name.length <= 100)
    .slice(0, 50)
  const moment = (name: string): number | undefined => {
    const at = Number(values(query[name])[0])
    return Number.isInteger(at) && at > 0 ? at : undefined
  }
  const [from, until] = [moment('from'), moment('until')]
  const batch = values(query['batch']).find((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  const numbers = (name: string): number[] =>
    values(query[name]).map(Number).filter(Number.isInteger).slice(0, maxChosenMessages)
  const [messages, newest] = [numbers('message'), numbers('newest')]
  const meanings = among(queueMeanings, values(query['meaning']))
  return {
    ...(search && { search }),
    ...(kinds.length > 0 && { kinds }),
    ...(due.length > 0 && { due }),
    ...(operations.length > 0 && { operations }),
    ...(meanings.length > 0 && { meanings }),
    ...(newest.length > 0 && { newest }),
    ...(tags.length > 0 && { tags }),
    ...(assignees.length > 0 && { assignees }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(batch !== undefined && { batch }),
    ...(batch !== undefined && messages.length > 0 && { messages })
  }
}

export const defaultOrder: QueueOrder = { by: 'due' }
/** The orders as they are chosen: the sort, and `-` before it if reversed. */
export const orderName = ({ by, reversed }: QueueOrder): string => `${reversed ? '-' : ''}${by}`
export function orderNamed(name: string | undefined): QueueOrder {
  const by = queueSorts.find((each) => each === name?.replace(/^-/, ''))
  return by ? { by, ...(name?.startsWith('-') && { reversed: true }) } : defaultOrder
}
export const queueOrderOf = (query: LocationQuery): QueueOrder => orderNamed(values(query['sort'])[0])

/** Converts filter and order to address parameters. */
export function queueAddress(
  { search, kinds, due, operations, meanings, newest, tags, assignees, from, until, batch, messages }: QueueFilter,
  order: QueueOrder
): LocationQueryRaw {
  const lists: Readonly<Record<string, readonly (string | number)[] | undefined>> = {
    state: kinds,
    due,
    operation: operations,
    meaning: meanings,
    newest,
    tag: tags,
    assignee: assignees,
    message: messages
  }
  return {
    ...(search && { q: search }),
    ...Object.fromEntries(
      Object.entries(lists).flatMap(([name, list]) => (list?.length ? [[name, list.map(String)]] : []))
    ),
    ...(from !== undefined && { from: String(from) }),
    ...(until !== undefined && { until: String(until) }),
    ...(batch !== undefined && { batch }),
    ...(orderName(order) !== orderName(defaultOrder) && { sort: orderName(order) })
  }
}

/** An item by its ID: `a:` and the applicant's, or `r:` and the record's. */
export const keyOfItem = (item: QueueItem): string =>
  item.kind === 'unresolved' ? `r:${item.record.id}` : `a:${item.applicant.id}`
export function queuedOf(key: string): QueueQuery['find'] & object {
  return key.startsWith('r:') ? { recordId: key.slice(2) } : { applicantId: key.slice(2) }
}
/** The open item, from the address. It is not part of the path: an erasure removes it with the search. */
export const openItemOf = (query: LocationQuery): string | undefined => {
  const key = values(query['open'])[0]
  return key !== undefined && /^[ar]:./.test(key) ? key : undefined
}
